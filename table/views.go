package table

import (
	"sync"

	"norn/lang"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/view"
)

// views are those that were made of a table as it is now, of its state and of who is here.
type views struct {
	mu      sync.Mutex
	state   *state.State
	comings uint64
	online  map[string]bool
	made    map[sight]*made
}

// forget lets go of them.
func (v *views) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.state, v.online, v.made = nil, nil, nil
}

// sight is what a view depends on besides.
type sight struct {
	seat    string
	speaker lang.Speaker
}

// made is a view, made once for all who look at the same, and who was here then.
type made struct {
	once    sync.Once
	view    *view.View
	present string
}

// of is the seat's view, made unless it was.
func (v *views) of(now still, s *Reader) *made {
	v.mu.Lock()
	if comings := now.t.comings.Load(); v.state != now.e.Table.State || v.comings != comings {
		v.state, v.comings, v.online, v.made = now.e.Table.State, comings, now.t.online(), map[sight]*made{}
	}
	online, by := v.online, sight{s.id, s.speaker}
	one := v.made[by]
	if one == nil {
		one = &made{}
		v.made[by] = one
	}
	v.mu.Unlock()
	one.once.Do(func() { one.view, one.present = projection.View(now.e, online), presence(online, s.id) })
	return one
}
