package play

import (
	"cmp"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
)

// look is one look at a table: what a seat sees at one revision, in its reader's words, and what the reader has chosen. All
// that a page draws is made of it, by plain functions; it knows no request and asks nobody.
type look struct {
	html.Page
	view    *view.View
	voice   html.Voice
	at      choice
	held    []holding                 // all seats of the table that the browser holds, this one too
	forms   map[string]view.SheetForm // of the sheets that can be changed where they stand, by characters
	secrets []card                    // moves that were made in secret, newest first: a game master's
	tallies []view.Tally              // what this session came to, likewise
}

// settle fills in what wasn't chosen, or isn't there any more.
func (l *look) settle() {
	if _, ok := l.character(l.at.Character); !ok {
		l.at.Character = ""
		for _, c := range l.view.Characters {
			if l.at.Character == "" || c.Mine && !l.owns(l.at.Character) {
				l.at.Character = c.ID
			}
		}
	}
	if _, ok := l.call(l.at.Call); !ok {
		l.at.Call = ""
		if calls := l.calledFor(); len(calls) > 0 && l.at.Move == "" && (l.at.Actor == "" || l.at.Actor == calls[0].Character) {
			l.at.Call = calls[0].ID
		}
	}
	if c, ok := l.call(l.at.Call); ok {
		l.at.Actor, l.at.Move = c.Character, c.Move
	}
	actors := l.actors()
	can := func(id string) bool {
		return slices.ContainsFunc(actors, func(c view.CharacterShown) bool { return c.ID == id })
	}
	if !can(l.at.Actor) {
		l.at.Actor = ""
		switch {
		case can(l.at.Character):
			l.at.Actor = l.at.Character
		case len(actors) > 0:
			l.at.Actor = actors[0].ID
		}
	}
	if moves := l.moves(); !slices.ContainsFunc(moves, func(m view.MoveShown) bool { return m.ID == l.at.Move }) {
		l.at.Move = ""
		if len(moves) > 0 {
			l.at.Move = moves[0].ID
		}
	}
	for _, c := range l.calledFor() { // who makes a move that was asked for takes that up
		if l.at.Call == "" && c.Character == l.at.Actor && c.Move == l.at.Move {
			l.at.Call = c.ID
		}
	}
}

func (l *look) master() bool { return l.view.Role == game.Master }

// link is the address of the page with other choices.
func (l *look) link(c choice) string { return l.To(c.query()) }

// character finds a character that the seat sees.
func (l *look) character(id string) (view.CharacterShown, bool) {
	for _, c := range l.view.Characters {
		if c.ID == id {
			return c, true
		}
	}
	return view.CharacterShown{}, false
}

func (l *look) owns(id string) bool {
	c, ok := l.character(id)
	return ok && c.Mine
}

// seatName is a seat's name, "" for an unknown one.
func (l *look) seatName(id string) string {
	for _, s := range l.view.Seats {
		if s.ID == id {
			return s.Name
		}
	}
	return ""
}

// me is the seat that the page plays.
func (l *look) me() view.SeatShown {
	for _, shown := range l.view.Seats {
		if shown.You {
			return shown
		}
	}
	return view.SeatShown{ID: l.view.Seat, Role: l.view.Role}
}

func (l *look) roleName(role game.Role) string { return l.Say("web.role." + string(role)) }

// whom names who must answer a question.
func (l *look) whom(to string) string {
	if to == game.GM {
		return l.Say("web.question.gm")
	}
	return l.voice.Name(to)
}

// actors are the characters with which the seat may make a move.
func (l *look) actors() []view.CharacterShown {
	var actors []view.CharacterShown
	for _, c := range l.view.Characters {
		if slices.ContainsFunc(l.view.Moves, func(m view.MoveShown) bool { return slices.Contains(m.Characters, c.ID) }) {
			actors = append(actors, c)
		}
	}
	return l.byKind(actors)
}

// voices are the characters that the reader may speak for.
func (l *look) voices() []view.CharacterShown {
	if l.view.Role == game.Spectator {
		return nil
	}
	var speakers []view.CharacterShown
	for _, c := range l.view.Characters {
		if l.master() || c.Mine {
			speakers = append(speakers, c)
		}
	}
	return l.byKind(speakers)
}

// byKind sorts characters by what they are, in the game's order: heroes, their
// foes, and things last.
func (l *look) byKind(all []view.CharacterShown) []view.CharacterShown {
	place := func(c view.CharacterShown) int {
		return slices.IndexFunc(l.voice.Game.Kinds, func(k game.Kind) bool { return k.ID == c.Kind })
	}
	slices.SortStableFunc(all, func(a, b view.CharacterShown) int { return cmp.Compare(place(a), place(b)) })
	return all
}

// moves are those that the acting character, or nobody in particular, may make, favourites first.
func (l *look) moves() []view.MoveShown {
	var moves []view.MoveShown
	for _, m := range l.view.Moves {
		if len(m.Characters) == 0 || slices.Contains(m.Characters, l.at.Actor) {
			moves = append(moves, m)
		}
	}
	slices.SortStableFunc(moves, func(a, b view.MoveShown) int {
		switch x, y := l.starred(a.ID), l.starred(b.ID); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return moves
}

// move finds a move that the seat may make.
func (l *look) move(id string) (view.MoveShown, bool) {
	for _, m := range l.view.Moves {
		if m.ID == id {
			return m, true
		}
	}
	return view.MoveShown{}, false
}

// rule is the chosen move as the game has it.
func (l *look) rule() (*game.Move, bool) { return l.voice.Game.Move(l.at.Move) }

// acting is who makes the chosen move if somebody acts: "" for a move that
// nobody in particular makes.
func (l *look) acting(actor string) string {
	if m, ok := l.move(l.at.Move); ok && len(m.Characters) == 0 {
		return ""
	}
	return actor
}

// starred tells whether a move is a favourite of who acts.
func (l *look) starred(move string) bool {
	c, ok := l.character(l.at.Actor)
	return ok && slices.Contains(c.Starred, move)
}

// call finds an open call.
func (l *look) call(id string) (view.CallShown, bool) {
	for _, c := range l.view.Calls {
		if c.ID == id {
			return c, true
		}
	}
	return view.CallShown{}, false
}

// calledFor are the calls to the characters that the reader plays.
func (l *look) calledFor() []view.CallShown {
	return slices.DeleteFunc(slices.Clone(l.view.Calls), func(c view.CallShown) bool { return !l.owns(c.Character) })
}

// sessions are all sessions of dice, oldest first.
func (l *look) sessions() []view.Session {
	return append(slices.Clone(l.view.Sessions), l.view.Session)
}

// waiting is how much waits for this seat: open questions, and moves that it was asked for.
func (l *look) waiting() html.Waiting {
	var w html.Waiting
	for _, q := range l.view.Questions {
		if q.Mine {
			w.N++
			w.First = cmp.Or(w.First, questionID(q.ID))
		}
	}
	for _, c := range l.calledFor() {
		w.N++
		w.First = cmp.Or(w.First, "called-"+c.ID)
	}
	return w
}

// sayError words a refusal for the reader.
func (l *look) sayError(err error) string { return refusal.Say(l.voice.Voice, err) }

// option is one to choose, by its value and label.
func option(value, label string, on bool) html.Option {
	return html.Option{Option: form.Option{Value: value}, Label: label, On: on}
}
