//go:build browser || e2e

package playtest

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"norn/lang"
)

// naive is a person who knows nothing of norn. It sees roles, names, sizes, colours and places, and
// no id, class or address. To reach a goal it presses
//
//  1. a control that is named like the goal,
//  2. else the largest filled button in view,
//  3. else the first of the "first steps" that isn't done,
//
// and fills the required fields next to it. It doesn't repeat a press that changed nothing.
type naive struct {
	*seat
	tongue lang.Lang
	sees   look
	said   []string // what it saw and pressed
	table  string   // its name, once it is known
	took   string   // the heading over the control that it pressed last
}

// look holds the parts of a page that a person sees at once.
type look struct {
	Controls   []control
	Heads      []string
	Thrown     int      // rolls in the log
	Dice       []string // those in view
	Said       string   // all text in view
	Busy       bool     // something still moves
	Wide, High float64
}

// control is a control in view.
type control struct {
	Role, Name string
	X, Y, W, H float64
	Filled     bool // with a colour of its own
	Disabled   bool
	Pressed    bool // or chosen
	Field      string
	Kind       string // of a text field
	Value      string
	Readonly   bool
	Needed     bool
	Empty      bool
	Form       int    // groups the controls of one form
	Within     string // the landmark's name
	Item       string // the text of the list's item around it
	About      string // the heading above it
}

func (c control) String() string {
	about := ""
	for is, word := range map[string]bool{
		"filled": c.Filled, "disabled": c.Disabled, "chosen": c.Pressed,
		"required": c.Needed,
	} {
		if is != "" && word {
			about += ", " + is
		}
	}
	return fmt.Sprintf("%s %q (%.0f×%.0f at %.0f,%.0f%s)", c.Role, c.Name, c.W, c.H, c.X, c.Y, about)
}

// is reports whether two looks show the same control.
func (c control) is(o control) bool {
	return c.Role == o.Role && c.Name == o.Name && c.About == o.About && c.Item == o.Item
}

// choice reports whether it is a radio button or a checkbox.
func (c control) choice() bool { return c.Field == "radio" || c.Field == "checkbox" }

//go:embed look.js
var lookScript string

// goal is an aim of a person in norn.
type goal struct {
	name    string
	words   []string // names of controls that lead there, the best first; "=Yes" is a whole name
	presses int      // at most
	reached func(n *naive, before look) bool
}

// looks looks at the page until it has settled.
func (n *naive) looks() { n.t.Helper(); n.looksAfter(look{}, control{}) }

// looksAfter looks at the page until it has changed after a press and settled, or until it is clear
// that nothing changes. The pressed control may be disabled meanwhile.
func (n *naive) looksAfter(last look, pressed control) {
	n.t.Helper()
	before := ""
	began := time.Now()
	since := began
	n.until("see the page at rest", func() bool {
		text, err := n.evaluates(lookScript)
		if err != nil { // the page is being left
			before = ""
			return false
		}
		n.sees = look{}
		if err := json.Unmarshal([]byte(text), &n.sees); err != nil {
			n.t.Fatal(err)
		}
		if text != before || n.sees.Busy {
			before, since = text, time.Now()
		}
		sent := slices.ContainsFunc(n.sees.Controls, func(c control) bool { return c.is(pressed) && c.Disabled })
		if (sent || n.sees.same(last)) && time.Since(began) < hopeful {
			return false
		}
		return time.Since(since) > restful
	}, func() string { return n.sees.Said })
}

// The time without changes before a person acts on a page, and the time that they wait for the
// result of a press.
const restful, hopeful = 200 * time.Millisecond, 3 * time.Second

// reach pursues a goal. If it isn't reached, it fails the test with everything that was seen and
// pressed.
func (n *naive) reach(g goal) {
	n.t.Helper()
	n.looks()
	n.said = nil
	n.says("%s wants to %s", n.name, g.name)
	before, dead := n.sees, []control{}
	for presses, scrolls := 0, 0; !g.reached(n, before); {
		n.says("  sees %s", strings.Join(n.sees.Heads, " | "))
		c, why := n.choose(g, dead)
		if why == "" && scrolls < 5 {
			scrolls++
			n.says("  sees nothing to press, and scrolls down")
			n.scrolls()
			n.looks()
			continue
		}
		if why == "" || presses == g.presses {
			n.gives(g, presses)
			return
		}
		presses++
		n.says("  %d. presses %s: %s", presses, c, why)
		n.picture(fmt.Sprintf("%s-%d", strings.ReplaceAll(g.name, " ", "-"), presses))
		n.fillAround(c)
		last := n.sees
		n.took = c.About
		n.pushes(c)
		n.looksAfter(last, c)
		if n.sees.same(last) {
			n.says("     nothing changes")
			dead = append(dead, c)
		}
	}
	n.says("  has it")
	n.picture(strings.ReplaceAll(g.name, " ", "-"))
}

