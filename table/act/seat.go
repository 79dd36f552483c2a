package act

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Seating describes a seat and the lock that its secret opens.
type Seating struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Role game.Role  `json:"role"`
	Lock state.Lock `json:"lock"`
}

// SeatAdded adds a seat.
type SeatAdded struct {
	byMasters
	Seating
}

type seatRenamed struct {
	ID   string `json:"id"`
	Was  string `json:"was"`
	Name string `json:"name"`
}

type seatRevoked struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// SeatRenewed gives a seat a new secret.
type SeatRenewed struct{ Seating }

// SeatRestored gives a game master's seat a new secret, on behalf of an operator. No seat asked for
// it, so its entry has no seat.
type SeatRestored struct{ Seating }

func (SeatAdded) Type() string { return "table.seat-added" }

func (seatRenamed) Type() string { return "table.seat-renamed" }

func (seatRevoked) Type() string { return "table.seat-revoked" }

func (SeatRenewed) Type() string { return "table.seat-renewed" }

func (SeatRestored) Type() string { return "table.seat-restored" }

// checkTarget checks the event against the seat that it's about.
func (ev Seating) checkTarget(target *state.Seat) error {
	return cmp.Or(refusal.Same(ev.ID, target.ID), refusal.Same(ev.Name, target.Name),
		refusal.Same(string(ev.Role), string(target.Role)), ev.Lock.Sound())
}

// Fold replaces the seat's lock. A recovery code ends with the lock that it was made for.
func (ev Seating) Fold(st *state.State, _ *state.Record) {
	st.Seats = st.Seats.With(ev.ID, func(s *state.Seat) { s.Lock, s.Recovery = ev.Lock, nil })
}

// newSeat is the form that checks a SeatRequest.
type newSeat struct {
	Name string `json:"name" form:"required"`
	Role string `json:"role" form:"choice=player|gm|spectator,required"`
}

var newSeatForm = form.Of[newSeat]()

// SeatRequest asks to invite somebody.
type SeatRequest struct {
	Name string `json:"name" form:"text,required"`
	Role string `json:"role" form:"choice=player|gm|spectator"`
}

// AddSeat adds a seat with a secret that is derived from the inviter's. A repeated request returns
// the same secret, unless a link was renewed since.
var AddSeat = Define(Spec[SeatRequest, view.Invitation]{
	Name: "add-seat", Op: "seat",
	Route: Route{
		Method: "POST", Path: "/seats", Tag: "seats", Body: "NewSeat", Status: http.StatusCreated,
		Summary: "Invite somebody",
		Text:    "Only a game master may. The secret is in this answer, and again in that to a repeated request with the same key.",
		Example: map[string]any{"name": "Olena", "role": "player", "key": "5c1e"},
	},
	Key: func(r SeatRequest) any { return []string{r.Name, r.Role} },
	Build: func(c Call, r SeatRequest) (ledger.Draft, error) {
		lock, err := state.Invite(c.Secret(), c.Entropy)
		if err != nil {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindSeat,
			SeatAdded{Seating: Seating{c.Table.Seats.Next(), checkName.keep(r.Name), game.Role(r.Role), lock}})
	},
	Respond: func(secret string, made *Written) view.Invitation {
		return made.Record.Decoded[0].(SeatAdded).invitation(secret)
	},
})

// invitation returns the invitation to the seat, by the inviter's secret.
func (ev Seating) invitation(inviter string) view.Invitation {
	return view.Invitation{ID: ev.ID, Role: ev.Role, Name: ev.Name, Secret: ev.Lock.Again(inviter)}
}

func (ev SeatAdded) judge(p *Proposal) error {
	var wanted newSeat
	if err := newSeatForm.Texts(map[string]string{"name": ev.Name, "role": string(ev.Role)}, &wanted); err != nil {
		return &refusal.InvalidError{Problems: err.(form.Problems)}
	}
	if len(p.Table.Seats.Here()) >= request.MaxSeats {
		return &refusal.TooManyError{What: "seats", Max: request.MaxSeats}
	}
	return cmp.Or(refusal.Same(ev.ID, p.Table.Seats.Next()), refusal.Same(ev.Name, wanted.Name),
		refusal.Same(string(ev.Role), wanted.Role), ev.Lock.Sound())
}

