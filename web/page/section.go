package page

import (
	"context"
	stdhtml "html"
	"io"
	"slices"
	"time"

	"github.com/a-h/templ"

	"norn/game"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
)

// section is a part of the page that is drawn of a plain value of one look at the table. While the value is
// equal, so is the section.
type section struct {
	at    string // its element, for CSS
	swap  string // how it comes there; "" for a mark by which script knows that something has changed
	value any
	draw  func(html.Page) templ.Component
	parts []section // elements in it that are sent alone where the value stays
}

// The ways to put a section into its place: as the element's inside, or as the element.
const (
	inner = "innerMorph"
	outer = "outerMorph"
)

// newSection makes one of a value and the template that draws it.
func newSection[V any](at, swap string, value V, draw func(html.Page, V) templ.Component) section {
	return section{at: at, swap: swap, value: value, draw: func(p html.Page) templ.Component { return draw(p, value) }}
}

func inside[V any](at string, value V, draw func(html.Page, V) templ.Component) section {
	return newSection(at, inner, value, draw)
}

// framed is a section whose parts are sections of their own; frame is the value of what is around them.
func framed[V any](at string, frame any, value V, draw func(html.Page, V) templ.Component, parts []section) section {
	s := inside(at, value, draw)
	s.value, s.parts = frame, parts
	return s
}

// Write writes the section as a page puts it into its place.
func (s section) Write(ctx context.Context, w io.Writer, p html.Page) error {
	head := `<hx-partial hx-target="` + stdhtml.EscapeString(s.at) + `"`
	if s.swap != "" {
		head += ` hx-swap="` + s.swap + `"`
	}
	if _, err := io.WriteString(w, head+">"); err != nil {
		return err
	}
	if err := s.draw(p).Render(ctx, w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "</hx-partial>")
	return err
}

// allSections lists the sections of a page that shows a character's sheet, "" for none.
func allSections(l *html.Look, sheet string) []section {
	names, waiting := peopleOf(l), l.Waiting()
	here := presence{l.View.Seats, l.View.Session.N}
	all := []section{
		cast(l),
		inside("#waiting", waiting, html.WaitingLink),
		inside("#tab-count", waiting, func(_ html.Page, w html.Waiting) templ.Component {
			return html.WaitingCount(w)
		}),
		inside(onlineBar, here, online),
		inside(onlineMenu, here, online),
		inside("#calls", calledFor{l.Edition(), l.Calls()}, func(p html.Page, c calledFor) templ.Component {
			return html.Called(p, c.edition, c.calls)
		}),
		inside("#next", l.Next(), html.NextShown),
		inside("#turns", l.Turns(), html.TurnsShown),
		inside("#clocks", l.Clocks(), html.ClocksShown),
		alert(l),
		inside("#seal", l.Seal(), html.SealBody),
		inside("#line-as", l.Speakers(""), options),
		inside("#seat-name", l.Me().Name, func(_ html.Page, name string) templ.Component {
			return templ.Raw(templ.EscapeString(name))
		}),
		inside("#seat-own", l.SeatMenu(html.Link{}), html.SeatOwn),
		mark("#log-stale", struct {
			people   people
			settings any
		}{names, l.View.Settings}),
		mark(composerStale, offeringOf(l)),
	}
	if len(l.View.Moves) > 0 && (len(l.Actors()) > 0 || !l.Master()) {
		all = append(all, newSection("#nothing-to-do", "", true, func(p html.Page, _ bool) templ.Component {
			return html.ToDo(p)
		}))
	}
	if l.At.Character != "" {
		all = append(all, newSection("#no-sheet", "", l.To("/character"+l.At.WithCharacter(l.At.Character).Query()),
			toShow))
	}
	for _, c := range l.View.Characters {
		if c.ID == sheet {
			all = append(all, newSection(sheetAt(c.ID), outer, l.Sheet(c), html.SheetShown))
		} else {
			all = append(all, sheetStale(l, c, names))
		}
	}
	if l.Master() {
		all = append(all, masters(l)...)
	}
	return all
}

// masters are the sections of a game master's page alone.
func masters(l *html.Look) []section {
	steps := l.Steps()
	return []section{
		everyone(l),
		inside("#gm-questions", l.Questions(), html.AllQuestions),
		inside("#gm-calls", l.CallsOpen(), html.CallsOpen),
		inside("#gm-stock", l.Stock(), html.StockShown),
		inside("#gm-secret", l.SecretMoves(), html.SecretMoves),
		session(l),
		inside("#drawer-end", l.SessionNow(), html.EndNow),
		inside("#gm-notes", l.View.Notes, html.NotesShown),
		inside("#gm-clocks", l.Clocks(), html.ClocksKept),
		inside("#steps-done", steps, html.StepsSaid),
		inside("#steps-next", steps, html.StepsNext),
		inside("#steps-list", steps, html.StepsList),
		inside("#seats", l.Seats(), html.SeatsShown),
		inside("#add-owner", l.Owners(""), options),
		inside("#drawer-settings", l.Settings(nil), html.SettingsBody),
	}
}

// besideSections lists the sections of a page next to the table's own, such as that of pictures.
func besideSections(l *html.Look) []section { return []section{alert(l)} }

func alert(l *html.Look) section {
	return inside(html.AlertPlace, l.Alert(), html.AlertShown)
}

