package play

import (
	"encoding/json"
	"net/http"
	"slices"

	"norn/game"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
)

// castOf are the characters in one line each.
func castOf(l *look) []html.Character {
	all := make([]html.Character, len(l.view.Characters))
	for i, c := range l.view.Characters {
		at := l.at.character(c.ID)
		all[i] = html.Character{
			ID: c.ID, Name: c.Name, State: c.State, Out: c.Out, Waits: c.Waits, Whose: whose(l, c), Tracks: c.Tracks, Chosen: c.ID == l.at.Character,
			Link: l.link(at.tab("sheet")), Pick: l.To("/character" + at.query()), Alone: l.link(choice{Character: c.ID, Tab: "sheet"}),
		}
	}
	return all
}

// whose says whose a character is, or what it is where it is nobody's.
func whose(l *look, c view.CharacterShown) string {
	if c.Mine {
		return l.Say("web.cast.yours")
	}
	if name := l.seatName(c.Owner); name != "" {
		return name
	}
	return l.voice.Word("kind", c.Kind)
}

// ownersOf are the seats that may own a character.
func ownersOf(l *look, owner string) []html.Option {
	owners := []html.Option{option("", l.Say("web.sheet.nobody"), false)}
	for _, seat := range l.view.Seats {
		owners = append(owners, option(seat.ID, seat.Name, seat.ID == owner))
	}
	return owners
}

// newcomer is a character to add, as it was sent.
type newcomer struct {
	Name, Kind, Owner, Problem string
}

// adding is the form that adds a character; sent is one that couldn't be added, nil for none.
func adding(l *look, sent *newcomer) html.NewCharacter {
	n := html.NewCharacter{Open: sent != nil || len(l.actors()) == 0}
	if sent == nil {
		sent = &newcomer{}
	}
	n.Name, n.Wrong = sent.Name, sent.Problem
	for _, k := range l.voice.Game.Kinds {
		if l.master() || l.view.Role == game.Player && k.Player {
			n.Kinds = append(n.Kinds, option(k.ID, l.voice.Word("kind", k.ID), sent.Kind == k.ID || sent.Kind == "" && len(n.Kinds) == 0))
		}
	}
	if l.master() && len(l.view.Seats) > 1 {
		n.Owners = ownersOf(l, sent.Owner)
	}
	return n
}

// addCharacter adds a character with a blank sheet and opens that sheet to be
// filled.
func addCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	n := newcomer{Name: r.PostForm.Get(html.Own + "name"), Kind: r.PostForm.Get(html.Own + "kind"), Owner: r.PostForm.Get(html.Own + "owner")}
	entry, err := v.seat.AddCharacter(r.Context(), request.NewCharacter{
		Name: n.Name, Kind: n.Kind, Owner: n.Owner, Sheet: json.RawMessage(`{}`), Key: r.PostForm.Get(html.Own + "key"),
	})
	if err != nil {
		status, ok := statusOf(err)
		if !ok {
			return err
		}
		n.Problem = why(v.Speaker, err)
		if door.HX(r) {
			v.s.Show(w, r, status, html.AddAgain(v.Page, adding(&v.look, &n)))
			return nil
		}
		v.at.Tab = "cast"
		return showPage(w, r, status, v, extras{added: &n})
	}
	at := v.at.tab("sheet")
	err = v.still(r.Context(), func() error {
		known := v.view.Characters
		if err := v.see(r.Context()); err != nil {
			return err
		}
		at = at.character(entry.Character)
		for _, c := range v.view.Characters {
			if at.Character == "" && !slices.ContainsFunc(known, func(k view.CharacterShown) bool { return k.ID == c.ID }) {
				at = at.character(c.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	at.Edit = true
	if door.HX(r) {
		w.Header().Set("HX-Redirect", v.link(at))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, v.link(at), http.StatusSeeOther)
	return nil
}

// removeCharacter takes a character off the table.
func removeCharacter(w http.ResponseWriter, r *http.Request, v *visit) error {
	if _, err := v.seat.RemoveCharacter(r.Context(), r.PostForm.Get(atCharacter), r.PostForm.Get(html.Own+"key")); err != nil {
		return err
	}
	at := choice{Tab: "cast"}
	if door.HX(r) {
		w.Header().Set("HX-Redirect", v.link(at))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, v.link(at), http.StatusSeeOther)
	return nil
}
