package act

import (
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// The X-card says that somebody at the table wants something to stop or to be told otherwise. Its entry is of no seat, and says nothing of
// who it was: neither the journal nor any file knows. It stops nothing by itself.

// xRaised lays the card on the table.
type xRaised struct{}

// xPutAway takes it up again, once it was talked about.
type xPutAway struct{ byPlayers }

func (xRaised) Type() string { return "table.x-raised" }

func (xPutAway) Type() string { return "table.x-put-away" }

// RaiseX builds an X-card. It lies there once.
func RaiseX(nobody visibility.Eye) (ledger.Draft, error) {
	return draft(nobody, view.KindX, xRaised{})
}

// PutXAway builds its end.
func PutXAway(e visibility.Eye) (ledger.Draft, error) {
	return draft(e, view.KindXAway, xPutAway{})
}

func (xRaised) judge(p *Proposal) error {
	if p.Record.Key != "" || p.Record.Request != "" || p.Table.X.Seq > 0 {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": "an X-card that lies there already, or that says whose it is"})
	}
	return nil
}

func (xPutAway) judge(p *Proposal) error {
	if p.Table.X.Seq == 0 {
		return refusal.Refuse("no-x", nil)
	}
	return nil
}

func (xRaised) Fold(st *state.State, r *state.Record) { st.X = state.XCard{Seq: r.Seq, At: r.Time} }

func (xPutAway) Fold(st *state.State, r *state.Record) { st.X = state.XCard{At: r.Time} }

func (ev xRaised) Lines(e visibility.Eye) []view.Line { return e.Line(ev, "x-raised", nil, nil) }

func (ev xPutAway) Lines(e visibility.Eye) []view.Line { return e.Line(ev, "x-put-away", nil, nil) }
