package html

import (
	"cmp"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/fields"
)

// Look is one look at a table: what a seat sees at one revision, in its reader's words, and what
// the reader has chosen. All that a page draws is made of it, by plain functions, and asks nobody.
type Look struct {
	Page
	View    *view.View
	At      Selection
	Held    []Holding                 // all seats of the table that the browser holds, this one too
	Forms   map[string]view.SheetForm // of the sheets that can be changed where they stand, by characters
	Secrets []view.Entry              // moves that were made in secret, newest first: a game master's
	Tallies []view.Tally              // what this session came to, likewise
}

// Settle fills in what wasn't chosen, or isn't there any more.
func (l *Look) Settle() {
	if l.At.Assumed {
		l.At.Move, l.At.Assumed = "", false
	}
	if _, ok := l.Character(l.At.Character); !ok {
		l.At.Character = ""
		for _, c := range l.View.Characters {
			if l.At.Character == "" || c.Mine && !l.Owns(l.At.Character) {
				l.At.Character = c.ID
			}
		}
	}
	if call, ok := l.Call(l.At.Call); !ok || l.At.Use != "" && l.At.Actor != "" && call.Character != l.At.Actor {
		l.At.Call = ""
		if calls := l.CalledFor(); len(calls) > 0 && l.At.Move == "" &&
			(l.At.Actor == "" || l.At.Actor == calls[0].Character) {
			l.At.Call = calls[0].ID
		}
	}
	if c, ok := l.Call(l.At.Call); ok {
		l.At.Actor, l.At.Move = c.Character, c.Move
	}
	if !l.acts(l.At.Actor) {
		l.At.Actor = ""
		if l.acts(l.At.Character) {
			l.At.Actor = l.At.Character
		} else if actors := l.Actors(); len(actors) > 0 {
			l.At.Actor = actors[0].ID
		}
	}
	if m, ok := l.Move(l.At.Move); !ok || !makes(m, l.At.Actor) {
		l.At.Move, l.At.Assumed = l.usualMove(), true
	}
	for _, c := range l.CalledFor() { // who makes a move that was asked for takes that up
		if l.At.Call == "" && c.Character == l.At.Actor && c.Move == l.At.Move {
			l.At.Call = c.ID
		}
	}
}

// usualMove returns the move that the form opens with where the reader has chosen none: of those that
// may be made now, favourites first, the first that throws dice, else the first that the acting
// character makes. It returns "" where nobody acts and nothing throws dice: what only moves the
// calendar waits until it's chosen.
func (l *Look) usualMove() string {
	moves := l.Moves()
	if m, ok := found(moves, func(m view.MoveShown) bool { return l.throws(m.ID) }); ok {
		return m.ID
	}
	m, _ := found(moves, func(m view.MoveShown) bool { return len(m.Characters) > 0 })
	return m.ID
}

// throws reports whether a move throws dice.
func (l *Look) throws(move string) bool {
	m, ok := l.Voice.Game.Move(move)
	return ok && m.Throws
}

func (l *Look) Master() bool { return l.View.Role == game.Master }

// Link is the address of the page with other choices.
func (l *Look) Link(c Selection) string { return l.To(c.Query()) }

// Character finds a character that the seat sees.
func (l *Look) Character(id string) (view.CharacterShown, bool) {
	return found(l.View.Characters, func(c view.CharacterShown) bool { return c.ID == id })
}

func (l *Look) Owns(id string) bool {
	c, ok := l.Character(id)
	return ok && c.Mine
}

// SeatName is a seat's name, "" for an unknown one.
func (l *Look) SeatName(id string) string {
	seat, _ := found(l.View.Seats, func(s view.SeatShown) bool { return s.ID == id })
	return seat.Name
}

// Me is the seat that the page plays.
func (l *Look) Me() view.SeatShown {
	if me, there := found(l.View.Seats, func(s view.SeatShown) bool { return s.You }); there {
		return me
	}
	return view.SeatShown{ID: l.View.Seat, Role: l.View.Role}
}

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
		if l.acts(c.ID) {
			actors = append(actors, c)
		}
	}
	return l.byKind(actors)
}

// acts tells whether a character that the seat sees may make a move by it.
func (l *Look) acts(id string) bool {
	_, there := l.Character(id)
	return there && slices.ContainsFunc(l.View.Moves, func(m view.MoveShown) bool {
		return slices.Contains(m.Characters, id)
	})
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
		if makes(m, l.At.Actor) {
			moves = append(moves, m)
		}
	}
	slices.SortStableFunc(moves, func(a, b view.MoveShown) int {
		switch x, y := l.IsFavourite(a.ID), l.IsFavourite(b.ID); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return moves
}

// MovesFromSheet returns the moves that a press on the acting character's sheet may mean: the chosen
// one first, then those that throw dice.
func (l *Look) MovesFromSheet() []view.MoveShown {
	moves := slices.DeleteFunc(l.Moves(), func(m view.MoveShown) bool { return len(m.Characters) == 0 })
	rank := func(m view.MoveShown) int {
		switch {
		case m.ID == l.At.Move:
			return 0
		case l.throws(m.ID):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(moves, func(a, b view.MoveShown) int { return rank(a) - rank(b) })
	return moves
}

// makes tells whether a move may be made by who acts, or by nobody in particular.
func makes(m view.MoveShown, actor string) bool {
	return len(m.Characters) == 0 || slices.Contains(m.Characters, actor)
}

// Move finds a move that the seat may make.
func (l *Look) Move(id string) (view.MoveShown, bool) {
	return found(l.View.Moves, func(m view.MoveShown) bool { return m.ID == id })
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

// IsFavourite tells whether a move is a favourite of who acts.
func (l *Look) IsFavourite(move string) bool {
	c, ok := l.Character(l.At.Actor)
	return ok && slices.Contains(c.Starred, move)
}

// Call finds an open call.
func (l *Look) Call(id string) (view.CallShown, bool) {
	return found(l.View.Calls, func(c view.CallShown) bool { return c.ID == id })
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
func (l *Look) Waiting() Waiting {
	var w Waiting
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

// found is the first of a list that is so.
func found[T any](all []T, is func(T) bool) (one T, there bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return one, false
}

// Option is one to choose, by its value and label.
func Option(value, label string, on bool) fields.Option {
	return fields.Option{Option: form.Option{Value: value}, Label: label, On: on}
}

// questionID is the id of a question's element.
func questionID(q string) string { return "q-" + strings.NewReplacer(":", "-", ".", "_").Replace(q) }

// Holding is a seat that the browser holds, and where it is played.
type Holding struct{ Seat, At string }
