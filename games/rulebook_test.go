package games_test

import (
	"slices"
	"testing"

	"norn/game"
	"norn/games"
	"norn/lang"
)

func TestFindRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, query string
		in          lang.Lang
		first       string // "" for none
		also        []string
	}{
		{"spire", "SP-05", lang.En, "SP-05", nil},
		{"spire", "fallouts", lang.En, "SP-14", []string{"SP-16", "SP-30"}},
		{"spire", "helper stress", lang.En, "SP-08", nil},
		{"spire", "последствие", lang.Ru, "SP-14", []string{"SP-15"}},
		{"edda", "слабости", lang.Ru, "ED-18", []string{"ED-02"}},
		{"mage", "сила волі", lang.Uk, "MG-08", nil},
		{"godbound", "хромая утка", lang.Ru, "", nil},
		{"spire", " ", lang.En, "", nil},
		{"spire", "?!", lang.En, "", nil},
	} {
		g, _ := game.Find(games.All(), c.game)
		words, err := lang.Load(g.Words)
		if err != nil {
			t.Fatal(err)
		}
		found := g.FindRules(words.In(c.in), c.query)
		if c.first == "" && len(found) > 0 || c.first != "" && (len(found) == 0 || found[0] != c.first) {
			t.Errorf("%s %q finds %v, first should be %q", c.game, c.query, found, c.first)
		}
		for _, id := range c.also {
			if !slices.Contains(found, id) {
				t.Errorf("%s %q finds %v without %s", c.game, c.query, found, id)
			}
		}
	}
}

// Each rule of a game with chapters must be in exactly one of them.
func TestChaptersHaveEachRuleOnce(t *testing.T) {
	t.Parallel()
	for _, g := range games.All() {
		var ids []string
		for _, c := range g.Chapters {
			ids = append(ids, c.Rules...)
		}
		slices.Sort(ids)
		if want := slices.Sorted(slices.Values(g.Rules)); !slices.Equal(ids, want) {
			t.Errorf("%s: chapters have %v, want each of %v once", g.ID, ids, want)
		}
	}
}
