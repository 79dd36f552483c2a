package act

import (
	"time"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// The X-card says that somebody at the table wants the scene to stop or to change. Its entry has no
// seat and nothing that identifies it, in the journal and in all files. It doesn't stop anything by
// itself.

// XRests is the time after a card was put away in which nobody can raise one.
const XRests = 30 * time.Second

// XTakeBack is the time in which the seat that raised the card can take it back.
const XTakeBack = 10 * time.Second

// xRaised puts the card on the table.
type xRaised struct{}

// xSeconded says that the card was raised again while it's on the table. Two people may want it, so
// it can't be taken back any more.
type xSeconded struct{}

// xTakenBack removes a card that was raised by mistake. A new one can be raised at once.
type xTakenBack struct{}

// xPutAway removes the card after people have talked about it.
type xPutAway struct{ byPlayers }

func (xRaised) Type() string { return "table.x-raised" }

func (xSeconded) Type() string { return "table.x-seconded" }

func (xTakenBack) Type() string { return "table.x-taken-back" }

func (xPutAway) Type() string { return "table.x-put-away" }

// RaiseX builds the entry of an X-card.
func RaiseX(nobody *visibility.Eye) (ledger.Draft, error) {
	return draft(nobody, view.KindX, xRaised{})
}

// SecondX builds the entry of an X-card that is raised while it's on the table.
func SecondX(nobody *visibility.Eye) (ledger.Draft, error) {
	return draft(nobody, view.KindXSeconded, xSeconded{})
}

// TakeXBack builds the entry that takes back an X-card raised by mistake.
func TakeXBack(nobody *visibility.Eye) (ledger.Draft, error) {
	return draft(nobody, view.KindXBack, xTakenBack{})
}

// PutXAway removes the X-card after people have talked about it. Everybody but spectators may.
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
		return misfitX("an X-card that is on the table already, or that names who raised it")
	}
	return nil
}

func (xSeconded) judge(p *Proposal) error {
	if !isUnsigned(p) || p.Table.X.Seq == 0 || p.Table.X.Seconded {
		return misfitX("an X-card raised again that isn't on the table or was raised again before, or that names who did")
	}
	return nil
}

func (xTakenBack) judge(p *Proposal) error {
	x := p.Table.X
	since := p.Record.Time.Sub(x.At)
	switch {
	case !isUnsigned(p):
		return misfitX("an X-card withdrawn that names who did")
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

// isUnsigned reports whether an entry has no trace of its author: no key and no request. The check
// that it has no seat goes by its kind.
func isUnsigned(p *Proposal) bool { return p.Record.Key == "" && p.Record.Request == "" }

func misfitX(problem string) error {
	return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": problem})
}

func (xRaised) Fold(st *state.State, r *state.Record) { st.X = state.XCard{Seq: r.Seq, At: r.Time} }

func (xSeconded) Fold(st *state.State, _ *state.Record) { st.X.Seconded = true }

func (xTakenBack) Fold(st *state.State, _ *state.Record) { st.X = state.XCard{} }

func (xPutAway) Fold(st *state.State, r *state.Record) { st.X = state.XCard{At: r.Time} }

func (ev xRaised) Lines(e *visibility.Eye) []view.Line { return e.Line(ev, "x-raised", nil, nil) }

func (xSeconded) Lines(*visibility.Eye) []view.Line { return nil }

func (ev xTakenBack) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "x-taken-back", nil, nil)
}

func (ev xPutAway) Lines(e *visibility.Eye) []view.Line { return e.Line(ev, "x-put-away", nil, nil) }
