package table

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"norn/internal/relay"
)

// Each node knows which seats watch on it. Nodes inform each other over the relay, by messages of
// the form "node seat seat …": when one loads a table, when a seat comes or goes, when another node
// is heard for the first time, and again at intervals, in case a message was lost. What isn't
// repeated is forgotten, so that no seat stays online on a dead node; heartbeats usually notice
// that sooner.

// visitor keeps a seat online for some time without a subscription.
type visitor struct{ *time.Timer }

// StayOnline keeps the seat online for a time, without looking or getting updates. Another call
// starts the time anew.
func (s *Reader) StayOnline(ctx context.Context, d time.Duration) error {
	t, err := s.host.acquire(ctx, s.table)
	if err != nil {
		return err
	}
	defer s.host.release(t)
	t.watchMu.Lock()
	if v := t.visitors[s.id]; v != nil && v.Stop() {
		v.Reset(d)
		t.watchMu.Unlock()
		return nil
	}
	t.watchMu.Unlock()
	w, v := t.join(s.id, true), &visitor{}
	t.watchMu.Lock()
	defer t.watchMu.Unlock()
	t.visitors[s.id] = v
	v.Timer = time.AfterFunc(d, func() {
		t.watchMu.Lock()
		if t.visitors[s.id] == v {
			delete(t.visitors, s.id)
		}
		t.watchMu.Unlock()
		t.leave(w)
	})
	return nil
}

// announce schedules a message to other nodes, if there may be any, about who watches a table here.
func (h *Host) announce(t *live) {
	if h.announcements == nil {
		return
	}
	h.announcements.mu.Lock()
	h.announcements.tables[t] = struct{}{}
	h.announcements.mu.Unlock()
	select {
	case h.announcements.changed <- struct{}{}:
	default:
	}
}

// announceLoop sends the messages. It's the goroutine of the host.
func (h *Host) announceLoop() {
	again, beat := time.NewTicker(announceEvery*h.Poll), time.NewTicker(beatEvery*h.Poll)
	defer again.Stop()
	defer beat.Stop()
	h.beat()
	for {
		select {
		case <-beat.C:
			h.beat()
		case <-h.announcements.changed:
			h.announcements.mu.Lock()
			tables := h.announcements.tables
			h.announcements.tables = map[*live]struct{}{}
			h.announcements.mu.Unlock()
			for t := range tables {
				h.sendOnline(t, t.seatsHere())
			}
		case <-again.C:
			for _, t := range h.liveTables() {
				t.forgetRemoteNodes()
				if here := t.seatsHere(); len(here) > 0 {
					h.sendOnline(t, here)
				}
			}
		case <-h.closed:
			return
		}
	}
}

// announceLeaving notifies other nodes that nobody watches on this node any more.
func (h *Host) announceLeaving() {
	for _, t := range h.liveTables() {
		if h.announcements != nil {
			h.sendOnline(t, nil)
		}
		t.unfollow()
	}
}

func (h *Host) liveTables() []*live {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Values(h.tables))
}

func (h *Host) sendOnline(t *live, seats []string) {
	word := strings.Join(append([]string{h.announcements.node}, seats...), " ")
	if len(word) <= relay.MaxWord { // room for some hundred seats
		h.Relay.Publish(relay.Message{Table: t.id, Word: word})
	}
}

// hearOnline handles a message about who watches on another node.
func (t *live) hearOnline(word string) {
	seats := strings.Fields(word)
	if len(seats) == 0 || t.host.announcements == nil || seats[0] == t.host.announcements.node {
		return
	}
	node, seats := seats[0], seats[1:]
	until := t.host.Now().Add(forgetAfter * t.host.Poll)
	t.watchMu.Lock()
	before, known := t.remoteNodes[node]
	if !known && len(t.remoteNodes) >= maxNodes {
		t.watchMu.Unlock()
		return
	}
	if len(seats) == 0 {
		delete(t.remoteNodes, node)
	} else {
		t.remoteNodes[node] = remoteNode{seats, until}
	}
	watched := len(t.watchers) > 0
	t.watchMu.Unlock()
	if !slices.Equal(before.seats, seats) {
		t.presenceRevision.Add(1)
		t.wakeWatchers()
	}
	if !known && watched { // it can't know who watches here
		t.host.announce(t)
	}
}

// forgetRemoteNodes drops the nodes that haven't been heard of for long.
func (t *live) forgetRemoteNodes() {
	now := t.host.Now()
	t.watchMu.Lock()
	before := len(t.remoteNodes)
	maps.DeleteFunc(t.remoteNodes, func(_ string, e remoteNode) bool { return e.until.Before(now) })
	gone := len(t.remoteNodes) < before
	t.watchMu.Unlock()
	if gone {
		t.presenceRevision.Add(1)
		t.wakeWatchers()
	}
}

// seatsHere returns the seats that watch on this node, sorted.
func (t *live) seatsHere() []string {
	t.watchMu.Lock()
	defer t.watchMu.Unlock()
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
			seat = awayMark + seat
		}
		seats = append(seats, seat)
	}
	slices.Sort(seats)
	return seats
}

// awayMark precedes a seat that watches without looking. An older norn takes it for an unknown
// seat.
const awayMark = "~"

// online returns the seats that watch, on this node and on others.
func (t *live) online() map[string]bool { return t.watchingSeats(false) }

// inFront returns the seats with a page in the foreground, on this node or on others.
func (t *live) inFront() map[string]bool { return t.watchingSeats(true) }

func (t *live) watchingSeats(looking bool) map[string]bool {
	t.watchMu.Lock()
	defer t.watchMu.Unlock()
	seats := make(map[string]bool, len(t.watchers))
	for w := range t.watchers {
		if w.seat != "" && !(looking && w.away) {
			seats[w.seat] = true
		}
	}
	for node, e := range t.remoteNodes {
		if !t.host.heartbeats.alive(node) {
			continue
		}
		for _, seat := range e.seats {
			if id, away := strings.CutPrefix(seat, awayMark); !(looking && away) {
				seats[id] = true
			}
		}
	}
	return seats
}

// beat sends a heartbeat, and updates tables if other nodes have become silent or returned.
func (h *Host) beat() {
	h.Relay.Publish(relay.Message{Table: heartbeatTopic, Word: h.announcements.node})
	changed := h.heartbeats.findSilent(h.Now(), h.Poll)
	if len(changed) == 0 {
		return
	}
	for _, t := range h.liveTables() {
		if t.watchedOn(changed) {
			t.presenceRevision.Add(1)
			t.wakeWatchers()
		}
	}
}

// watchedOn reports whether a seat watches the table on one of these nodes.
func (t *live) watchedOn(nodes []string) bool {
	t.watchMu.Lock()
	defer t.watchMu.Unlock()
	for _, node := range nodes {
		if _, there := t.remoteNodes[node]; there {
			return true
		}
	}
	return false
}

const (
	announceEvery = 30 // interval, in Config.Poll
	forgetAfter   = 75 // in Config.Poll: one message may be lost

	maxNodes = 64 // bounds memory for a table: any relay client can send messages
)
