package judge

import (
	"encoding/json"
	"slices"

	"norn/game"
	"norn/lang"
)

// checkStock checks that the game's stock and heroes can be put into play in every language: each
// needs a unique id, a name and a valid sheet. It also checks the fields that creators of
// characters fill in.
func checkStock(t *report, g *game.Game) {
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lang.All {
		ids := map[string]bool{}
		stock := g.InStock(words.In(l))
		if len(stock) == 0 {
			t.Error("there is no stock")
		}
		checkSamples(t, g, l, stock, ids)
		heroes := g.ReadyHeroes(words.In(l))
		checkSamples(t, g, l, heroes, ids)
		for _, h := range heroes {
			if kind, ok := g.Kind(h.Kind); ok && !kind.Player {
				t.Errorf("%s: no player may have one", h.ID)
			}
		}
	}
	for _, kind := range g.Kinds {
		for _, asked := range g.AskedOf(kind) {
			if _, ok := kind.Form.Field(asked.Field); !ok {
				t.Errorf("who makes a %s is asked for %q, which it hasn't", kind.ID, asked.Field)
			}
			if asked.Rule != "" && !slices.Contains(g.Rules, asked.Rule) {
				t.Errorf("%s of a %s is by %q, which is no rule", asked.Field, kind.ID, asked.Rule)
			}
		}
	}
}

// checkSamples checks ready characters; ids holds the ids of the others.
func checkSamples(t *report, g *game.Game, l lang.Lang, all []game.Sample, ids map[string]bool) {
	names := map[string]bool{}
	for _, s := range all {
		if s.ID == "" || ids[s.ID] || s.Name == "" || names[s.Name] {
			t.Errorf("%s: %q, %q is no id or no name of its own", l, s.ID, s.Name)
		}
		ids[s.ID], names[s.Name] = true, true
		kind, ok := g.Kind(s.Kind)
		if !ok {
			t.Errorf("%s: there is no kind %q", s.ID, s.Kind)
			continue
		}
		data, err := json.Marshal(s.Sheet)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kind.Patch(kind.Blank, data); err != nil {
			t.Errorf("%s: its sheet isn't taken: %v", s.ID, err)
		}
	}
}