func (l look) same(o look) bool {
	return l.Said == o.Said && slices.EqualFunc(l.Controls, o.Controls, func(a, b control) bool {
		return a.is(b) && a.Pressed == b.Pressed && a.Value == b.Value && a.Disabled == b.Disabled
	})
}

// choose returns the next control to press with the reason, "" for none.
func (n *naive) choose(g goal, dead []control) (control, string) {
	usable := slices.DeleteFunc(slices.Clone(n.sees.Controls), func(c control) bool {
		return c.Disabled || c.Field == "text" || c.Field == "select" || c.Pressed || slices.ContainsFunc(dead, c.is)
	})
	slices.SortStableFunc(usable, func(a, b control) int {
		if a.Filled != b.Filled {
			if a.Filled {
				return -1
			}
			return 1
		}
		if a.choice() != b.choice() { // a choice alone leads nowhere
			if b.choice() {
				return -1
			}
			return 1
		}
		return int(b.W*b.H - a.W*a.H)
	})
	for _, word := range g.words {
		for _, c := range usable {
			if named(c.Name, word) {
				return c, "its name has “" + strings.TrimPrefix(word, "=") + "”"
			}
		}
	}
	if i := slices.IndexFunc(n.sees.Controls, func(c control) bool { return c.Disabled && c.Filled }); i >= 0 {
		for _, c := range n.sees.Controls {
			if c.Form == n.sees.Controls[i].Form && c.choice() && !c.Pressed && !c.Disabled &&
				c.Y < n.sees.Controls[i].Y {
				return c, "“" + n.sees.Controls[i].Name + "” can't be pressed, so something is to be chosen"
			}
		}
	}
	if len(usable) > 0 && usable[0].Filled {
		return usable[0], "it's the largest filled button"
	}
	steps := naiveWords[n.tongue]
	slices.SortStableFunc(usable, func(a, b control) int { return int(a.Y - b.Y) })
	for _, c := range usable {
		if named(c.Within, steps.first) && c.Role == "link" && !strings.Contains(c.Item, steps.done) {
			return c, "it's the first step that isn't done"
		}
	}
	return control{}, ""
}

// named reports whether a word of a name begins like this; "=Yes" needs the whole name.
func named(name, word string) bool {
	if whole, ok := strings.CutPrefix(word, "="); ok {
		return strings.EqualFold(name, whole)
	}
	return regexp.MustCompile(`(?i)(^|[^\pL])` + regexp.QuoteMeta(word)).MatchString(name)
}

// fillAround fills the required fields in view that belong to a control.
func (n *naive) fillAround(c control) {
	n.t.Helper()
	if c.Form < 0 || c.choice() {
		return
	}
	for range 20 {
		i := slices.IndexFunc(n.sees.Controls, func(f control) bool {
			return f.Form == c.Form && !f.Disabled && (f.Needed && f.Empty && f.Field != "" || n.unchosen(f))
		})
		if i < 0 {
			break
		}
		f := n.sees.Controls[i]
		if n.unchosen(f) && i+1 < len(n.sees.Controls) {
			f = n.sees.Controls[i+1]
		}
		switch f.Field {
		case "text":
			text := naiveWords[n.tongue].text
			if f.Kind == "number" {
				text = "1"
			}
			n.says("     fills in %s: %s", f, text)
			n.pushes(f)
			n.types(text)
		case "select":
			n.says("     chooses in %s", f)
			n.run(fmt.Sprintf(`const e = document.elementFromPoint(%f, %f); e.selectedIndex = [...e.options].findIndex((o) => o.value)
				e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true}))`, f.X, f.Y))
		default:
			n.says("     chooses %s", f)
			n.pushes(f)
		}
		n.looks()
	}
	for _, f := range n.sees.Controls {
		if f.Form == c.Form && f.Field == "text" {
			n.table = cmp.Or(n.table, f.Value)
		}
	}
}

