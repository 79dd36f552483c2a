package table

import (
	"encoding/json"
	"slices"
	"strconv"

	"norn/game"
	"norn/rule"
)

// ownKinds are the events that an entry of the table's own may hold.
var ownKinds = map[string][]string{
	KindOpened:    {opened{}.Type(), diceSealed{}.Type(), seatAdded{}.Type()},
	KindSeat:      {seatAdded{}.Type(), seatRenamed{}.Type(), seatRevoked{}.Type(), seatRenewed{}.Type()},
	KindCharacter: {characterAdded{}.Type(), characterChanged{}.Type(), characterRemoved{}.Type()},
	KindSettings:  {settingsChanged{}.Type()},
	KindShown:     {moveShown{}.Type()},
	KindShare:     {shareAdded{}.Type()},
	KindSession:   {sessionEnded{}.Type(), diceSealed{}.Type()},
	KindCall:      {moveCalled{}.Type(), callWithdrawn{}.Type()},
	KindNote:      {noteKept{}.Type()},
	KindStar:      {moveStarred{}.Type()},
	KindImported:  {tableImported{}.Type(), diceSealed{}.Type()},
	KindUndone:    {moveUndone{}.Type(), changeUndone{}.Type()},
	KindCancelled: {moveCancelled{}.Type()},
	KindTalk:      {talkSaid{}.Type()},
}

// ownEntry holds an entry of the table's own to the events that its kind has:
// so many, and nothing of a move.
func (v *verifier) ownEntry(r *record, n int) error {
	odd := misfit(MisfitUnreadable, data{"Problem": "its events aren't those of its kind"})
	if len(r.Events) != n || len(r.Steps) > 0 || r.Opening != nil || r.Outcome != nil || len(r.Asks) > 0 || r.Answers != "" || !r.Done {
		return odd
	}
	for i, stored := range r.Events {
		allowed := ownKinds[r.Kind]
		if n > 1 {
			allowed = allowed[i : i+1]
		}
		if !slices.Contains(allowed, stored.Type) || stored.Part != "" || stored.N != i {
			return odd
		}
	}
	if r.Kind != KindOpened {
		return nil
	}
	if first := r.events[2].(seatAdded); first.Role != game.Master || first.ID != "s1" {
		return misfit(MisfitID, data{"Have": first.ID, "Want": "s1"})
	}
	return nil
}

// ownEvent judges what the entry says: that it's about what is there, and that
// its seat may say so.
func (v *verifier) ownEvent(e eye, r *record, event rule.Event) error {
	st := v.st
	may := e.viewer.IsGM()
	var err error
	switch ev := event.(type) {
	case seatAdded:
		err = v.seatAdded(ev)
	case seatRenamed:
		err = v.seated(ev.ID)
	case seatRenewed:
		err = v.seated(ev.ID)
	case seatRevoked:
		if err = v.seated(ev.ID); err == nil && st.seat(ev.ID).role == game.Master && st.masters() == 1 {
			return misfit(MisfitRefused, data{"Problem": ev.ID})
		}
	case characterAdded:
		may = e.seat.role != game.Spectator && (e.viewer.IsGM() || ev.Owner == e.seat.id)
		err = v.characterAdded(ev)
	case characterChanged:
		may = e.plays(ev.ID) && (ev.Owner == nil || e.viewer.IsGM())
		err = v.characterChanged(ev)
	case characterRemoved:
		if err = v.present(ev.ID); err == nil {
			err = v.idle(ev.ID)
		}
	case settingsChanged:
		_, err = st.game.Settings.Decode(ev.Settings)
	case moveShown:
		if m := st.moves[ev.Move]; m == nil || !m.secret || !m.done {
			return misfit(MisfitMissing, data{"ID": ev.Move})
		}
	case moveCalled:
		err = same(ev.ID, st.nextCall())
		if err == nil {
			err = v.present(ev.Actor)
		}
	case callWithdrawn:
		if !slices.ContainsFunc(st.callsOpen(), func(c *call) bool { return c.id == ev.ID }) {
			return misfit(MisfitMissing, data{"ID": ev.ID})
		}
	case noteKept:
		if ev.ID != "n"+strconv.FormatUint(r.Seq, 10) && st.note(ev.ID) < 0 {
			return misfit(MisfitMissing, data{"ID": ev.ID})
		}
	case moveStarred:
		may = e.plays(ev.Character)
		err = v.present(ev.Character)
		if _, ok := st.game.Move(ev.Move); err == nil && !ok {
			return misfit(MisfitMissing, data{"ID": ev.Move})
		}
	case talkSaid:
		may = e.seat.role != game.Spectator && (ev.Character == "" || e.plays(ev.Character))
		if ev.Character != "" {
			err = v.present(ev.Character)
		}
		if err == nil {
			err = talkForm.Texts(map[string]string{"text": ev.Text}, &spoken{})
		}
	case shareAdded:
		may = ev.Seat == r.Seat
		err = v.shareAdded(ev)
	}
	if err == nil && !may {
		return misfit(MisfitSeat, data{"Seat": r.Seat})
	}
	return err
}

