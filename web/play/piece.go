package play

import (
	"bytes"
	"context"
	stdhtml "html"
	"reflect"
	"slices"

	"github.com/a-h/templ"

	"norn/table/view"
	"norn/web/diff"
	"norn/web/html"
	"norn/web/present"
)

const (
	people    facts = 1 << iota // names of seats and characters, and who plays whom
	states                      // how characters are
	stars                       // favourite moves
	here                        // who is here
	session                     // of dice, and those that are over
	settings                    // of the table
	moves                       // that may be made
	questions                   // that are open
	waits                       // what waits for the seat
	calls                       // that a game master made
	edition                     // what is said of a newer one
	notes                       // a game master's
	begun                       // whether anything was done
	secrets                     // what was done in secret
	tallies                     // what the session came to
	xcard                       // whether an X-card lies on the table
	chosen                      // what the page shows
	sheets                      // any of them
	turns                       // what goes on, and whose turn it is
	aLine                       // what the cast says of one character
	aSheet                      // that of one
	aTally                      // what one has done
)

// standing is how far pages were told. It changes no more once it's reached.
type standing struct {
	view    *view.View
	at      present.Choice
	told    latest
	whole   bool                // nothing of what it shows was never told
	asked   map[string][]string // by moves: their open questions, and whom the others wait for
	here    map[string]bool     // seats that were told to be here
	secrets []present.Card
	tallies []view.Tally
	waiting html.Waiting
}

// equals tells whether pages of the same crowd that stand here and there are told the same from now on.
func (s *standing) equals(other *standing) bool {
	return other != nil && s.view == other.view && s.at == other.at &&
		reflect.DeepEqual(s.tallies, other.tallies) && reflect.DeepEqual(s.secrets, other.secrets)
}

// reached notes what was told from.
func (s *standing) reached(l *present.Look) {
	s.view, s.at, s.secrets, s.tallies, s.waiting = l.View, l.At, l.Secrets, l.Tallies, l.Waiting()
}

// piece is a part of the page that news may change.
type piece struct {
	to   string // where it stands, for CSS
	swap string // "" for what only says that something has changed
	of   facts  // all that it's drawn of: while that is the same, so is the piece
	draw func(*present.Look) templ.Component

	where func(*present.Look) bool // pages on which it may stand; nil for all
	in    string                   // the place of which it's a part
}

// facts are what pieces are drawn of.
type facts uint32