// unchosen reports whether a control asks to choose one of those after it.
func (n *naive) unchosen(c control) bool {
	return c.Field == "radio" && c.Pressed && c.Name == naiveWords[n.tongue].choose
}

// pushes presses a control at its current position, which may have changed since it was chosen.
func (n *naive) pushes(c control) {
	n.t.Helper()
	if i := slices.IndexFunc(n.sees.Controls, c.is); i >= 0 {
		c = n.sees.Controls[i]
	}
	if n.finger {
		n.taps(fmt.Sprintf("at %f %f", c.X, c.Y))
		return
	}
	n.do("press "+c.Name, chromedp.MouseClickXY(c.X, c.Y))
}

// scrolls scrolls down.
func (n *naive) scrolls() {
	n.t.Helper()
	n.do("scroll", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, input.DispatchMouseEvent,
			input.DispatchMouseEventParams{
				Type: "mouseWheel", DeltaX: 0.01, X: n.sees.Wide / 2, Y: n.sees.High / 2,
				DeltaY: n.sees.High * 0.7,
			})
		return err
	}))
}

func (n *naive) says(format string, args ...any) {
	n.said = append(n.said, fmt.Sprintf(format, args...))
}

// gives reports why a goal isn't reached.
func (n *naive) gives(g goal, presses int) {
	n.t.Helper()
	n.picture("gave-up")
	var in []string
	for _, c := range n.sees.Controls {
		in = append(in, "    "+c.String())
	}
	n.t.Errorf("%s doesn't %s in %d presses (%d allowed):\n%s\n  now sees: %s\n  and can press:\n%s", n.name, g.name,
		presses, g.presses,
		strings.Join(n.said, "\n"), n.sees.Said, strings.Join(in, "\n"))
}

// naiveWords holds the words that a person knows in each language.
var naiveWords = map[lang.Lang]struct {
	first, done, text, choose                     string // the first steps, one that is done, text to type, an empty choice
	open, hero, throw, answer, invite, end, recap []string
	session, question                             string
}{
	lang.En: {
		first: "first steps", done: "done", text: "Vera Lind", choose: "Choose",
		open: []string{"open"}, hero: []string{"take", "begin", "hero"},
		throw:  []string{"=throw", "=roll", "=make a move", "throw"},
		answer: []string{"answer", "=yes", "=no", "question"}, question: "question", invite: []string{"link", "invite"},
		end:   []string{"yes,", "end", "=session"},
		recap: []string{"recap"}, session: "session",
	},
	lang.Ru: {
		first: "первые шаги", done: "сделано", text: "Вера Линд", choose: "Выберите",
		open: []string{"открыть"}, hero: []string{"взять", "начать", "геро"},
		throw:  []string{"=бросить", "=сделать ход", "=сделайте ход", "бросить"},
		answer: []string{"ответ", "=да", "=нет", "вопрос"}, question: "вопрос",
		invite: []string{"ссылк", "пригла", "позов"}, end: []string{"да,", "законч", "заверш", "=сессия"},
		recap: []string{"итог"}, session: "сессия",
	},
	lang.Uk: {
		first: "перші кроки", done: "зроблено", text: "Віра Лінд", choose: "Оберіть",
		open: []string{"відкрити"}, hero: []string{"взяти", "почати", "геро"},
		throw:  []string{"=кинути", "=зробити хід", "=зробіть хід", "кинути"},
		answer: []string{"відпов", "=так", "=ні", "запитан"}, question: "запитан",
		invite: []string{"посилан", "поклич", "запрос"}, end: []string{"так,", "заверш", "=сесія"},
		recap: []string{"підсум"}, session: "сесія",
	},
}

// waiting returns the number of open questions that the page shows.
func (n *naive) waiting() (most int) {
	word := naiveWords[n.tongue].question
	for _, found := range regexp.MustCompile(`(?i)(\d+) `+word+`|`+word+`\pL* (\d+)`).FindAllStringSubmatch(n.sees.Said,
		-1) {
		number, _ := strconv.Atoi(found[1] + found[2]) // digits
		most = max(most, number)
	}
	return most
}

func (n *naive) open(game string) goal {
	return goal{"open a table", append([]string{game}, naiveWords[n.tongue].open...), 2, func(n *naive, _ look) bool {
		return n.at()
	}}
}

func (n *naive) hero() goal {
	return goal{"have a hero", naiveWords[n.tongue].hero, 2, func(n *naive, _ look) bool {
		return n.at() && n.took != "" && strings.Contains(strings.ToLower(n.sees.Said), strings.ToLower(n.took))
	}}
}

