package bridge

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/odds"
)

// Bridge brings tables to chats. It's safe for concurrent use.
type Bridge struct {
	*seating
	node   string
	stop   context.CancelFunc
	done   sync.WaitGroup
	codes  *codes
	drafts drafts

	mu         sync.Mutex
	platforms  map[string]*attached
	publishers map[string]*publisher // by the tie's id
}

// attached is a platform whose places are told.
type attached struct {
	Platform
	leads bool // this node tells its places
}

// New makes a bridge; Close ends it.
func New(ctx context.Context, c Config) (*Bridge, error) {
	b := &Bridge{
		seating: &seating{Config: c}, node: rand.Text(), platforms: map[string]*attached{},
		publishers: map[string]*publisher{},
		codes:      &codes{store: c.Store, now: c.Now, guesses: map[string][]time.Time{}},
		drafts:     drafts{store: c.Store, now: c.Now},
	}
	b.ties = &ties{store: c.Store, changed: b.settle}
	if b.Gate == nil {
		b.Gate = odds.UsualGate()
	}
	b.ctx, b.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := b.ties.reread(ctx); err != nil {
		b.stop()
		return nil, err
	}
	if c.Shared {
		b.done.Go(func() { // what other nodes leave
			for Wait(b.ctx, rereadEvery) == nil {
				b.logFailure("ties can't be read", b.ties.reread(b.ctx))
			}
		})
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
	return slices.Sorted(maps.Keys(b.platforms))
}

// Join is how a person gives a code on a platform: a link, or "" for the usual line.
func (b *Bridge) Join(name, code string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.platforms[name]; p != nil {
		return p.Join(code)
	}
	return ""
}

// PlatformName is a platform as people write it: "Discord".
func PlatformName(platform string) string {
	if platform == "" {
		return ""
	}
	return strings.ToUpper(platform[:1]) + platform[1:]
}

// Attach has the platform run, and its places told what happens at their tables, as long as this
// node leads there; stop ends it.
func (b *Bridge) Attach(ctx context.Context, p Platform) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(b.ctx, cancel)
	b.mu.Lock()
	b.platforms[p.Name()] = &attached{Platform: p}
	b.mu.Unlock()
	run := func(leading context.Context) {
		b.setLeads(p.Name(), true)
		p.Run(leading)
		<-leading.Done()
		b.setLeads(p.Name(), false)
	}
	ended := make(chan struct{})
	b.done.Go(func() {
		defer close(ended)
		if b.Shared {
			leaderships{b.node, b.Store, b.Now, b.Log}.hold(ctx, p.Name(), run)
		} else {
			run(ctx)
		}
	})
	return func() {
		cancel()
		<-ended
		b.mu.Lock()
		delete(b.platforms, p.Name())
		b.mu.Unlock()
	}
}

func (b *Bridge) setLeads(name string, so bool) {
	b.mu.Lock()
	if p := b.platforms[name]; p != nil {
		p.leads = so
	}
	b.mu.Unlock()
	b.settle()
}

// settle has each tie told whose platform this node leads, and no others; one that has moved is
// told anew when the telling before has ended.
func (b *Bridge) settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	places := map[string]string{} // of those that are told
	for _, t := range b.ties.filter(func(t Tie) bool {
		p := b.platforms[t.Platform]
		return p != nil && p.leads && t.Ended == "" && b.ctx.Err() == nil
	}) {
		places[t.ID] = t.Place
		if b.publishers[t.ID] == nil {
			b.publish(t)
		}
	}
	for id, one := range b.publishers {
		if place, is := places[id]; !is || place != one.tie.Place {
			one.stop()
		}
	}
}

// publish begins to tell a tie; the lock is held.
func (b *Bridge) publish(t Tie) {
	ctx, cancel := context.WithCancel(b.ctx)
	one := &publisher{
		composer: composer{seating: b.seating, tie: &t}, to: b.platforms[t.Platform].Platform,
		stop: cancel, wake: make(chan struct{}, 1),
	}
	b.publishers[t.ID] = one
	b.done.Go(func() {
		one.run(ctx)
		cancel()
		b.mu.Lock()
		delete(b.publishers, t.ID)
		b.mu.Unlock()
		b.settle()
	})
}

// reopen opens a person's private place again: they have spoken.
func (b *Bridge) reopen(t *Tie) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if one := b.publishers[t.ID]; one != nil {
		select {
		case one.wake <- struct{}{}:
		default:
		}
	}
}

var _ Hearer = (*Bridge)(nil)
