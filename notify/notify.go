// Package notify calls people who don't look at their table: by Web Push who asked for it, and by
// hooks, which are addresses that a game master names.
//
// Promised:
//
//   - What is sent says that something waits, at which table and for whom as everybody there may know, and nothing else.
//   - A call is made once, whatever nodes there are and whenever they stop: it's a job that lies in the store until it's done,
//     and who takes it up claims it first. A node that dies in the middle leaves its claim, which ends.
//   - Whether a call is still due is asked when it's made: of a question that is answered, of a seat that looks, has a new link
//     or is gone, nobody is told.
//   - Nobody waits for the notifier: Stir returns at once. One slow target has few places, and holds up nobody else's.
//   - Targets bound whom norn calls (targets.go).
//
// It imports its store alone; what it needs of a table it's given.
package notify

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"norn/kvstore"
)

// Bounds of what is kept and made.
const (
	MostOfSeat  = 8  // subscriptions of a seat
	MostOfTable = 64 // and of a table
	MostHooks   = 4  // of a table

	maxAtOnce   = 32 // calls
	maxOfTarget = 2  // calls at once to one host
	looksAhead  = 64 // jobs that are seen at once

	claimed = time.Minute // how long a call may take before others take it up
	looking = 30 * time.Second
	rereads = 15 * time.Second // how late what other nodes leave is seen
)

// pauses are between tries.
var pauses = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour}

// Table is what the notifier needs of a table as it is.
type Table struct {
	Name    string
	Lang    string
	Session int  // of dice
	Begun   bool // something has happened in it
	Asked   []Asked
	Seats   map[string]Seat // that weren't revoked
}

// Asked is an open question, and whom it waits for.
type Asked struct {
	ID     string
	Seats  []string
	Openly bool // everybody at the table knows that it waits
}

// Seat is somebody's place at a table.
type Seat struct {
	Name  string
	Pass  string // changes with the seat's link
	Looks bool   // has a page in front
}

// Meter hears what becomes of calls: "sent", "retried", "gone", "failed", "forbidden".
type Meter interface{ Called(kind, how string) }

// Config is what a notifier is made of. It closes none of it.
type Config struct {
	Store    *kvstore.Store
	Look     func(ctx context.Context, table string) (*Table, error) // nil for a table that isn't there
	Say      func(lang, word string, data ...any) string             // words by id
	Targets  Targets
	Now      func() time.Time
	Log      *slog.Logger
	Meter    Meter
	Grace    time.Duration // how long a question waits before its seat is called; 0 for the usual
	Patience time.Duration // with a target; 0 for the usual
}

// Notifier calls. It's safe for concurrent use.
type Notifier struct {
	Config
	sends sender
	stirs chan struct{}
	stop  context.CancelFunc
	ctx   context.Context
	done  sync.WaitGroup

	mu     sync.Mutex
	scopes map[string]bool // tables of which something is kept
	dirty  map[string]bool // tables to look at
	busy   map[string]int  // calls at once, by host
	calls  int
}

