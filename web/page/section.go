package page

import (
	"context"
	stdhtml "html"
	"io"
	"reflect"
	"time"

	"github.com/a-h/templ"

	"norn/game"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
)

// section is a part of the page that is drawn from a plain value. While the value stays equal, the
// section isn't sent again.
type section struct {
	at    string // CSS selector of its element
	swap  string // how it's inserted; "" for a mark by which the script notices a change
	value any
	draw  func(html.Page) templ.Component
	parts []section // elements in it that are sent by themselves if the rest is unchanged
}

// Ways to insert a section: as the content of the element, or as the element itself.
const (
	inner = "innerMorph"
	outer = "outerMorph"
)

// newSection returns a section of a value and its template.
func newSection[V any](at, swap string, value V, draw func(html.Page, V) templ.Component) section {
	return section{at: at, swap: swap, value: value, draw: func(p html.Page) templ.Component { return draw(p, value) }}
}

func inside[V any](at string, value V, draw func(html.Page, V) templ.Component) section {
	return newSection(at, inner, value, draw)
}

// framed returns a section whose parts are sections of their own; frame is the value of the rest.
func framed[V any](at string, frame any, value V, draw func(html.Page, V) templ.Component, parts []section) section {
	s := inside(at, value, draw)
	s.value, s.parts = frame, parts
	return s
}

