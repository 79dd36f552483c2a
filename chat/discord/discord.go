package discord

import (
	"context"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/httpserver"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"norn/chat/bridge"
	"norn/lang"
)

// Words are what the command says of itself, and the little that norn says where the bridge can't.
//
//go:embed words/*.toml
var Words embed.FS

// API is where Discord is asked.
const API = "https://discord.com/api"

const (
	requestTime = 20 * time.Second       // for one request to Discord
	shortPause  = 200 * time.Millisecond // before a connection is tried again, doubled up to
	longPause   = 5 * time.Minute
	closeTime   = 2 * time.Second
	maxSigned   = 256 << 10        // bytes of a call over HTTP
	maxSkew     = 15 * time.Minute // how old a signed call may be: as long as its token lives
)

// Config is what a Bot needs.
type Config struct {
	Token     string // of the bot
	PublicKey string // of the application, in hex, for calls over HTTP; "" for none
	Gateway   bool   // whether to connect to the gateway
	API       string // "" for Discord's own
	Hearer    bridge.Hearer
	Words     *lang.Words
	Log       *slog.Logger
}

// Bot is norn in Discord.
type Bot struct {
	config Config
	log    *slog.Logger
	secret *redactor
	client rest.Client
	key    []byte

	interactions rest.Interactions
	channels     rest.Channels
	users        rest.Users

	running context.Context // until Close
	stop    context.CancelFunc
	opening sync.Mutex
	closed  bool
	working sync.WaitGroup // interactions that are being answered
	seen    *recently[snowflake.ID, struct{}]
	offered *recently[string, string] // lines that were too long to be offered whole, by who saw which part of it
	private *recently[string, string] // where a person reads alone
	clock   clock
	up      atomic.Bool
}

// shapes of what an application's page gives out.
var (
	tokenShape = regexp.MustCompile(`^[\w-]{18,}\.[\w-]{6,}\.[\w-]{27,}$`)
	keyShape   = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
)

// IsToken tells whether a text has a bot's token's shape.
func IsToken(text string) bool { return tokenShape.MatchString(text) }

// IsPublicKey tells whether a text has a public key's shape.
func IsPublicKey(text string) bool { return keyShape.MatchString(text) }

// New makes a Bot, which does nothing before Run or a call over HTTP.
func New(c Config) (*Bot, error) {
	key, err := hex.DecodeString(c.PublicKey)
	if err != nil || c.PublicKey != "" && !IsPublicKey(c.PublicKey) {
		return nil, errors.New("the public key isn't 64 digits of hex")
	}
	if c.API == "" {
		c.API = API
	}
	b := &Bot{config: c, key: key, secret: &redactor{c.Token}}
	b.log = slog.New(b.secret.handler(c.Log.Handler()))
	b.running, b.stop = context.WithCancel(context.Background())
	b.seen, b.offered, b.private = newRecently[snowflake.ID, struct{}](), newRecently[string, string](), newRecently[string, string]()
	b.client = rest.NewClient(c.Token,
		rest.WithURL(fmt.Sprintf("%s/v%d", strings.TrimRight(c.API, "/"), rest.Version)),
		rest.WithLogger(b.log), rest.WithHTTPClient(&http.Client{Timeout: requestTime}),
		rest.WithUserAgent("DiscordBot (https://github.com/disgoorg/disgo, v0.19) norn"),
		// What is limited is said at once: a place waits by its own cursor, and holds up no other.
		rest.WithRateLimiterConfigOpts(rest.WithRateLimiterLogger(b.log), rest.WithMaxRetries(1)),
	)
	b.interactions = rest.NewInteractions(b.client, nobody())
	b.channels, b.users = rest.NewChannels(b.client, nobody()), rest.NewUsers(b.client)
	return b, nil
}

// Name implements bridge.Platform.
func (b *Bot) Name() string { return "discord" }

// Join implements bridge.Platform: codes are given by the command.
func (b *Bot) Join(string) string { return "" }

// Up tells whether Discord can tell norn what people do, as far as norn knows.
func (b *Bot) Up() bool { return b.up.Load() }

// Run makes the command known and stays connected until ctx ends. It may be called again.
func (b *Bot) Run(ctx context.Context) {
	defer b.up.Store(false)
	pause := shortPause
	for {
		began := time.Now()
		err := b.connect(ctx)
		b.up.Store(false)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > longPause {
			pause = shortPause
		}
		if isStatus(err, http.StatusUnauthorized) || isRefusedToken(err) {
			pause = longPause
			b.log.Error("Discord doesn't take the bot's token", "again", pause.String())
		} else {
			b.log.Warn("Discord can't be reached", "err", err, "again", pause.String())
		}
		if wait(ctx, pause) != nil {
			return
		}
		pause = min(2*pause, longPause)
	}
}

// Close ends what is being answered.
func (b *Bot) Close() {
	b.stop()
	b.opening.Lock()
	b.closed = true
	b.opening.Unlock()
	b.working.Wait()
	b.client.HTTPClient().CloseIdleConnections()
}

// connect is connected until that ends for good.
func (b *Bot) connect(ctx context.Context) error {
	if err := b.register(ctx); err != nil {
		return err
	}
	if !b.config.Gateway {
		b.up.Store(true)
		<-ctx.Done()
		return nil
	}
	return b.listen(ctx)
}

// begin answers an interaction, unless it was told before.
func (b *Bot) begin(i disgo.Interaction, reply reply) {
	b.opening.Lock()
	defer b.opening.Unlock()
	if b.closed || !b.seen.add(i.ID(), struct{}{}) {
		return
	}
	late := b.clock.late(time.Since(i.ID().Time()))
	b.working.Go(func() { b.answer(b.running, i, late, reply) })
}

// ServeHTTP hears calls over HTTP. What isn't signed by Discord, or was signed long ago, is refused before it's read.
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
	r.Body = http.MaxBytesReader(w, r.Body, maxSigned)
	httpserver.HandleInteraction(httpserver.DefaultVerifier{}, b.key, slog.New(slog.DiscardHandler), func(respond httpserver.RespondFunc, e httpserver.EventInteractionCreate) {
		if _, ping := e.Interaction.(disgo.PingInteraction); ping {
			_ = respond(disgo.InteractionResponse{Type: disgo.InteractionResponseTypePong})
			return
		}
		b.begin(e.Interaction, func(_ context.Context, r disgo.InteractionResponse) error { return respond(r) })
	})(w, r)
}

// fresh tells whether something was signed not long ago.
func fresh(stamp string, now time.Time) bool {
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	return err == nil && now.Sub(time.Unix(seconds, 0)).Abs() < maxSkew
}
