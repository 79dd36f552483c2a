package act

import (
	"cmp"
	"io"
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

// SeatAdded is a new seat.
type SeatAdded struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Role game.Role  `json:"role"`
	Lock state.Lock `json:"lock"`
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
type SeatRenewed struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Role game.Role  `json:"role"`
	Lock state.Lock `json:"lock"`
}

func (SeatAdded) Type() string { return "table.seat-added" }

func (seatRenamed) Type() string { return "table.seat-renamed" }

func (seatRevoked) Type() string { return "table.seat-revoked" }

func (SeatRenewed) Type() string { return "table.seat-renewed" }

// newSeat is the form by which a NewSeatRequest is checked.
type newSeat struct {
	Name string `json:"name" form:"required"`
	Role string `json:"role" form:"choice=player|gm|spectator,required"`
}

var newSeatForm = form.Of[newSeat]()

// AddSeat builds a new seat, whose secret comes from the inviter's.
func AddSeat(e visibility.Eye, r request.NewSeat, inviter string, entropy io.Reader) (ledger.Draft, error) {
	lock, err := state.Invite(inviter, entropy)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindSeat, SeatAdded{ID: e.Table.Seats.Next(), Name: checkName.kept(r.Name), Role: r.Role, Lock: lock})
}

func (ev SeatAdded) judge(p *Proposal) error {
	if err := byGM(p.Eye); err != nil {
		return err
	}
	var wanted newSeat
	if err := newSeatForm.Texts(map[string]string{"name": ev.Name, "role": string(ev.Role)}, &wanted); err != nil {
		return &refusal.InvalidError{Problems: err.(form.Problems)}
	}
	if len(p.Table.Seats.Here()) >= request.MaxSeats {
		return &refusal.TooManyError{What: "seats", Max: request.MaxSeats}
	}
	return cmp.Or(refusal.Same(ev.ID, p.Table.Seats.Next()), refusal.Same(ev.Name, wanted.Name), refusal.Same(string(ev.Role), wanted.Role), ev.Lock.Sound())
}

func (ev SeatAdded) Fold(st *state.State, _ *state.Record) {
	st.Seats = append(slices.Clip(st.Seats), &state.Seat{ID: ev.ID, Name: ev.Name, Role: ev.Role, Lock: ev.Lock})
}

func (ev SeatAdded) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "seat-added", view.Data{"Name": ev.Name, "Role": game.Word("table.role." + string(ev.Role))},
		view.Data{"id": ev.ID, "name": ev.Name, "role": ev.Role})
}

// RenewSeat builds another secret for a seat.
func RenewSeat(e visibility.Eye, id, inviter string, entropy io.Reader) (ledger.Draft, error) {
	target, err := targetSeat(e, id)
	if err != nil {
		return ledger.Draft{}, err
	}
	lock, err := state.Invite(inviter, entropy)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindSeat, SeatRenewed{ID: id, Name: target.Name, Role: target.Role, Lock: lock})
}

func (ev SeatRenewed) judge(p *Proposal) error {
	target, err := targetSeat(p.Eye, ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(refusal.Same(ev.Name, target.Name), refusal.Same(string(ev.Role), string(target.Role)), ev.Lock.Sound())
}

func (ev SeatRenewed) Fold(st *state.State, _ *state.Record) { relock(st, ev.ID, ev.Lock) }

func (ev SeatRenewed) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "seat-renewed", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}

// relock has a seat opened by another secret.
func relock(st *state.State, id string, by state.Lock) {
	st.AlterSeat(id, func(s *state.Seat) { s.Lock = by })
}

// RenameSeat builds another name for a seat.
func RenameSeat(e visibility.Eye, id, name string) (ledger.Draft, error) {
	target, err := namable(e, id)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindSeat, seatRenamed{ID: id, Was: target.Name, Name: checkName.kept(name)})
}

// namable is the seat that the seat may give a name.
func namable(e visibility.Eye, id string) (*state.Seat, error) {
	if id == e.Seat.ID {
		return e.Seat, nil
	}
	return targetSeat(e, id)
}

