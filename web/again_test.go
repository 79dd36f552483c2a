//go:build !race

package web_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"norn/game"
	"norn/games"
	"norn/table/act"
	"norn/table/request"
)

// A failed move that is made again is the retry of the game's rules, without typing anything.
func TestMoveMadeAgainAfterAFailureIsTheRetry(t *testing.T) {
	for _, c := range []struct {
		game, move, args string
		dice             []int // that fail, then that succeed
		won              []int
		want             map[string]string
	}{
		{ // MG-12: an attempt without a name is known by the number of its card
			"mage", "roll", `{"attribute":"strength","difficulty":8}`, nil, nil,
			map[string]string{"attempt": "#N", "failed": "1"},
		},
		{ // EP-19: −10 more
			"eclipse", "test", `{"on":"check:cog"}`, []int{98}, []int{2}, map[string]string{"retries": "1"},
		},
	} {
		t.Run(c.game, func(t *testing.T) {
			ctx := t.Context()
			g, _ := game.Find(games.All(), c.game)
			h, gm := hosted(t, g)
			who := added(t, gm, act.CharacterRequest{Name: "Oak", Hero: g.ReadyHeroes(gm.Speaker())[0].ID})
			makes := func(dice []int) uint64 {
				t.Helper()
				made, err := gm.Make(ctx, request.Move{
					Move: c.move, Character: who, Args: json.RawMessage(c.args), Dice: dice, ByHand: true,
				})
				must(t, err)
				return made.Entry.Seq
			}
			fails, wins := c.dice, c.won
			if fails == nil { // as many dice as the pool has
				before, err := gm.Preview(ctx, request.Move{Move: c.move, Character: who, Args: json.RawMessage(c.args)})
				must(t, err)
				for range before.Pools[0].N {
					fails, wins = append(fails, 2), append(wins, 9)
				}
			}
			page := h.sits("gm")
			again := func(seq uint64) map[string]string {
				t.Helper()
				n := strconv.FormatUint(seq, 10)
				sends := page.script().get(page.at("/move?_again="+n)).the(t, "id", "composer-form").sends()
				found := map[string]string{}
				for name, want := range c.want {
					if found[name] = sends.Get(name); want == "#N" && found[name] == "#"+n {
						found[name] = want
					}
				}
				return found
			}
			failed := makes(fails)
			for name, got := range again(failed) {
				want := c.want[name]
				if got != want {
					t.Errorf("after a failure %s is %q, not %q", name, got, want)
				}
			}
			for name, got := range again(makes(wins)) {
				if got == c.want[name] {
					t.Errorf("after a success %s is %q", name, got)
				}
			}
		})
	}
}

// A failure that the game master has waived doesn't make the next try harder. EP-19
func TestWaivedFailureIsMadeAgainAsItWas(t *testing.T) {
	ctx := t.Context()
	g, _ := game.Find(games.All(), "eclipse")
	h, gm := hosted(t, g)
	who := added(t, gm, act.CharacterRequest{Name: "Oak", Hero: g.ReadyHeroes(gm.Speaker())[0].ID})
	made, err := gm.Make(ctx, request.Move{
		Move: "test", Character: who, Args: json.RawMessage(`{"on":"check:cog","retries":1}`), Dice: []int{98}, ByHand: true,
	})
	must(t, err)
	page := h.sits("gm")
	again := func() string {
		t.Helper()
		n := strconv.FormatUint(made.Entry.Seq, 10)
		return page.script().get(page.at("/move?_again="+n)).the(t, "id", "composer-form").sends().Get("retries")
	}
	if got := again(); got != "2" {
		t.Errorf("after a failure retries is %q, not 2", got)
	}
	now, err := gm.View(ctx)
	must(t, err)
	for _, o := range now.Offers {
		if o.Move == "waive" {
			_, err = gm.Make(ctx, request.Move{Offer: o.ID})
			must(t, err)
		}
	}
	if got := again(); got != "1" {
		t.Errorf("after a waiver retries is %q, not 1", got)
	}
}

// A roll for an extended action that adds nothing is a failure of which the next roll knows. MG-12
func TestRollThatAddsNothingIsMadeAgainHarder(t *testing.T) {
	ctx := t.Context()
	g, _ := game.Find(games.All(), "mage")
	h, gm := hosted(t, g)
	who := added(t, gm, act.CharacterRequest{
		Name: "Oak", Kind: "character", Sheet: json.RawMessage(`{"attributes":{"strength":2}}`),
	})
	on := added(t, gm, act.CharacterRequest{Name: "A wall", Kind: "extended", Sheet: json.RawMessage(`{"target":9}`)})
	page := h.sits("gm")
	for _, c := range []struct {
		dice []int
		want bool
	}{{[]int{2, 3}, true}, {[]int{2, 9}, false}} {
		made, err := gm.Make(ctx, request.Move{
			Move: "extended", Character: who, Args: json.RawMessage(`{"attribute":"strength","on":"` + on + `"}`),
			Dice: c.dice, ByHand: true,
		})
		must(t, err)
		n := strconv.FormatUint(made.Entry.Seq, 10)
		sends := page.script().get(page.at("/move?_again="+n)).the(t, "id", "composer-form").sends()
		if got := sends.Get("attempt") == "#"+n && sends.Get("failed") == "1"; got != c.want {
			t.Errorf("after %v it's a retry: %v, want %v", c.dice, got, c.want)
		}
	}
}