// changes are the facts that aren't as they were told, and those of single characters.
func changes(l *present.Look, from *standing) (changed facts, of map[string]facts) {
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

// everybodys are the pieces of each page besides its log, by what they're drawn of.
var everybodys = []piece{
	{to: "#cast", swap: inner, of: people | chosen, draw: func(l *present.Look) templ.Component { return html.Cast(l.Page, present.Cast(l)) }},
	{to: "#waiting", swap: inner, of: waits, draw: func(l *present.Look) templ.Component { return html.WaitingLink(l.Page, l.Waiting()) }},
	{to: "#tab-count", swap: inner, of: waits, draw: func(l *present.Look) templ.Component { return html.WaitingCount(l.Waiting()) }},
	{to: "#online", swap: inner, of: here, draw: online},
	{to: ".online-menu", swap: inner, of: here, draw: online},
	{to: "#calls", swap: inner, of: calls | people | edition | chosen, draw: func(l *present.Look) templ.Component {
		return html.Called(l.Page, present.Edition(l), present.Called(l))
	}},
	{to: "#next", swap: inner, of: session, draw: func(l *present.Look) templ.Component { return html.NextShown(l.Page, present.Next(l)) }},
	{to: "#turns", swap: inner, of: turns | people, draw: func(l *present.Look) templ.Component { return html.TurnsShown(l.Page, present.Turns(l)) }},
	{to: "#x-card", swap: inner, of: xcard, draw: func(l *present.Look) templ.Component {
		return html.XCard(l.Page, l.View.X > 0, present.MayPutXAway(l))
	}},
	{to: "#seal", swap: inner, of: session | people, draw: func(l *present.Look) templ.Component { return html.SealBody(l.Page, present.Seal(l)) }},
	{to: "#line-as", swap: inner, of: people, draw: func(l *present.Look) templ.Component { return html.Options(present.Speakers(l, "")) }},
	{to: "#seat-name", swap: inner, of: people, draw: func(l *present.Look) templ.Component { return templ.Raw(templ.EscapeString(l.Me().Name)) }},
	{to: "#seat-own", swap: inner, of: people, draw: func(l *present.Look) templ.Component {
		return html.SeatOwn(l.Page, present.SeatMenu(l, present.OwnSeat{}))
	}},
	{to: "#log-stale", of: people | settings, draw: func(*present.Look) templ.Component { return html.Stale(nil) }},
	{to: composerStale, of: people | states | settings | moves | calls | stars | sheets, draw: func(*present.Look) templ.Component { return html.Stale(nil) }},
	{
		to: "#nothing-to-do", of: people, draw: func(l *present.Look) templ.Component { return html.ToDo(l.Page) },
		where: func(l *present.Look) bool {
			return len(l.View.Moves) > 0 && (len(l.View.Characters) > 0 || !l.Master())
		},
	},
	{
		to: "#no-sheet", of: people, draw: func(l *present.Look) templ.Component {
			return html.ToShow(l.To("/character" + l.At.WithCharacter(l.At.Character).Query()))
		},
		where: func(l *present.Look) bool { return l.At.Character != "" },
	},
}

// masters are those of a game master's page, too.
var masters = slices.Concat(everybodys, []piece{
	{to: "#gm-cast", swap: inner, of: people | chosen, draw: func(l *present.Look) templ.Component { return html.Everyone(l.Page, present.Cast(l)) }},
	{to: "#gm-questions", swap: inner, of: questions | people, draw: func(l *present.Look) templ.Component { return html.AllQuestions(l.Page, present.Questions(l)) }},
	{to: "#gm-calls", swap: inner, of: calls | people, draw: func(l *present.Look) templ.Component { return html.CallsOpen(l.Page, present.CallsOpen(l)) }},
	{to: "#gm-stock", swap: inner, of: states | people, draw: func(l *present.Look) templ.Component { return html.StockShown(l.Page, present.Stock(l)) }},
	{to: "#gm-secret", swap: inner, of: secrets | people, draw: func(l *present.Look) templ.Component { return html.SecretMoves(l.Page, present.SecretMoves(l)) }},
	{to: "#drawer-session", swap: inner, of: session, draw: func(l *present.Look) templ.Component { return html.SessionBody(l.Page, present.SessionNow(l)) }},
	{to: gmTally, swap: inner, of: tallies | people, draw: func(l *present.Look) templ.Component { return html.Tallies(present.Tallies(l)) }},
	{to: "#gm-notes", swap: inner, of: notes, draw: func(l *present.Look) templ.Component { return html.NotesShown(l.Page, l.View.Notes) }},
	{to: "#steps-done", swap: inner, of: people | begun | session, draw: func(l *present.Look) templ.Component { return html.StepsSaid(l.Page, present.Steps(l)) }},
	{to: "#steps-list", swap: inner, of: people | begun | session | chosen, draw: func(l *present.Look) templ.Component { return html.StepsList(l.Page, present.Steps(l)) }},
	{to: "#seats", swap: inner, of: people, draw: func(l *present.Look) templ.Component { return html.SeatsShown(l.Page, present.Seats(l)) }},
	{to: "#add-owner", swap: inner, of: people, draw: func(l *present.Look) templ.Component { return html.Options(present.Owners(l, "")) }},
	{to: "#drawer-settings", swap: inner, of: settings, draw: func(l *present.Look) templ.Component {
		return html.SettingsBody(l.Page, present.Settings(l, nil))
	}},
})

func online(l *present.Look) templ.Component {
	return html.OnlineList(l.Page, present.Online(l), l.View.Session.N)
}

// pieces are those of a page that are there whoever is in the game.
func pieces(l *present.Look) []piece {
	if l.Master() {
		return masters
	}
	return everybodys
}

// sheetOf is a character's sheet.
func sheetOf(c view.CharacterShown) piece {
	return piece{to: sheetAt(c.ID), swap: outer, draw: func(l *present.Look) templ.Component { return html.SheetShown(l.Page, l.Voice, present.Sheet(l, c)) }}
}

// sheetStale has a page ask for a sheet that it wasn't told; where it's being changed, script does.
func sheetStale(c view.CharacterShown) piece {
	return piece{to: sheetAt(c.ID) + ":not([data-changing])", swap: "beforeend", in: sheetAt(c.ID), draw: func(l *present.Look) templ.Component {
		return html.ToShow(l.To("/character" + present.Choice{Character: c.ID}.Query() + "&" + html.Own + "keep=1"))
	}}
}

// castLine is a character's line of the cast, and everyLine that of the game master's.
func castLine(c view.CharacterShown) piece {
	return piece{to: "#cast-" + c.ID, swap: outer, in: "#cast", draw: func(l *present.Look) templ.Component { return html.CastLine(l.Page, present.CastLine(l, c)) }}
}

func everyLine(c view.CharacterShown) piece {
	return piece{to: "#gm-" + c.ID, swap: outer, in: "#gm-cast", draw: func(l *present.Look) templ.Component { return html.EveryLine(l.Page, present.CastLine(l, c)) }}
}

func tallyLine(t view.Tally) piece {
	return piece{to: "#tally-" + t.Character, swap: outer, in: gmTally, draw: func(l *present.Look) templ.Component { return html.TallyLine(present.Tally(l, t)) }}
}

// oddsOf are other odds of a composer, for pages that show it as it was.
func oddsOf(was composed, drawn html.Drawn) piece {
	return piece{to: html.OddsAt(was.Offer, was.odds), swap: inner, in: composerStale, draw: func(*present.Look) templ.Component { return templ.Raw(drawn.Text) }}
}

const gmTally = "#gm-tally"

// composerStale is what says that the composer may be old.
const composerStale = "#composer-stale"

// sheetAt is where a character's sheet stands.
func sheetAt(id string) string { return "#sheet-" + id }

// latest is what a page shows, by places: hashes of what it was told there last, nil for what was drawn with the page, so
// that of a piece that has changed only the elements are told in which it has.
type latest map[string]*diff.Tree

// newsOf are the pieces that aren't as they were told, and the sheet among them; onlySheets tells that of the composer
// nothing but sheets has changed. Of all sheets the one is told that the page shows.
func newsOf(l *present.Look, shows string, from *standing) (news []piece, open []view.CharacterShown, onlySheets bool) {
	changed, of := changes(l, from)
	if from.view != nil && from.whole && changed == 0 && len(of) == 0 {
		return nil, nil, false
	}
	for _, p := range pieces(l) {
		_, known := from.told[p.to]
		if (known && changed&p.of == 0) || p.where != nil && !p.where(l) {
			continue
		}
		news = append(news, p)
		if p.to == composerStale {
			onlySheets = known && changed&p.of == sheets
		}
	}
	told := func(place string) bool {
		return slices.ContainsFunc(news, func(p piece) bool { return p.to == place })
	}
	lines, tallies := !told("#cast"), l.Master() && !told(gmTally)
	for _, c := range l.View.Characters {
		if lines && of[c.ID]&aLine != 0 {
			news = append(news, castLine(c))
			if l.Master() {
				news = append(news, everyLine(c))
			}
		}
		switch {
		case changed&(people|states) == 0 && of[c.ID]&aSheet == 0:
		case c.ID == shows:
			news, open = append(news, sheetOf(c)), append(open, c)
		default:
			news = append(news, sheetStale(c))
		}
	}
	for _, t := range l.Tallies {
		if tallies && of[t.Character]&aTally != 0 {
			news = append(news, tallyLine(t))
		}
	}
	return news, open, onlySheets
}

// know notes pieces that were drawn with the page.
func (t latest) know(l *present.Look, all []piece) {
	for _, p := range all {
		if p.where == nil || p.where(l) {
			t[p.to] = nil
		}
	}
}

// tell writes what has changed of a piece.
func (t latest) tell(ctx context.Context, b *bytes.Buffer, l *present.Look, p piece) error {
	from := b.Len()
	b.WriteString(`<hx-partial hx-target="` + stdhtml.EscapeString(p.to) + `"`)
	if p.swap != "" {
		b.WriteString(` hx-swap="` + p.swap + `"`)
	}
	b.WriteByte('>')
	body := b.Len()
	if err := p.draw(l).Render(ctx, b); err != nil {
		return err
	}
	if p.in != "" { // what is around it is told whole when that has changed
		t[p.in] = nil
		b.WriteString("</hx-partial>")
		return nil
	}
	text := b.Bytes()[body:]
	last := t[p.to]
	var now *diff.Tree
	if p.swap != "" {
		now = diff.Read(text)
	}
	t[p.to] = now
	if now != nil && last != nil {
		parts, whole := now.Since(last, p.to, p.swap == inner)
		var told bytes.Buffer
		for _, part := range parts {
			told.WriteString(`<hx-partial hx-target="` + part.At + `" hx-swap="` + outer + `">`)
			told.Write(text[part.From:part.To])
			told.WriteString("</hx-partial>")
		}
		if !whole && told.Len() < len(text) {
			b.Truncate(from)
			b.Write(told.Bytes())
			return nil
		}
	}
	b.WriteString("</hx-partial>")
	return nil
}

// The ways to put a piece into its place: the element's inside, or the element.
const (
	inner = "innerMorph"
	outer = "outerMorph"
)
