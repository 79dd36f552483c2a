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

// Look is a seat's view of a table at one revision, in its reader's language, together with the
// reader's selection. Everything on a page is made from it by pure functions.
type Look struct {
	Page
	View    *view.View
	At      Selection
	Held    []Holding                 // all seats of the table that the browser holds, including this one
	Forms   map[string]view.SheetForm // of the sheets that can be edited in place, by character
	Secrets []view.Entry              // secret moves, newest first, for a game master
	Tallies []view.Tally              // of this session, for a game master
}

// Settle completes the selection with defaults, and replaces what doesn't exist any more.
func (l *Look) Settle() {
	if l.At.Assumed {
		l.At.Move, l.At.Assumed = "", false
	}
	if _, ok := l.View.Character(l.At.Character); !ok {
		l.At.Character = ""
		for _, c := range l.View.Characters {
			if l.At.Character == "" || c.Mine && !l.View.Owns(l.At.Character) {
				l.At.Character = c.ID
			}
		}
	}
	if call, ok := l.Call(l.At.Call); !ok || l.At.Use != "" && l.At.Actor != "" && call.Character != l.At.Actor {
		l.At.Call = ""
		if calls := l.View.CallsToOwn(); len(calls) > 0 && l.At.Move == "" &&
			(l.At.Actor == "" || l.At.Actor == calls[0].Character) {
			l.At.Call = calls[0].ID
		}
	}
	if c, ok := l.Call(l.At.Call); ok {
		l.At.Actor, l.At.Move = c.Character, c.Move
	}
	if !acts(l.View, l.At.Actor) {
		l.At.Actor = l.usualActor()
	}
	if m, ok := l.Move(l.At.Move); !ok || !makes(m, l.At.Actor) {
		l.At.Move, l.At.Assumed = l.usualMove(), true
	}
	for _, c := range l.View.CallsToOwn() { // a move that was called for answers the call
		if l.At.Call == "" && c.Character == l.At.Actor && c.Move == l.At.Move {
			l.At.Call = c.ID
		}
	}
}

// usualActor returns the default actor of the form: the character whose sheet is shown, but for a
// game master who only looks at a player's sheet an NPC, if there is one. It returns "" if nobody
// can act.
func (l *Look) usualActor() string {
	actors := Actors(l.Voice.Game, l.View)
	shown, _ := l.View.Character(l.At.Character)
	if l.Master() && l.At.Move == "" && l.At.Use == "" && shown.Owner != "" && !shown.Mine {
		own := func(c view.CharacterShown) bool { return c.Mine || c.Owner == "" }
		if c, ok := found(actors, own); ok {
			return c.ID
		}
	}
	switch {
	case acts(l.View, shown.ID):
		return shown.ID
	case len(actors) > 0:
		return actors[0].ID
	}
	return ""
}

// usualMove returns the default move of the form: of the possible moves, favourites first, the
// first that rolls dice, otherwise the first with an actor. It returns "" if there's no actor and
// no dice, because a move that just advances the calendar must be chosen.
func (l *Look) usualMove() string {
	moves := l.Moves()
	if m, ok := found(moves, func(m view.MoveShown) bool { return throws(l.Voice.Game, m.ID) }); ok {
		return m.ID
	}
	m, _ := found(moves, func(m view.MoveShown) bool { return len(m.Characters) > 0 })
	return m.ID
}

// throws reports whether a move rolls dice.
func throws(g *game.Game, move string) bool {
	m, ok := g.Move(move)
	return ok && m.Throws
}

func (l *Look) Master() bool { return l.View.Role == game.Master }

// Link returns the address of the page with another selection.
func (l *Look) Link(c Selection) string { return l.To(c.Query()) }

// Whom names the person who must answer a question.
func (p Page) Whom(to string) string {
	if to == game.GM {
		return p.Say("web.question.gm")
	}
	return p.Voice.Name(to)
}

