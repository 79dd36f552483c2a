package table

import (
	"norn/internal/relay"
	"norn/internal/rescue"
)

// New returns a host.
func New(c Config) *Host {
	h := &Host{
		Config: c, closed: make(chan struct{}), tables: map[string]*live{}, heartbeats: newHeartbeats(),
		unfollowHeartbeats: func() {},
		reads:              outage{what: "read"}, writes: outage{what: "write"},
	}
	if h.Meter == nil {
		h.Meter = uncounted{}
	}
	if h.OnWrite == nil {
		h.OnWrite = func(string) {}
	}
	if h.OnDelete == nil {
		h.OnDelete = func(string) {}
	}
	if c.Poll > 0 {
		h.announcements = newAnnouncements()
		h.unfollowHeartbeats = h.Relay.Follow(heartbeatTopic, func(m relay.Message) {
			if m.Word != "" && m.Word != h.announcements.node {
				h.heartbeats.note(m.Word, h.Now())
			}
		})
		h.announcing.Go(rescue.Repeat(h.closed, h.Log, "announcements", h.announceLoop))
	}
	if c.Purges {
		h.later.Go(rescue.Repeat(h.closed, h.Log, "purge", h.purgeLoop))
	}
	return h
}

// Close ends all watches and refuses later operations. Operations that have begun finish. It may be
// called more than once.
func (h *Host) Close() error {
	h.mu.Lock()
	first := !h.shut
	h.shut = true
	if first {
		close(h.closed)
		for _, t := range h.tables {
			t.wakeWatchers()
		}
	}
	h.mu.Unlock()
	if first {
		h.announcing.Wait()
		h.later.Wait()
		h.unfollowHeartbeats()
		h.announceLeaving()
	}
	return nil
}
