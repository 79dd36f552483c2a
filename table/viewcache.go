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

// viewCache holds the views that were made of a table as it is now, of its state and of who is here.
type viewCache struct {
	mu               sync.Mutex
	state            *state.State
	presenceRevision uint64
	newest           string // edition of the game that is offered now
	online           map[string]bool
	made             map[viewKey]*cachedView
	last             map[viewKey]*cachedView // of the table as it was before: the next ones share what stays
}

// forget lets go of them.
func (v *viewCache) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.state, v.online, v.made, v.last = nil, nil, nil, nil
}

// viewKey is what a view depends on besides.
type viewKey struct {
	seat    string
	speaker lang.Speaker
}

// cachedView is a view, made once for all who look at the same, and who was here then.
type cachedView struct {
	mu      sync.Mutex        // held while it's made
	shown   *projection.Shown // nil until then
	names   map[string]string // of the characters that the seat sees, by ids; nobody changes it
	present string
}

// of is the seat's view, made unless it was. Who can't make it leaves it to the next.
func (v *viewCache) of(e visibility.Eye, by viewKey, revision uint64, online func() map[string]bool) *cachedView {
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

// get is what was made, nil for nothing yet.
func (m *cachedView) get() (shown *projection.Shown, names map[string]string) {
	if m == nil {
		return nil, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shown, m.names
}

// namesOf are the characters' names that the seat knows, by ids: those of its view where that was
// made. They aren't to be changed.
func (v *viewCache) namesOf(e visibility.Eye, by viewKey) map[string]string {
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

// namesOf are those of the characters that a seat sees, by their ids.
func namesOf(e visibility.Eye) map[string]string {
	names := map[string]string{}
	for _, c := range e.Table.Characters {
		if e.SeesCharacter(c) {
			names[c.ID] = c.Name
		}
	}
	return names
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
