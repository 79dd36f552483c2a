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
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"norn/chat/bridge"
	"norn/lang"
)

// Words has the command's descriptions, and the few texts that aren't the bridge's.
//
//go:embed words/*.toml
var Words embed.FS

// API is the address of Discord's API.
const API = "https://discord.com/api"

const (
	requestTime = 20 * time.Second // for one request to Discord
	remembered  = 4096             // number of remembered interactions, and of long suggested lines
)

// Config has what a Bot needs.
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
	client rest.Client
	key    []byte

	interactions rest.Interactions
	channels     rest.Channels
	users        rest.Users

	running context.Context // until Close
	stop    context.CancelFunc
	working sync.WaitGroup // interactions in progress
	clock   clock
	up      atomic.Bool

	mu      sync.Mutex
	closed  bool
	seen    map[snowflake.ID]bool
	offered map[string]string // long lines, by person and the part that was shown
}

// Formats of values on an application's page.
var (
	tokenShape = regexp.MustCompile(`^[\w-]{18,}\.[\w-]{6,}\.[\w-]{27,}$`)
	keyShape   = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
)

// IsToken reports whether a text has the format of a bot's token.
func IsToken(text string) bool { return tokenShape.MatchString(text) }

// IsPublicKey reports whether a text has the format of a public key.
func IsPublicKey(text string) bool { return keyShape.MatchString(text) }

// New returns a Bot, which does nothing before Run or a call over HTTP.
func New(c Config) (*Bot, error) {
	key, err := hex.DecodeString(c.PublicKey)
	if err != nil || c.PublicKey != "" && !IsPublicKey(c.PublicKey) {
		return nil, errors.New("the public key isn't 64 digits of hex")
	}
	if c.API == "" {
		c.API = API
	}
	b := &Bot{config: c, log: c.Log, key: key, seen: map[snowflake.ID]bool{}, offered: map[string]string{}}
	b.running, b.stop = context.WithCancel(context.Background())
	silent := slog.New(slog.DiscardHandler) // the library's messages may contain tokens
	b.client = rest.NewClient(c.Token,
		rest.WithURL(fmt.Sprintf("%s/v%d", strings.TrimRight(c.API, "/"), rest.Version)),
		rest.WithLogger(silent), rest.WithHTTPClient(&http.Client{Timeout: requestTime}),
		rest.WithUserAgent("DiscordBot (https://github.com/disgoorg/disgo, v0.19) norn"),
		// Rate limits are reported at once: each place waits by itself and delays no other.
		rest.WithRateLimiterConfigOpts(rest.WithRateLimiterLogger(silent), rest.WithMaxRetries(1)),
	)
	b.interactions = rest.NewInteractions(b.client, nobody())
	b.channels, b.users = rest.NewChannels(b.client, nobody()), rest.NewUsers(b.client)
	return b, nil
}

// Name implements bridge.Platform.
func (b *Bot) Name() string { return "discord" }

// Lead returns the command: norn reads nothing else in Discord.
func (b *Bot) Lead(string) string { return "/" + commandName + " " }

// Join returns "": codes are entered with the command.
func (b *Bot) Join(string) string { return "" }

// Up reports whether norn is connected to Discord, as far as it knows.
func (b *Bot) Up() bool { return b.up.Load() }

// Close ends the answers in progress.
func (b *Bot) Close() {
	b.stop()
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.working.Wait()
	b.client.HTTPClient().CloseIdleConnections()
}
