package act

import (
	"time"

	"norn/form"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// sessionPlanned says when people meet next; the zero time, that it isn't known. The zone is that of who says so, for the log.
type sessionPlanned struct {
	byMasters
	At   time.Time `json:"at,omitzero"`
	Zone string    `json:"zone,omitempty"`
}

func (sessionPlanned) Type() string { return "table.session-planned" }

// Between these years people meet.
var plannedFrom, plannedTo = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// PlanSession builds the date of the next session, to the minute.
func PlanSession(e visibility.Eye, at time.Time) (ledger.Draft, error) {
	planned := sessionPlanned{}
	if !at.IsZero() {
		planned = sessionPlanned{At: at.UTC().Truncate(time.Minute), Zone: at.Location().String()}
		if at.Location() == time.Local {
			planned.Zone = "UTC"
		}
	}
	return draft(e, view.KindPlanned, planned)
}

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
	st.Planned = view.Planned{At: ev.At, Zone: ev.Zone, Seq: r.Seq, Said: r.Time}
}

func (ev sessionPlanned) Lines(e visibility.Eye) []view.Line {
	if ev.At.IsZero() {
		return e.Line(ev, "session-unplanned", nil, nil)
	}
	zone, err := time.LoadLocation(ev.Zone)
	if err != nil {
		zone = time.UTC
	}
	return e.Line(ev, "session-planned", view.Data{"Time": e.Voice.Time(ev.At, zone), "Zone": zone.String()}, view.Data{"at": ev.At, "zone": ev.Zone})
}