// Write writes the section so that a page inserts it.
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
	names, waiting := peopleOf(l), html.WaitingFor(l.View)
	here := presence{l.View.Seats, l.View.Session.N}
	all := []section{
		cast(l),
		inside("#waiting", waiting, html.WaitingLink),
		inside("#tab-count", waiting, func(_ html.Page, w []string) templ.Component {
			return html.WaitingCount(w)
		}),
		inside(onlineBar, here, online),
		inside(onlineMenu, here, online),
		inside("#calls", l.Called(), html.CalledShown),
		inside("#next", html.NextMeeting(l.View), html.NextShown),
		inside("#turns", html.TurnsOf(l.Voice, l.View.Turns), html.TurnsShown),
		inside("#clocks", html.ClocksOf(l.View), html.ClocksShown),
		inside("#scene", l.View.Scene, html.SceneNow),
		inside("#scene-said", l.View.Scene, html.SceneNote),
		alert(l),
		inside("#seal", html.SealOf(l.View), html.SealBody),
		inside("#line-as", html.SpeakersOf(l.Page, l.View, ""), speakers),
		inside("#seat-name", l.View.Me().Name, func(_ html.Page, name string) templ.Component {
			return templ.Raw(templ.EscapeString(name))
		}),
		inside("#seat-own", l.SeatMenu(html.Link{}), html.SeatOwn),
		mark("#log-stale", struct {
			people   people
			settings any
		}{names, l.View.Settings}),
		newSection(moveForm, "", offeringOf(l), formStale),
	}
	if len(l.View.Moves) > 0 && (len(html.Actors(l.Voice.Game, l.View)) > 0 || !l.Master()) {
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

// masters lists the sections that only a game master's page has.
func masters(l *html.Look) []section {
	steps := l.Steps()
	return []section{
		everyone(l),
		inside("#gm-questions", l.Questions(), html.AllQuestions),
		inside("#gm-calls", html.CallsOf(l.Voice, l.View.Calls), html.CallsOpen),
		inside("#gm-stock", l.Stock(), html.StockShown),
		inside("#gm-secret", l.SecretMoves(), html.SecretMoves),
		session(l),
		inside("#drawer-end", l.SessionNow(), html.EndNow),
		inside("#gm-notes", l.View.Notes, html.NotesShown),
		inside("#gm-clocks", html.ClocksOf(l.View), html.ClocksKept),
		inside("#gm-scenes", html.Scenes{Now: l.View.Scene, All: l.View.Scenes}, html.ScenesToSet),
		inside("#steps-done", steps, html.StepsSaid),
		inside("#steps-next", steps, html.StepsNext),
		inside("#steps-list", steps, html.StepsList),
		inside("#seats", html.WithoutOnline(l.View.Seats), html.SeatsShown),
		inside("#add-owner", html.Owners(l.Page, l.View.Seats, ""), options),
		inside("#drawer-settings", html.SettingsOf(l.Voice, l.View, nil), html.SettingsBody),
	}
}

// besideSections lists the sections of a page next to the table's own, such as that of pictures.
func besideSections(l *html.Look) []section { return []section{alert(l)} }

func alert(l *html.Look) section {
	return inside(html.AlertPlace, html.AlertOf(l.View), html.AlertShown)
}

// moveForm selects the section that notifies script of what its move form may depend on.
const moveForm = "#move-form"

// Elements that show who is online, which isn't in the journal.
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

func options(_ html.Page, all []fields.Option) templ.Component { return html.Options(all) }

func speakers(_ html.Page, all []html.Speaker) templ.Component { return html.Speakers(all) }

// mark returns a section that makes the script request outdated parts when the value changes.
func mark(at string, value any) section {
	return newSection(at, "", value, func(html.Page, any) templ.Component { return html.Stale() })
}

func toShow(_ html.Page, pick string) templ.Component { return html.ToShow(pick) }

// people has the names of seats and characters, and the owners.
type people struct {
	seats      []view.SeatShown
	characters []view.CharacterShown
}

func peopleOf(l *html.Look) people {
	characters := game.Each(l.View.Characters, func(c view.CharacterShown) view.CharacterShown {
		return view.CharacterShown{
			ID: c.ID, Owner: c.Owner, Name: c.Name, Kind: c.Kind, Portrait: c.Portrait,
			Hidden: c.Hidden,
		}
	})
	return people{html.WithoutOnline(l.View.Seats), characters}
}

// offering has everything that determines what a composer may offer.
type offering struct {
	seats      []view.SeatShown
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
	return offering{html.WithoutOnline(l.View.Seats), characters, l.View.Settings, l.View.Moves, l.View.Calls}
}

// formStale draws what a page that missed the last value needs to know: everything may have changed.
func formStale(html.Page, offering) templ.Component { return html.FormStale(true, nil) }

// since returns the characters that have changed, and whether anything else has.
func (o offering) since(was offering) (characters []string, other bool) {
	before := map[string]view.CharacterShown{}
	for _, c := range was.characters {
		before[c.ID] = c
	}
	for _, c := range o.characters {
		if b, known := before[c.ID]; !known || !reflect.DeepEqual(b, c) {
			characters = append(characters, c.ID)
		}
	}
	other = len(was.characters) != len(o.characters)
	o.characters, was.characters = nil, nil
	return characters, other || !reflect.DeepEqual(o, was)
}

// cast returns the section of the cast, each row of which is a section of its own.
func cast(l *html.Look) section {
	type row struct {
		name string
		of   []string
	}
	rows := l.CastRows()
	var lines []section
	frame := game.Each(rows, func(of []html.Character) row {
		return row{html.RowName(of), game.Each(of, func(c html.Character) string {
			lines = append(lines, newSection("#cast-"+c.ID, outer, c, html.CastLine))
			return c.ID
		})}
	})
	return framed("#cast", frame, rows, html.Cast, lines)
}

// everyone returns the section of the game master's cast.
func everyone(l *html.Look) section {
	all := l.Cast()
	var lines []section
	frame := game.Each(all, func(c html.Character) string {
		lines = append(lines, newSection("#gm-"+c.ID, outer, c, html.EveryLine))
		return c.ID
	})
	return framed("#gm-cast", frame, all, html.Everyone, lines)
}

// session returns the section of the current session.
func session(l *html.Look) section {
	type around struct {
		n      int
		began  time.Time
		next   html.Meeting
		values []fields.Form
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

// sheetStale returns a section that makes a page request a sheet that isn't sent to it, unless it's
// being edited.
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

// cardSection returns the section of a card in the log.
func cardSection(c html.Card) section { return newSection("#"+c.ID, outer, c, html.LogItem) }