func (ev SeatAdded) Fold(st *state.State, _ *state.Record) {
	st.Seats = append(slices.Clip(st.Seats), &state.Seat{ID: ev.ID, Name: ev.Name, Role: ev.Role, Lock: ev.Lock})
}

func (ev SeatAdded) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "seat-added", view.Data{"Name": ev.Name, "Role": game.Word("table.role." + string(ev.Role))},
		view.Data{"id": ev.ID, "name": ev.Name, "role": ev.Role})
}

// SeatNamed names a seat in an operation's address.
type SeatNamed struct {
	Seat string `json:"-" address:"sid"`
}

// RenewSeat gives a seat a new secret; the old link stops working. Game masters who renew their own
// must continue with the new one.
var RenewSeat = Define(Spec[SeatNamed, view.Invitation]{
	Name: "renew-seat", Op: "renew",
	Route: Route{
		Method: "POST", Path: "/seats/{sid}/secret", Missing: "seat", Tag: "seats", Body: keyOnly,
		Status:  http.StatusCreated,
		Summary: "Give a seat a new secret",
		Text:    "The old one opens nothing any more, and its live streams end. Only a game master may.",
		Example: map[string]any{"key": "e0f3"},
	},
	Key: func(r SeatNamed) any { return r.Seat },
	Build: func(c Call, r SeatNamed) (ledger.Draft, error) {
		target, err := targetSeat(c.Eye, r.Seat)
		if err != nil {
			return ledger.Draft{}, err
		}
		lock, err := state.Invite(c.Secret(), c.Entropy)
		if err != nil {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindSeat, SeatRenewed{Seating{target.ID, target.Name, target.Role, lock}})
	},
	Respond: func(secret string, made *Written) view.Invitation {
		return made.Record.Decoded[0].(SeatRenewed).invitation(secret)
	},
})

func (ev SeatRenewed) judge(p *Proposal) error {
	target, err := targetSeat(p.Eye, ev.ID)
	if err != nil {
		return err
	}
	return ev.checkTarget(target)
}

func (ev SeatRenewed) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "seat-renewed", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}

// RenameRequest asks to rename a seat.
type RenameRequest struct {
	Seat string `json:"-" address:"sid"`
	Name string `json:"name" form:"text,required"`
}

// RenameSeat renames a seat; a game master may rename any, everybody else their own.
var RenameSeat = Define(Spec[RenameRequest, view.Entry]{
	Name: "rename-seat", Op: "rename",
	Route: Route{
		Method: "PATCH", Path: "/seats/{sid}", Missing: "seat", Tag: "seats", Body: "SeatChange",
		Summary: "Rename a seat", Text: "A game master may rename any, everybody their own.",
		Example: map[string]any{"name": "Olena K.", "key": "77aa"},
	},
	Key: func(r RenameRequest) any { return []string{r.Seat, r.Name} },
	Build: func(c Call, r RenameRequest) (ledger.Draft, error) {
		target, err := renamableSeat(c.Eye, r.Seat)
		if err != nil {
			return ledger.Draft{}, err
		}
		if err := checkOwnName(c.Eye, r.Name, ""); err != nil && r.Name != target.Name {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindSeat, seatRenamed{ID: target.ID, Was: target.Name, Name: checkName.keep(r.Name)})
	},
})

// renamableSeat returns a seat that the seat may rename.
func renamableSeat(e *visibility.Eye, id string) (*state.Seat, error) {
	if id == e.Seat.ID {
		return e.Seat, nil
	}
	return targetSeat(e, id)
}

func (ev seatRenamed) judge(p *Proposal) error {
	target, err := renamableSeat(p.Eye, ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(checkName.hold(ev.Name), refusal.Same(ev.Was, target.Name))
}

func (ev seatRenamed) Fold(st *state.State, _ *state.Record) {
	st.Seats = st.Seats.With(ev.ID, func(s *state.Seat) { s.Name = ev.Name })
}

func (ev seatRenamed) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "renamed", view.Data{"Was": ev.Was, "Name": ev.Name},
		view.Data{"id": ev.ID, "was": ev.Was, "name": ev.Name})
}

