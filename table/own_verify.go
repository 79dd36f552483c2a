package table

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
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
	KindRestored:  {seatRestored{}.Type()},
	KindUndone:    {moveUndone{}.Type(), changeUndone{}.Type()},
	KindCancelled: {moveCancelled{}.Type()},
	KindTalk:      {talkSaid{}.Type()},
	KindEdition:   {editionTaken{}.Type()},
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
	if err := v.about(r); err != nil || r.Kind != KindOpened {
		return err
	}
	begun, first := r.events[0].(opened), r.events[2].(seatAdded)
	if first.Role != game.Master || first.ID != "s1" || r.Seat != "s1" {
		return misfit(MisfitID, data{"Have": first.ID + " " + r.Seat, "Want": "s1"})
	}
	if !slices.Contains(lang.All[:], begun.Lang) {
		return misfit(MisfitRefused, data{"Problem": string(begun.Lang)})
	}
	return cmp.Or(wellNamed(begun.Name), wellNamed(first.Name))
}

// about holds an entry of the table's own to the move that it's about, and to who may
// know of it.
func (v *verifier) about(r *record) error {
	move, secret := "", r.Kind == KindNote || r.Kind == KindTalk && r.Secret
	switch event := r.events[0].(type) {
	case moveShown:
		move = event.Move
	case moveUndone:
		move, secret = event.Move, v.st.moves[event.Move].secret
	case moveCancelled:
		move, secret = event.Move, v.st.moves[event.Move].secret
	}
	if r.Secret != secret {
		return misfit(MisfitUnreadable, data{"Problem": "it says of itself that others may know of it than may"})
	}
	return same(r.Move, move)
}

