package act

import (
	"cmp"
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// clockSet adds or changes a clock.
type clockSet struct {
	byMasters
	state.Clock
	Was *state.Clock `json:"was,omitempty"` // nil for a new one
}

// clockTicked advances a clock or turns it back.
type clockTicked struct {
	byMasters
	state.Clock
	Was int `json:"was"`
}

// clockRemoved removes a clock.
type clockRemoved struct {
	byMasters
	state.Clock
}

func (clockSet) Type() string { return "table.clock-set" }

func (clockTicked) Type() string { return "table.clock-ticked" }

func (clockRemoved) Type() string { return "table.clock-removed" }

// Subject makes each change of a clock secret by itself, so that showing a clock later doesn't
// reveal its past.

func (ev clockSet) Subject(ledger.Ledger) (move string, secret bool) {
	return "", ev.Hidden && (ev.Was == nil || ev.Was.Hidden)
}

func (ev clockTicked) Subject(ledger.Ledger) (move string, secret bool) { return "", ev.Hidden }

func (ev clockRemoved) Subject(ledger.Ledger) (move string, secret bool) { return "", ev.Hidden }

func (ev clockSet) thing() string { return ev.ID }

func (ev clockTicked) thing() string { return ev.ID }

func (ev clockRemoved) thing() string { return ev.ID }

// nameFor names the clock as the seat knows it: after a change that hid it, as it was called before.
func (ev clockSet) nameFor(e *visibility.Eye) string {
	if ev.Was != nil && !e.Hears(ev.Audience) {
		return ev.Was.Name
	}
	return ev.Name
}

func (ev clockTicked) nameFor(*visibility.Eye) string { return ev.Name }

func (ev clockRemoved) nameFor(*visibility.Eye) string { return ev.Name }

func (ev clockRemoved) checkRoom(p *Proposal) error {
	return roomFor("clocks", len(p.Table.Clocks), request.MaxClocks)
}

// checkThingName checks the name of a clock or a list.
var checkThingName = checking("name", func(sent struct {
	Name string `json:"name" form:"text,required,max=80"`
},
) string {
	return sent.Name
})

// Limits of a clock.
const (
	minSegments = 4
	maxSegments = 12
	maxCount    = 9999
)

// ClockRequest asks for a clock with these values. Without an id it's a new one. To lists the seats
// that see it in addition to game masters, none for all; with Hidden and no To only game masters
// see it.
type ClockRequest struct {
	ID     string   `json:"id" form:"text"`
	Name   string   `json:"name" form:"text,required,max=80"`
	Max    int      `json:"max" form:"min=1,max=9999,default=6" doc:"4 to 12 segments; 1 to 9999 of a number"`
	Number bool     `json:"number" doc:"a number instead of segments"`
	At     int      `json:"at" form:"min=0,max=9999"`
	Hidden bool     `json:"hidden" doc:"without seats in to: only game masters see it"`
	To     []string `json:"-" part:"to"`
}

// SetClock adds a clock to the table, or changes one.
var SetClock = Define(Spec[ClockRequest, view.Entry]{
	Name: "set-clock", Op: "clock",
	Route: Route{
		Method: "POST", Path: "/clocks", Tag: "tables", Body: "ClockRequest", Parts: toSeats,
		Summary: "Add a clock, or change one",
		Text: "Only a game master may. A clock has 4 to 12 segments, or is a number with a maximum. All see it, some seats, or game masters alone. " +
			"With the id of a clock it becomes that one. It can be undone.",
		Example: map[string]any{"name": "The watch is coming", "max": 6, "key": "c10c"},
	},
	Key: func(r ClockRequest) any { return []any{r, r.To} },
	Build: func(c Call, r ClockRequest) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		ev := clockSet{Clock: state.Clock{
			ID: r.ID, Name: checkThingName.keep(r.Name), Max: r.Max, Number: r.Number,
			At: r.At,
		}}
		if ev.To = seatsInOrder(c.Table.State, r.To); len(ev.To) == 0 {
			ev.Hidden = r.Hidden
		}
		if i := c.Table.Clocks.Index(r.ID); i >= 0 {
			was := c.Table.Clocks[i]
			ev.Was = &was
			gone := func(id string) bool { // revoked seats in To need no error
				s := c.Table.Seats.Of(id)
				return slices.Contains(was.To, id) && (s == nil || s.Revoked)
			}
			if left := slices.DeleteFunc(slices.Clone(ev.To), gone); len(left) < len(ev.To) {
				ev.To, ev.Hidden = left, len(left) == 0
			}
		} else if r.ID == "" {
			ev.ID = nextClock(c.Table.State)
		}
		return draft(c.Eye, view.KindClock, ev)
	},
})

// TickRequest asks to advance a clock by some ticks, or to turn it back.
type TickRequest struct {
	Clock string `json:"-" address:"clock"`
	By    int    `json:"by" form:"min=-9999,max=9999,default=1" doc:"negative to turn it back"`
}

// TickClock advances a clock.
var TickClock = Define(Spec[TickRequest, view.Entry]{
	Name: "tick-clock", Op: "tick",
	Route: Route{
		Method: "POST", Path: "/clocks/{clock}/tick", Tag: "tables", Tool: "tick_clock", Body: "TickRequest",
		Missing: "clock",
		Summary: "Advance a clock, or turn it back",
		Text:    "Only a game master may. It stops at 0 and at its maximum. Those who see the clock read it in the log.",
		Example: map[string]any{"by": 1, "key": "71c0"},
	},
	Key: func(r TickRequest) any { return []any{r.Clock, r.By} },
	Build: func(c Call, r TickRequest) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		ev := clockTicked{Clock: state.Clock{ID: r.Clock}}
		if i := c.Table.Clocks.Index(r.Clock); i >= 0 {
			ev.Clock = c.Table.Clocks[i]
			ev.Was = ev.At
			ev.At = ev.After(r.By)
		}
		return draft(c.Eye, view.KindClock, ev)
	},
})

