// Package present says what stands on a table's page: it makes the plain values that web/html draws, of one look at the
// table.
//
// It knows neither table nor seat, and no request: what a seat sees comes as values of table/view, what the reader has chosen
// as a Choice. So what a card, a sheet or the composer says can be tried without a server.
package present

import (
	"cmp"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
)

// Look is one look at a table: what a seat sees at one revision, in its reader's words, and what the reader has chosen. All
// that a page draws is made of it, by plain functions, and asks nobody.
type Look struct {
	html.Page
	View    *view.View
	Voice   html.Voice
	At      Choice
	Held    []Holding                 // all seats of the table that the browser holds, this one too
	Forms   map[string]view.SheetForm // of the sheets that can be changed where they stand, by characters
	Secrets []Card                    // moves that were made in secret, newest first: a game master's
	Tallies []view.Tally              // what this session came to, likewise
}

// Settle fills in what wasn't chosen, or isn't there any more.
func (l *Look) Settle() {
	if _, ok := l.Character(l.At.Character); !ok {
		l.At.Character = ""
		for _, c := range l.View.Characters {
			if l.At.Character == "" || c.Mine && !l.Owns(l.At.Character) {
				l.At.Character = c.ID
			}
		}
	}
	if _, ok := l.Call(l.At.Call); !ok {
		l.At.Call = ""
		if calls := l.CalledFor(); len(calls) > 0 && l.At.Move == "" && (l.At.Actor == "" || l.At.Actor == calls[0].Character) {
			l.At.Call = calls[0].ID
		}
	}
	if c, ok := l.Call(l.At.Call); ok {
		l.At.Actor, l.At.Move = c.Character, c.Move
	}
	actors := l.Actors()
	can := func(id string) bool {
		return slices.ContainsFunc(actors, func(c view.CharacterShown) bool { return c.ID == id })
	}
	if !can(l.At.Actor) {
		l.At.Actor = ""
		switch {
		case can(l.At.Character):
			l.At.Actor = l.At.Character
		case len(actors) > 0:
			l.At.Actor = actors[0].ID
		}
	}
	if moves := l.Moves(); !slices.ContainsFunc(moves, func(m view.MoveShown) bool { return m.ID == l.At.Move }) {
		l.At.Move = ""
		if len(moves) > 0 {
			l.At.Move = moves[0].ID
		}
	}
	for _, c := range l.CalledFor() { // who makes a move that was asked for takes that up
		if l.At.Call == "" && c.Character == l.At.Actor && c.Move == l.At.Move {
			l.At.Call = c.ID
		}
	}
}

func (l *Look) Master() bool { return l.View.Role == game.Master }

// Link is the address of the page with other choices.
func (l *Look) Link(c Choice) string { return l.To(c.Query()) }

// Character finds a character that the seat sees.
func (l *Look) Character(id string) (view.CharacterShown, bool) {
	for _, c := range l.View.Characters {
		if c.ID == id {
			return c, true
		}
	}
	return view.CharacterShown{}, false
}

func (l *Look) Owns(id string) bool {
	c, ok := l.Character(id)
	return ok && c.Mine
}

// SeatName is a seat's name, "" for an unknown one.
func (l *Look) SeatName(id string) string {
	for _, s := range l.View.Seats {
		if s.ID == id {
			return s.Name
		}
	}
	return ""
}

// Me is the seat that the page plays.
func (l *Look) Me() view.SeatShown {
	for _, shown := range l.View.Seats {
		if shown.You {
			return shown
		}
	}
	return view.SeatShown{ID: l.View.Seat, Role: l.View.Role}
}

func (l *Look) RoleName(role game.Role) string { return l.Say("web.role." + string(role)) }

// Whom names who must answer a question.
func (l *Look) Whom(to string) string {
	if to == game.GM {
		return l.Say("web.question.gm")
	}
	return l.Voice.Name(to)
}

// Actors are the characters with which the seat may make a move.
func (l *Look) Actors() []view.CharacterShown {
	var actors []view.CharacterShown
	for _, c := range l.View.Characters {
		if slices.ContainsFunc(l.View.Moves, func(m view.MoveShown) bool { return slices.Contains(m.Characters, c.ID) }) {
			actors = append(actors, c)
		}
	}
	return l.byKind(actors)
}

