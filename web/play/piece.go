package play

import (
	"bytes"
	"context"
	"hash/maphash"
	stdhtml "html"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/table/view"
	"norn/web/html"
	"norn/web/present"
)

const (
	people    facts = 1 << iota // names of seats and characters, and who plays whom
	states                      // how characters are
	lines                       // what the cast says of characters
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
	to   string                 // where it stands, for CSS
	swap string                 // "" for what only says that something has changed
	of   facts                  // all that it's drawn of: while that is the same, so is the piece
	draw func() templ.Component // from the view of which it's a piece
}

// facts are what pieces are drawn of.
type facts uint32

// changes are the facts that aren't as they were told, and the characters whose sheets aren't.
func changes(l *present.Look, from *standing) (changed facts, sheet map[string]bool) {
	is, was, sheet := l.View, from.view, map[string]bool{}
	if was == nil {
		was = &view.View{}
	}
	note := func(f facts, same bool) {
		if !same {
			changed |= f
		}
	}
	note(chosen, l.At == from.at)
	note(tallies, same(l.Tallies, from.tallies))
	note(secrets, same(l.Secrets, from.secrets))
	note(waits, l.Waiting() == from.waiting)
	if is == was {
		return changed, sheet
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
	note(people|states|lines, len(is.Characters) == len(was.Characters))
	for i, c := range is.Characters {
		if i >= len(was.Characters) || was.Characters[i].ID != c.ID {
			changed, sheet[c.ID] = changed|people|states|lines|sheets, true
			continue
		}
		o := was.Characters[i]
		note(people|lines, c.Owner == o.Owner && c.Name == o.Name && c.Kind == o.Kind && c.Portrait == o.Portrait && c.Hidden == o.Hidden)
		note(states|lines, c.State == o.State && c.Out == o.Out)
		note(lines, c.Waits == o.Waits && same(c.Tracks, o.Tracks))
		note(stars, slices.Equal(c.Starred, o.Starred))
		if c.Editable != o.Editable || !same(c.Sheet, o.Sheet) {
			changed, sheet[c.ID] = changed|sheets, true
		}
		note(sheets, same(c.Offers, o.Offers))
	}
	return changed, sheet
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// pieces are all of the page besides its log, by what they're drawn of.
func pieces(l *present.Look) []piece {
	page := l.Page
	online := func() templ.Component { return html.OnlineList(page, present.Online(l), l.View.Session.N) }
	all := []piece{
		{"#cast", inner, lines | people | chosen, func() templ.Component { return html.Cast(page, present.Cast(l)) }},
		{"#waiting", inner, waits, func() templ.Component { return html.WaitingLink(page, l.Waiting()) }},
		{"#tab-count", inner, waits, func() templ.Component { return html.WaitingCount(l.Waiting()) }},
		{"#online", inner, here, online},
		{".online-menu", inner, here, online},
		{"#calls", inner, calls | people | edition | chosen, func() templ.Component { return html.Called(page, present.Edition(l), present.Called(l)) }},
		{"#next", inner, session, func() templ.Component { return html.NextShown(page, present.Next(l)) }},
		{"#turns", inner, turns | people, func() templ.Component { return html.TurnsShown(page, present.Turns(l)) }},
		{"#x-card", inner, xcard, func() templ.Component { return html.XCard(page, l.View.X > 0, present.MayPutXAway(l)) }},
		{"#seal", inner, session | people, func() templ.Component { return html.SealBody(page, present.Seal(l)) }},
		{"#line-as", inner, people, func() templ.Component { return html.Options(present.Speakers(l, "")) }},
		{"#seat-name", inner, people, func() templ.Component { return templ.Raw(templ.EscapeString(l.Me().Name)) }},
		{"#seat-own", inner, people, func() templ.Component { return html.SeatOwn(page, present.SeatMenu(l, present.OwnSeat{})) }},
		{"#log-stale", "", people | settings, func() templ.Component { return html.Stale(nil) }},
		{composerStale, "", people | states | settings | moves | calls | stars | sheets, func() templ.Component { return html.Stale(nil) }},
	}
	for _, c := range l.View.Characters {
		all = append(all, piece{sheetAt(c.ID), outer, people | states, func() templ.Component { return html.SheetShown(page, l.Voice, present.Sheet(l, c)) }})
	}
	if l.Master() {
		all = append(
			all,
			piece{"#gm-cast", inner, lines | people | chosen, func() templ.Component { return html.Everyone(page, present.Cast(l)) }},
			piece{"#gm-questions", inner, questions | people, func() templ.Component { return html.AllQuestions(page, present.Questions(l)) }},
			piece{"#gm-calls", inner, calls | people, func() templ.Component { return html.CallsOpen(page, present.CallsOpen(l)) }},
			piece{"#gm-stock", inner, states | people, func() templ.Component { return html.StockShown(page, present.Stock(l)) }},
			piece{"#gm-secret", inner, secrets | people, func() templ.Component { return html.SecretMoves(page, present.SecretMoves(l)) }},
			piece{"#drawer-session", inner, session, func() templ.Component { return html.SessionBody(page, present.SessionNow(l)) }},
			piece{"#gm-tally", inner, tallies | people, func() templ.Component { return html.Tallies(present.Tallies(l)) }},
			piece{"#gm-notes", inner, notes, func() templ.Component { return html.NotesShown(page, present.Notes(l)) }},
			piece{"#steps-done", inner, people | begun | session, func() templ.Component { return html.StepsSaid(page, present.Steps(l)) }},
			piece{"#steps-list", inner, people | begun | session | chosen, func() templ.Component { return html.StepsList(page, present.Steps(l)) }},
			piece{"#seats", inner, people, func() templ.Component { return html.SeatsShown(page, present.Seats(l)) }},
			piece{"#add-owner", inner, people, func() templ.Component { return html.Options(present.Owners(l, "")) }},
			piece{"#drawer-settings", inner, settings, func() templ.Component { return html.SettingsBody(page, present.Settings(l, nil)) }},
		)
	}
	if len(l.View.Moves) > 0 && (len(l.View.Characters) > 0 || !l.Master()) {
		all = append(all, piece{"#nothing-to-do", "", people, func() templ.Component { return html.ToDo(page) }})
	}
	if l.At.Character != "" {
		all = append(all, piece{"#no-sheet", "", people, func() templ.Component {
			return html.ToShow(l.To("/character" + l.At.WithCharacter(l.At.Character).Query()))
		}})
	}
	return all
}

// composerStale is what says that the composer may be old.
const composerStale = "#composer-stale"

// sheetAt is where a character's sheet stands.
func sheetAt(id string) string { return "#sheet-" + id }

// latest is what a page shows, by places: hashes of what it was told there last, nil for what was drawn with the page, so
// that of a piece that has changed only the elements are told in which it has.
type latest map[string]*element

// newsOf are the pieces that aren't as they were told, and the characters whose sheets are among them; onlySheets tells that
// of the composer nothing but sheets has changed.
func newsOf(l *present.Look, from *standing) (news []piece, open []view.CharacterShown, onlySheets bool) {
	changed, sheet := changes(l, from)
	if from.view != nil && from.whole && changed == 0 && len(sheet) == 0 {
		return nil, nil, false
	}
	for _, p := range pieces(l) {
		_, known := from.told[p.to]
		if p.to == composerStale {
			onlySheets = known && changed&p.of == sheets
		}
		if id, of := strings.CutPrefix(p.to, sheetAt("")); !known || changed&p.of != 0 || sheet[id] {
			news = append(news, p)
			if c, ok := l.Character(id); of && ok {
				open = append(open, c)
			}
		}
	}
	return news, open, onlySheets
}

// know notes pieces that were drawn with the page.
func (t latest) know(all []piece) {
	for _, p := range all {
		t[p.to] = nil
	}
}

// tell writes what has changed of a piece.
func (t latest) tell(ctx context.Context, b *bytes.Buffer, p piece) error {
	from := b.Len()
	b.WriteString(`<hx-partial hx-target="` + stdhtml.EscapeString(p.to) + `"`)
	if p.swap != "" {
		b.WriteString(` hx-swap="` + p.swap + `"`)
	}
	b.WriteByte('>')
	body := b.Len()
	if err := p.draw().Render(ctx, b); err != nil {
		return err
	}
	text := b.Bytes()[body:]
	last := t[p.to]
	var now *element
	if p.swap == outer || p.swap == inner {
		now = elements(text)
	}
	t[p.to] = now
	if now == nil || last == nil {
		b.WriteString("</hx-partial>")
		return nil
	}
	var parts bytes.Buffer
	if whole := differing(&parts, text, last, now, p); !whole && parts.Len() < len(text) {
		b.Truncate(from)
		b.Write(parts.Bytes())
		return nil
	}
	b.WriteString("</hx-partial>")
	return nil
}

// The ways to put a piece into its place: the element's inside, or the element.
const (
	inner = "innerMorph"
	outer = "outerMorph"
)

// element is an element of a page with the larger ones in it.
type element struct {
	own      uint64 // hash of what isn't in those
	at       int    // its number among its siblings, from 1
	from, to int    // where it stands in the text
	parts    []element
}

// least is how long an element is, in bytes, that is told by itself.
const least = 250

// differing writes the elements in which a piece differs; whole tells that it's all of the outermost.
func differing(b *bytes.Buffer, text []byte, was, is *element, p piece) (whole bool) {
	same := func(x, y element) bool { return x.at == y.at }
	if was.own != is.own || !slices.EqualFunc(was.parts, is.parts, same) {
		return true
	}
	for i := range is.parts {
		part, to := is.parts[i], p.to
		if p.swap == inner {
			to += ">:nth-child(" + strconv.Itoa(part.at) + ")"
		}
		if !differing(b, text, &was.parts[i], &part, piece{to: to, swap: inner}) {
			continue
		}
		b.WriteString(`<hx-partial hx-target="` + to + `" hx-swap="` + outer + `">`)
		b.Write(text[part.from:part.to])
		b.WriteString("</hx-partial>")
	}
	return false
}

// elements reads what templates have written, all of it as the inside of one element; nil for what can't be told apart.
func elements(text []byte) *element {
	type open struct {
		element
		n     int
		whole bool // nothing in it is told by itself
	}
	stack := []open{{}}
	var keys [][2]int // tags of keys, which are others each time
	for at := bytes.IndexByte(text, '<'); at >= 0; {
		end := tagEnd(text, at)
		if end < 0 {
			return nil
		}
		tag, top := text[at+1:end], &stack[len(stack)-1]
		switch {
		case tag[0] == '/':
			if len(stack) == 1 {
				return nil
			}
			done := *top
			done.to = end + 1
			stack = stack[:len(stack)-1]
			around := &stack[len(stack)-1]
			if done.to-done.from >= least && !around.whole {
				done.own = hashed(text, done.element, keys)
				around.parts = append(around.parts, done.element)
			}
		default:
			top.n++
			name := tag
			if i := bytes.IndexAny(tag, " \n/"); i >= 0 {
				name = tag[:i]
			}
			if slices.Contains(void, string(name)) || tag[len(tag)-1] == '/' {
				if bytes.Contains(tag, []byte(`name="_key"`)) {
					keys = append(keys, [2]int{at, end + 1})
				}
				break
			}
			one := open{element: element{at: top.n, from: at}}
			one.whole = top.whole || slices.Contains(closed, string(name))
			stack = append(stack, one)
		}
		next := bytes.IndexByte(text[end:], '<')
		if next < 0 {
			break
		}
		at = end + next
	}
	if len(stack) != 1 {
		return nil
	}
	root := stack[0].element
	root.to = len(text)
	root.own = hashed(text, root, keys)
	return &root
}

// void elements have no end; what is in the closed ones is no element of a page for itself.
var (
	void   = []string{"input", "br", "hr", "img", "meta", "link"}
	closed = []string{"svg", "table", "select", "datalist", "template", "textarea"}
)

// tagEnd is where a tag ends.
func tagEnd(text []byte, at int) int {
	quoted := false
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			quoted = !quoted
		case '>':
			if !quoted && i > at+1 {
				return i
			}
		}
	}
	return -1
}

// hashed is of what isn't in an element's parts, without keys.
func hashed(text []byte, e element, keys [][2]int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	from := e.from
	until := func(to int) {
		for _, k := range keys {
			if k[0] >= from && k[1] <= to {
				_, _ = h.Write(text[from:k[0]]) // a hash takes everything
				from = k[1]
			}
		}
		_, _ = h.Write(text[from:to])
	}
	for _, part := range e.parts {
		until(part.from)
		_ = h.WriteByte(0)
		from = part.to
	}
	until(e.to)
	return h.Sum64()
}

var seed = maphash.MakeSeed()
