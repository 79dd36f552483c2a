package games_test

import (
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/games"
	"norn/lang"
)

// A ready hero lacks no decision that the rules ask for, in any language, so that a newcomer's first
// line is no fault.
func TestReadyHeroesLackNothing(t *testing.T) {
	folders := []fs.FS{form.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	if err != nil {
		t.Fatal(err)
	}
	under := func(values url.Values, field string) url.Values {
		part := url.Values{}
		for name, texts := range values {
			if name == field || strings.HasPrefix(name, field+".") {
				part[name] = texts
			}
		}
		return part
	}
	for _, g := range games.All() {
		for _, l := range lang.All {
			for _, hero := range g.Heroes(words.In(l).Of(g.ID)) {
				kind, _ := g.Kind(hero.Kind)
				is, blank := kind.Form.Inputs(hero.Sheet), kind.Form.Inputs(kind.Blank)
				for _, asked := range g.AskedOf(kind) {
					if asked.Rule != "" && maps.EqualFunc(under(is, asked.Field), under(blank, asked.Field), slices.Equal) {
						t.Errorf("%s, %s: %s lacks %s (%s)", g.ID, l, hero.Name, asked.Field, asked.Rule)
					}
				}
			}
		}
	}
}