// at reports whether the page is that of the table.
func (n *naive) at() bool {
	return slices.ContainsFunc(n.sees.Heads, func(head string) bool {
		return n.table != "" && strings.EqualFold(head, n.table)
	})
}

func (n *naive) throw(presses int, words ...string) goal {
	return goal{"throw dice", append(naiveWords[n.tongue].throw, words...), presses, func(n *naive, before look) bool {
		return n.sees.Thrown > before.Thrown && len(n.sees.Dice) > 0
	}}
}

// answer is the goal to answer a question: fewer are open, or another one follows.
func (n *naive) answer() goal {
	most, asked := 0, map[string]bool{}
	return goal{"answer a question", naiveWords[n.tongue].answer, 4, func(n *naive, _ look) bool {
		most = max(most, n.waiting())
		gone := asked[n.took] && !slices.Contains(n.sees.Heads, n.took)
		for _, c := range n.sees.Controls {
			asked[c.About] = asked[c.About] || named(c.Name, naiveWords[n.tongue].answer[0]) && c.Role == "button"
		}
		return n.waiting() < most || gone
	}}
}

func (n *naive) invite() goal {
	return goal{"invite somebody", naiveWords[n.tongue].invite, 4, func(n *naive, _ look) bool {
		return n.invitation() != ""
	}}
}

// invitation returns the link that the page shows.
func (n *naive) invitation() string {
	for _, c := range n.sees.Controls {
		if c.Readonly && strings.Contains(c.Value, "://") {
			return c.Value
		}
	}
	return ""
}

func (n *naive) end() goal {
	return goal{"end the session", naiveWords[n.tongue].end, 3, func(n *naive, _ look) bool {
		return slices.ContainsFunc(n.sees.Heads, func(head string) bool {
			return named(head, naiveWords[n.tongue].session+" 2")
		})
	}}
}

func (n *naive) recap() goal {
	return goal{"read the recap", naiveWords[n.tongue].recap, 2, func(n *naive, _ look) bool {
		return slices.ContainsFunc(n.sees.Heads, func(head string) bool {
			return named(head, naiveWords[n.tongue].recap[0])
		})
	}}
}

// arrive opens a page for a naive person, in a language.
func (s *server) arrive(t *testing.T, name string, tongue lang.Lang, url string) *naive {
	t.Helper()
	n := &naive{tongue: tongue}
	if name == "player" {
		n.seat = phone(t, name, 360, 780)
	} else {
		n.seat = sit(t, name, 1366, 768)
	}
	n.forget(s.url("/"), string(tongue))
	n.arrives(url)
	return n
}

// naiveEvening plays from the first page to the recap.
func (s *server) naiveEvening(t *testing.T, game string, tongue lang.Lang) {
	t.Helper()
	gm := s.arrive(t, "game master", tongue, s.url("/"))
	gm.reach(gm.open(s.called(game, tongue)))
	if t.Failed() {
		return
	}
	gm.reach(gm.hero())
	gm.reach(gm.throw(3))
	gm.reach(gm.invite())
	if gm.invitation() == "" {
		return
	}
	player := s.arrive(t, "player", tongue, gm.invitation())
	player.table = gm.table
	gm.looks()
	thrown := gm.sees.Thrown
	player.reach(player.throw(5, naiveWords[tongue].hero...))
	gm.until("see the player's throw", func() bool {
		gm.looks()
		return gm.sees.Thrown > thrown
	}, func() string { return gm.sees.Said })
	for answers := 0; gm.waiting() > 0 && !t.Failed(); answers++ { // an answer may lead to another question
		if answers == 9 {
			t.Errorf("after %d answers there is still a question:\n%s", answers, strings.Join(gm.said, "\n"))
		}
		gm.reach(gm.answer())
	}
	gm.reach(gm.end())
	gm.reach(gm.recap())
	player.reach(player.recap())
}

// called returns a game's name in a language.
func (s *server) called(game string, tongue lang.Lang) string {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), "GET", s.url("/api/v1/games"), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Accept-Language", string(tongue))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Games []struct{ ID, Name string } }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		s.t.Fatal(err)
	}
	for _, g := range answer.Games {
		if g.ID == game {
			return g.Name
		}
	}
	s.t.Fatalf("no game is %s", game)
	return ""
}
