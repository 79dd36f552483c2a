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
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/lang"
)

// Words are what norn says in Telegram by itself: how to answer, and what can't be.
//
//go:embed words/*.toml
var Words embed.FS

// Usual is where Telegram is asked unless another address is given.
const Usual = "https://api.telegram.org"

// name is what ids of places and persons begin with.
const name = "telegram"

const (
	pollTime   = 50 * time.Second // that Telegram may wait with its answer for something to happen
	answerTime = 30 * time.Second // that it may take otherwise
	firstPause = 200 * time.Millisecond
	mostPause  = time.Minute
	remembered = 1024 // keys, names and forms that are known without asking again
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
	token, api, webhook, secret string

	hearer bridge.Hearer
	words  *lang.Words
	log    *slog.Logger
	client *http.Client
	bot    *bot.Bot
	lanes  lanes
	calls  chan struct{} // places for calls of the webhook

	mu     sync.Mutex
	me     models.User             // once Telegram has said so
	posted memory                  // keys of messages that stand there: their ids
	names  memory                  // of persons, by their ids
	forms  map[string]*bridge.Form // that were shown, by their ids
	asked  map[string]carried      // fields that wait in somebody's own chat for the next line, by place
	moved  map[string]string       // groups that became supergroups: what they were called first, and what they are called now
	first  map[string]string       // the same backwards
	owed   map[string][]owing      // what Telegram didn't take yet, by chat
}

// New makes a bot. It asks nothing of Telegram yet: Run does.
func New(c Config) (*Chat, error) {
	if c.API == "" {
		c.API = Usual
	}
	t := &Chat{
		token: strings.TrimSpace(c.Token), api: strings.TrimRight(c.API, "/"), webhook: c.Webhook,
		hearer: c.Hearer, words: c.Words, log: c.Log,
		client: &http.Client{Timeout: pollTime + answerTime, Transport: http.DefaultTransport.(*http.Transport).Clone()},
		calls:  make(chan struct{}, mostCalls),
		posted: memory{}, names: memory{}, forms: map[string]*bridge.Form{}, asked: map[string]carried{},
		moved: map[string]string{}, first: map[string]string{}, owed: map[string][]owing{},
	}
	sum := hmac.New(sha256.New, []byte(t.token))
	sum.Write([]byte("norn: webhook of Telegram"))
	t.secret = hex.EncodeToString(sum.Sum(nil))
	made, err := bot.New(t.token, bot.WithSkipGetMe(), bot.WithServerURL(t.api), bot.WithHTTPClient(pollTime, t.client),
		bot.WithErrorsHandler(func(err error) { t.log.Debug("telegram", "error", t.redacted(err.Error())) }),
		bot.WithDebugHandler(func(string, ...any) {}))
	if err != nil {
		return nil, t.fault(err)
	}
	t.bot = made
	return t, nil
}

// Name implements bridge.Platform.
func (t *Chat) Name() string { return name }

// Join is a link by which a person gives a code where nobody else reads.
func (t *Chat) Join(code string) string {
	if link := t.link(); link != "" {
		return link + "?start=" + url.QueryEscape(code)
	}
	return ""
}

// link is the bot's own address, "" as long as its name isn't known.
func (t *Chat) link() string {
	if me := t.self(); me.Username != "" {
		return "https://t.me/" + me.Username
	}
	return ""
}

func (t *Chat) self() models.User {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.me
}

// Meet asks Telegram who the bot is, until it knows or ctx ends.
func (t *Chat) Meet(ctx context.Context) {
	if t.link() != "" {
		return
	}
	t.until(ctx, "getMe", func(ctx context.Context) error {
		me, err := t.bot.GetMe(ctx)
		if err == nil {
			t.mu.Lock()
			t.me = *me
			t.mu.Unlock()
		}
		return err
	})
}

// Run works until ctx ends: it meets the bot, tells Telegram which commands there are, and then asks what people did, or has Telegram call.
// What fails is tried again.
func (t *Chat) Run(ctx context.Context) {
	if t.Meet(ctx); ctx.Err() != nil {
		return
	}
	for _, l := range lang.All {
		t.commands(ctx, l)
	}
	if t.webhook != "" {
		if t.until(ctx, "setWebhook", func(ctx context.Context) error {
			_, err := t.bot.SetWebhook(ctx, &bot.SetWebhookParams{URL: t.webhook, SecretToken: t.secret, AllowedUpdates: kinds, MaxConnections: mostCalls})
			return err
		}) == nil {
			t.log.Info("telegram calls", "bot", t.self().Username)
			<-ctx.Done()
		}
		t.lanes.wait()
		return
	}
	if t.until(ctx, "deleteWebhook", func(ctx context.Context) error {
		_, err := t.bot.DeleteWebhook(ctx, &bot.DeleteWebhookParams{})
		return err
	}) == nil {
		t.log.Info("telegram is asked", "bot", t.self().Username)
		t.poll(ctx)
	}
}