// seatAdded judges a new seat.
func (v *verifier) seatAdded(ev seatAdded) error {
	if !slices.Contains([]game.Role{game.Master, game.Player, game.Spectator}, ev.Role) || len(v.st.seated()) >= MaxSeats {
		return misfit(MisfitRefused, data{"Problem": string(ev.Role)})
	}
	return same(ev.ID, v.st.nextSeat())
}

// characterAdded judges a new character.
func (v *verifier) characterAdded(ev characterAdded) error {
	if len(v.st.here()) >= MaxCharacters {
		return misfit(MisfitRefused, data{"Problem": ev.ID})
	}
	if err := same(ev.ID, v.st.nextCharacter()); err != nil {
		return err
	}
	if ev.Owner != "" {
		if err := v.seated(ev.Owner); err != nil {
			return err
		}
	}
	return v.whole(ev.Kind, ev.Sheet)
}

// characterChanged judges another name, owner or sheet of a character.
func (v *verifier) characterChanged(ev characterChanged) error {
	if err := v.present(ev.ID); err != nil {
		return err
	}
	if ev.Owner != nil && *ev.Owner != "" {
		if err := v.seated(*ev.Owner); err != nil {
			return err
		}
	}
	c := v.st.character(ev.ID)
	if err := same(ev.Was, c.name); err != nil || ev.Sheet == nil {
		return err
	}
	if err := same(ev.Kind, c.kind); err != nil {
		return err
	}
	if err := v.whole(ev.Kind, ev.Sheet); err != nil {
		return err
	}
	return v.idle(c.id)
}

// shareAdded judges what a seat gives to the dice of a session: once.
func (v *verifier) shareAdded(ev shareAdded) error {
	if now := v.st.now(); ev.Session != now.n || slices.Contains(now.seats, ev.Seat) {
		return misfit(MisfitRefused, data{"Problem": ev.Share})
	}
	return checkShare(ev.Share)
}

// present holds to a character who is at the table.
func (v *verifier) present(id string) error {
	if c := v.st.character(id); c == nil || c.removed {
		return misfit(MisfitMissing, data{"ID": id})
	}
	return nil
}

// idle holds to a character who is in no open move.
func (v *verifier) idle(id string) error {
	if m := v.st.busy(id); m != nil {
		return misfit(MisfitRefused, data{"Problem": m.id})
	}
	return nil
}

// same holds an id or a name to the one that must come here.
func same(have, want string) error {
	if have != want {
		return misfit(MisfitID, data{"Have": have, "Want": want})
	}
	return nil
}

func (v *verifier) seated(id string) error {
	if s := v.st.seat(id); s == nil || s.revoked {
		return misfit(MisfitMissing, data{"ID": id})
	}
	return nil
}

// whole holds a stored sheet to what its form allows, so that no number in it
// is larger than a page can draw.
func (v *verifier) whole(kindID string, sheet json.RawMessage) error {
	kind, ok := v.st.game.Kind(kindID)
	if !ok {
		return misfit(MisfitMissing, data{"ID": kindID})
	}
	_, err := kind.Patch(kind.Blank, sheet)
	return err
}

// undoing judges what takes something back.
func (v *verifier) undoing(e eye, r *record) error {
	if err := v.ownEntry(r, 1); err != nil {
		return err
	}
	first := r.undoes
	if m := first.move; m != nil && r.Kind == KindCancelled {
		if !e.mayCancel(m) {
			return misfit(MisfitSeat, data{"Seat": r.Seat})
		}
		return nil
	}
	if !e.mayTakeBack(first) {
		return misfit(MisfitSeat, data{"Seat": r.Seat})
	}
	yielded := func(by *record) bool { return slices.Contains(r.yields, by.move) }
	if later := slices.DeleteFunc(v.st.later(first), yielded); len(later) > 0 {
		return misfit(MisfitRefused, data{"Problem": "entry " + strconv.FormatUint(later[0].Seq, 10) + " stands on it"})
	}
	return nil
}
