package act

import (
	"time"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// The X-card says that somebody at the table wants something to stop or to be told otherwise. Its
// entry is of no seat, and says nothing of who it was: neither the journal nor any file knows. It
// stops nothing by itself.

// XRests is how long none can be raised after one was put away.
const XRests = 30 * time.Second

// XTakeBack is how long it can be taken back by who raised it.
const XTakeBack = 10 * time.Second

// xRaised lays the card on the table.
type xRaised struct{}

// xSeconded says that the card that lies there was raised again: two may want it, so that nobody
// takes it back.
type xSeconded struct{}

// xTakenBack takes the card up again at once: a slip of who raised it. No rest follows.
type xTakenBack struct{}

// xPutAway takes it up again, once it was talked about.
type xPutAway struct{ byPlayers }

func (xRaised) Type() string { return "table.x-raised" }

func (xSeconded) Type() string { return "table.x-seconded" }

func (xTakenBack) Type() string { return "table.x-taken-back" }

func (xPutAway) Type() string { return "table.x-put-away" }

// RaiseX builds an X-card. It lies there once.
func RaiseX(nobody visibility.Eye) (ledger.Draft, error) {
	return draft(nobody, view.KindX, xRaised{})
}

// SecondX builds the entry of an X-card that is raised while it lies there.
func SecondX(nobody visibility.Eye) (ledger.Draft, error) {
	return draft(nobody, view.KindXSeconded, xSeconded{})
}

// TakeXBack builds the end of an X-card that was raised by a slip.
func TakeXBack(nobody visibility.Eye) (ledger.Draft, error) {
	return draft(nobody, view.KindXBack, xTakenBack{})
}

// PutXAway takes the X-card up again, once it was talked about. Anybody but spectators may.
var PutXAway = Define(Spec[Nothing, view.Entry]{
	Name: "put-x-card-away", Op: "x-away",
	Route: Route{
		Method: "POST", Path: "/x-card/away", Tag: "pictures", Body: keyOnly,
		Summary: "Put the X-card away", Text: "Once it was talked about. Anybody but spectators may.",
		Example: map[string]any{"key": "52ae"},
	},
	Key:   nothing,
	Build: func(c Call, _ Nothing) (ledger.Draft, error) { return draft(c.Eye, view.KindXAway, xPutAway{}) },
})

func (xRaised) judge(p *Proposal) error {
	if !isUnsigned(p) || p.Table.X.Seq > 0 {
		return misfitX("an X-card that lies there already, or that says whose it is")
	}
	return nil
}

func (xSeconded) judge(p *Proposal) error {
	if !isUnsigned(p) || p.Table.X.Seq == 0 || p.Table.X.Seconded {
		return misfitX("an X-card raised again that doesn't lie there or was raised again before, or that says by whom")
	}
	return nil
}

func (xTakenBack) judge(p *Proposal) error {
	x := p.Table.X
	since := p.Record.Time.Sub(x.At)
	switch {
	case !isUnsigned(p):
		return misfitX("an X-card taken back that says by whom")
	case x.Seq == 0, x.Seconded, since < 0, since > XTakeBack:
		return refusal.Refuse("x-stays", nil)
	}
	return nil
}

func (xPutAway) judge(p *Proposal) error {
	if p.Table.X.Seq == 0 {
		return refusal.Refuse("no-x", nil)
	}
	return nil
}

// isUnsigned tells whether an entry says nothing of who made it: no key, and nothing of a request.
// That no seat made it is judged by its kind.
func isUnsigned(p *Proposal) bool { return p.Record.Key == "" && p.Record.Request == "" }

func misfitX(problem string) error {
	return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": problem})
}

func (xRaised) Fold(st *state.State, r *state.Record) { st.X = state.XCard{Seq: r.Seq, At: r.Time} }

func (xSeconded) Fold(st *state.State, _ *state.Record) { st.X.Seconded = true }

func (xTakenBack) Fold(st *state.State, _ *state.Record) { st.X = state.XCard{} }

func (xPutAway) Fold(st *state.State, r *state.Record) { st.X = state.XCard{At: r.Time} }

func (ev xRaised) Lines(e visibility.Eye) []view.Line { return e.Line(ev, "x-raised", nil, nil) }

func (xSeconded) Lines(visibility.Eye) []view.Line { return nil }

func (ev xTakenBack) Lines(e visibility.Eye) []view.Line { return e.Line(ev, "x-taken-back", nil, nil) }

func (ev xPutAway) Lines(e visibility.Eye) []view.Line { return e.Line(ev, "x-put-away", nil, nil) }
