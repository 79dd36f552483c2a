package table

import (
	"crypto/rand"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/relay"
)

// announcements are the tables of which this node has something to tell.
type announcements struct {
	node  string // this node, as others hear of it
	stirs chan struct{}

	mu     sync.Mutex
	tables map[*live]struct{}
}

// elsewhere is who watches a table on another node.
type elsewhere struct {
	seats []string // sorted; those that don't look begin with aside
	until time.Time
}

// Each node knows who watches on it. Nodes tell each other over the relay, in
// words "node seat seat …": when one begins to hold a table, when somebody comes
// or goes, when another node is heard of for the first time, and again every so
// often, in case a word was lost.
// What isn't repeated is forgotten, so nobody stays online on a node that died;
// mostly it's known sooner that it did.

func newAnnouncements() *announcements {
	return &announcements{node: rand.Text(), stirs: make(chan struct{}, 1), tables: map[*live]struct{}{}}
}

// announce has the other nodes told who watches a table here, if there may be
// any.
func (h *Host) announce(t *live) {
	if h.online == nil {
		return
	}
	h.online.mu.Lock()
	h.online.tables[t] = struct{}{}
	h.online.mu.Unlock()
	select {
	case h.online.stirs <- struct{}{}:
	default:
	}
}

// tell is the goroutine that tells.
func (h *Host) tell() {
	again, beat := time.NewTicker(repeatEvery*h.Poll), time.NewTicker(beatEvery*h.Poll)
	defer again.Stop()
	defer beat.Stop()
	h.beat()
	for {
		select {
		case <-beat.C:
			h.beat()
		case <-h.online.stirs:
			h.online.mu.Lock()
			tables := h.online.tables
			h.online.tables = map[*live]struct{}{}
			h.online.mu.Unlock()
			for t := range tables {
				h.say(t, t.here())
			}
		case <-again.C:
			for _, t := range h.held() {
				t.forget()
				if here := t.here(); len(here) > 0 {
					h.say(t, here)
				}
			}
		case <-h.closed:
			return
		}
	}
}

// part tells that nobody watches on this node any more.
func (h *Host) part() {
	for _, t := range h.held() {
		if h.online != nil {
			h.say(t, nil)
		}
		t.unfollow()
	}
}

func (h *Host) held() []*live {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Values(h.tables))
}

func (h *Host) say(t *live, seats []string) {
	word := strings.Join(append([]string{h.online.node}, seats...), " ")
	if len(word) <= relay.MaxWord { // some hundred seats
		h.Relay.Publish(relay.Message{Table: t.id, Word: word})
	}
}

// hearOnline is told who watches on another node.
func (t *live) hearOnline(word string) {
	seats := strings.Fields(word)
	if len(seats) == 0 || t.host.online == nil || seats[0] == t.host.online.node {
		return
	}
	node, seats := seats[0], seats[1:]
	until := t.host.Now().Add(holdsFor * t.host.Poll)
	t.watching.Lock()
	before, known := t.there[node]
	if !known && len(t.there) >= mostNodes {
		t.watching.Unlock()
		return
	}
	if len(seats) == 0 {
		delete(t.there, node)
	} else {
		t.there[node] = elsewhere{seats, until}
	}
	watched := len(t.watchers) > 0
	t.watching.Unlock()
	if !slices.Equal(before.seats, seats) {
		t.comings.Add(1)
		t.wake()
	}
	if !known && watched { // it can't know who is here
		t.host.announce(t)
	}
}

// forget drops the nodes that haven't been heard of for long.
func (t *live) forget() {
	now := t.host.Now()
	t.watching.Lock()
	before := len(t.there)
	maps.DeleteFunc(t.there, func(_ string, e elsewhere) bool { return e.until.Before(now) })
	gone := len(t.there) < before
	t.watching.Unlock()
	if gone {
		t.comings.Add(1)
		t.wake()
	}
}

// here are the seats that watch on this node, sorted.
func (t *live) here() []string {
	t.watching.Lock()
	defer t.watching.Unlock()
	looks := make(map[string]bool, len(t.watchers))
	for w := range t.watchers {
		if w.seat == "" {
			continue
		}
		looks[w.seat] = looks[w.seat] || !w.away
	}
	seats := make([]string, 0, len(looks))
	for seat, looks := range looks {
		if !looks {
			seat = aside + seat
		}
		seats = append(seats, seat)
	}
	slices.Sort(seats)
	return seats
}

// aside stands before a seat that watches and doesn't look. An older norn takes that for a seat it doesn't know.
const aside = "~"

// online are the seats that watch, on this node and on others.
func (t *live) online() map[string]bool { return t.watch(false) }

// inFront are the seats that have a page in front of them, on this node or on others.
func (t *live) inFront() map[string]bool { return t.watch(true) }

func (t *live) watch(looking bool) map[string]bool {
	t.watching.Lock()
	defer t.watching.Unlock()
	seats := make(map[string]bool, len(t.watchers))
	for w := range t.watchers {
		if w.seat != "" && !(looking && w.away) {
			seats[w.seat] = true
		}
	}
	for node, e := range t.there {
		if !t.host.pulses.lives(node) {
			continue
		}
		for _, seat := range e.seats {
			if id, away := strings.CutPrefix(seat, aside); !(looking && away) {
				seats[id] = true
			}
		}
	}
	return seats
}

// beat says that this node lives, and has tables shown anew where others have
// fallen silent or come back.
func (h *Host) beat() {
	h.Relay.Publish(relay.Message{Table: nodes, Word: h.online.node})
	changed := h.pulses.look(h.Now(), h.Poll)
	if len(changed) == 0 {
		return
	}
	for _, t := range h.held() {
		if t.heardOf(changed) {
			t.comings.Add(1)
			t.wake()
		}
	}
}

// heardOf tells whether somebody watches the table on one of some other nodes.
func (t *live) heardOf(nodes []string) bool {
	t.watching.Lock()
	defer t.watching.Unlock()
	for _, node := range nodes {
		if _, there := t.there[node]; there {
			return true
		}
	}
	return false
}

const (
	repeatEvery = 30 // in Config.Poll
	holdsFor    = 75 // likewise: one word may be lost

	mostNodes = 64 // that are remembered of a table: anybody on the relay can say a word
)
