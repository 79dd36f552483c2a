package act

import (
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

type moveCancelled struct{ ofMove }

func (moveCancelled) Type() string { return "table.move-cancelled" }

// CancelRequest names an open move.
type CancelRequest struct {
	Move string `json:"move" form:"text,required" doc:"its id, such as m12"`
}

// Cancel ends an open move: it drops its questions and reverts its changes; its rolls stay in the
// log. A game master may, and the seat that made the move if it has no roll and no answer yet.
var Cancel = Define(Spec[CancelRequest, view.Entry]{
	Name: "cancel-move", Op: "cancel",
	Route: Route{
		Method: "POST", Path: "/cancel", Tag: "moves", Tool: "cancel", Body: "CancelRequest",
		Summary: "Cancel an open move",
		Text: "Its questions end and what it changed is undone; the dice already thrown stay in the log. A game master may, and the seat that " +
			"made the move as long as no die fell in it and nobody answered.",
		Example: map[string]any{"move": "m12", "key": "90ae"},
	},
	Key:   func(r CancelRequest) any { return r.Move },
	Build: func(c Call, r CancelRequest) (ledger.Draft, error) { return cancelMove(c.Eye, r.Move) },
})

func cancelMove(e *visibility.Eye, id string) (ledger.Draft, error) {
	m := e.Table.Move(id)
	switch {
	case m == nil || e.Table.SecretMove(m) && !e.Viewer.IsGM():
		return ledger.Draft{}, refusal.NoChoice("move", id, nil)
	case !e.Viewer.IsGM() && m.Seat != e.Seat.ID:
		return ledger.Draft{}, &refusal.ForbiddenError{}
	case e.Table.OpenMoves.Of(id) == nil:
		return ledger.Draft{}, refusal.Refuse("not-open", nil)
	}
	return draft(e, view.KindCancelled, moveCancelled{ofMove{id}})
}

func (moveCancelled) judge(p *Proposal) error {
	m := p.Record.Undoes.Of
	if !p.Viewer.IsGM() && m.Seat != p.Seat.ID {
		return &refusal.ForbiddenError{}
	}
	if !MayCancel(p.Eye, m) {
		return refusal.Refuse("begun", nil)
	}
	return p.checkNothingAbove(p.Record.Undoes)
}

func (ev moveCancelled) Lines(e *visibility.Eye) []view.Line {
	return append(e.Line(ev, "move-cancelled", nil, view.Data{"move": ev.Move}), ev.within(e)...)
}

// MayCancel reports whether the seat may cancel a move now.
func MayCancel(e *visibility.Eye, m *state.Move) bool {
	u := e.Table.OpenMoves.Of(m.ID)
	return u != nil && (e.Viewer.IsGM() || m.Seat == e.Seat.ID && len(u.Trail) == 0 && len(u.Released) == 0)
}