// RevokeSeat revokes a seat; its link stops working. The last game master can't be revoked. The
// seat's characters stay, without an owner.
var RevokeSeat = Define(Spec[SeatNamed, view.Entry]{
	Name: "revoke-seat", Op: "revoke",
	Route: Route{
		Method: "DELETE", Path: "/seats/{sid}", Missing: "seat", Tag: "seats",
		Summary: "Revoke a seat",
		Text:    "Its secret opens nothing any more, and its live streams end. Only a game master may; the last one stays.",
	},
	Key: func(r SeatNamed) any { return r.Seat },
	Build: func(c Call, r SeatNamed) (ledger.Draft, error) {
		target, err := targetSeat(c.Eye, r.Seat)
		if err != nil {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindSeat, seatRevoked{ID: target.ID, Name: target.Name})
	},
})

func (ev seatRevoked) judge(p *Proposal) error {
	target, err := targetSeat(p.Eye, ev.ID)
	if err != nil {
		return err
	}
	if target.Role == game.Master && len(masters(p.Table.State)) == 1 {
		return refusal.Refuse("last-gm", nil)
	}
	return refusal.Same(ev.Name, target.Name)
}

func (ev seatRevoked) Fold(st *state.State, _ *state.Record) {
	st.Seats = st.Seats.With(ev.ID, func(s *state.Seat) { s.Revoked, s.Recovery = true, nil })
	for _, c := range st.Characters {
		if c.Owner == ev.ID {
			st.Alter(c.ID).Owner = ""
		}
	}
}

func (ev seatRevoked) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "seat-revoked", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}

// targetSeat returns the seat that a GM's request is about.
func targetSeat(e *visibility.Eye, id string) (*state.Seat, error) {
	if !e.Viewer.IsGM() {
		return nil, &refusal.ForbiddenError{}
	}
	target := e.Table.Seats.Of(id)
	if target == nil || target.Revoked {
		return nil, refusal.NoChoice("seat", id, e.Table.Seats.Here().IDs())
	}
	return target, nil
}

// masters returns the game masters' seats.
func masters(st *state.State) state.Seats {
	return game.Without(st.Seats.Here(), func(s *state.Seat) bool { return s.Role != game.Master })
}

// RestoreSeat builds the entry of a new lock for a game master's seat, for an operator; id may be
// "" if there is only one.
func RestoreSeat(e *visibility.Eye, id string, lock state.Lock) (ledger.Draft, error) {
	target, err := masterSeat(e.Table.State, id)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindRestored, SeatRestored{Seating{target.ID, target.Name, target.Role, lock}})
}

func (ev SeatRestored) judge(p *Proposal) error {
	target, err := masterSeat(p.Table.State, ev.ID)
	if err != nil {
		return err
	}
	return ev.checkTarget(target)
}

func (ev SeatRestored) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "seat-restored", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}

// masterSeat returns a game master's seat; "" is the only one.
func masterSeat(st *state.State, id string) (*state.Seat, error) {
	all := masters(st)
	if id == "" && len(all) == 1 {
		return all[0], nil
	}
	if s := all.Of(id); s != nil {
		return s, nil
	}
	return nil, refusal.NoChoice("seat", id, all.IDs())
}

// ReadLocks adds the locks of seats in an entry to locks, by seat id. This norn needn't have the
// table's game.
func ReadLocks(stored []byte, locks map[string]state.Lock) {
	var body state.EntryBody
	if json.Unmarshal(stored, &body) != nil {
		return
	}
	for _, event := range body.Events {
		var of Seating
		switch event.Type {
		case SeatAdded{}.Type(), SeatRenewed{}.Type(), SeatRestored{}.Type(), SeatRecovered{}.Type():
			if json.Unmarshal(event.Data, &of) == nil {
				locks[of.ID] = of.Lock
			}
		case seatRevoked{}.Type():
			if json.Unmarshal(event.Data, &of) == nil {
				delete(locks, of.ID)
			}
		}
	}
}
