package gametest

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/game/judge"
	"norn/internal/widget"
	"norn/lang"
	"norn/lang/langtest"
)

// Wording lists a game's words that Words can't find by itself.
type Wording struct {
	Asked  map[string]*form.Form // every form that the game's code makes by form.Of, or asks, by the name of its struct
	Shapes []*form.Form          // forms as questions narrow them
	IDs    []string              // ids that are assembled at run time
	Same   []string              // ids of texts that may equal the English ones
}

// Words checks that every word that a game needs exists in every language, and that there are no
// others. Call it in the game's own folder.
func Words(t *testing.T, g *game.Game, w Wording) {
	t.Helper()
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	source := Source(t)
	if diff := cmp.Diff(FindAll(source, `(?:form\.Of|rule\.Question)\[(\w+)\]`),
		slices.Sorted(maps.Keys(w.Asked))); diff != "" {
		t.Fatal("the code has other forms than the test:", diff)
	}
	n := need{judge.NeededWords(g, words.In(lang.En))}
	n.sources(source)
	n.Forms(append(slices.Collect(maps.Values(w.Asked)), w.Shapes...)...)
	langtest.Complete(t, words, langtest.Project{
		Roots: []string{".", "../../lang"}, Prefixes: []string{"lang.month."},
		IDs: append(n.IDs, w.IDs...), Same: w.Same,
	})
}

// need collects the ids of words that a game needs, including those that only its source names.
type need struct{ *judge.Need }

// sources adds the words of questions and throws, which only the code names, and of the ids in the
// code.
func (n need) sources(source string) {
	n.Word("question", "dice") // asked wherever dice may be thrown by hand
	for _, question := range FindAll(source, `\bID: +"`+n.Game.ID+`\.([a-z-]+)"`) {
		n.Word("question", question)
	}
	for _, purpose := range FindAll(source, `\bFor: +"([a-z0-9-]+)"`) {
		n.Word("throw", purpose)
	}
	for _, told := range FindAll(source,
		`(?m)^type (\w+) struct`) { // an event or a question's subject has a word named after it
		for _, id := range []string{
			n.Game.Word("event", game.KebabCase(told)),
			n.Game.Word("about", strings.TrimPrefix(game.KebabCase(told), "about-")),
		} {
			if n.Speaker.Has(id) {
				n.IDs = append(n.IDs, id)
			}
		}
	}
	for _, tag := range FindAll(source, `word:"([a-z0-9|-]+)"`) { // a word that a field selects
		for word := range strings.SplitSeq(tag, "|") {
			for _, id := range []string{n.Game.Word("event", word), n.Game.Word("about", word)} {
				if n.Speaker.Has(id) {
					n.IDs = append(n.IDs, id)
				}
			}
		}
	}
	for _, kind := range n.Game.Kinds { // the words of Changed
		for path := range kind.Form.All() {
			for _, way := range []string{"", "-more", "-less"} {
				if id := n.Game.Word("changed", strings.ReplaceAll(path, ".", "-")+way); n.Speaker.Has(id) {
					n.IDs = append(n.IDs, id)
				}
			}
		}
	}
	n.IDs = append(n.IDs, FindAll(source, `"(`+n.Game.ID+`\.[a-z-]+\.[a-z0-9.-]*[a-z0-9])"`)...)
	n.IDs = slices.DeleteFunc(n.IDs, func(id string) bool { return strings.HasSuffix(id, ".") })
}

// Source returns the text of the game's package without tests and generated code.
func Source(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, entry := range entries {
		name := entry.Name()
		ours := strings.HasSuffix(name, ".templ") || strings.HasSuffix(name, ".go") || name == "ready.toml"
		if !ours || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// FindAll returns the distinct matches of a pattern's group, sorted.
func FindAll(source, pattern string) []string {
	var all []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(source, -1) {
		all = append(all, match[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Voices returns a voice in each language; names are the names of characters by id.
func Voices(t *testing.T, g *game.Game, names map[string]string) []game.Voice {
	t.Helper()
	words, err := lang.Load(g.Words, widget.Words)
	if err != nil {
		t.Fatal(err)
	}
	var all []game.Voice
	for _, l := range lang.All {
		all = append(
			all,
			game.Voice{Speaker: words.In(l), Game: g.ID, Name: func(id string) string { return names[id] }},
		)
	}
	return all
}

// Speak returns the text of an event or of a question's subject.
func Speak(v game.Voice, x any) string {
	text, _ := v.Speak(x)
	return text
}

// CheckText fails for a text that is empty or lacks a word or its data.
func CheckText(t *testing.T, v game.Voice, what, text string) {
	t.Helper()
	if !judge.SaysSomething(text) {
		t.Errorf("%s: %s says %q", v.Lang(), what, text)
	}
}

// Refusals checks that each refusal has a text in every language and names its rule, and that the
// game's code has no other refusals. Words in unruled belong to no rule: they are for what norn
// can't do.
func Refusals(t *testing.T, g *game.Game, voices []game.Voice, refusals map[string]error, unruled ...string) {
	t.Helper()
	said := map[string]bool{}
	for what, err := range refusals {
		r, ok := game.AsRefusal(err)
		if !ok {
			t.Errorf("%s: not refused: %v", what, err)
			continue
		}
		said[r.Word] = true
		for _, v := range voices {
			text := v.Refusal(r)
			CheckText(t, v, what, text)
			named := strings.HasPrefix(text, r.Rule+": ") && slices.Contains(g.Rules, r.Rule)
			if !named && !slices.Contains(unruled, r.Word) {
				t.Errorf("%s: %s doesn't name its rule: %q", v.Lang(), what, text)
			}
		}
	}
	if diff := cmp.Diff(FindAll(Source(t), `"(`+g.ID+`\.refusal\.[a-z-]+)"`),
		slices.Sorted(maps.Keys(said))); diff != "" {
		t.Error("the code refuses in other ways than the test:", diff)
	}
}

// Outcomes checks that the texts of outcomes with a count mention it and the others don't, and that
// headlines mention their chance.
func Outcomes(t *testing.T, g *game.Game) {
	t.Helper()
	for _, v := range Voices(t, g, nil) {
		for _, move := range g.Moves {
			for _, o := range move.Outcomes {
				CheckText(t, v, o.ID, v.Say(g.Word("outcome-short", o.ID)))
				if !o.Counts {
					CheckText(t, v, o.ID, v.Say(g.Word("outcome", o.ID)))
					continue
				}
				for _, n := range []int{0, 1, 2, 5, 11, 21} {
					text := v.Say(g.Word("outcome", o.ID), "N", n)
					CheckText(t, v, o.ID, text)
					if !strings.Contains(text, v.Number(n)) {
						t.Errorf("%s: %s of %d says %q", v.Lang(), o.ID, n, text)
					}
				}
			}
			for _, h := range move.Headlines {
				if text := v.Say(g.Word("headline", h.ID), "P", "73%"); !strings.Contains(text, "73%") {
					t.Errorf("%s: headline %s says %q", v.Lang(), h.ID, text)
				}
			}
		}
	}
}
