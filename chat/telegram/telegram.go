package telegram

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot"

	"norn/chat/bridge"
	"norn/internal/rescue"
	"norn/lang"
)

// Words has the texts that norn itself says in Telegram: how to answer, and what isn't possible.
//
//go:embed words/*.toml
var Words embed.FS

// Usual is the default address of Telegram's API.
const Usual = "https://api.telegram.org"

const (
	pollTime   = 50 * time.Second // that a poll may wait for updates
	answerTime = 30 * time.Second // for any other request
	firstPause = 200 * time.Millisecond
	maxPause   = time.Minute
)

// Config has what a bot needs.
type Config struct {
	Token   string // from BotFather
	API     string // address of Telegram's API, or of another server; "" for Usual
	Webhook string // https address that Telegram calls; "" to poll instead
	Hearer  bridge.Hearer
	Words   *lang.Words // including Words and those of package chat
	Log     *slog.Logger
}

// Chat is a bot in Telegram. It's a bridge.Platform.
type Chat struct {
	api, webhook, token string
	secret              string // authenticates calls of the webhook
	hidden              secrets

	hearer bridge.Hearer
	words  *lang.Words
	log    *slog.Logger
	client *http.Client
	bot    *bot.Bot
	lanes  lanes         // updates in progress
	owed   lanes         // messages that Telegram hasn't accepted yet
	calls  chan struct{} // bounds concurrent calls of the webhook

	running context.Context // until Close
	stop    context.CancelFunc
	working sync.WaitGroup

	mu    sync.Mutex
	me    string             // the bot's name, once known
	asked map[string]carried // fields that the next line in a private chat answers, by place

	missed map[string][]bridge.Person // people who get no answer because the limit is reached, by place
}

// New returns a bot and requests its name; Close ends it.
func New(c Config) (*Chat, error) {
	if c.API == "" {
		c.API = Usual
	}
	t := &Chat{
		token: strings.TrimSpace(c.Token), api: strings.TrimRight(c.API, "/"), webhook: c.Webhook,
		hearer: c.Hearer, words: c.Words, log: c.Log,
		client: &http.Client{
			Timeout:   pollTime + answerTime,
			Transport: http.DefaultTransport.(*http.Transport).Clone(),
		},
		calls: make(chan struct{}, maxCalls), asked: map[string]carried{}, missed: map[string][]bridge.Person{},
	}
	t.lanes.log, t.owed.log = t.log, t.log
	t.running, t.stop = context.WithCancel(context.Background())
	sum := hmac.New(sha256.New, []byte(t.token))
	sum.Write([]byte("norn: webhook of Telegram"))
	t.secret = hex.EncodeToString(sum.Sum(nil))
	t.hidden = secretsOf(t.token, t.secret)
	made, err := bot.New(t.token, bot.WithSkipGetMe(), bot.WithServerURL(t.api), bot.WithHTTPClient(pollTime, t.client),
		bot.WithErrorsHandler(func(err error) { t.log.Debug("telegram", "error", t.hidden.fault(err)) }),
		bot.WithDebugHandler(func(string, ...any) {}))
	if err != nil {
		return nil, t.hidden.fault(err)
	}
	t.bot = made
	t.working.Go(rescue.Repeat(t.running.Done(), t.log, "telegram", func() { t.meet(t.running) })) // every node makes links and handles calls, one runs
	return t, nil
}

// Close ends what waits to be sent.
func (t *Chat) Close() {
	t.stop()
	t.working.Wait()
	t.owed.wait()
}

// Name implements bridge.Platform.
func (t *Chat) Name() string { return name }

// Lead returns what precedes a command: in a group norn reads only its own.
func (t *Chat) Lead(place string) string {
	if s, err := parsePlace(place); err == nil && s.chat < 0 {
		return "/norn "
	}
	return "/"
}

// Join returns a link with which a person enters a code privately.
func (t *Chat) Join(code string) string {
	if link := linkOf(t.self()); link != "" {
		return link + "?start=" + url.QueryEscape(code)
	}
	return ""
}

// linkOf returns a bot's address, "" while its name isn't known.
func linkOf(bot string) string {
	if bot == "" {
		return ""
	}
	return "https://t.me/" + bot
}

// self returns the bot's name, once it's known.
func (t *Chat) self() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.me
}

// Private implements bridge.Platform: a person's private chat has the person's id.
func (t *Chat) Private(_ context.Context, person string) (string, error) {
	if s, err := parsePlace(person); err != nil || s.chat <= 0 || s.topic != 0 {
		return "", &bridge.Gone{What: "no person of Telegram: " + person}
	}
	return person, nil
}

const maxCalls = 8 // maxCalls limits concurrent calls of the webhook.

const partTime = 3 * time.Second // partTime bounds the last confirmation when norn ends.

// meet requests the bot's name until it's known or ctx ends.
func (t *Chat) meet(ctx context.Context) {
	if linkOf(t.self()) != "" {
		return
	}
	t.until(ctx, "getMe", func(ctx context.Context) error {
		me, err := t.bot.GetMe(ctx)
		if err == nil {
			t.mu.Lock()
			t.me = me.Username
			t.mu.Unlock()
		}
		return err
	})
}

// until repeats something until Telegram has done it; the error is the context's.
func (t *Chat) until(ctx context.Context, what string, try func(context.Context) error) error {
	for range bridge.Tries(ctx, firstPause, maxPause) {
		limited, cancel := context.WithTimeout(ctx, answerTime)
		err := t.hidden.fault(try(limited))
		cancel()
		if err == nil || ctx.Err() != nil {
			break
		}
		t.log.Warn("telegram doesn't answer", "method", what, "error", err)
		_ = bridge.Wait(ctx, retryAfter(err))
	}
	return ctx.Err()
}