// New makes a notifier that begins at once; Close ends it.
func New(ctx context.Context, c Config) (*Notifier, error) {
	if c.Grace == 0 {
		c.Grace = 5 * time.Second
	}
	if c.Patience == 0 {
		c.Patience = 10 * time.Second
	}
	n := &Notifier{
		Config: c, stirs: make(chan struct{}, 1), scopes: map[string]bool{}, dirty: map[string]bool{},
		busy: map[string]int{},
	}
	keys, err := vapidOf(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	n.sends = sender{keys: keys, client: c.Targets.client(c.Patience)}
	n.ctx, n.stop = context.WithCancel(context.WithoutCancel(ctx))
	n.reread()
	n.done.Go(n.run)
	return n, nil
}

// Close ends the notifier; calls under way end by their time.
func (n *Notifier) Close() {
	n.stop()
	n.done.Wait()
}

// Key is what browsers subscribe with.
func (n *Notifier) Key() string { return n.sends.keys.Public }

// Stir says that a table has moved on. It returns at once.
func (n *Notifier) Stir(table string) {
	n.mu.Lock()
	known := n.scopes[table]
	if known {
		n.dirty[table] = true
	}
	n.mu.Unlock()
	if known {
		n.wake()
	}
}

func (n *Notifier) wake() {
	select {
	case n.stirs <- struct{}{}:
	default:
	}
}

// knows begins to look after a table.
func (n *Notifier) knows(table string) {
	n.mu.Lock()
	n.scopes[table] = true
	n.dirty[table] = true
	n.mu.Unlock()
	n.wake()
}

// reread finds the tables that other nodes look after, too; those that are new are looked at.
func (n *Notifier) reread() {
	scopes, err := n.Store.Scopes(n.ctx)
	if err != nil {
		n.logFailure("calls can't be read", err)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	before := n.scopes
	n.scopes = make(map[string]bool, len(scopes))
	for _, table := range scopes {
		n.scopes[table] = true
		if !before[table] {
			n.dirty[table] = true
		}
	}
}

func (n *Notifier) logFailure(what string, err error) {
	if n.ctx.Err() == nil {
		n.Log.WarnContext(n.ctx, what, "error", cause(err))
	}
}

// run is the goroutine that looks what is due.
func (n *Notifier) run() {
	again := time.NewTicker(rereads)
	defer again.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-n.ctx.Done():
			return
		case <-again.C:
			n.reread()
		case <-n.stirs:
		case <-timer.C:
		}
		n.mu.Lock()
		dirty := n.dirty
		n.dirty = map[string]bool{}
		n.mu.Unlock()
		for table := range dirty {
			if err := n.look(table); err != nil {
				n.logFailure("a table can't be looked at", err)
				n.mu.Lock()
				n.dirty[table] = true // with the next look at anything
				n.mu.Unlock()
			}
		}
		timer.Reset(n.due())
	}
}

// job is what a call holds.
type job struct {
	Kind  string `json:"kind"` // "push" or "hook"
	Of    string `json:"of"`   // the id of what is kept
	Seat  string `json:"seat,omitempty"`
	Asked string `json:"asked,omitempty"` // the question
	Event string `json:"event,omitempty"` // of a hook
	N     int    `json:"n,omitempty"`     // a session's
}

// look has calls made of what waits at a table, and forgets those that are over.
func (n *Notifier) look(table string) error {
	kept, err := n.keptOf(table)
	if err != nil || kept.none() {
		return err
	}
	t, err := n.Look(n.ctx, table)
	if err != nil {
		return err
	}
	if t == nil {
		return n.forgetAll(table, kept)
	}
	now := n.Now()
	due := map[string]job{}
	for _, asked := range t.Asked {
		for _, seat := range asked.Seats {
			for id, s := range kept.subs {
				if s.Seat == seat {
					due[table+"/"+asked.ID+"/"+id] = job{Kind: "push", Of: id, Seat: seat, Asked: asked.ID}
				}
			}
		}
	}
	told := kept.tellHooks(table, t, due)
	jobs, err := n.Store.Jobs(n.ctx, table)
	if err != nil {
		return err
	}
	for _, old := range jobs {
		var j job
		_, stands := due[old.ID]
		if json.Unmarshal([]byte(old.Data), &j) == nil &&
			(stands || j.Asked == "" && old.Due.After(now.Add(-7*24*time.Hour))) {
			continue
		}
		if err := n.Store.Forget(n.ctx, old.ID); err != nil {
			return err
		}
	}
	for id, j := range due {
		data, err := json.Marshal(j)
		if err != nil {
			return err
		}
		if _, err := n.Store.Add(n.ctx,
			kvstore.Job{ID: id, Scope: table, Due: now.Add(n.Grace), Data: string(data)}); err != nil {
			return err
		}
	}
	if told != kept.told && len(kept.hooks) > 0 {
		return put(n.ctx, n.Store, table, ofSession, told)
	}
	return nil
}

func (n *Notifier) forgetAll(table string, kept kept) error {
	for _, id := range kept.ids {
		if err := n.Store.Drop(n.ctx, table, id); err != nil {
			return err
		}
	}
	return nil
}

