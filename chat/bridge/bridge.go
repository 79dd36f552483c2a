package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/internal/rescue"
	"norn/odds"
)

// Bridge connects tables with chats. It's safe for concurrent use.
type Bridge struct {
	*seating
	node   string
	stop   context.CancelFunc
	done   sync.WaitGroup
	codes  *codes
	drafts drafts

	attempts *attempts

	mu         sync.Mutex
	platforms  map[string]*attached
	publishers map[string]*publisher // by the tie's id
	asked      map[string][]*asking  // open questions by person, the oldest first
}

// attached is a platform whose places get posts.
type attached struct {
	Platform
	leads bool // this node posts to its places
}

// New returns a bridge; Close ends it.
func New(ctx context.Context, c Config) (*Bridge, error) {
	b := &Bridge{
		seating: &seating{Config: c}, node: rand.Text(), platforms: map[string]*attached{},
		publishers: map[string]*publisher{}, asked: map[string][]*asking{},
		codes:  &codes{store: c.Store, now: c.Now, guesses: map[string][]time.Time{}},
		drafts: drafts{store: c.Store, now: c.Now},
	}
	b.attempts = &attempts{store: c.Store, now: c.Now, node: b.node, shared: c.Shared, running: map[string]int{}}
	b.ties, b.lead = &ties{store: c.Store, changed: b.settle}, b.leadIn
	if b.Gate == nil {
		b.Gate = odds.UsualGate()
	}
	b.ctx, b.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := errors.Join(b.ties.reread(ctx), b.attempts.forget(ctx)); err != nil {
		b.stop()
		return nil, err
	}
	if c.Shared {
		b.done.Go(rescue.Repeat(b.ctx.Done(), c.Log, "chat ties", func() { // reads what other nodes have changed
			for Wait(b.ctx, rereadEvery) == nil {
				b.logFailure("ties can't be read", b.ties.reread(b.ctx))
			}
		}))
	}
	return b, nil
}

// Close ends the bridge and waits for running work.
func (b *Bridge) Close() {
	b.stop()
	b.done.Wait()
}

// Platforms returns the names of the attached platforms, sorted.
func (b *Bridge) Platforms() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.platforms))
}

// Join returns how a person enters a code on a platform: a link, or "" for the usual line.
func (b *Bridge) Join(name, code string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.platforms[name]; p != nil {
		return p.Join(code)
	}
	return ""
}

// leadIn returns what precedes a command in a place.
func (b *Bridge) leadIn(place string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.platforms[platformOf(place)]; p != nil {
		return p.Lead(place)
	}
	return "/"
}

// PlatformName returns a platform's name as people write it: "Discord".
func PlatformName(platform string) string {
	if platform == "" {
		return ""
	}
	return strings.ToUpper(platform[:1]) + platform[1:]
}

// Attach runs a platform and posts to its places what happens at their tables, while this node is
// its leader; stop ends that.
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
		rescue.Repeat(ctx.Done(), b.Log, "chat platform", func() {
			if b.Shared {
				leaderships{b.node, b.Store, b.Now, b.Log}.hold(ctx, p.Name(), run)
			} else {
				run(ctx)
			}
		})()
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

// settle starts a publisher for each tie whose platform this node leads, and stops others. If a tie
// has moved, its publisher is replaced after it has ended.
func (b *Bridge) settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	places := map[string]string{} // of running publishers
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

// publish starts the publisher of a tie. The caller holds the lock.
func (b *Bridge) publish(t Tie) {
	ctx, cancel := context.WithCancel(b.ctx)
	one := &publisher{
		composer: composer{seating: b.seating, tie: &t}, to: b.platforms[t.Platform].Platform,
		stop: cancel, wake: make(chan struct{}, 1),
	}
	b.publishers[t.ID] = one
	b.done.Go(func() {
		rescue.Repeat(ctx.Done(), b.Log, "chat publisher", func() { one.run(ctx) })()
		cancel()
		b.mu.Lock()
		delete(b.publishers, t.ID)
		b.mu.Unlock()
		b.settle()
	})
}

// reopen tries a person's private chat again, since they have written there.
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
