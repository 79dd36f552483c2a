package table

import (
	"cmp"
	"context"
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

// AddSeat invites somebody; only a GM may. Errors are *InvalidError and
// *TooManyError. A repeated request gives the same secret, unless a link
// was renewed in between.
func (s *Seat) AddSeat(ctx context.Context, r NewSeatRequest) (Invitation, error) {
	rec, err := s.write(ctx, r.Key, "seat", []string{r.Name, string(r.Role)}, func(e eye) (draft, error) {
		lock, err := invite(s.secret(), s.host.Entropy)
		if err != nil {
			return draft{}, err
		}
		return e.acts(KindSeat, seatAdded{ID: e.st.nextSeat(), Name: checkName.kept(r.Name), Role: r.Role, Lock: lock})
	})
	if err != nil {
		return Invitation{}, err
	}
	added := rec.events[0].(seatAdded)
	return Invitation{ID: added.ID, Role: added.Role, Name: added.Name, Secret: added.Lock.again(s.secret())}, nil
}

func (ev seatAdded) judge(p *proposal) error {
	if err := p.byGM(); err != nil {
		return err
	}
	var wanted newSeat
	if err := newSeatForm.Texts(map[string]string{"name": ev.Name, "role": string(ev.Role)}, &wanted); err != nil {
		return &InvalidError{Problems: err.(form.Problems)}
	}
	if len(p.st.seated()) >= MaxSeats {
		return &TooManyError{What: "seats", Max: MaxSeats}
	}
	return cmp.Or(same(ev.ID, p.st.nextSeat()), same(ev.Name, wanted.Name), same(string(ev.Role), wanted.Role), ev.Lock.sound())
}

func (ev seatAdded) fold(st *state, _ *record) {
	st.seats = append(slices.Clip(st.seats), &seat{id: ev.ID, name: ev.Name, role: ev.Role, lock: ev.Lock})
}

func (ev seatAdded) lines(e eye) []Line {
	return e.line(ev, "seat-added", data{"Name": ev.Name, "Role": game.Word("table.role." + string(ev.Role))},
		data{"id": ev.ID, "name": ev.Name, "role": ev.Role})
}

// RenewSeat gives a seat a new secret; the old link opens nothing from then
// on. Only a GM may. A GM who renews their own must go on with the new one.
func (s *Seat) RenewSeat(ctx context.Context, id, key string) (Invitation, error) {
	rec, err := s.write(ctx, key, "renew", id, func(e eye) (draft, error) {
		target, err := e.target(id)
		if err != nil {
			return draft{}, err
		}
		lock, err := invite(s.secret(), s.host.Entropy)
		if err != nil {
			return draft{}, err
		}
		return e.acts(KindSeat, seatRenewed{ID: id, Name: target.name, Role: target.role, Lock: lock})
	})
	if err != nil {
		return Invitation{}, err
	}
	renewed := rec.events[0].(seatRenewed)
	return Invitation{ID: renewed.ID, Role: renewed.Role, Name: renewed.Name, Secret: renewed.Lock.again(s.secret())}, nil
}

func (ev seatRenewed) judge(p *proposal) error {
	target, err := p.target(ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(same(ev.Name, target.name), same(string(ev.Role), string(target.role)), ev.Lock.sound())
}

func (ev seatRenewed) fold(st *state, _ *record) { st.relock(ev.ID, ev.Lock) }

func (ev seatRenewed) lines(e eye) []Line {
	return e.line(ev, "seat-renewed", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
}

// relock has a seat opened by another secret.
func (st *state) relock(id string, by lock) {
	st.alterSeat(id, func(s *seat) { s.lock = by })
}

// RenameSeat gives a seat another name; a GM may, and everybody their own.
func (s *Seat) RenameSeat(ctx context.Context, id, name, key string) (Entry, error) {
	return s.entry(ctx, key, "rename", []string{id, name}, func(e eye) (draft, error) {
		target, err := e.namable(id)
		if err != nil {
			return draft{}, err
		}
		return e.acts(KindSeat, seatRenamed{ID: id, Was: target.name, Name: checkName.kept(name)})
	})
}

// namable is the seat that the seat may give a name.
func (e eye) namable(id string) (*seat, error) {
	if id == e.seat.id {
		return e.seat, nil
	}
	return e.target(id)
}

func (ev seatRenamed) judge(p *proposal) error {
	target, err := p.namable(ev.ID)
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

// RevokeSeat takes a seat away; its link opens nothing from then on. Only a GM
// may; the last GM stays, which is a *RefusedError. Its characters stay, with
// nobody to play them.
func (s *Seat) RevokeSeat(ctx context.Context, id, key string) (Entry, error) {
	return s.entry(ctx, key, "revoke", id, func(e eye) (draft, error) {
		target, err := e.target(id)
		if err != nil {
			return draft{}, err
		}
		return e.acts(KindSeat, seatRevoked{ID: id, Name: target.name})
	})
}

func (ev seatRevoked) judge(p *proposal) error {
	target, err := p.target(ev.ID)
	if err != nil {
		return err
	}
	if target.role == game.Master && p.st.masters() == 1 {
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
func (e eye) target(id string) (*seat, error) {
	if !e.viewer.IsGM() {
		return nil, &ForbiddenError{}
	}
	target := e.st.seat(id)
	if target == nil || target.revoked {
		var ids []string
		for _, seat := range e.st.seated() {
			ids = append(ids, seat.id)
		}
		return nil, noChoice("seat", id, ids)
	}
	return target, nil
}

// masters are the game masters' seats.
func (st *state) masters() int {
	return len(slices.DeleteFunc(st.seated(), func(s *seat) bool { return s.role != game.Master }))
}