// due begins the calls that are, as far as there are places, and tells how long nothing else is.
func (n *Notifier) due() time.Duration {
	jobs, err := n.Store.Due(n.ctx, looksAhead)
	if err != nil {
		n.logFailure("calls can't be read", err)
		return rereads
	}
	now := n.Now()
	for _, j := range jobs {
		if wait := j.Due.Sub(now); wait > 0 {
			return min(wait, rereads)
		}
		n.mu.Lock()
		full := n.calls >= maxAtOnce
		if !full {
			n.calls++
		}
		n.mu.Unlock()
		if full {
			return rereads // who is done wakes
		}
		ours, err := n.Store.Claim(n.ctx, j, now.Add(claimed), 0)
		if err != nil || !ours {
			n.releasePlace("")
			continue
		}
		j.Due = now.Add(claimed)
		n.done.Go(func() {
			host := n.call(j)
			n.releasePlace(host)
		})
	}
	if len(jobs) == looksAhead {
		return time.Second
	}
	return rereads
}

// releasePlace gives a call's place back.
func (n *Notifier) releasePlace(host string) {
	n.mu.Lock()
	n.calls--
	if host != "" {
		if n.busy[host]--; n.busy[host] == 0 {
			delete(n.busy, host)
		}
	}
	n.mu.Unlock()
	n.wake()
}

// enters takes one of a host's places.
func (n *Notifier) enters(host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy[host] >= maxOfTarget {
		return false
	}
	n.busy[host]++
	return true
}

// call makes a call that is due; host is where a place is held, "" for none.
func (n *Notifier) call(k kvstore.Job) (host string) {
	var j job
	if err := json.Unmarshal([]byte(k.Data), &j); err != nil {
		n.ends(k)
		return ""
	}
	kept, err := n.keptOf(k.Scope)
	if err != nil {
		n.logFailure("calls can't be read", err)
		return "" // the claim ends
	}
	t, err := n.Look(n.ctx, k.Scope)
	if err != nil {
		n.logFailure("a table can't be looked at", err)
		return ""
	}
	if t == nil {
		n.ends(k)
		return ""
	}
	if j.Kind == "hook" {
		return n.callHook(k, j, kept, t)
	}
	return n.callSeat(k, j, kept, t)
}

// asks tells whether a question still waits for a seat, or for anybody.
func (t *Table) asks(id, seat string) bool {
	for _, a := range t.Asked {
		if a.ID != id {
			continue
		}
		for _, s := range a.Seats {
			if s == seat || seat == "" {
				return true
			}
		}
	}
	return false
}

func (n *Notifier) ends(k kvstore.Job) {
	if err := n.Store.FinishJob(n.ctx, k.ID); err != nil {
		n.logFailure("a call can't be ended", err)
	}
}

// later puts a call off; tried counts a try.
func (n *Notifier) later(k kvstore.Job, until time.Time, tried int) {
	if _, err := n.Store.Claim(n.ctx, k, until, tried); err != nil {
		n.logFailure("a call can't be put off", err)
	}
}

// kept is what is kept of a table.
type kept struct {
	ids   []string
	subs  map[string]Subscription // by id
	quiet map[string]Quiet        // by seat
	hooks map[string]Hook         // by id
	told  session
}

func (k kept) none() bool { return len(k.subs) == 0 && len(k.hooks) == 0 }

// Prefixes of the ids of what is kept of a table.
const (
	ofPush    = "push/"
	ofQuiet   = "quiet/"
	ofHook    = "hook/"
	ofSession = "session"
)

func (n *Notifier) keptOf(table string) (k kept, err error) {
	k = kept{subs: map[string]Subscription{}, quiet: map[string]Quiet{}, hooks: map[string]Hook{}}
	all, err := n.Store.All(n.ctx, table)
	for _, t := range all {
		k.ids = append(k.ids, t.ID)
		switch {
		case strings.HasPrefix(t.ID, ofPush):
			var s Subscription
			if json.Unmarshal([]byte(t.Data), &s) == nil {
				k.subs[t.ID] = s
			}
		case strings.HasPrefix(t.ID, ofQuiet):
			var q Quiet
			if json.Unmarshal([]byte(t.Data), &q) == nil {
				k.quiet[strings.TrimPrefix(t.ID, ofQuiet)] = q
			}
		case strings.HasPrefix(t.ID, ofHook):
			var hook Hook
			if json.Unmarshal([]byte(t.Data), &hook) == nil {
				k.hooks[t.ID] = hook
			}
		case t.ID == ofSession:
			_ = json.Unmarshal([]byte(t.Data), &k.told) // what can't be read begins anew
		}
	}
	return k, err
}

func put(ctx context.Context, store *kvstore.Store, table, id string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return store.Put(ctx, kvstore.Item{Scope: table, ID: id, Data: string(data)})
}
