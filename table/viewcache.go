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
)

// viewCache holds the views of a table at its current state, with its current online seats.
type viewCache struct {
	mu               sync.Mutex
	state            *state.State
	presenceRevision uint64
	newest           string // the game's newest edition now
	online           map[string]bool
	made             map[viewKey]*cachedView
	last             map[viewKey]*cachedView // views of the previous revision: new ones share what is unchanged
}

// forget empties the cache.
func (v *viewCache) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.state, v.online, v.made, v.last = nil, nil, nil, nil
}

// age empties the cache if nobody looked at the table as it was until now: then nobody follows its
// views, and they would only fill memory.
func (v *viewCache) age(now *state.State) {
	v.mu.Lock()
	unused := v.state != nil && v.state != now
	v.mu.Unlock()
	if unused {
		v.forget()
	}
}

// viewKey holds the inputs of a view in addition to the state.
type viewKey struct {
	seat    string
	speaker lang.Speaker
}

// cachedView is a view, made once for all who see the same, and who was online then.
type cachedView struct {
	mu      sync.Mutex        // held while it's made
	shown   *projection.Shown // nil before it's made
	names   map[string]string // of the characters that the seat sees, by id; never changed
	present string
}

// of returns the seat's view, and makes it if it's missing. After a failure the next caller tries
// again.
func (v *viewCache) of(e *visibility.Eye, by viewKey, revision uint64, online func() map[string]bool) *cachedView {
	newest := e.Table.Game.Now().EditionID()
	v.mu.Lock()
	if v.state != e.Table.State || v.presenceRevision != revision || v.newest != newest {
		v.newest = newest
		v.state, v.presenceRevision, v.online, v.made, v.last = e.Table.State, revision, online(),
			map[viewKey]*cachedView{}, v.made
	}
	here, last := v.online, v.last[by]
	one := v.made[by]
	if one == nil {
		one = &cachedView{}
		v.made[by] = one
	}
	v.mu.Unlock()
	before, _ := last.get()
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.shown == nil {
		shown := projection.View(e, here, before)
		one.names, one.present = namesOf(e), presence(here, by.seat)
		one.shown = shown
	}
	return one
}

// get returns what was made, nil for nothing yet.
func (m *cachedView) get() (shown *projection.Shown, names map[string]string) {
	if m == nil {
		return nil, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shown, m.names
}

// namesOf returns the names of the characters that the seat sees, by id, from its view if that was
// made. The map must not be changed.
func (v *viewCache) namesOf(e *visibility.Eye, by viewKey) map[string]string {
	v.mu.Lock()
	var one *cachedView
	if v.state == e.Table.State {
		one = v.made[by]
	}
	v.mu.Unlock()
	if shown, names := one.get(); shown != nil {
		return names
	}
	return namesOf(e)
}

// namesOf returns the names of the characters that a seat sees, by id.
func namesOf(e *visibility.Eye) map[string]string {
	names := map[string]string{}
	for _, c := range e.Table.Characters {
		if e.SeesCharacter(c) {
			names[c.ID] = c.Name
		}
	}
	return names
}

// presence returns who is online as a seat sees it, as a text for comparison. The seat's own is
// always online.
func presence(online map[string]bool, own string) string {
	seats := slices.Collect(maps.Keys(online))
	if !online[own] {
		seats = append(seats, own)
	}
	slices.Sort(seats)
	return strings.Join(seats, " ")
}
