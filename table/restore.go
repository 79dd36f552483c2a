package table

import (
	"cmp"
	"slices"

	"norn/game"
)

// seatRestored gives a game master's seat a new secret on the word of whoever
// runs norn: nobody at the table has asked for it, so its entry is no seat's.
type seatRestored struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role game.Role `json:"role"`
	Lock lock      `json:"lock"`
}

func (seatRestored) Type() string { return "table.seat-restored" }

func restoreSeat(e eye, id string, lock lock) (draft, error) {
	target, err := masterSeat(e.st.state, id)
	if err != nil {
		return draft{}, err
	}
	return draftActs(e, KindRestored, seatRestored{ID: target.id, Name: target.name, Role: target.role, Lock: lock})
}

func (ev seatRestored) judge(p *proposal) error {
	target, err := masterSeat(p.st.state, ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(same(ev.ID, target.id), same(ev.Name, target.name), same(string(ev.Role), string(target.role)), ev.Lock.sound())
}

func (ev seatRestored) fold(st *state, _ *record) { relock(st, ev.ID, ev.Lock) }

func (ev seatRestored) lines(e eye) []Line {
	return e.line(ev, "seat-restored", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
}

// master finds a game master's seat; "" is the only one.
func masterSeat(st *state, id string) (*seat, error) {
	masters := slices.DeleteFunc(st.seats.here(), func(s *seat) bool { return s.role != game.Master })
	if id == "" && len(masters) == 1 {
		return masters[0], nil
	}
	var ids []string
	for _, s := range masters {
		if s.id == id {
			return s, nil
		}
		ids = append(ids, s.id)
	}
	return nil, noChoice("seat", id, ids)
}
