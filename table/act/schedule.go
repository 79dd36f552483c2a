package act

import (
	"cmp"
	"time"

	"norn/form"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// sessionPlanned sets the time of the next session; the zero time means that it isn't known. The
// zone is that of the game master who set it, for the log.
type sessionPlanned struct {
	byMasters
	At   time.Time `json:"at,omitzero"`
	Zone string    `json:"zone,omitempty"`
}

func (sessionPlanned) Type() string { return "table.session-planned" }

// Sessions are planned between these years.
var plannedFrom, plannedTo = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// PlanRequest asks to set the time of the next session; the zero time means that it isn't known.
// Zone is for the log, by default that of the time.
type PlanRequest struct {
	At   time.Time `json:"-" part:"at"`
	Zone string    `json:"zone" form:"text"`
}

// PlanSession sets the time of the next session, to the minute.
var PlanSession = Define(Spec[PlanRequest, view.Entry]{
	Name: "plan-session", Op: "plan",
	Route: Route{
		Method: "POST", Path: "/next", Tag: "tables", Body: "PlanRequest",
		Parts: map[string]Part{"at": {Schema: map[string]any{
			"type": "string", "format": "date-time",
			"description": "when people meet next, by RFC 3339; without it that isn't known",
		}}},
		Summary: "Say when people meet next",
		Text:    "Only a game master may. The zone, such as Europe/Kyiv, is that of times in the log; UTC unless given.",
		Example: map[string]any{"at": "2026-12-03T19:00:00+02:00", "zone": "Europe/Kyiv", "key": "3c11"},
	},
	Key: func(r PlanRequest) any { return r.At.UTC() },
	Build: func(c Call, r PlanRequest) (ledger.Draft, error) {
		planned := sessionPlanned{}
		if !r.At.IsZero() {
			planned = sessionPlanned{
				At:   r.At.UTC().Truncate(time.Minute),
				Zone: cmp.Or(r.Zone, r.At.Location().String(), "UTC"),
			}
			if planned.Zone == "Local" {
				planned.Zone = "UTC"
			}
			if _, err := time.LoadLocation(planned.Zone); err != nil {
				return ledger.Draft{}, refusal.Invalid("zone", form.NoChoice, func(p *form.Problem) {
					p.Given = refusal.Brief(r.Zone)
				})
			}
		}
		return draft(c.Eye, view.KindPlanned, planned)
	},
})

func (ev sessionPlanned) judge(p *Proposal) error {
	if ev.At.IsZero() {
		return refusal.Same(ev.Zone, "")
	}
	if ev.At.Before(plannedFrom) || !ev.At.Before(plannedTo) {
		return refusal.Invalid("at", form.Range, func(p *form.Problem) {
			p.Min, p.Max, p.Given = plannedFrom.Year(), plannedTo.Year()-1, ev.At.Format(time.DateOnly)
		})
	}
	if _, err := time.LoadLocation(ev.Zone); err != nil || len(ev.Zone) > 64 || ev.Zone == "Local" {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "its time zone isn't known"})
	}
	return refusal.Same(ev.At.Format(time.RFC3339Nano), ev.At.UTC().Truncate(time.Minute).Format(time.RFC3339Nano))
}

func (ev sessionPlanned) Fold(st *state.State, r *state.Record) {
	st.Values.Next = nil
	if !ev.At.IsZero() {
		st.Values.Next = &view.Planned{At: ev.At, Zone: ev.Zone, Seq: r.Seq, Said: r.Time}
	}
}

func (ev sessionPlanned) Lines(e *visibility.Eye) []view.Line {
	if ev.At.IsZero() {
		return e.Line(ev, "session-unplanned", nil, nil)
	}
	zone, err := time.LoadLocation(ev.Zone)
	if err != nil {
		zone = time.UTC
	}
	return e.Line(ev, "session-planned", view.Data{"Time": e.Voice.Time(ev.At, zone), "Zone": zone.String()},
		view.Data{"at": ev.At, "zone": ev.Zone})
}
