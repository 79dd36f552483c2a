package html

import (
	"cmp"
	"strings"

	"norn/game"
	"norn/table/request"
	"norn/table/view"
	"norn/web/fields"
)

// Extras holds the parts of a page in addition to the table: posted forms to correct, and messages
// about what was done.
type Extras struct {
	Composer *Composer    // instead of an untouched one
	Answer   *Reply       // an answer to correct
	Sheet    *SheetForm   // the sheet that is being edited
	Seats    SeatsSaid    // the result of a form about seats
	Settings *fields.Form // settings to correct
	OwnLink  Link         // of the seat, if requested
	Line     LineDraft    // what is in the line
	Note     string       // a short message
	TakeBack string       // the token that takes back the alert that was just raised
}

// Log returns the part of the log that the page shows; before selects the next older part, nil for
// none.
func (l *Look) Log(entries []view.Entry, before *Selection, answer *Reply) Log {
	d := Log{
		Part: string(l.At.Part), Find: l.At.Find, Old: l.At.Before > 0,
		Again: l.To("?" + AtCards + "=1&" + strings.TrimPrefix(l.At.Query(), "?")),
		Whole: l.Link(l.At.WholeLog()), Kept: l.At.WithPart(l.At.Part).Hidden(),
		Turns: TurnsOf(l.Voice, l.View.Turns), Clocks: ClocksOf(l.View), Scene: l.View.Scene,
	}
	if d.Old && !d.some() {
		d.Later = l.Link(l.At.Later(l.View.Seq))
	}
	d.Cards = l.Cards(entries, answer)
	if before != nil {
		d.Earlier = l.Link(*before)
		if before.Before != l.At.Before && d.some() {
			d.Before = before.Before
		}
	}
	d.Parts = game.Each(parts, func(part request.Part) Choosing {
		return Choosing{
			ID: string(part), On: part == l.At.Part, Name: l.Say("web.log.part." + cmp.Or(string(part), "all")),
			Link: l.Link(l.At.WithPart(part)),
		}
	})
	return d
}

// Steps returns the first steps at a new table, with those that are done.
func (l *Look) Steps() []Step {
	move := Step{Word: "move", To: "#composer", Done: l.View.Begun}
	if len(Actors(l.Voice.Game, l.View)) > 0 { // the form opens with a move that rolls dice, whatever was selected before
		at := Selection{Character: l.At.Character, Actor: l.At.Actor}
		move.To, move.Pick = l.Link(at)+"#composer", l.To("/move"+Selection{Character: at.Character}.Query())
	}
	return []Step{
		{Word: "invite", To: "#drawer-seats", Done: len(l.View.Seats) > 1},
		{Word: "cast", To: l.Link(l.At.WithTab("cast")) + "#add-name", Done: len(l.View.Characters) > 0},
		move,
		{Word: "session", To: "#drawer-session", Done: len(l.View.Sessions) > 0},
	}
}
