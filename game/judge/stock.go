package judge

import (
	"encoding/json"

	"norn/game"
	"norn/lang"
)

// stocked checks that the game's stock can be put into play in every language:
// each with an id and a name of its own and a sheet that its kind takes.
func stocked(t *hearing, g *game.Game) {
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lang.All {
		ids, names := map[string]bool{}, map[string]bool{}
		stock := g.InStock(words.In(l))
		if len(stock) == 0 {
			t.Error("there is no stock")
		}
		for _, s := range stock {
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
}
