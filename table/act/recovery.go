package act

import (
	"cmp"
	"net/http"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// codeMade gives a seat a recovery code, instead of an earlier one.
type codeMade struct {
	codeOwner
	Code state.Lock `json:"code"`
}

// codeRemoved removes a seat's recovery code.
type codeRemoved struct{ codeOwner }

// SeatRecovered gives a seat a new secret, for its recovery code. The code is used up.
type SeatRecovered struct{ Seating }

// codeOwner names the seat of a recovery code: a player's or a game master's.
type codeOwner struct {
	byPlayers
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (codeMade) Type() string { return "table.recovery-made" }

func (codeRemoved) Type() string { return "table.recovery-removed" }

func (SeatRecovered) Type() string { return "table.seat-recovered" }

// MakeCode makes a recovery code for the seat itself: nobody gets one who didn't ask for it. A
// repeated request returns the same code.
var MakeCode = Define(Spec[Nothing, view.RecoveryCode]{
	Name: "make-recovery-code", Op: "recovery",
	Route: Route{
		Method: "POST", Path: "/recovery", Tag: "seats", Body: keyOnly, Status: http.StatusCreated,
		Summary: "Make a recovery code for this seat",
		Text: "The code gives the seat a new secret once, by recover-seat, when the old one is lost. It is in this answer, and again in that " +
			"to a repeated request with the same key; only its hash is stored. It replaces an earlier code, and ends when the seat gets " +
			"a new secret or is revoked.",
		Example: map[string]any{"key": "9a41"},
	},
	Key: nothing,
	Build: func(c Call, _ Nothing) (ledger.Draft, error) {
		code, err := state.MakeCode(c.Secret(), c.Entropy)
		if err != nil {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindRecovery, codeMade{codeOwner{ID: c.Seat.ID, Name: c.Seat.Name}, code})
	},
	Respond: func(secret string, made *Written) view.RecoveryCode {
		return view.RecoveryCode{Code: made.Record.Decoded[0].(codeMade).Code.CodeAgain(secret)}
	},
})

// RemoveCode removes the seat's own recovery code.
var RemoveCode = Define(Spec[Nothing, view.Entry]{
	Name: "remove-recovery-code", Op: "no-recovery",
	Route: Route{
		Method: "DELETE", Path: "/recovery", Tag: "seats",
		Summary: "Remove this seat's recovery code",
	},
	Key: nothing,
	Build: func(c Call, _ Nothing) (ledger.Draft, error) {
		return draft(c.Eye, view.KindRecovery, codeRemoved{codeOwner{ID: c.Seat.ID, Name: c.Seat.Name}})
	},
})

// RecoverSeat builds the entry by which a seat's recovery code gives the seat a new lock.
func RecoverSeat(e *visibility.Eye, lock state.Lock) (ledger.Draft, error) {
	return draft(e, view.KindRecovery, SeatRecovered{Seating{e.Seat.ID, e.Seat.Name, e.Seat.Role, lock}})
}

// check refuses a code of a seat other than the author's.
func (o codeOwner) check(p *Proposal) error {
	return cmp.Or(refusal.Same(o.ID, p.Eye.Seat.ID), refusal.Same(o.Name, p.Eye.Seat.Name))
}

func (ev codeMade) judge(p *Proposal) error { return cmp.Or(ev.check(p), ev.Code.Sound()) }

func (ev codeRemoved) judge(p *Proposal) error {
	if p.Eye.Seat.Recovery == nil {
		return refusal.Refuse("no-recovery", nil)
	}
	return ev.check(p)
}

func (ev SeatRecovered) judge(p *Proposal) error {
	if p.Eye.Seat.Recovery == nil {
		return refusal.Refuse("no-recovery", nil)
	}
	return ev.checkTarget(p.Eye.Seat)
}

func (ev codeMade) Fold(st *state.State, _ *state.Record) {
	st.Seats = st.Seats.With(ev.ID, func(s *state.Seat) { s.Recovery = &ev.Code })
}

func (ev codeRemoved) Fold(st *state.State, _ *state.Record) {
	st.Seats = st.Seats.With(ev.ID, func(s *state.Seat) { s.Recovery = nil })
}

func (ev codeMade) Lines(e *visibility.Eye) []view.Line { return ev.lines(e, ev, "recovery-made") }

func (ev codeRemoved) Lines(e *visibility.Eye) []view.Line {
	return ev.lines(e, ev, "recovery-removed")
}

// lines shows an entry to the code's owner and to game masters.
func (o codeOwner) lines(e *visibility.Eye, ev interface{ Type() string }, word string) []view.Line {
	if e.Seat.ID != o.ID && !e.Viewer.IsGM() {
		return nil
	}
	return e.Line(ev, word, view.Data{"Name": o.Name}, view.Data{"id": o.ID, "name": o.Name})
}

func (ev SeatRecovered) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "seat-recovered", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}
