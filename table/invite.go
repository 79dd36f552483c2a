package table

import (
	"cmp"
	"io"
	"slices"

	"norn/form"
	"norn/game"
)

type seatAdded struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role game.Role `json:"role"`
	Lock lock      `json:"lock"`
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

type seatRenewed struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role game.Role `json:"role"`
	Lock lock      `json:"lock"`
}

func (seatAdded) Type() string   { return "table.seat-added" }
func (seatRenamed) Type() string { return "table.seat-renamed" }
func (seatRevoked) Type() string { return "table.seat-revoked" }
func (seatRenewed) Type() string { return "table.seat-renewed" }

// newSeat is the form by which a NewSeatRequest is checked.
type newSeat struct {
	Name string `json:"name" form:"required"`
	Role string `json:"role" form:"choice=player|gm|spectator,required"`
}

var newSeatForm = form.Of[newSeat]()

func addSeat(e eye, r NewSeatRequest, inviter string, entropy io.Reader) (draft, error) {
	lock, err := invite(inviter, entropy)
	if err != nil {
		return draft{}, err
	}
	return draftActs(e, KindSeat, seatAdded{ID: e.st.seats.next(), Name: checkName.kept(r.Name), Role: r.Role, Lock: lock})
}

func (ev seatAdded) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	var wanted newSeat
	if err := newSeatForm.Texts(map[string]string{"name": ev.Name, "role": string(ev.Role)}, &wanted); err != nil {
		return &InvalidError{Problems: err.(form.Problems)}
	}
	if len(p.st.seats.here()) >= MaxSeats {
		return &TooManyError{What: "seats", Max: MaxSeats}
	}
	return cmp.Or(same(ev.ID, p.st.seats.next()), same(ev.Name, wanted.Name), same(string(ev.Role), wanted.Role), ev.Lock.sound())
}

func (ev seatAdded) fold(st *state, _ *record) {
	st.seats = append(slices.Clip(st.seats), &seat{id: ev.ID, name: ev.Name, role: ev.Role, lock: ev.Lock})
}

func (ev seatAdded) lines(e eye) []Line {
	return e.line(ev, "seat-added", data{"Name": ev.Name, "Role": game.Word("table.role." + string(ev.Role))},
		data{"id": ev.ID, "name": ev.Name, "role": ev.Role})
}

func renewSeat(e eye, id, inviter string, entropy io.Reader) (draft, error) {
	target, err := targetSeat(e, id)
	if err != nil {
		return draft{}, err
	}
	lock, err := invite(inviter, entropy)
	if err != nil {
		return draft{}, err
	}
	return draftActs(e, KindSeat, seatRenewed{ID: id, Name: target.name, Role: target.role, Lock: lock})
}

func (ev seatRenewed) judge(p *proposal) error {
	target, err := targetSeat(p.eye, ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(same(ev.Name, target.name), same(string(ev.Role), string(target.role)), ev.Lock.sound())
}

func (ev seatRenewed) fold(st *state, _ *record) { relock(st, ev.ID, ev.Lock) }

func (ev seatRenewed) lines(e eye) []Line {
	return e.line(ev, "seat-renewed", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
}

// relock has a seat opened by another secret.
func relock(st *state, id string, by lock) {
	st.alterSeat(id, func(s *seat) { s.lock = by })
}

func renameSeat(e eye, id, name string) (draft, error) {
	target, err := namable(e, id)
	if err != nil {
		return draft{}, err
	}
	return draftActs(e, KindSeat, seatRenamed{ID: id, Was: target.name, Name: checkName.kept(name)})
}

// namable is the seat that the seat may give a name.
func namable(e eye, id string) (*seat, error) {
	if id == e.seat.id {
		return e.seat, nil
	}
	return targetSeat(e, id)
}

func (ev seatRenamed) judge(p *proposal) error {
	target, err := namable(p.eye, ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(checkName.hold(ev.Name), same(ev.Was, target.name))
}

func (ev seatRenamed) fold(st *state, _ *record) {
	st.alterSeat(ev.ID, func(s *seat) { s.name = ev.Name })
}

func (ev seatRenamed) lines(e eye) []Line {
	return e.line(ev, "renamed", data{"Was": ev.Was, "Name": ev.Name}, data{"id": ev.ID, "was": ev.Was, "name": ev.Name})
}

func revokeSeat(e eye, id string) (draft, error) {
	target, err := targetSeat(e, id)
	if err != nil {
		return draft{}, err
	}
	return draftActs(e, KindSeat, seatRevoked{ID: id, Name: target.name})
}

func (ev seatRevoked) judge(p *proposal) error {
	target, err := targetSeat(p.eye, ev.ID)
	if err != nil {
		return err
	}
	if target.role == game.Master && countMasters(p.st.state) == 1 {
		return refused("last-gm", nil)
	}
	return same(ev.Name, target.name)
}

func (ev seatRevoked) fold(st *state, _ *record) {
	st.alterSeat(ev.ID, func(s *seat) { s.revoked = true })
	for _, c := range st.characters {
		if c.owner == ev.ID {
			st.change(c.id).owner = ""
		}
	}
}

func (ev seatRevoked) lines(e eye) []Line {
	return e.line(ev, "seat-revoked", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
}

// target is the seat that a GM's request is about.
func targetSeat(e eye, id string) (*seat, error) {
	if !e.viewer.IsGM() {
		return nil, &ForbiddenError{}
	}
	target := e.st.seats.of(id)
	if target == nil || target.revoked {
		var ids []string
		for _, seat := range e.st.seats.here() {
			ids = append(ids, seat.id)
		}
		return nil, noChoice("seat", id, ids)
	}
	return target, nil
}

// masters are the game masters' seats.
func countMasters(st *state) int {
	return len(slices.DeleteFunc(st.seats.here(), func(s *seat) bool { return s.role != game.Master }))
}