// ClockNamed names a clock by its id.
type ClockNamed struct {
	Clock string `json:"-" address:"clock"`
}

// RemoveClock removes a clock from the table.
var RemoveClock = Define(Spec[ClockNamed, view.Entry]{
	Name: "remove-clock", Op: "unclock",
	Route: Route{
		Method: "POST", Path: "/clocks/{clock}/remove", Tag: "tables", Body: keyOnly, Missing: "clock",
		Summary: "Remove a clock", Text: "Only a game master may. It can be undone.",
		Example: map[string]any{"key": "71c1"},
	},
	Key: func(r ClockNamed) any { return r.Clock },
	Build: func(c Call, r ClockNamed) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		ev := clockRemoved{Clock: state.Clock{ID: r.Clock}}
		if i := c.Table.Clocks.Index(r.Clock); i >= 0 {
			ev.Clock = c.Table.Clocks[i]
		}
		return draft(c.Eye, view.KindClock, ev)
	},
})

// nextClock returns the id of a clock that the next entry adds.
func nextClock(st *state.State) string { return "k" + strconv.FormatUint(st.Seq+1, 10) }

func (ev clockSet) judge(p *Proposal) error {
	i := p.Table.Clocks.Index(ev.ID)
	switch {
	case i < 0 && (ev.Was != nil || ev.ID != nextClock(p.Table.State)):
		return refusal.NoChoice("id", ev.ID, nil)
	case i >= 0 && (ev.Was == nil || !sameClock(*ev.Was, p.Table.Clocks[i])):
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	case i < 0 && len(p.Table.Clocks) >= request.MaxClocks:
		return roomFor("clocks", len(p.Table.Clocks), request.MaxClocks)
	case ev.Hidden && len(ev.To) > 0:
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	}
	low, high := minSegments, maxSegments
	if ev.Number {
		low, high = 1, maxCount
	}
	return cmp.Or(checkThingName.hold(ev.Name), within("max", ev.Max, low, high), within("at", ev.At, 0, ev.Max),
		mayHear(p, ev.To))
}

// within refuses a number out of its range.
func within(path string, n, low, high int) error {
	if n >= low && n <= high {
		return nil
	}
	return refusal.Invalid(path, form.Range, func(p *form.Problem) {
		p.Given, p.Min, p.Max = strconv.Itoa(n), low, high
	})
}

func sameClock(a, b state.Clock) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Max == b.Max && a.Number == b.Number && a.At == b.At &&
		a.Hidden == b.Hidden && slices.Equal(a.To, b.To)
}

func (ev clockTicked) judge(p *Proposal) error {
	i := p.Table.Clocks.Index(ev.ID)
	if i < 0 {
		return refusal.NoChoice("clock", ev.ID, nil)
	}
	now, before := p.Table.Clocks[i], ev.Clock
	before.At = ev.Was
	if !sameClock(before, now) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	}
	if ev.At == ev.Was {
		return refusal.Refuse("clock-stays", view.Data{"Name": now.Name, "At": now.At, "Max": now.Max})
	}
	return within("by", ev.At, 0, now.Max)
}

func (ev clockRemoved) judge(p *Proposal) error {
	i := p.Table.Clocks.Index(ev.ID)
	switch {
	case i < 0:
		return refusal.NoChoice("clock", ev.ID, nil)
	case !sameClock(ev.Clock, p.Table.Clocks[i]):
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	}
	return nil
}

func (ev clockSet) Fold(st *state.State, r *state.Record) { st.SetClock(r, ev.ID, &ev.Clock) }

func (ev clockTicked) Fold(st *state.State, r *state.Record) { st.SetClock(r, ev.ID, &ev.Clock) }

func (ev clockRemoved) Fold(st *state.State, r *state.Record) { st.SetClock(r, ev.ID, nil) }

func (ev clockSet) Lines(e *visibility.Eye) []view.Line {
	switch seen, saw := e.Hears(ev.Audience), ev.Was != nil && e.Hears(ev.Was.Audience); {
	case !seen && !saw:
		return nil
	case !seen:
		return e.Line(ev, "clock-hidden", view.Data{"Name": ev.Was.Name}, view.Data{"id": ev.ID})
	case !saw:
		return clockLine(e, ev, "clock-set", ev.Clock, nil)
	}
	return clockLine(e, ev, "clock-changed", ev.Clock, nil)
}

func (ev clockTicked) Lines(e *visibility.Eye) []view.Line {
	switch {
	case !e.Hears(ev.Audience):
		return nil
	case ev.At == ev.Max:
		return clockLine(e, ev, "clock-full", ev.Clock, &ev.Was)
	}
	return clockLine(e, ev, "clock-ticked", ev.Clock, &ev.Was)
}

func (ev clockRemoved) Lines(e *visibility.Eye) []view.Line {
	if !e.Hears(ev.Audience) {
		return nil
	}
	return clockLine(e, ev, "clock-removed", ev.Clock, nil)
}

// clockLine shows an event of a clock to a seat that sees it.
func clockLine(e *visibility.Eye, ev act, word string, c state.Clock, was *int) []view.Line {
	data := view.Data{"id": c.ID, "name": c.Name, "at": c.At, "max": c.Max}
	words := view.Data{"Name": c.Name, "At": c.At, "Max": c.Max}
	if was != nil {
		data["was"], words["Was"] = *was, *was
	}
	if e.Viewer.Role == game.Master && c.Hidden {
		data["hidden"] = true
	}
	return e.Line(ev, word, words, data)
}
