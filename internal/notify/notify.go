// Package notify notifies people who aren't looking at their table: by Web Push, and by hooks,
// which are addresses that a game master enters.
//
// Guarantees:
//
//   - A message says that something is waiting, at which table, and for which seats as far as everybody
//     there may know, and nothing else.
//   - A notification is sent once, with any number of nodes that may stop at any time: it's a job
//     in the store until it's done, and a node claims it first. If a node dies, its claim expires.
//   - Before sending, norn checks that the notification is still due: no message is sent about a
//     question that was answered, or to a seat that is looking, has a new link or was removed.
//   - Callers never wait: Stir returns at once. A slow target has few places and doesn't delay
//     others.
//   - Targets restricts the addresses (targets.go).
//
// The package imports only its store; callers provide what it needs to know of a table.
package notify

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"norn/internal/kvstore"
	"norn/internal/rescue"
)

// Limits.
const (
	MostOfSeat  = 8  // subscriptions of a seat
	MostOfTable = 64 // subscriptions of a table
	MostHooks   = 4  // hooks of a table

	maxAtOnce   = 32 // concurrent notifications
	maxOfTarget = 2  // concurrent notifications to one host
	looksAhead  = 64 // jobs that are read at once

	claimed = time.Minute // time after which another node may retry a call
	looking = 30 * time.Second
	rereads = 15 * time.Second // interval for reading what other nodes have stored
)

// pauses are the times between tries.
var pauses = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour}

// Table is the current state of a table, as far as notifications need it.
type Table struct {
	Name    string
	Lang    string
	Session int  // number of the session
	Begun   bool // whether the session has any entries
	Asked   []Asked
	Seats   map[string]Seat // without revoked ones
}

// Asked is an open question with the seats that must answer it.
type Asked struct {
	ID     string
	Seats  []string
	Openly bool // everybody at the table knows of the question
}

// Seat is a person's seat at a table.
type Seat struct {
	Name  string
	Pass  string // changes with the seat's link
	Looks bool   // has a visible page
}

// Meter counts the results of notifications: "sent", "retried", "gone", "failed", "forbidden".
type Meter interface{ CountCall(kind, how string) }

// Config holds the dependencies of a notifier, which doesn't close them.
type Config struct {
	Store    *kvstore.Store
	Look     func(ctx context.Context, table string) (*Table, error) // nil for a table that doesn't exist
	Say      func(lang, word string, data ...any) string             // returns a word by its id
	Targets  Targets
	Now      func() time.Time
	Log      *slog.Logger
	Meter    Meter
	Grace    time.Duration // how long a question waits before its seat is notified; 0 for the default
	Patience time.Duration // timeout of a target; 0 for the default
}

// Notifier sends notifications. It is safe for concurrent use.
type Notifier struct {
	Config
	sends sender
	stirs chan struct{}
	stop  context.CancelFunc
	ctx   context.Context
	done  sync.WaitGroup

	mu     sync.Mutex
	scopes map[string]bool // tables with stored subscriptions or hooks
	dirty  map[string]bool // tables to check
	busy   map[string]int  // concurrent calls, by host
	calls  int
}

// New starts a notifier; Close stops it.
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
	n.done.Go(rescue.Repeat(n.ctx.Done(), n.Log, "notifications", n.run))
	return n, nil
}

// Close stops the notifier; calls in progress end by their timeout.
func (n *Notifier) Close() {
	n.stop()
	n.done.Wait()
}

// Key returns the public key with which browsers subscribe.
func (n *Notifier) Key() string { return n.sends.keys.Public }

// Stir reports that a table has changed. It returns at once.
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

// knows starts to watch a table.
func (n *Notifier) knows(table string) {
	n.mu.Lock()
	n.scopes[table] = true
	n.dirty[table] = true
	n.mu.Unlock()
	n.wake()
}

// reread finds the tables that other nodes watch, and checks new ones.
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

// run is the goroutine that checks tables and sends what is due.
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
			err := rescue.Run(n.Log, "notifications", func() error { return n.look(table) })
			if _, broken := errors.AsType[*rescue.Error](err); broken {
				continue // until the table changes
			}
			if err != nil {
				n.logFailure("a table can't be looked at", err)
				n.mu.Lock()
				n.dirty[table] = true // retry at the next check
				n.mu.Unlock()
			}
		}
		timer.Reset(n.due())
	}
}

// job is the data of a pending notification.
type job struct {
	Kind  string `json:"kind"` // "push" or "hook"
	Of    string `json:"of"`   // id of the subscription or hook
	Seat  string `json:"seat,omitempty"`
	Asked string `json:"asked,omitempty"` // id of the question
	Event string `json:"event,omitempty"` // event of a hook
	N     int    `json:"n,omitempty"`     // number of the session
}

// look adds jobs for what is waiting at a table, and removes outdated ones.
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

// due starts the jobs that are due, as far as there are places, and returns how long nothing else
// is due.
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
			return rereads // finished calls wake the loop
		}
		ours, err := n.Store.Claim(n.ctx, j, now.Add(claimed), 0)
		if err != nil || !ours {
			n.releasePlace("")
			continue
		}
		j.Due = now.Add(claimed)
		n.done.Go(func() {
			host := ""
			err := rescue.Run(n.Log, "notification", func() error {
				host = n.call(j)
				return nil
			})
			if err != nil { // it would panic again
				n.ends(j)
			}
			n.releasePlace(host)
		})
	}
	if len(jobs) == looksAhead {
		return time.Second
	}
	return rereads
}

// releasePlace releases a call's place.
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

// enters takes one of a host's places and reports whether there was one.
func (n *Notifier) enters(host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy[host] >= maxOfTarget {
		return false
	}
	n.busy[host]++
	return true
}

// call sends a notification that is due; host is where a place is occupied, "" for none.
func (n *Notifier) call(k kvstore.Job) (host string) {
	var j job
	if err := json.Unmarshal([]byte(k.Data), &j); err != nil {
		n.ends(k)
		return ""
	}
	kept, err := n.keptOf(k.Scope)
	if err != nil {
		n.logFailure("calls can't be read", err)
		return "" // the claim expires
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

// asks reports whether a question still waits for a seat, or for anybody if seat is "".
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

// later postpones a job; tried counts a try.
func (n *Notifier) later(k kvstore.Job, until time.Time, tried int) {
	if _, err := n.Store.Claim(n.ctx, k, until, tried); err != nil {
		n.logFailure("a call can't be put off", err)
	}
}

// kept is the stored data of a table.
type kept struct {
	ids   []string
	subs  map[string]Subscription // by id
	quiet map[string]Quiet        // by seat
	hooks map[string]Hook         // by id
	told  session
}

func (k kept) none() bool { return len(k.subs) == 0 && len(k.hooks) == 0 }

// Prefixes of the ids of a table's items.
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
			_ = json.Unmarshal([]byte(t.Data), &k.told) // unreadable data is treated as none
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
