// Package feed is what pages of a table are told: which pieces of them have changed since what they were told last, found by value of one
// look at the table, drawn and packed once for all who see the same. It knows no seat, no request and no connection, and starts no
// goroutine; web/play looks, and sends.
package feed

import (
	"slices"

	"github.com/a-h/templ"

	"norn/table/view"
	"norn/web/html"
	"norn/web/present"
)

// Piece is a part of the page that news may change.
type Piece struct {
	to   string // where it stands, for CSS
	swap string // "" for what only says that something has changed
	of   facts  // all that it's drawn of: while that is the same, so is the piece
	draw func(*present.Look) templ.Component

	where func(*present.Look) bool // pages on which it may stand; nil for all
	in    string                   // the place of which it's a part
}

// facts are what pieces are drawn of.
type facts uint32

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

// everybodys are the pieces of each page besides its log, by what they're drawn of.
var everybodys = []Piece{
	{to: "#cast", swap: inner, of: people | chosen, draw: func(l *present.Look) templ.Component { return html.Cast(l.Page, present.CastRows(l)) }},
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
		return html.SeatOwn(l.Page, present.SeatMenu(l, html.Link{}))
	}},
	{to: "#log-stale", of: people | settings, draw: func(*present.Look) templ.Component { return html.Stale(nil) }},
	{to: composerStale, of: people | states | settings | moves | calls | stars | sheets, draw: func(*present.Look) templ.Component { return html.Stale(nil) }},
	{
		to: "#nothing-to-do", of: people, draw: func(l *present.Look) templ.Component { return html.ToDo(l.Page) },
		where: func(l *present.Look) bool {
			return len(l.View.Moves) > 0 && (len(l.Actors()) > 0 || !l.Master())
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
var masters = slices.Concat(everybodys, []Piece{
	{to: "#gm-cast", swap: inner, of: people | chosen, draw: func(l *present.Look) templ.Component { return html.Everyone(l.Page, present.Cast(l)) }},
	{to: "#gm-questions", swap: inner, of: questions | people, draw: func(l *present.Look) templ.Component { return html.AllQuestions(l.Page, present.Questions(l)) }},
	{to: "#gm-calls", swap: inner, of: calls | people, draw: func(l *present.Look) templ.Component { return html.CallsOpen(l.Page, present.CallsOpen(l)) }},
	{to: "#gm-stock", swap: inner, of: states | people, draw: func(l *present.Look) templ.Component { return html.StockShown(l.Page, present.Stock(l)) }},
	{to: "#gm-secret", swap: inner, of: secrets | people, draw: func(l *present.Look) templ.Component { return html.SecretMoves(l.Page, present.SecretMoves(l)) }},
	{to: "#drawer-session", swap: inner, of: session, draw: func(l *present.Look) templ.Component { return html.SessionBody(l.Page, present.SessionNow(l)) }},
	{to: "#end-sure", swap: inner, of: questions | people | chosen, draw: func(l *present.Look) templ.Component { return html.EndSure(l.Page, present.StillAsked(l)) }},
	{to: gmTally, swap: inner, of: tallies | people, draw: func(l *present.Look) templ.Component { return html.Tallies(present.Tallies(l)) }},
	{to: "#gm-notes", swap: inner, of: notes, draw: func(l *present.Look) templ.Component { return html.NotesShown(l.Page, l.View.Notes) }},
	{to: "#steps-done", swap: inner, of: people | begun | session, draw: func(l *present.Look) templ.Component { return html.StepsSaid(l.Page, present.Steps(l)) }},
	{to: "#steps-next", swap: inner, of: people | begun | session | chosen, draw: func(l *present.Look) templ.Component { return html.StepsNext(l.Page, present.Steps(l)) }},
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

// besides are those of a page beside the table's own.
var besides = slices.DeleteFunc(slices.Clone(everybodys), func(p Piece) bool { return p.to != "#x-card" })

// pieces are those of a page that are there whoever is in the game.
func pieces(l *present.Look) []Piece {
	if l.Master() {
		return masters
	}
	return everybodys
}

// sheetOf is a character's sheet.
func sheetOf(c view.CharacterShown) Piece {
	return Piece{to: sheetAt(c.ID), swap: outer, draw: func(l *present.Look) templ.Component { return html.SheetShown(l.Page, l.Voice, present.Sheet(l, c)) }}
}

// sheetStale has a page ask for a sheet that it wasn't told; where it's being changed, script does.
func sheetStale(c view.CharacterShown) Piece {
	return Piece{to: sheetAt(c.ID) + ":not([data-changing])", swap: "beforeend", in: sheetAt(c.ID), draw: func(l *present.Look) templ.Component {
		return html.ToShow(l.To("/character" + present.Selection{Character: c.ID}.Query() + "&" + html.Own + "keep=1"))
	}}
}

// castLine is a character's line of the cast, and everyLine that of the game master's.
func castLine(c view.CharacterShown) Piece {
	return Piece{to: "#cast-" + c.ID, swap: outer, in: "#cast", draw: func(l *present.Look) templ.Component { return html.CastLine(l.Page, present.CastLine(l, c)) }}
}

func everyLine(c view.CharacterShown) Piece {
	return Piece{to: "#gm-" + c.ID, swap: outer, in: "#gm-cast", draw: func(l *present.Look) templ.Component { return html.EveryLine(l.Page, present.CastLine(l, c)) }}
}

func tallyLine(t view.Tally) Piece {
	return Piece{to: "#tally-" + t.Character, swap: outer, in: gmTally, draw: func(l *present.Look) templ.Component { return html.TallyLine(present.Tally(l, t)) }}
}

// Odds are other odds of a composer, for pages that show it with these marks.
func Odds(offer, odds string, drawn html.Drawn) Piece {
	return Piece{to: html.OddsAt(offer, odds), swap: inner, in: composerStale, draw: func(*present.Look) templ.Component { return templ.Raw(drawn.Text) }}
}

// Card is a card that stands in the log.
func Card(c html.Card) Piece {
	return Piece{to: "#" + c.ID, swap: outer, draw: func(l *present.Look) templ.Component { return html.LogItem(l.Page, c) }}
}

const gmTally = "#gm-tally"

// composerStale is what says that the composer may be old.
const composerStale = "#composer-stale"

// sheetAt is where a character's sheet stands.
func sheetAt(id string) string { return "#sheet-" + id }

// The ways to put a piece into its place: the element's inside, or the element.
const (
	inner = "innerMorph"
	outer = "outerMorph"
)