func (ev seatRenamed) judge(p *Proposal) error {
	target, err := namable(p.Eye, ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(checkName.hold(ev.Name), refusal.Same(ev.Was, target.Name))
}

func (ev seatRenamed) Fold(st *state.State, _ *state.Record) {
	st.AlterSeat(ev.ID, func(s *state.Seat) { s.Name = ev.Name })
}

func (ev seatRenamed) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "renamed", view.Data{"Was": ev.Was, "Name": ev.Name}, view.Data{"id": ev.ID, "was": ev.Was, "name": ev.Name})
}

// RevokeSeat builds the end of a seat.
func RevokeSeat(e visibility.Eye, id string) (ledger.Draft, error) {
	target, err := targetSeat(e, id)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindSeat, seatRevoked{ID: id, Name: target.Name})
}

func (ev seatRevoked) judge(p *Proposal) error {
	target, err := targetSeat(p.Eye, ev.ID)
	if err != nil {
		return err
	}
	if target.Role == game.Master && countMasters(p.Table.State) == 1 {
		return refusal.Refuse("last-gm", nil)
	}
	return refusal.Same(ev.Name, target.Name)
}

func (ev seatRevoked) Fold(st *state.State, _ *state.Record) {
	st.AlterSeat(ev.ID, func(s *state.Seat) { s.Revoked = true })
	for _, c := range st.Characters {
		if c.Owner == ev.ID {
			st.Alter(c.ID).Owner = ""
		}
	}
}

func (ev seatRevoked) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "seat-revoked", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}

// targetSeat is the seat that a GM's request is about.
func targetSeat(e visibility.Eye, id string) (*state.Seat, error) {
	if !e.Viewer.IsGM() {
		return nil, &refusal.ForbiddenError{}
	}
	target := e.Table.Seats.Of(id)
	if target == nil || target.Revoked {
		var ids []string
		for _, seat := range e.Table.Seats.Here() {
			ids = append(ids, seat.ID)
		}
		return nil, refusal.NoChoice("seat", id, ids)
	}
	return target, nil
}

// countMasters are the game masters' seats.
func countMasters(st *state.State) int {
	return len(slices.DeleteFunc(st.Seats.Here(), func(s *state.Seat) bool { return s.Role != game.Master }))
}

// SeatRestored gives a game master's seat a new secret on the word of whoever
// runs norn: nobody at the table has asked for it, so its entry is no seat's.
type SeatRestored struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Role game.Role  `json:"role"`
	Lock state.Lock `json:"lock"`
}

func (SeatRestored) Type() string { return "table.seat-restored" }

// RestoreSeat builds another lock for a game master's seat, for whoever runs norn; id may be "" where there's one.
func RestoreSeat(e visibility.Eye, id string, lock state.Lock) (ledger.Draft, error) {
	target, err := masterSeat(e.Table.State, id)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindRestored, SeatRestored{ID: target.ID, Name: target.Name, Role: target.Role, Lock: lock})
}

func (ev SeatRestored) judge(p *Proposal) error {
	target, err := masterSeat(p.Table.State, ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(refusal.Same(ev.ID, target.ID), refusal.Same(ev.Name, target.Name), refusal.Same(string(ev.Role), string(target.Role)), ev.Lock.Sound())
}

func (ev SeatRestored) Fold(st *state.State, _ *state.Record) { relock(st, ev.ID, ev.Lock) }

func (ev SeatRestored) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "seat-restored", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name})
}

// masterSeat finds a game master's seat; "" is the only one.
func masterSeat(st *state.State, id string) (*state.Seat, error) {
	masters := slices.DeleteFunc(st.Seats.Here(), func(s *state.Seat) bool { return s.Role != game.Master })
	if id == "" && len(masters) == 1 {
		return masters[0], nil
	}
	var ids []string
	for _, s := range masters {
		if s.ID == id {
			return s, nil
		}
		ids = append(ids, s.ID)
	}
	return nil, refusal.NoChoice("seat", id, ids)
}
