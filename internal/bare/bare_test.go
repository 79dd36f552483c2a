package bare_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/lang"
	"norn/lang/langtest"
)

// spoken returns the words of all moves without a table.
var spoken = sync.OnceValues(func() (*lang.Words, error) {
	folders := []fs.FS{bare.Words, form.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	return lang.Load(folders...)
})

func speaker(t testing.TB, l lang.Lang) lang.Speaker {
	t.Helper()
	words, err := spoken()
	if err != nil {
		t.Fatal(err)
	}
	return words.In(l)
}

// throw parses "spire check difficulty=1 skill=on".
func throw(t testing.TB, line string) bare.Throw {
	t.Helper()
	words := strings.Fields(line)
	g, m := find(t, words[0], words[1])
	texts := map[string]string{}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		texts[name] = value
	}
	made, err := bare.Texts(g, m, texts)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return made
}

func find(t testing.TB, id, move string) (g *game.Game, m *game.Move) {
	t.Helper()
	g, ok := game.Find(games.All(), id)
	if id == bare.Dice.ID {
		g, ok = bare.Dice, true
	}
	if ok {
		m, ok = bare.Move(g, move)
	}
	if !ok {
		t.Fatalf("there is no %s %s", id, move)
	}
	return g, m
}

// each runs f for every move that can be made bare.
func each(t *testing.T, f func(t *testing.T, g *game.Game, m *game.Move)) {
	t.Helper()
	for _, g := range append(games.All(), bare.Dice) {
		for _, m := range bare.Moves(g) {
			t.Run(g.ID+" "+m.ID, func(t *testing.T) { f(t, g, m) })
		}
	}
}

// drawn draws texts for a move's fields, each present or not.
func drawn(t *rapid.T, m *game.Move) map[string]string {
	texts := map[string]string{}
	for _, field := range m.Form.For(form.Bare).Fields {
		if !field.Required && rapid.Bool().Draw(t, field.Name+" is usual") {
			continue
		}
		switch {
		case field.Kind == form.KindInt:
			texts[field.Name] = strconv.Itoa(rapid.IntRange(field.Min, field.Max).Draw(t, field.Name))
		case field.Kind == form.KindBool:
			texts[field.Name] = rapid.SampledFrom([]string{"on", "off"}).Draw(t, field.Name)
		case field.Kind == form.KindFaces:
			texts[field.Name] = rapid.SampledFrom([]string{"", "3", "3 4"}).Draw(t, field.Name)
		case field.Name == "notation":
			texts[field.Name] = rapid.SampledFrom([]string{"2d6", "4d6kh3+1", "7d10>=6"}).Draw(t, field.Name)
		case field.Kind == form.KindText:
		default:
			values := []string{""}
			for _, o := range field.Options {
				values = append(values, o.Value)
			}
			texts[field.Name] = rapid.SampledFrom(append(values, "*")[:len(values)]).Draw(t, field.Name)
			if field.Kind == form.KindTrait && rapid.Bool().Draw(t, "only yes") {
				texts[field.Name] = "yes"
			}
		}
	}
	return texts
}

func TestQueryIsReadBackAsTheSameThrow(t *testing.T) {
	each(t, func(t *testing.T, g *game.Game, m *game.Move) {
		rapid.Check(t, func(t *rapid.T) {
			first, err := bare.Texts(g, m, drawn(t, m))
			if err != nil {
				t.Skip(err) // the game forbids some combinations
			}
			query := first.Query()
			texts := map[string]string{}
			for name := range query {
				texts[name] = query.Get(name)
			}
			again, err := bare.Texts(g, m, texts)
			if err != nil || !again.Same(first) {
				t.Fatalf("%v came back as %s, %v", query, again.Form.JSON(again.Args), err)
			}
			inputs, err := bare.Values(g, m, first.Form.Inputs(first.Args))
			if err != nil || !inputs.Same(first) {
				t.Fatalf("as a form sends it: %v", err)
			}
			decoded, err := bare.Decode(g, m, first.Form.JSON(first.Args))
			if err != nil || !decoded.Same(first) {
				t.Fatalf("as JSON: %v", err)
			}
		})
	})
}