// until tries something until Telegram has done it; the error is the context's.
func (t *Chat) until(ctx context.Context, what string, try func(context.Context) error) error {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		limited, cancel := context.WithTimeout(ctx, answerTime)
		err := t.fault(try(limited))
		cancel()
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		t.log.Warn("telegram doesn't answer", "method", what, "error", err)
		if rest(ctx, max(pause, after(err))) != nil {
			return ctx.Err()
		}
	}
}

// after is how long Telegram wants not to be asked.
func after(err error) time.Duration {
	if later, ok := err.(*bridge.Later); ok {
		return later.After
	}
	return 0
}

// rest waits; the error is the context's.
func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// commands tells Telegram what people may write, in one language; English is for all others, too.
func (t *Chat) commands(ctx context.Context, l lang.Lang) {
	s := t.words.In(l)
	alone := []models.BotCommand{{Command: "norn", Description: s.Say("telegram.command.norn")}}
	for _, one := range []string{"roll", "odds", "help", "leave"} {
		alone = append(alone, models.BotCommand{Command: one, Description: s.Say("telegram.command." + one)})
	}
	for _, set := range []*bot.SetMyCommandsParams{
		{Commands: alone[:1], Scope: &models.BotCommandScopeAllGroupChats{}, LanguageCode: string(l)},
		{Commands: alone, Scope: &models.BotCommandScopeAllPrivateChats{}, LanguageCode: string(l)},
	} {
		if l == lang.En {
			set.LanguageCode = ""
		}
		limited, cancel := context.WithTimeout(ctx, answerTime)
		if _, err := t.bot.SetMyCommands(limited, set); err != nil {
			t.log.Warn("telegram takes no commands", "error", t.fault(err))
		}
		cancel()
	}
}

// spot is a place taken apart.
type spot struct {
	chat  int64
	topic int
}

// at reads a place; where a group has become a supergroup, it's the newer.
func (t *Chat) at(place string) (spot, error) {
	t.mu.Lock()
	if now, ok := t.moved[base(place)]; ok {
		place = now + strings.TrimPrefix(place, base(place))
	}
	t.mu.Unlock()
	parts := strings.Split(place, ":")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != name {
		return spot{}, &bridge.Gone{What: "no place of Telegram: " + place}
	}
	chat, err := strconv.ParseInt(parts[1], 10, 64)
	s := spot{chat: chat}
	if err == nil && len(parts) == 3 {
		s.topic, err = strconv.Atoi(parts[2])
	}
	if err != nil {
		return spot{}, &bridge.Gone{What: "no place of Telegram: " + place}
	}
	return s, nil
}

// base is a place without its topic.
func base(place string) string {
	parts := strings.SplitN(place, ":", 3)
	return strings.Join(parts[:min(len(parts), 2)], ":")
}

// place is how the bridge knows a chat or a topic of it: a group that has become a supergroup by its first name.
func (t *Chat) place(s spot) string {
	p := personID(s.chat)
	t.mu.Lock()
	if was, ok := t.first[p]; ok {
		p = was
	}
	t.mu.Unlock()
	if s.topic != 0 {
		p += ":" + strconv.Itoa(s.topic)
	}
	return p
}

// mover is a hearer that can have what it knows of a place follow it; the bridge can.
type mover interface {
	Moved(ctx context.Context, from, to string) error
}

// moves notes that a group has become a supergroup, which gives it another id. What the hearer doesn't know of is known here until norn ends.
func (t *Chat) moves(ctx context.Context, from, to int64) error {
	was, now := personID(from), personID(to)
	m, follows := t.hearer.(mover)
	if follows {
		if err := m.Moved(ctx, was, now); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.moved[was] = now
	if !follows {
		t.first[now] = was
	}
	return nil
}

func personID(id int64) string { return name + ":" + strconv.FormatInt(id, 10) }

// memory keeps the newest of what can be found out again.
type memory map[string]string

func (m memory) keep(key, value string) {
	if len(m) >= remembered {
		clear(m)
	}
	m[key] = value
}
