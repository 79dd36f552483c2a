package table

import (
	"context"
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

// Restore gives a game master's seat a new secret, for whoever runs norn, when
// its link is lost; the old link opens nothing from then on, and the log says so.
// id may be "" where the table has one game master. No seat can ask for it.
//
// Errors are *NotFoundError for a table that isn't there, *InvalidError for a
// seat that is no game master's or must be named, *ConflictError,
// *UnavailableError and *UnreadableError.
func (h *Host) Restore(ctx context.Context, tableID, id string) (Invitation, error) {
	t, err := h.acquire(ctx, tableID)
	if err != nil {
		return Invitation{}, err
	}
	defer h.release(t)
	if err := t.take(ctx); err != nil {
		return Invitation{}, err
	}
	defer t.give()
	for try := range mostTries {
		if try > 0 {
			if err := h.pause(ctx, try); err != nil {
				return Invitation{}, err
			}
		}
		if err := t.catchUp(ctx); err != nil {
			return Invitation{}, err
		}
		target, err := t.state.master(id)
		if err != nil {
			return Invitation{}, err
		}
		secret, lock, err := newSecret(h.Entropy)
		if err != nil {
			return Invitation{}, &UnavailableError{err}
		}
		restored := seatRestored{ID: target.id, Name: target.name, Role: target.role, Lock: lock}
		d, err := own(KindRestored, restored)
		if err != nil {
			return Invitation{}, err
		}
		d.body.made(t.state.edition)
		d.body.V, d.body.Rules = d.body.version(), h.Version
		r, err := t.append(ctx, d, "", "")
		if err != nil {
			return Invitation{}, err
		}
		if r != nil {
			return Invitation{ID: restored.ID, Role: restored.Role, Name: restored.Name, Secret: secret}, nil
		}
	}
	return Invitation{}, &ConflictError{}
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

// restored judges a new link that nobody at the table has made.
func (v *verifier) restored(r *record) error {
	if err := v.ownEntry(r, 1); err != nil {
		return err
	}
	ev := r.events[0].(seatRestored)
	if r.Seat != "" {
		return misfit(MisfitSeat, data{"Seat": r.Seat})
	}
	if err := v.seated(ev.ID); err != nil {
		return err
	}
	was := v.st.seat(ev.ID)
	if was.role != game.Master {
		return misfit(MisfitSeat, data{"Seat": ev.ID})
	}
	if err := same(ev.Name, was.name); err != nil {
		return err
	}
	return same(string(ev.Role), string(was.role))
}
