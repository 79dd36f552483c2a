package table

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"norn/lang"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
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
func (v *views) of(e visibility.Eye, by sight, comings uint64, online func() map[string]bool) *made {
	v.mu.Lock()
	if v.state != e.Table.State || v.comings != comings {
		v.state, v.comings, v.online, v.made = e.Table.State, comings, online(), map[sight]*made{}
	}
	here := v.online
	one := v.made[by]
	if one == nil {
		one = &made{}
		v.made[by] = one
	}
	v.mu.Unlock()
	one.once.Do(func() { one.view, one.present = projection.View(e, here), presence(here, by.seat) })
	return one
}

// presence is who is online as a seat sees it, as a text, to see whether it has
// changed: its own is, whoever asks.
func presence(online map[string]bool, own string) string {
	seats := slices.Collect(maps.Keys(online))
	if !online[own] {
		seats = append(seats, own)
	}
	slices.Sort(seats)
	return strings.Join(seats, " ")
}
