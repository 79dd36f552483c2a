package act

import (
	"cmp"
	"slices"

	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// seatRestored gives a game master's seat a new secret on the word of whoever
// runs norn: nobody at the table has asked for it, so its entry is no seat's.
type SeatRestored struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Role game.Role  `json:"role"`
	Lock state.Lock `json:"lock"`
}

func (SeatRestored) Type() string { return "table.seat-restored" }

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

// master finds a game master's seat; "" is the only one.
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
