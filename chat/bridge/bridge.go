package bridge

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base32"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/chat"
	"norn/game"
	"norn/herald/keep"
	"norn/lang"
	"norn/odds"
	"norn/table"
)

// Words are what chats say.
//
//go:embed words/*.toml
var Words embed.FS

// Meter hears what goes through chats: "update", "posted", "edited", "later", "failed", "gone", "guess".
type Meter interface{ Chatted(platform, what string) }

// Config is what a bridge is made of. It closes none of it.
type Config struct {
	Host   *table.Host
	Games  []*game.Game
	Words  *lang.Words
	Store  *keep.Store
	Shared bool // other nodes use the store, too
	Gate   *odds.Gate
	Now    func() time.Time
	Log    *slog.Logger
	Meter  Meter // nil for none
}

// Bridge brings tables to chats. It's safe for concurrent use.
type Bridge struct {
	Config
	node string
	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup

	mu        sync.Mutex
	ties      map[string]*Tie // by id
	platforms map[string]*platform
	tellers   map[string]*teller // by the tie's id
	guesses   map[string][]time.Time
	drafts    map[string]draft // moves that a form was handed out for
}

// platform is one that is attached.
type platform struct {
	Platform
	leads bool // this node tells its places
}

// rereads is how late what other nodes have tied is seen, and how often a lease is looked at.
const rereads = 5 * time.Second

// New makes a bridge; Close ends it.
func New(ctx context.Context, c Config) (*Bridge, error) {
	b := &Bridge{
		Config: c, node: rand.Text(), ties: map[string]*Tie{}, platforms: map[string]*platform{}, tellers: map[string]*teller{}, guesses: map[string][]time.Time{}, drafts: map[string]draft{},
	}
	if b.Gate == nil {
		b.Gate = odds.UsualGate()
	}
	b.ctx, b.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := b.reread(ctx); err != nil {
		b.stop()
		return nil, err
	}
	if c.Shared {
		b.done.Go(b.look)
	}
	return b, nil
}

// Close ends the bridge, and waits for what is under way.
func (b *Bridge) Close() {
	b.stop()
	b.done.Wait()
}

// Platforms are the names of those that are attached, sorted.
func (b *Bridge) Platforms() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	for name := range b.platforms {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Attach begins to tell the platform's places what happens at their tables, as long as this node leads there; stop ends it.
func (b *Bridge) Attach(ctx context.Context, p Platform) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	b.mu.Lock()
	b.platforms[p.Name()] = &platform{Platform: p}
	b.mu.Unlock()
	ended := make(chan struct{})
	b.done.Go(func() {
		defer close(ended)
		b.Lead(ctx, p.Name(), func(leading context.Context) {
			b.leads(p.Name(), true)
			<-leading.Done()
			b.leads(p.Name(), false)
		})
	})
	return func() {
		cancel()
		<-ended
		b.mu.Lock()
		delete(b.platforms, p.Name())
		b.mu.Unlock()
	}
}

func (b *Bridge) leads(name string, so bool) {
	b.mu.Lock()
	if p := b.platforms[name]; p != nil {
		p.leads = so
	}
	b.mu.Unlock()
	b.settle()
}

// look follows what other nodes leave.
func (b *Bridge) look() {
	again := time.NewTicker(rereads)
	defer again.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-again.C:
			if err := b.reread(b.ctx); err != nil {
				b.failed("ties can't be read", err)
			}
			b.settle()
		}
	}
}

func (b *Bridge) failed(what string, err error) {
	if b.ctx.Err() == nil {
		b.Log.WarnContext(b.ctx, "chat: "+what, "error", err)
	}
}

func (b *Bridge) count(platform, what string) {
	if b.Meter != nil {
		b.Meter.Chatted(platform, what)
	}
}

// leased is how long a node leads a platform without saying so again.
const leased = 15 * time.Second

// lease is who leads a platform.
type lease struct {
	Node  string `json:"node"`
	Until int64  `json:"until"` // milliseconds
}

// Lead runs f whenever this node is the one that leads a platform, until ctx ends: whoever keeps a connection of which there may be one does
// so in it. f's context ends with the lead.
func (b *Bridge) Lead(ctx context.Context, name string, f func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.ctx, cancel)()
	if !b.Shared {
		f(ctx)
		return
	}
	for ctx.Err() == nil {
		until, err := b.lease(ctx, name)
		if err != nil {
			b.failed("who leads can't be told", err)
		}
		if until.IsZero() {
			wait(ctx, rereads)
			continue
		}
		leading, end := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f(leading)
		}()
		for leading.Err() == nil {
			wait(leading, leased/3)
			if again, err := b.lease(leading, name); err == nil && again.IsZero() {
				end()
			} else if err == nil {
				until = again
			} else if b.Now().After(until.Add(-leased / 3)) { // another may lead by now
				end()
			}
			select {
			case <-ended:
				end()
			default:
			}
		}
		end()
		<-ended
	}
	b.release(name)
}

// lease takes or keeps the lead of a platform; the zero time where another has it.
func (b *Bridge) lease(ctx context.Context, name string) (time.Time, error) {
	now := b.Now()
	until := now.Add(leased)
	mine := encoded(lease{b.node, until.UnixMilli()})
	stands, err := b.Store.First(ctx, keep.Thing{Scope: ofLeases, ID: name, Data: mine})
	if err != nil {
		return time.Time{}, err
	}
	var l lease
	_ = json.Unmarshal([]byte(stands.Data), &l) // what can't be read is nobody's
	if l.Node != b.node && now.Before(time.UnixMilli(l.Until)) {
		return time.Time{}, nil
	}
	won, err := b.Store.Swap(ctx, keep.Thing{Scope: ofLeases, ID: name, Data: mine}, stands.Data)
	if err != nil || !won {
		return time.Time{}, err
	}
	return until, nil
}

// release lets another lead at once.
func (b *Bridge) release(name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(b.ctx), 2*time.Second)
	defer cancel()
	all, err := b.Store.All(ctx, ofLeases)
	for _, t := range all {
		var l lease
		if t.ID == name && json.Unmarshal([]byte(t.Data), &l) == nil && l.Node == b.node {
			_, err = b.Store.Swap(ctx, keep.Thing{Scope: ofLeases, ID: name, Data: encoded(lease{})}, t.Data)
		}
	}
	if err != nil {
		b.failed("the lead can't be given back", err)
	}
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func encoded(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // all of them are plain
	}
	return string(data)
}

var letters = base32.StdEncoding.WithPadding(base32.NoPadding)

// short names something in so many letters.
func short(n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(letters.EncodeToString(sum[:]))[:n]
}

// keyOf is the key by which what an update does is done once.
func keyOf(u Update) string { return "chat-" + short(24, u.ID) }

// speaker says things in a language.
func (b *Bridge) speaker(l lang.Lang) lang.Speaker {
	if !slices.Contains(lang.All[:], l) {
		l = lang.En
	}
	return b.Words.In(l)
}

// ours are the words of a verb in all languages.
func (b *Bridge) means(word, verb string) bool {
	for _, l := range lang.All {
		for name := range strings.FieldsSeq(b.Words.In(l).Say("bridge.verb." + verb)) {
			if strings.EqualFold(name, word) {
				return true
			}
		}
	}
	return false
}

var _ Hearer = (*Bridge)(nil)

// mostLine is how much of a line is read.
const mostLine = chat.MaxLine