func TestQueryOmitsDefaultValues(t *testing.T) {
	for line, want := range map[string]string{
		"spire check":                                 "default",
		"spire check difficulty=0 mastery=no":         "default",
		"spire check difficulty=1 skill=yes":          "skill=on difficulty=1",
		"spire check skill=fight":                     "skill=fight",
		"mage roll threshold-rule=true":               "default",
		"mage roll threshold-rule=no pool=7":          "pool=7 threshold-rule=off",
		"dice notation notation=4d6kh3":               "notation=4d6kh3",
		"edda joint others=3,4 pool=5 effort=always ": "others=3 4 effort=always",
	} {
		if !known(line) {
			continue
		}
		if got := throw(t, line).String(); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// known reports whether the move of a line has the line's fields.
func known(line string) bool {
	words := strings.Fields(line)
	g, ok := game.Find(games.All(), words[0])
	if !ok {
		return words[0] == bare.Dice.ID
	}
	m, _ := g.Move(words[1])
	for _, word := range words[2:] {
		name, _, _ := strings.Cut(word, "=")
		if _, ok := m.Form.Field(name); !ok {
			return false
		}
	}
	return true
}

func TestComparedThrowsAreNamedByTheirDifferences(t *testing.T) {
	for _, c := range []struct {
		lang  lang.Lang
		lines []string
		want  []string
	}{
		{
			lang.En,
			[]string{"spire check", "spire check difficulty=1", "spire check difficulty=2"},
			[]string{"Difficulty 0", "Difficulty 1", "Difficulty 2"},
		},
		{
			lang.En,
			[]string{"spire check skill=on", "spire check skill=on mastery=on"},
			[]string{"Mastery: no", "Mastery: yes"},
		},
		{
			lang.En,
			[]string{"spire check", "spire check skill=on difficulty=2"},
			[]string{"Skill: no · Difficulty 0", "Skill: yes · Difficulty 2"},
		},
		{
			lang.En,
			[]string{"spire check skill=on difficulty=1", "spire check skill=on difficulty=1"},
			[]string{"Skill · Difficulty 1", "Skill · Difficulty 1"},
		},
		{lang.En, []string{"spire check"}, []string{"as usual"}},
		{lang.Ru, []string{"spire check", "spire check mastery=on"}, []string{"Мастерство: нет", "Мастерство: да"}},
		{lang.Uk, []string{"spire stress die=d3", "spire stress die=d8"}, []string{"Кубик: к3", "Кубик: к8"}},
		{lang.En, []string{"dice notation notation=2d6", "dice notation notation=3d6"}, []string{"2d6", "3d6"}},
	} {
		var throws []bare.Throw
		for _, line := range c.lines {
			throws = append(throws, throw(t, line))
		}
		if got := bare.Names(speaker(t, c.lang), throws); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.lines, got, c.want)
		}
	}
}

func TestEachVariesOneFieldOfAThrow(t *testing.T) {
	for line, want := range map[string]string{
		"spire check skill=on difficulty=1 / difficulty": "[skill=on skill=on difficulty=1 skill=on difficulty=2]",
		"spire check / mastery":                          "[default mastery=on]",
		"spire stress / die":                             "[die=d3 default die=d8]",
		"mage roll pool=9 / pool":                        "[pool=7 pool=8 pool=9 pool=10 pool=11]",
		"dice notation notation=2d6 / notation":          "[]",
		"spire check / nothing":                          "[]",
	} {
		line, field, _ := strings.Cut(line, " / ")
		var got []string
		for _, other := range throw(t, line).Each(field) {
			got = append(got, other.String())
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s by %s: %v, want %s", line, field, got, want)
		}
	}
}

