package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"runtime"
	"strconv"
	"sync"
	"time"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/gateway"
	"github.com/disgoorg/disgo/rest"
	"github.com/gorilla/websocket"

	"norn/chat/bridge"
	"norn/internal/nesting"
	"norn/internal/rescue"
)

// The library's own gateway can't be closed while it connects and has a data race with its
// heartbeat, so norn has its own connection, with the library's messages.

const (
	helloTime   = 20 * time.Second // to connect and receive the hello
	writeTime   = 10 * time.Second
	maxFrame    = 4 << 20
	invalidWait = time.Second // minimum wait before a rejected session is tried again
)

// session has what is needed to resume after a connection ended.
type session struct {
	id, address string
	seq         int
}

// frame is a message of the gateway.
type frame struct {
	Op   gateway.Opcode    `json:"op"`
	Data json.RawMessage   `json:"d"`
	Seq  int               `json:"s"`
	Type gateway.EventType `json:"t"`
}

// fatalCodes are close codes after which reconnecting is useless: the token or the configuration is
// wrong.
var fatalCodes = []int{4004, 4010, 4011, 4012, 4013, 4014}

// lostSessionCodes are close codes after which a session can't be resumed.
var lostSessionCodes = []int{websocket.CloseNormalClosure, websocket.CloseGoingAway, 4003, 4007, 4009}

var errAsked = errors.New("a new connection was asked for")

// link runs one connection, if the gateway is wanted. This goroutine reads it; it and the heartbeat
// write.
func (b *Bot) link(ctx context.Context, s *session) error {
	if !b.config.Gateway {
		b.up.Store(true)
		<-ctx.Done()
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.address == "" {
		at, err := rest.NewGateway(b.client).GetGatewayBot(rest.WithCtx(ctx))
		if err != nil {
			return err
		}
		s.address = at.URL
	}
	address, err := url.Parse(s.address)
	if err != nil {
		return err
	}
	address.RawQuery = url.Values{"v": {strconv.Itoa(gateway.Version)}, "encoding": {"json"}}.Encode()
	dialer := websocket.Dialer{Proxy: websocket.DefaultDialer.Proxy, HandshakeTimeout: helloTime}
	conn, _, err := dialer.DialContext(ctx, address.String(), nil)
	if err != nil {
		s.address = "" // the address for resuming may be outdated
		return err
	}
	conn.SetReadLimit(maxFrame)
	var writing sync.Mutex
	send := func(op gateway.Opcode, data any) error {
		writing.Lock()
		defer writing.Unlock()
		_ = conn.SetWriteDeadline(time.Now().Add(writeTime))
		return conn.WriteJSON(map[string]any{"op": op, "d": data})
	}
	var beating sync.WaitGroup
	defer func() {
		cancel()
		beating.Wait()
		_ = conn.Close()
	}()
	stop := context.AfterFunc(ctx, func() { // norn ends, or this connection does
		_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""),
			time.Now().Add(closeTime))
		_ = conn.Close()
	})
	defer stop()

	_ = conn.SetReadDeadline(time.Now().Add(helloTime))
	var hello frame
	if err := readFrame(conn, &hello); err != nil {
		return err
	}
	var greeting struct {
		Beat int `json:"heartbeat_interval"`
	}
	if err := json.Unmarshal(hello.Data, &greeting); err != nil || hello.Op != gateway.OpcodeHello ||
		greeting.Beat <= 0 {
		return fmt.Errorf("no greeting but %d", hello.Op)
	}
	beat := time.Duration(greeting.Beat) * time.Millisecond
	if s.id != "" {
		err = send(gateway.OpcodeResume, gateway.MessageDataResume{Token: b.config.Token, SessionID: s.id, Seq: s.seq})
	} else {
		err = send(gateway.OpcodeIdentify, gateway.MessageDataIdentify{
			Token: b.config.Token, Intents: gateway.IntentsNone, LargeThreshold: 50,
			Properties: gateway.IdentifyCommandDataProperties{OS: runtime.GOOS, Browser: "norn", Device: "norn"},
		})
	}
	if err != nil {
		return err
	}
	seqs := make(chan int, 1) // the newest, for the heartbeat
	seqs <- s.seq
	newest := func() any {
		seq := <-seqs
		seqs <- seq
		if seq == 0 {
			return nil
		}
		return seq
	}
	beating.Go(rescue.Wrap(b.log, "discord", func() { // without a heartbeat Discord ends the connection
		next := time.Duration(rand.Float64() * float64(beat))
		for bridge.Wait(ctx, next) == nil && send(gateway.OpcodeHeartbeat, newest()) == nil {
			next = beat
		}
	}))
	for {
		// Each heartbeat gets a response: after two without one the connection is dead.
		_ = conn.SetReadDeadline(time.Now().Add(2*beat + writeTime))
		var f frame
		if err := readFrame(conn, &f); err != nil {
			return err
		}
		switch f.Op {
		case gateway.OpcodeDispatch:
			s.seq = f.Seq
			<-seqs
			seqs <- s.seq
			if err := b.dispatch(f, s); err != nil {
				return err
			}
		case gateway.OpcodeHeartbeat:
			if err := send(gateway.OpcodeHeartbeat, newest()); err != nil {
				return err
			}
		case gateway.OpcodeReconnect:
			return errAsked
		case gateway.OpcodeInvalidSession:
			if string(f.Data) != "true" {
				*s = session{}
			}
			_ = bridge.Wait(ctx, invalidWait+rand.N(4*invalidWait))
			return errAsked
		}
	}
}

// readFrame reads the next message.
func readFrame(conn *websocket.Conn, into *frame) error {
	_, message, err := conn.NextReader()
	if err != nil {
		return err
	}
	return json.NewDecoder(nesting.Reader(message)).Decode(into)
}

// dispatch handles an event.
func (b *Bot) dispatch(f frame, s *session) error {
	switch f.Type {
	case gateway.EventTypeReady:
		var ready struct {
			ID      string `json:"session_id"`
			Address string `json:"resume_gateway_url"`
		}
		if err := json.Unmarshal(f.Data, &ready); err != nil {
			return err
		}
		s.id, s.address = ready.ID, ready.Address
		b.up.Store(true)
		b.log.Info("connected to Discord")
	case gateway.EventTypeResumed:
		b.up.Store(true)
	case gateway.EventTypeInteractionCreate:
		i, err := disgo.UnmarshalInteraction(f.Data)
		if err != nil {
			b.log.Warn("Discord told something that norn can't read", "err", b.bridgeError(err))
			return nil
		}
		b.begin(i, b.replyTo(i))
	}
	return nil
}

// replyTo returns the reply to an interaction of the gateway.
func (b *Bot) replyTo(i disgo.Interaction) reply {
	return func(ctx context.Context, r disgo.InteractionResponse) error {
		return b.retry(ctx, func(again bool) error {
			err := b.interactions.CreateInteractionResponse(i.ID(), i.Token(), r, rest.WithCtx(ctx))
			if again && isCode(err, rest.JSONErrorCodeInteractionAlreadyAcknowledged) {
				return nil // the connection was cut after Discord had accepted it
			}
			return err
		})
	}
}

const closeTime = 2 * time.Second