// wellNamed holds a name to what names are checked by.
func wellNamed(name string) error {
	clean, err := checkName(name)
	if err == nil {
		err = same(name, clean)
	}
	return err
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
		may = may || ev.ID == r.Seat
		if err = v.seated(ev.ID); err == nil {
			err = cmp.Or(same(ev.Was, st.seat(ev.ID).name), wellNamed(ev.Name))
		}
	case seatRenewed:
		if err = v.seated(ev.ID); err == nil {
			was := st.seat(ev.ID)
			err = cmp.Or(same(ev.Name, was.name), same(string(ev.Role), string(was.role)))
		}
	case seatRevoked:
		if err = v.seated(ev.ID); err == nil && st.seat(ev.ID).role == game.Master && st.masters() == 1 {
			return misfit(MisfitRefused, data{"Problem": ev.ID})
		}
		if err == nil {
			err = same(ev.Name, st.seat(ev.ID).name)
		}
	case characterAdded:
		may = e.seat.role != game.Spectator && (e.viewer.IsGM() || ev.Owner == e.seat.id)
		if err = v.characterAdded(e, ev); err == nil && may {
			var kind game.Kind
			if kind, err = e.kind(ev.Kind); err == nil && v.replay {
				err = unreserved(ev, kind, e.reserved(kind))
			}
		}
	case characterChanged:
		may = e.plays(ev.ID) && (ev.Owner == nil || e.viewer.IsGM())
		if err = v.characterChanged(ev); err == nil && may && ev.Sheet != nil && v.replay {
			err = v.ruled(func() error { return e.edited(ev) })
		}
	case characterRemoved:
		if err = v.present(ev.ID); err == nil {
			err = cmp.Or(v.idle(ev.ID), same(ev.Name, st.character(ev.ID).name), v.frees(r, ev))
		}
	case settingsChanged:
		if _, err = st.game.Settings.Decode(ev.Settings); err == nil && v.replay {
			err = v.ruled(func() error { return sameNames(ev.Changed, changed(st.settings, ev.settings)) })
		}
	case moveShown:
		if m := st.moves[ev.Move]; m == nil || !m.secret || !m.done {
			return misfit(MisfitMissing, data{"ID": ev.Move})
		}
	case moveCalled:
		err = same(ev.ID, st.nextCall())
		if err == nil {
			err = v.present(ev.Actor)
		}
		if err == nil {
			err = v.called(ev)
		}
	case callWithdrawn:
		if !slices.ContainsFunc(st.callsOpen(), func(c *call) bool { return c.id == ev.ID }) {
			return misfit(MisfitMissing, data{"ID": ev.ID})
		}
	case noteKept:
		if ev.ID != "n"+strconv.FormatUint(r.Seq, 10) && st.note(ev.ID) < 0 {
			return misfit(MisfitMissing, data{"ID": ev.ID})
		}
		var kept noteSent
		if err = noteForm.Texts(map[string]string{"text": ev.Text}, &kept); err == nil {
			err = same(ev.Text, kept.Text)
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
		var said spoken
		if err == nil {
			err = talkForm.Texts(map[string]string{"text": ev.Text}, &said)
		}
		if err == nil {
			err = same(ev.Text, said.Text)
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

// frees judges who gets something back as a character is taken away: none in
// some logs of first editions, and nobody who is in an open move.
func (v *verifier) frees(r *record, ev characterRemoved) error {
	var who []string
	for _, change := range v.st.frees(v.st.character(ev.ID)) {
		who = append(who, change.Whose())
	}
	if len(ev.Frees) > 0 || r.Edition != firstEdition {
		if err := sameNames(ev.Frees, who); err != nil {
			return err
		}
	}
	for _, id := range ev.Frees {
		if err := v.idle(id); err != nil {
			return err
		}
	}
	return nil
}

// seatAdded judges a new seat.
func (v *verifier) seatAdded(ev seatAdded) error {
	if !slices.Contains([]game.Role{game.Master, game.Player, game.Spectator}, ev.Role) || len(v.st.seated()) >= MaxSeats {
		return misfit(MisfitRefused, data{"Problem": string(ev.Role)})
	}
	return cmp.Or(same(ev.ID, v.st.nextSeat()), wellNamed(ev.Name))
}

// characterAdded judges a new character.
func (v *verifier) characterAdded(e eye, ev characterAdded) error {
	if e.people() >= MaxCharacters {
		return misfit(MisfitRefused, data{"Problem": ev.ID})
	}
	if err := same(ev.ID, v.st.nextCharacter()); err != nil {
		return err
	}
	if err := v.owns(ev.Owner); err != nil {
		return err
	}
	if err := wellNamed(ev.Name); err != nil {
		return err
	}
	return v.whole(ev.Kind, ev.Sheet)
}

// unreserved holds a new sheet to what its seat may set.
func unreserved(ev characterAdded, kind game.Kind, reserved []string) error {
	for _, name := range changed(kind.Blank, ev.sheet) {
		if slices.Contains(reserved, name) {
			return misfit(MisfitRefused, data{"Problem": name})
		}
	}
	return nil
}

// characterChanged judges another name, owner or sheet of a character.
func (v *verifier) characterChanged(ev characterChanged) error {
	if err := v.present(ev.ID); err != nil {
		return err
	}
	if ev.Owner != nil {
		if err := v.owns(*ev.Owner); err != nil {
			return err
		}
	}
	if ev.Name != nil {
		if err := wellNamed(*ev.Name); err != nil {
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

// edited holds a change of a sheet to what its seat may change, and what it tells of the
// change to what differs.
func (e eye) edited(ev characterChanged) error {
	c := e.st.character(ev.ID)
	differ := changed(c.sheet, ev.sheet)
	if !e.viewer.IsGM() {
		locked := e.locked(c)
		if i := slices.IndexFunc(differ, func(name string) bool { return slices.Contains(locked, name) }); i >= 0 {
			return misfit(MisfitRefused, data{"Problem": differ[i]})
		}
	}
	if err := sameNames(ev.Changed, differ); err != nil || ev.Edits == nil { // older entries have none
		return err
	}
	kind, _ := e.st.game.Kind(c.kind)
	return same(string(encoded(ev.Edits)), string(encoded(edits(kind.Form, c.sheet, ev.sheet))))
}

// called judges what a player is asked for.
func (v *verifier) called(ev moveCalled) error {
	def, ok := v.st.game.Move(ev.Move)
	if !ok || def.GMOnly {
		return misfit(MisfitMissing, data{"ID": ev.Move})
	}
	if len(v.st.callsOpen()) >= MaxCalls {
		return misfit(MisfitRefused, data{"Problem": ev.ID})
	}
	var about callText
	if err := callTextForm.Texts(map[string]string{"text": ev.Text}, &about); err != nil {
		return err
	}
	if err := v.ruled(func() error { return bounded(def, def.Form.For(form.AtTable).Only(ev.Fixed...), ev.Args) }); err != nil {
		return err
	}
	return same(ev.Text, about.Text)
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

// sameNames holds a list of names to the one that must come here.
func sameNames(have, want []string) error {
	return same(strings.Join(have, " "), strings.Join(want, " "))
}

// owns holds to a seat that may have characters, or to nobody.
func (v *verifier) owns(id string) error {
	if id == "" {
		return nil
	}
	if err := v.seated(id); err != nil {
		return err
	}
	if v.st.seat(id).role == game.Spectator {
		return misfit(MisfitSeat, data{"Seat": id})
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
	} else if !e.mayTakeBack(first) {
		return misfit(MisfitSeat, data{"Seat": r.Seat})
	}
	yielded := func(by *record) bool { return slices.Contains(r.yields, by.move) }
	if later := slices.DeleteFunc(v.st.later(first), yielded); len(later) > 0 {
		return misfit(MisfitRefused, data{"Problem": "entry " + strconv.FormatUint(later[0].Seq, 10) + " stands on it"})
	}
	return nil
}