// Every question must be answered within a time that people wait, or end soon after they cancel it.
func TestOddsOfTheLargestThrowsEndAndSumToOne(t *testing.T) {
	each(t, func(t *testing.T, g *game.Game, m *game.Move) {
		texts := map[string]string{}
		for _, field := range m.Form.For(form.Bare).Fields {
			switch {
			// forms accept more than Mage's rules do, so that the rules can refuse with a reason
			case strings.HasSuffix(field.Name, "difficulty"):
				texts[field.Name] = strconv.Itoa(min(field.Max, 10))
			case field.Kind == form.KindInt:
				texts[field.Name] = strconv.Itoa(field.Max)
			case field.Name == "notation":
				texts[field.Name] = "1000d1000kh500+1000d1000"
			case field.Kind == form.KindFaces:
				texts[field.Name] = strings.TrimSpace(strings.Repeat("99 ", field.Max))
			}
		}
		largest, err := bare.Texts(g, m, texts)
		if err != nil {
			largest, err = bare.Texts(g, m, map[string]string{})
		}
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		priced, err := largest.Quote(ctx)
		if err == nil {
			sum := new(big.Rat)
			for _, row := range priced.Rows {
				sum.Add(sum, row.P)
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("chances sum to %v", sum)
			}
		}
	})
}

func TestNotationErrorsSayWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"2d":       "“2d”: the end at character 3 isn’t understood; the number of sides fits there (dice)",
		"99999d6":  "“99999d6”, character 1: dice: must be 1 to 1000, got 99,999",
		"2d6+d6>4": "“2d6+d6>4”: totals, counted dice and symbols don’t add up (compare). Write “2d6+d6 5+” or “2d6>=5+d6>=5”",
	} {
		_, err := bare.Values(bare.Dice, &bare.Dice.Moves[0], url.Values{"notation": {text}})
		wrong, ok := err.(*game.NotationError)
		if !ok || wrong.Problem().Path != "notation" {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := bare.Say(speaker(t, lang.En), wrong); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestWordsAreComplete(t *testing.T) {
	words, err := lang.Load(bare.Words, lab.Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, langtest.Project{
		Roots:    []string{".", "../lab"},
		Prefixes: []string{"dice.", "lang.", "lab.", "bare.meant.", "bare.band", "bare.notation.note-"},
		Same:     []string{"bare.number", "bare.named", "bare.band", "dice.outcome.total"},
	})
}

// Throws of several moves are compared, each under its move's name and with its own chances.
func TestThrowsOfSeveralMovesAreComparedAndNamed(t *testing.T) {
	throws := []bare.Throw{
		throw(t, "dice notation notation=3d6 as=norn-3"),
		throw(t, "spire check skill=on"),
		throw(t, "spire check difficulty=1"),
		throw(t, "mage roll pool=5"),
	}
	if bare.OneMove(throws) || !bare.OneMove(throws[1:3]) || throws[0].Same(throws[3]) {
		t.Error("the moves aren't told apart")
	}
	if got, want := fmt.Sprintf("%q", bare.Names(speaker(t, lang.En), throws)), `["3d6" "Check · Skill: yes · Difficulty 0" "Check · Skill: no · Difficulty 1" "Roll · Dice pool 5"]`; got != want {
		t.Errorf("names: %s, want %s", got, want)
	}
	all, err := bare.Compare(context.Background(), throws, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range throws {
		alone, err := one.Quote(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat)
		for _, row := range all.Rows {
			sum.Add(sum, row.P[i])
		}
		for _, kind := range one.Kinds() {
			if alone.Any(kind.ID).Cmp(all.Sides[i].Any(kind.ID)) != 0 {
				t.Errorf("%d: %s has another chance than alone", i, kind.ID)
			}
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%d: the aligned rows sum up to %s", i, sum)
		}
	}
}