// composerStale selects the section that tells script that the move form may be out of date.
const composerStale = "#composer-stale"

// Where the page says who is here, which is in no journal.
const (
	onlineBar  = "#online"
	onlineMenu = ".online-menu"
)

type presence struct {
	seats   []view.SeatShown
	session int
}

func online(p html.Page, here presence) templ.Component {
	return html.OnlineList(p, here.seats, here.session)
}

type calledFor struct {
	edition html.Edition
	calls   []html.Call
}

func options(_ html.Page, all []fields.Option) templ.Component { return html.Options(all) }

// mark has script ask for what may be old once the value is another.
func mark(at string, value any) section {
	return newSection(at, "", value, func(html.Page, any) templ.Component { return html.Stale("") })
}

func toShow(_ html.Page, pick string) templ.Component { return html.ToShow(pick) }

// people are the names of seats and characters, and who plays whom.
type people struct {
	seats      []html.Seat
	characters []view.CharacterShown
}

func peopleOf(l *html.Look) people {
	return people{l.Seats(), game.Each(l.View.Characters, func(c view.CharacterShown) view.CharacterShown {
		return view.CharacterShown{
			ID: c.ID, Owner: c.Owner, Name: c.Name, Kind: c.Kind, Portrait: c.Portrait,
			Hidden: c.Hidden,
		}
	})}
}

// offering is all that a composer may offer.
type offering struct {
	seats      []html.Seat
	characters []view.CharacterShown
	settings   any
	moves      []view.MoveShown
	calls      []view.CallShown
}

func offeringOf(l *html.Look) offering {
	characters := game.Each(l.View.Characters, func(c view.CharacterShown) view.CharacterShown {
		c.Busy, c.Waits, c.As, c.Tracks = "", false, 0, nil
		return c
	})
	return offering{l.Seats(), characters, l.View.Settings, l.View.Moves, l.View.Calls}
}

// cast is the cast, each line of it a section of its own.
func cast(l *html.Look) section {
	type row struct {
		name string
		of   []string
	}
	rows := l.CastRows()
	var lines []section
	frame := game.Each(rows, func(r html.CastRow) row {
		of := game.Each(r.All, func(c html.Character) string {
			lines = append(lines, newSection("#cast-"+c.ID, outer, c, html.CastLine))
			return c.ID
		})
		return row{r.Name, of}
	})
	return framed("#cast", frame, rows, html.Cast, lines)
}

// everyone is the game master's cast.
func everyone(l *html.Look) section {
	all := l.Cast()
	var lines []section
	frame := game.Each(all, func(c html.Character) string {
		lines = append(lines, newSection("#gm-"+c.ID, outer, c, html.EveryLine))
		return c.ID
	})
	return framed("#gm-cast", frame, all, html.Everyone, lines)
}

// session is the session of dice that lasts.
func session(l *html.Look) section {
	type around struct {
		n      int
		began  time.Time
		next   html.Meeting
		values []html.ValueForm
		played bool
		asked  bool
	}
	now := l.SessionNow()
	var lines []section
	frame := game.Each(now.Tallies, func(t html.Tally) string {
		lines = append(lines, newSection("#tally-"+t.ID, outer, t, func(_ html.Page, t html.Tally) templ.Component {
			return html.TallyLine(t)
		}))
		return t.ID
	})
	tally := framed("#gm-tally", frame, now.Tallies, func(_ html.Page, all []html.Tally) templ.Component {
		return html.Tallies(all)
	}, lines)
	return framed("#drawer-session",
		around{now.N, now.Began, now.Next, now.Values, len(now.Tallies) > 0, len(now.Open) > 0}, now, html.SessionBody,
		[]section{tally, inside("#end-sure", now.Open, html.EndSure)})
}

// sheetStale has a page ask for a sheet that it isn't sent; where it's being changed, script does.
func sheetStale(l *html.Look, c view.CharacterShown, names people) section {
	type shown struct {
		sheet    any
		editable bool
		names    people
	}
	pick := l.To("/character" + html.Selection{Character: c.ID}.Query() + "&" + html.Own + "keep=1")
	s := newSection(sheetAt(c.ID)+":not([data-changing])", "beforeend", pick, toShow)
	s.value = shown{c.Sheet, c.Editable, names}
	return s
}

// sheetAt returns the selector of a character's sheet.
func sheetAt(id string) string { return "#sheet-" + id }

// keepForm puts the odds of the move form that stays, where they are others, before the mark that
// forms may be old. The mark names the form: pages that show another ask for theirs.
func keepForm(changed []section, was, now *shownForm, odds html.Drawn) []section {
	i := slices.IndexFunc(changed, isComposerStale)
	changed[i].draw = func(html.Page) templ.Component { return html.Stale(now.Offer + "." + now.Odds) }
	if was.Odds == now.Odds {
		return changed
	}
	draw := func(_ html.Page, text string) templ.Component { return templ.Raw(text) }
	return slices.Insert(changed, i, inside(html.OddsAt(was.Offer, was.Odds), odds.Text, draw))
}

// offersOthers tells whether the mark that move forms may be old is among sections.
func offersOthers(changed []section) bool { return slices.ContainsFunc(changed, isComposerStale) }

func isComposerStale(s section) bool { return s.at == composerStale }

// cardSection is a card that is in the log.
func cardSection(c html.Card) section { return newSection("#"+c.ID, outer, c, html.LogItem) }
