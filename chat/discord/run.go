package discord

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/httpserver"
	"github.com/gorilla/websocket"

	"norn/chat/bridge"
	"norn/internal/nesting"
)

// Run registers the command and stays connected until ctx ends. It may be called again.
func (b *Bot) Run(ctx context.Context) {
	defer b.up.Store(false)
	var s session
	known := false
	for pause := shortPause; ; pause = min(2*pause, longPause) {
		began := time.Now()
		var err error
		if !known {
			err = b.register(ctx)
			known = err == nil
		}
		if known {
			err = b.link(ctx, &s)
		}
		b.up.Store(false)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > longPause {
			pause = shortPause
		}
		code := 0
		if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
			code = closed.Code
		}
		if slices.Contains(lostSessionCodes, code) {
			s = session{}
		}
		if isStatus(err, http.StatusUnauthorized) || slices.Contains(fatalCodes, code) {
			pause = longPause
			b.log.Error("Discord doesn't take the bot's token, or what it asks for", "again", pause.String())
		} else {
			b.log.Warn("no connection to Discord", "err", b.bridgeError(err), "again", pause.String())
		}
		if bridge.Wait(ctx, pause) != nil {
			return
		}
	}
}

// ServeHTTP handles calls over HTTP. Calls that Discord hasn't signed, or long ago, are refused
// before they're read.
func (b *Bot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Discord posts here.", http.StatusMethodNotAllowed)
		return
	}
	if len(b.key) == 0 || !fresh(r.Header.Get("X-Signature-Timestamp"), time.Now()) {
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
		return
	}
	body := http.MaxBytesReader(w, r.Body, maxSigned)
	r.Body = struct {
		io.Reader
		io.Closer
	}{nesting.Reader(body), body}
	httpserver.HandleInteraction(httpserver.DefaultVerifier{}, b.key, slog.New(slog.DiscardHandler),
		func(respond httpserver.RespondFunc, e httpserver.EventInteractionCreate) {
			if _, ping := e.Interaction.(disgo.PingInteraction); ping {
				_ = respond(disgo.InteractionResponse{Type: disgo.InteractionResponseTypePong})
				return
			}
			b.begin(e.Interaction, func(_ context.Context, r disgo.InteractionResponse) error { return respond(r) })
		})(w, r)
}

// fresh reports whether a signature is recent.
func fresh(stamp string, now time.Time) bool {
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	return err == nil && now.Sub(time.Unix(seconds, 0)).Abs() < maxSkew
}

const maxSigned = 256 << 10 // maxSigned limits the bytes of a call over HTTP.

const maxSkew = 15 * time.Minute // maxSkew is the maximum age of a signed call: the lifetime of its token.

// shortPause is the first pause before reconnecting; it doubles up to longPause.
const shortPause = 200 * time.Millisecond

const longPause = 5 * time.Minute
