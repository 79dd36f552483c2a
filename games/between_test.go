package games_test

import (
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/lang"
)

// worn are sheets after a hard session, and what is suggested for them between sessions: for
// everybody, and for the hero. What is ticked has a star.
var worn = map[string]struct{ kind, sheet, all, hero string }{
	"spire": {
		"character",
		`{"stress":{"blood":3},"fallouts":[{"kind":"blood","severity":"minor","text":"a cut"},
			{"kind":"mind","severity":"moderate","text":"fear","stabilised":true}]}`,
		"day*", "lie-low refresh act care",
	},
	"mage": {"character", `{"willpower":{"permanent":5,"temporary":2}}`, "clock recover", ""},
	"edda": {
		"hero",
		`{"experience":5,"strengths":[{"name":"skis","faded":true},{"name":"songs"}],"memories":[{"text":"the fire","calls":5}],
			"conditions":[{"name":"fatigue","kind":"body","size":2}]}`,
		"", "rethink* spend remember lift",
	},
	"godbound": {
		"hero", `{"hp":12,"lost":5,"level":2,"divinity":"free"}`,
		"session* adventure* scene dawn", "rest month level",
	},
	"eclipse": {
		"character", `{"pools":{"vigor":{"now":1,"max":3}},"effects":[{"kind":"quality","n":10}]}`,
		"new-day", "long-recharge settle",
	},
}

// suggested lists suggestions as worn does.
func suggested(all []game.Suggestion) string {
	return strings.Join(game.Each(all, func(s game.Suggestion) string {
		if s.Ticked {
			return s.Move + "*"
		}
		return s.Move
	}), " ")
}

func TestEachGameSuggestsItsMovesBetweenSessions(t *testing.T) {
	for _, g := range games.All() {
		of := worn[g.ID]
		kind, _ := g.Kind(of.kind)
		sheet, err := kind.Decode([]byte(of.sheet))
		if err != nil {
			t.Fatal(g.ID, err)
		}
		s := alone(g, of.kind, sheet)
		if got := suggested(g.Suggest(s, "")); got != of.all {
			t.Errorf("%s suggests %q for everybody, want %q", g.ID, got, of.all)
		}
		if got := suggested(g.Suggest(s, "c1")); got != of.hero {
			t.Errorf("%s suggests %q for the hero, want %q", g.ID, got, of.hero)
		}
		checkSuggestions(t, g, s, true)
	}
}

func alone(g *game.Game, kind string, sheet any) game.Scene {
	return game.Scene{Settings: g.Settings.Default, Cast: map[string]game.Member{
		"c1": {ID: "c1", Kind: kind, Name: "Lira", Owner: "s2", Sheet: sheet},
	}}
}

// checkSuggestions checks that each suggestion is a move that its actor can make once the form is
// filled in, and that those with arguments need nothing more.
func checkSuggestions(t *testing.T, g *game.Game, s game.Scene, allowed bool) {
	t.Helper()
	var names []string
	for _, who := range []string{"", "c1"} {
		s.Actor = who
		for _, of := range g.Suggest(s, who) {
			m, ok := g.Move(of.Move)
			if !ok || !m.AtTable || m.ByOffer || (who == "") != (len(m.Kinds) == 0) ||
				who != "" && !slices.Contains(m.Kinds, s.Cast[who].Kind) {
				t.Errorf("%s: %q can't make %q", g.ID, who, of.Move)
				continue
			}
			if slices.Contains(names, who+m.ID) {
				t.Errorf("%s suggests %q twice for %q", g.ID, m.ID, who)
			}
			names = append(names, who+m.ID)
			f := m.Fit(s, m.Form.For(form.AtTable))
			data := []byte("{}")
			if of.Args != nil {
				data = f.JSON(of.Args)
			}
			args, err := m.Decode(f, data)
			switch {
			case err != nil && of.Args != nil:
				t.Errorf("%s %s has the arguments %s: %v", g.ID, m.ID, data, err)
			case err != nil:
				continue // people fill them in
			}
			if err := m.Allow(s, args); err != nil && (of.Args != nil || of.Ticked) && allowed {
				t.Errorf("%s %s with %s: %v", g.ID, m.ID, data, err)
			}
		}
	}
}

// Whatever a sheet has, and if nothing of it is seen, a suggestion is a move that can be made.
func TestEverySuggestedMoveCanBeMade(t *testing.T) {
	for _, g := range games.All() {
		words, err := lang.Load(form.Words, bare.Words, g.Words)
		if err != nil {
			t.Fatal(err)
		}
		for _, hero := range g.ReadyHeroes(words.In(lang.En)) {
			checkSuggestions(t, g, alone(g, hero.Kind, hero.Sheet), true)
		}
		for _, kind := range g.Kinds {
			checkSuggestions(t, g, alone(g, kind.ID, kind.Blank), true)
			checkSuggestions(t, g, alone(g, kind.ID, nil), false)
		}
	}
}
