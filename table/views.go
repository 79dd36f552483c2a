package table

import (
	"sync"

	"norn/lang"
)

// views are those that were made of a table as it is now, of its state and of who is here.
type views struct {
	mu      sync.Mutex
	state   *state
	comings uint64
	online  map[string]bool
	made    map[sight]*view
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

type view struct {
	once    sync.Once
	view    *View
	present string
}

// of is the seat's view, made unless it was.
func (v *views) of(now still, s *Reader) *view {
	v.mu.Lock()
	if comings := now.t.comings.Load(); v.state != now.e.st.state || v.comings != comings {
		v.state, v.comings, v.online, v.made = now.e.st.state, comings, now.t.online(), map[sight]*view{}
	}
	online, by := v.online, sight{s.id, s.speaker}
	one := v.made[by]
	if one == nil {
		one = &view{}
		v.made[by] = one
	}
	v.mu.Unlock()
	one.once.Do(func() { one.view, one.present = viewOf(now.e, online), presence(online, s.id) })
	return one
}
