package feed

import (
	"reflect"
	"slices"

	"github.com/a-h/templ"

	"norn/table/view"
	"norn/web/html"
	"norn/web/present"
)

// News are the pieces that aren't as they were told.
type News struct {
	Pieces     []Piece
	Sheets     []view.CharacterShown // that are among them
	OnlySheets bool                  // of the composer nothing but sheets has changed
}

// News are those of a page of the table. Of all sheets the one is told that the page shows.
func (p *Progress) News(l *present.Look, shows string) (n News) {
	changed, of := changes(l, p)
	if p.view != nil && p.whole && changed == 0 && len(of) == 0 {
		return News{}
	}
	for _, one := range pieces(l) {
		_, known := p.told[one.to]
		if (known && changed&one.of == 0) || one.where != nil && !one.where(l) {
			continue
		}
		n.Pieces = append(n.Pieces, one)
		if one.to == composerStale {
			n.OnlySheets = known && changed&one.of == sheets
		}
	}
	told := func(place string) bool {
		return slices.ContainsFunc(n.Pieces, func(one Piece) bool { return one.to == place })
	}
	lines, tallies := !told("#cast"), l.Master() && !told(gmTally)
	for _, c := range l.View.Characters {
		if lines && of[c.ID]&aLine != 0 {
			n.Pieces = append(n.Pieces, castLine(c))
			if l.Master() {
				n.Pieces = append(n.Pieces, everyLine(c))
			}
		}
		switch {
		case changed&(people|states) == 0 && of[c.ID]&aSheet == 0:
		case c.ID == shows:
			n.Pieces, n.Sheets = append(n.Pieces, sheetOf(c)), append(n.Sheets, c)
		default:
			n.Pieces = append(n.Pieces, sheetStale(c))
		}
	}
	for _, t := range l.Tallies {
		if tallies && of[t.Character]&aTally != 0 {
			n.Pieces = append(n.Pieces, tallyLine(t))
		}
	}
	return n
}

// Composers says which composers stand, by their marks, and tells the odds of those that stand but for these.
func (n *News) Composers(marks []string, odds []Piece) {
	i := slices.IndexFunc(n.Pieces, func(one Piece) bool { return one.to == composerStale })
	n.Pieces[i].draw = func(*present.Look) templ.Component { return html.Stale(marks) }
	n.Pieces = slices.Insert(n.Pieces, i, odds...) // before what says which composers stand
}

// NewsBeside are those of a page beside the table's own, such as that of pictures or of a session: it follows nothing but whether an
// X-card lies on the table.
func (p *Progress) NewsBeside(l *present.Look) (news []Piece) {
	changed, _ := changes(l, p)
	for _, one := range besides {
		if _, known := p.told[one.to]; !known || changed&one.of != 0 {
			news = append(news, one)
		}
	}
	return news
}

// changes are the facts that aren't as they were told, and those of single characters.
func changes(l *present.Look, from *Progress) (changed facts, of map[string]facts) {
	is, was, of := l.View, from.view, map[string]facts{}
	if was == nil {
		was = &view.View{}
	}
	note := func(f facts, same bool) {
		if !same {
			changed |= f
		}
	}
	note(chosen, l.At == from.at)
	note(tallies, slices.EqualFunc(l.Tallies, from.tallies, func(a, b view.Tally) bool { return a.Character == b.Character }))
	for i, t := range l.Tallies {
		if changed&tallies == 0 && !same(t, from.tallies[i]) {
			of[t.Character] |= aTally
		}
	}
	note(secrets, same(l.Secrets, from.secrets))
	note(waits, l.Waiting() == from.waiting)
	if is == was {
		return changed, of
	}
	note(people|here, slices.EqualFunc(is.Seats, was.Seats, func(a, b view.SeatShown) bool { return a.ID == b.ID && a.Name == b.Name }))
	note(here, slices.Equal(is.Seats, was.Seats))
	note(session|here, is.Session.N == was.Session.N)
	note(session, same(is.Next, was.Next))
	note(session, same(is.Session, was.Session) && same(is.Sessions, was.Sessions))
	note(settings, same(is.Settings, was.Settings))
	note(moves, same(is.Moves, was.Moves))
	note(questions, same(is.Questions, was.Questions))
	note(calls, same(is.Calls, was.Calls))
	note(edition, is.Newer == was.Newer && same(is.Stranded, was.Stranded))
	note(notes, same(is.Notes, was.Notes))
	note(begun, is.Begun == was.Begun)
	note(turns, same(is.Turns, was.Turns))
	note(xcard, is.X == was.X)
	note(people|states, len(is.Characters) == len(was.Characters))
	for i, c := range is.Characters {
		if i >= len(was.Characters) || was.Characters[i].ID != c.ID {
			changed, of[c.ID] = changed|people|states|sheets, of[c.ID]|aSheet
			continue
		}
		o := was.Characters[i]
		if c.Waits != o.Waits {
			of[c.ID] |= aLine
		}
		if c.As == o.As {
			continue
		}
		note(people, c.Owner == o.Owner && c.Name == o.Name && c.Kind == o.Kind && c.Portrait == o.Portrait && c.Hidden == o.Hidden)
		note(states, c.State == o.State && c.Out == o.Out)
		if c.State != o.State || c.Out != o.Out || !same(c.Tracks, o.Tracks) {
			of[c.ID] |= aLine
		}
		note(stars, slices.Equal(c.Starred, o.Starred))
		if c.Editable != o.Editable || !same(c.Sheet, o.Sheet) {
			changed, of[c.ID] = changed|sheets, of[c.ID]|aSheet
		}
		note(sheets, same(c.Offers, o.Offers))
	}
	return changed, of
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