// Voices are the characters that the reader may speak for.
func (l *Look) Voices() []view.CharacterShown {
	if l.View.Role == game.Spectator {
		return nil
	}
	var speakers []view.CharacterShown
	for _, c := range l.View.Characters {
		if l.Master() || c.Mine {
			speakers = append(speakers, c)
		}
	}
	return l.byKind(speakers)
}

// byKind sorts characters by what they are, in the game's order: heroes, their
// foes, and things last.
func (l *Look) byKind(all []view.CharacterShown) []view.CharacterShown {
	place := func(c view.CharacterShown) int {
		return slices.IndexFunc(l.Voice.Game.Kinds, func(k game.Kind) bool { return k.ID == c.Kind })
	}
	slices.SortStableFunc(all, func(a, b view.CharacterShown) int { return cmp.Compare(place(a), place(b)) })
	return all
}

// Moves are those that the acting character, or nobody in particular, may make, favourites first.
func (l *Look) Moves() []view.MoveShown {
	var moves []view.MoveShown
	for _, m := range l.View.Moves {
		if len(m.Characters) == 0 || slices.Contains(m.Characters, l.At.Actor) {
			moves = append(moves, m)
		}
	}
	slices.SortStableFunc(moves, func(a, b view.MoveShown) int {
		switch x, y := l.Starred(a.ID), l.Starred(b.ID); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return moves
}

// Move finds a move that the seat may make.
func (l *Look) Move(id string) (view.MoveShown, bool) {
	for _, m := range l.View.Moves {
		if m.ID == id {
			return m, true
		}
	}
	return view.MoveShown{}, false
}

// Rule is the chosen move as the game has it.
func (l *Look) Rule() (*game.Move, bool) { return l.Voice.Game.Move(l.At.Move) }

// Acting is who makes the chosen move if somebody acts: "" for a move that
// nobody in particular makes.
func (l *Look) Acting(actor string) string {
	if m, ok := l.Move(l.At.Move); ok && len(m.Characters) == 0 {
		return ""
	}
	return actor
}

// Starred tells whether a move is a favourite of who acts.
func (l *Look) Starred(move string) bool {
	c, ok := l.Character(l.At.Actor)
	return ok && slices.Contains(c.Starred, move)
}

// Call finds an open call.
func (l *Look) Call(id string) (view.CallShown, bool) {
	for _, c := range l.View.Calls {
		if c.ID == id {
			return c, true
		}
	}
	return view.CallShown{}, false
}

// CalledFor are the calls to the characters that the reader plays.
func (l *Look) CalledFor() []view.CallShown {
	return slices.DeleteFunc(slices.Clone(l.View.Calls), func(c view.CallShown) bool { return !l.Owns(c.Character) })
}

// Sessions are all sessions of dice, oldest first.
func (l *Look) Sessions() []view.Session {
	return append(slices.Clone(l.View.Sessions), l.View.Session)
}

// Waiting is how much waits for this seat: open questions, and moves that it was asked for.
func (l *Look) Waiting() html.Waiting {
	var w html.Waiting
	for _, q := range l.View.Questions {
		if q.Mine {
			w.N++
			w.First = cmp.Or(w.First, questionID(q.ID))
		}
	}
	for _, c := range l.CalledFor() {
		w.N++
		w.First = cmp.Or(w.First, "called-"+c.ID)
	}
	return w
}

// SayError words a refusal for the reader.
func (l *Look) SayError(err error) string { return refusal.Say(l.Voice.Voice, err) }

// Option is one to choose, by its value and label.
func Option(value, label string, on bool) html.Option {
	return html.Option{Option: form.Option{Value: value}, Label: label, On: on}
}

// questionID is the id of a question's element.
func questionID(q string) string { return "q-" + strings.NewReplacer(":", "-", ".", "_").Replace(q) }

// Holding is a seat that the browser holds, and where it is played.
type Holding struct{ Seat, At string }
