package act

import (
	"cmp"
	"strconv"

	"norn/form"
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

func (ev clockSet) before() audible {
	if ev.Was == nil {
		return nil
	}
	return ev.Was
}

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
			ID: r.ID, Name: checkThingName.keep(r.Name), Max: r.Max, Number: r.Number, At: r.At,
		}, Was: c.Table.Clocks.Find(r.ID)}
		var was state.Audience
		if ev.Was != nil {
			was = ev.Was.Audience
		} else if r.ID == "" {
			ev.ID = nextClock(c.Table.State)
		}
		ev.Audience = audienceOf(c.Table.State, r.To, r.Hidden, was)
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
		if now := c.Table.Clocks.Find(r.Clock); now != nil {
			ev.Clock, ev.Was = *now, now.At
			ev.At = now.After(r.By)
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
		if now := c.Table.Clocks.Find(r.Clock); now != nil {
			ev.Clock = *now
		}
		return draft(c.Eye, view.KindClock, ev)
	},
})

// nextClock returns the id of a clock that the next entry adds.
func nextClock(st *state.State) string { return "k" + strconv.FormatUint(st.Seq+1, 10) }

func (ev clockSet) judge(p *Proposal) error {
	full := roomFor("clocks", len(p.Table.Clocks), request.MaxClocks)
	err := checkSet(ev.ID, nextClock(p.Table.State), ev.Was, p.Table.Clocks.Find(ev.ID), full)
	low, high := minSegments, maxSegments
	if ev.Number {
		low, high = 1, maxCount
	}
	return cmp.Or(err, checkThingName.hold(ev.Name), within("max", ev.Max, low, high), within("at", ev.At, 0, ev.Max),
		checkAudience(p, ev.ID, ev.Audience))
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

func (ev clockTicked) judge(p *Proposal) error {
	now, before := p.Table.Clocks.Find(ev.ID), ev.Clock
	before.At = ev.Was
	if err := checkNow("clock", ev.ID, before, now); err != nil {
		return err
	}
	if ev.At == ev.Was {
		return refusal.Refuse("clock-stays", view.Data{"Name": now.Name, "At": now.At, "Max": now.Max})
	}
	return within("by", ev.At, 0, now.Max)
}

func (ev clockRemoved) judge(p *Proposal) error {
	return checkNow("clock", ev.ID, ev.Clock, p.Table.Clocks.Find(ev.ID))
}

func (ev clockSet) Fold(st *state.State, r *state.Record) { st.SetClock(r, ev.ID, &ev.Clock) }

func (ev clockTicked) Fold(st *state.State, r *state.Record) { st.SetClock(r, ev.ID, &ev.Clock) }

func (ev clockRemoved) Fold(st *state.State, r *state.Record) { st.SetClock(r, ev.ID, nil) }

func (ev clockSet) Lines(e *visibility.Eye) []view.Line {
	return linesOfSet(e, ev, "clock", func(word string) []view.Line { return clockLine(e, ev, word, ev.Clock, nil) })
}

func (ev clockTicked) Lines(e *visibility.Eye) []view.Line {
	word := "clock-ticked"
	if ev.At == ev.Max {
		word = "clock-full"
	}
	return clockLine(e, ev, word, ev.Clock, &ev.Was)
}

func (ev clockRemoved) Lines(e *visibility.Eye) []view.Line {
	return clockLine(e, ev, "clock-removed", ev.Clock, nil)
}

// clockLine shows an event of a clock to a seat that sees it.
func clockLine(e *visibility.Eye, ev audibleAct, word string, c state.Clock, was *int) []view.Line {
	data, words := view.Data{"at": c.At, "max": c.Max}, view.Data{"At": c.At, "Max": c.Max}
	if was != nil {
		data["was"], words["Was"] = *was, *was
	}
	return thingLine(e, ev, word, words, data)
}
