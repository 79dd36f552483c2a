package table

import (
	"cmp"
	"context"
	"slices"

	"norn/game"
	"norn/lang"
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

func (ev seatRestored) judge(p *proposal) error {
	target, err := p.st.master(ev.ID)
	if err != nil {
		return err
	}
	return cmp.Or(same(ev.ID, target.id), same(ev.Name, target.name), same(string(ev.Role), string(target.role)), ev.Lock.sound())
}

func (ev seatRestored) fold(st *state, _ *record) { st.relock(ev.ID, ev.Lock) }

func (ev seatRestored) lines(e eye) []Line {
	return e.line(ev, "seat-restored", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
}

// Restore gives a game master's seat a new secret, for whoever runs norn, when
// its link is lost; the old link opens nothing from then on, and the log says so.
// id may be "" where the table has one game master. No seat can ask for it.
//
// Errors are *NotFoundError for a table that isn't there, *InvalidError for a
// seat that is no game master's or must be named, *ConflictError,
// *UnavailableError and *UnreadableError.
func (h *Host) Restore(ctx context.Context, tableID, id string) (Invitation, error) {
	var restored Invitation
	nobody := author{eye: func(b ledger) (eye, error) { return b.eye(&seat{}, lang.Speaker{}), nil }}
	_, err := h.write(ctx, tableID, nobody, func(e eye) (draft, error) {
		target, err := e.st.master(id)
		if err != nil {
			return draft{}, err
		}
		secret, lock, err := newSecret(h.Entropy)
		if err != nil {
			return draft{}, err
		}
		restored = Invitation{ID: target.id, Role: target.role, Name: target.name, Secret: secret}
		return e.acts(KindRestored, seatRestored{ID: target.id, Name: target.name, Role: target.role, Lock: lock})
	})
	if err != nil {
		return Invitation{}, err
	}
	return restored, nil
}

// master finds a game master's seat; "" is the only one.
func (st *state) master(id string) (*seat, error) {
	masters := slices.DeleteFunc(st.seated(), func(s *seat) bool { return s.role != game.Master })
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
