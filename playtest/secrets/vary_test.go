package secrets

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"testing"

	"norn/game"
	"norn/games"
	"norn/table"
	"norn/table/act"
)

// tries returns the number of changes to a player's own sheets, a field at a time.
func tries() int {
	if testing.Short() {
		return 30
	}
	return 60
}

// Whatever a player changes on their own sheets, in any order, the results are the same at two
// tables that differ only in a secret: answers, refusals, sheets, forms, pages, odds. So nothing
// that a player can change depends on what is hidden.
func TestPlayersChangesRevealNothingHidden(t *testing.T) {
	for _, g := range games.All() {
		if hiddenNumbers[g.ID] == nil {
			continue
		}
		secrets := map[string]func(w *world, hidden int){"sheets": func(*world, int) {}}
		if g.ID == "spire" { // the game master keeps the characters' own stress
			for _, shown := range []string{"words", "hidden"} {
				// 5 and 8 are the same in words
				secrets["stress in "+shown] = func(w *world, hidden int) { stressed(w, shown, 5+3*hidden) }
			}
		}
		for name, set := range secrets {
			t.Run(g.ID+" "+name, func(t *testing.T) {
				t.Parallel()
				one, two := newWorld(t, g, 1), newWorld(t, g, 2)
				set(one, 0)
				set(two, 1)
				vary(t, g, one.guests["anna"], two.guests["anna"])
			})
		}
	}
}

// stressed sets how players see stress, and gives that much to each of Anna's characters, and to a
// bond of theirs.
func stressed(w *world, shown string, n int) {
	gm := w.guests["gm"]
	_, err := table.Do(w.t.Context(), gm.seat, act.Configure,
		act.ConfigureRequest{Settings: json.RawMessage(`{"stress-shown":"` + shown + `"}`)}, "")
	must(w.t, err)
	view, err := gm.seat.View(w.t.Context())
	must(w.t, err)
	for _, c := range view.Characters {
		if c.Owner != w.guests["anna"].id {
			continue
		}
		sheet, err := json.Marshal(map[string]any{
			"stress": map[string]int{"blood": n, "mind": n}, "slots": map[string]int{}, "fallouts": []any{},
			"bonds": []any{map[string]any{"name": "Mother", "npc": true, "stress": n}},
		})
		must(w.t, err)
		_, err = table.Do(w.t.Context(), gm.seat, act.ChangeCharacter, act.ChangeRequest{ID: c.ID, Sheet: sheet}, "")
		must(w.t, err)
	}
}

// vary makes the same changes at both tables and compares all answers.
func vary(t *testing.T, g *game.Game, one, two *guest) {
	t.Helper()
	m := maker{Rand: rand.New(rand.NewPCG(9, 9)), text: func() string { return "words" }, bold: true}
	view, err := one.seat.View(t.Context())
	must(t, err)
	taken := 0
	for i := range tries() {
		c := view.Characters[m.IntN(len(view.Characters))]
		for !c.Mine {
			c = view.Characters[m.IntN(len(view.Characters))]
		}
		kind, _ := g.Kind(c.Kind)
		field := kind.Form.Fields[m.IntN(len(kind.Form.Fields))]
		body := map[string]any{"sheet": map[string]any{field.Name: m.value(field)}}
		move := view.Moves[m.IntN(len(view.Moves))].ID
		look := func(w *guest) []sent {
			changed := w.api("PATCH", "/characters/"+c.ID, body)
			if changed.status == http.StatusOK {
				taken++
			}
			return []sent{
				changed, w.api("GET", "", nil),
				w.api("POST", "/odds", map[string]any{"move": move, "character": c.ID, "args": map[string]any{}}),
				w.page("GET", "/t/"+w.table+"?_edit=1&_c="+c.ID+"&_m="+move+"&_a="+c.ID, nil, nil),
			}
		}
		left, right := look(one), look(two)
		for n := range left {
			if l, r := plainPage(left[n]), plainPage(right[n]); l != r {
				at := 0
				for at < min(len(l), len(r)) && l[at] == r[at] {
					at++
				}
				t.Fatalf("try %d, answer %d: %s of %s set to %v tells what is hidden:\n%.300s\n%.300s", i, n,
					field.Name, c.Kind,
					body["sheet"], l[max(0, at-100):], r[max(0, at-100):])
			}
		}
	}
	if taken < tries()/4 {
		t.Errorf("only %d of %d changes were taken", taken, 2*tries())
	}
}
