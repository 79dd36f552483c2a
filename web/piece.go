package web

import (
	"bytes"
	"context"
	"hash/maphash"
	"html"
	"reflect"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"norn/game"
)

// piece is a part of the page that news may change.
type piece struct {
	to   string          // where it stands, for CSS
	swap string          // "" for what only says that something has changed
	of   any             // all that it's drawn of: while that is the same, so is the piece
	draw templ.Component // from the view of which it's a piece
}

// shownOne is what a line in the cast says of a character.
type shownOne struct {
	ID, Name, State, Who string
	Out, Waits           bool
	Tracks               []game.Track
}

// pieces are all of the page besides its log, by what they're drawn of.
func (v *visit) pieces() []piece {
	view, at := v.view, v.at
	people, states := []string{}, []string{}
	for _, seat := range view.Seats {
		people = append(people, seat.ID, seat.Name)
	}
	cast := make([]shownOne, len(view.Characters))
	for i, c := range view.Characters {
		people = append(people, c.ID, c.Owner, c.Name)
		states = append(states, c.State)
		cast[i] = shownOne{c.ID, c.Name, c.State, v.ownerOrKind(c), c.Out, c.Waits, c.Tracks}
	}
	type of []any
	acts := of{people, states, view.Settings, view.Moves, v.calledFor()} // with the sheets
	all := []piece{
		{"#cast", inner, of{cast, at}, v.cast()},
		{"#waiting", inner, of{v.mine(), v.firstWaiting()}, v.waiting()},
		{"#tab-count", inner, v.mine(), v.count()},
		{"#online", inner, of{view.Seats, view.Session.N}, v.online()},
		{".online-menu", inner, of{view.Seats, view.Session.N}, v.online()},
		{"#calls", inner, of{v.calledFor(), people, view.Newer, view.Stranded, at}, v.calledShown()},
		{"#seal", inner, of{view.Session, view.Sessions, people}, v.sealBody()},
		{"#line-as", inner, people, v.speakers("")},
		{"#seat-name", inner, v.me().Name, templ.Raw(templ.EscapeString(v.me().Name))},
		{"#seat-own", inner, people, v.seatOwn(ownSeat{})},
		{"#log-stale", "", of{people, view.Settings}, stale()},
	}
	for _, c := range view.Characters {
		sheet := of{c.Sheet, c.Editable, people, states}
		acts = append(acts, sheet, c.Starred)
		all = append(all, piece{"#sheet-" + c.ID, outer, sheet, v.sheetShown(c)})
	}
	all = append(all, piece{"#composer-stale", "", acts, stale()})
	if v.master() {
		tally := of{v.tallies, people}
		all = append(
			all,
			piece{"#gm-cast", inner, of{cast, at}, v.everyone()},
			piece{"#gm-questions", inner, of{view.Questions, people}, v.allQuestions()},
			piece{"#gm-calls", inner, of{view.Calls, people}, v.callsOpen()},
			piece{"#gm-stock", inner, of{cast, people}, v.stockShown()},
			piece{"#gm-secret", inner, of{v.secrets, people}, v.secretsList()},
			piece{"#drawer-session", inner, of{view.Session, tally}, v.sessionBody()},
			piece{"#gm-notes", inner, view.Notes, v.notesShown()},
			piece{"#steps-done", inner, v.stepsDone(), v.stepsSaid()},
			piece{"#steps-list", inner, v.steps(), v.stepsList()},
			piece{"#seats", inner, people, v.seatsShown()},
			piece{"#add-owner", inner, people, v.ownersOf("")},
			piece{"#drawer-settings", inner, view.Settings, v.settingsBody(drawerNotes{})},
		)
	}
	if len(view.Moves) > 0 && (len(view.Characters) > 0 || !v.master()) {
		all = append(all, piece{"#nothing-to-do", "", people, v.toDo()})
	}
	if at.Character != "" {
		all = append(all, piece{"#no-sheet", "", people, v.toShow()})
	}
	return all
}

// latest is what a page was told last, by places. Of what it shows there it keeps hashes, so that of a piece that has changed
// only the elements are told in which it has.
type latest map[string]*saying

type saying struct {
	of    any
	shows *element // nil for what was drawn with the page
}

// changed are the pieces that aren't as they were told last.
func (t latest) changed(all []piece) []piece {
	return slices.DeleteFunc(all, func(p piece) bool {
		last := t[p.to]
		return last != nil && reflect.DeepEqual(last.of, p.of)
	})
}

// know notes pieces that were drawn with the page.
func (t latest) know(all []piece) {
	for _, p := range all {
		t[p.to] = &saying{of: p.of}
	}
}

// tell writes what has changed of a piece.
func (t latest) tell(ctx context.Context, b *bytes.Buffer, p piece) error {
	from := b.Len()
	b.WriteString(`<hx-partial hx-target="` + html.EscapeString(p.to) + `"`)
	if p.swap != "" {
		b.WriteString(` hx-swap="` + p.swap + `"`)
	}
	b.WriteByte('>')
	body := b.Len()
	if err := p.draw.Render(ctx, b); err != nil {
		return err
	}
	text := b.Bytes()[body:]
	now := &saying{of: p.of}
	last := t[p.to]
	t[p.to] = now
	if p.swap == outer || p.swap == inner {
		now.shows = elements(text)
	}
	if now.shows == nil || last == nil || last.shows == nil {
		b.WriteString("</hx-partial>")
		return nil
	}
	var parts bytes.Buffer
	if whole := differing(&parts, text, last.shows, now.shows, p); !whole && parts.Len() < len(text) {
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