// Actors returns the characters with which a seat may make a move.
func Actors(g *game.Game, v *view.View) []view.CharacterShown {
	idle := func(c view.CharacterShown) bool { return !acts(v, c.ID) }
	return byKind(g, slices.DeleteFunc(slices.Clone(v.Characters), idle))
}

// acts reports whether a seat may make a move with a character.
func acts(v *view.View, id string) bool {
	_, there := v.Character(id)
	return there && slices.ContainsFunc(v.Moves, func(m view.MoveShown) bool {
		return slices.Contains(m.Characters, id)
	})
}

// byKind returns characters sorted by kind, in the game's order: heroes, their foes, and things last.
func byKind(g *game.Game, all []view.CharacterShown) []view.CharacterShown {
	place := func(c view.CharacterShown) int {
		return slices.IndexFunc(g.Kinds, func(k game.Kind) bool { return k.ID == c.Kind })
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b view.CharacterShown) int {
		return cmp.Compare(place(a), place(b))
	})
}

// Moves returns the moves of the chosen actor and those without an actor, favourites first.
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

// MovesFromSheet returns the moves that a press on the actor's sheet may start: the chosen one
// first, then those that roll dice.
func (l *Look) MovesFromSheet() []view.MoveShown {
	moves := slices.DeleteFunc(l.Moves(), func(m view.MoveShown) bool { return len(m.Characters) == 0 })
	rank := func(m view.MoveShown) int {
		switch {
		case m.ID == l.At.Move:
			return 0
		case throws(l.Voice.Game, m.ID):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(moves, func(a, b view.MoveShown) int { return rank(a) - rank(b) })
	return moves
}

// makes reports whether a move can be made by an actor or needs none.
func makes(m view.MoveShown, actor string) bool {
	return len(m.Characters) == 0 || slices.Contains(m.Characters, actor)
}

// Move returns a move that the seat may make.
func (l *Look) Move(id string) (view.MoveShown, bool) {
	return found(l.View.Moves, func(m view.MoveShown) bool { return m.ID == id })
}

// Rule returns the game's definition of the chosen move.
func (l *Look) Rule() (*game.Move, bool) { return l.Voice.Game.Move(l.At.Move) }

// Acting returns the actor for the chosen move, "" if it has none.
func (l *Look) Acting(actor string) string {
	if m, ok := l.Move(l.At.Move); ok && len(m.Characters) == 0 {
		return ""
	}
	return actor
}

// IsFavourite reports whether a move is a favourite of the actor.
func (l *Look) IsFavourite(move string) bool {
	c, ok := l.View.Character(l.At.Actor)
	return ok && slices.Contains(c.Starred, move)
}

// Call returns an open call.
func (l *Look) Call(id string) (view.CallShown, bool) {
	return found(l.View.Calls, func(c view.CallShown) bool { return c.ID == id })
}

// WaitingFor returns the ids of the elements of what waits for a seat: open questions and calls.
func WaitingFor(v *view.View) (ids []string) {
	for _, q := range v.Questions {
		if q.Mine {
			ids = append(ids, questionID(q.ID))
		}
	}
	for _, c := range v.CallsToOwn() {
		ids = append(ids, "called-"+c.ID)
	}
	return ids
}

// SayError puts a refusal into words for the reader.
func (p Page) SayError(err error) string { return refusal.Say(p.Voice.Voice, err) }

// found returns the first item for which is holds.
func found[T any](all []T, is func(T) bool) (one T, there bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return one, false
}

// Option returns an option by its value and label.
func Option(value, label string, on bool) fields.Option {
	return fields.Option{Option: form.Option{Value: value}, Label: label, On: on}
}

// questionID returns the id of a question's element.
func questionID(q string) string { return "q-" + strings.NewReplacer(":", "-", ".", "_").Replace(q) }

// Holding is a seat that the browser holds, of which it may know only the id.
type Holding struct {
	view.SeatShown
	At string // its address
}
