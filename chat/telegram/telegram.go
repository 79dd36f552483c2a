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
	"norn/lang"
)

// Words are what norn says in Telegram by itself: how to answer, and what can't be.
//
//go:embed words/*.toml
var Words embed.FS

// Usual is where Telegram is asked unless another address is given.
const Usual = "https://api.telegram.org"

const (
	pollTime   = 50 * time.Second // that Telegram may wait with its answer for something to happen
	answerTime = 30 * time.Second // that it may take otherwise
	firstPause = 200 * time.Millisecond
	maxPause   = time.Minute
)

// Config is what a bot needs.
type Config struct {
	Token   string // as BotFather gave it
	API     string // address of Telegram's API, or of a server of one's own; "" for Usual
	Webhook string // https address at which Telegram calls; "" to ask it instead
	Hearer  bridge.Hearer
	Words   *lang.Words // Words and those of package chat among them
	Log     *slog.Logger
}

// Chat is a bot in Telegram, and the bridge's Platform of it.
type Chat struct {
	api, webhook, token string
	secret              string // by which calls of the webhook are known
	hidden              secrets

	hearer bridge.Hearer
	words  *lang.Words
	log    *slog.Logger
	client *http.Client
	bot    *bot.Bot
	lanes  lanes         // what people do
	owed   lanes         // what Telegram didn't take yet
	calls  chan struct{} // places for calls of the webhook

	running context.Context // until Close
	stop    context.CancelFunc
	working sync.WaitGroup

	mu    sync.Mutex
	me    string             // the bot's name, once Telegram has said so
	asked map[string]carried // fields that wait in somebody's own chat for the next line, by place

	missed map[string][]bridge.Person // who goes without an answer since Telegram takes no more for now, by place
}

// New makes a bot, and asks Telegram who it is; Close ends it.
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
	t.working.Go(func() { t.meet(t.running) }) // each node gives links and hears calls, one runs
	return t, nil
}

// Close ends what waits to be said.
func (t *Chat) Close() {
	t.stop()
	t.working.Wait()
	t.owed.wait()
}

// Name implements bridge.Platform.
func (t *Chat) Name() string { return name }

// Join is a link by which a person gives a code where nobody else reads.
func (t *Chat) Join(code string) string {
	if link := linkOf(t.self()); link != "" {
		return link + "?start=" + url.QueryEscape(code)
	}
	return ""
}

// linkOf is a bot's own address, "" as long as its name isn't known.
func linkOf(bot string) string {
	if bot == "" {
		return ""
	}
	return "https://t.me/" + bot
}

// self is the bot's name, once it's known.
func (t *Chat) self() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.me
}

// Private implements bridge.Platform: a person's own chat with the bot has the person's id.
func (t *Chat) Private(_ context.Context, person string) (string, error) {
	if s, err := parsePlace(person); err != nil || s.chat <= 0 || s.topic != 0 {
		return "", &bridge.Gone{What: "no person of Telegram: " + person}
	}
	return person, nil
}

const maxCalls = 8 // of the webhook at once

const partTime = 3 * time.Second // to tell Telegram, at the end, what is done

// meet asks Telegram who the bot is, until it knows or ctx ends.
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

// until tries something until Telegram has done it; the error is the context's.
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
