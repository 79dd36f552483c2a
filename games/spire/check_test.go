package spire

import (
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

func TestOpponentFillsInTheDieOfItsWeapon(t *testing.T) { // SP-11
	s := game.Scene{Actor: "lira", Settings: standard, Ruled: game.Ruled{All: true}, Cast: map[string]game.Member{
		"lira":  {ID: "lira", Kind: "character", Name: "Lira", Sheet: Character{}},
		"tam":   {ID: "tam", Kind: "character", Name: "Tam", Sheet: Character{}},
		"guard": {ID: "guard", Kind: "npc", Name: "Otho", Sheet: NPC{Die: "d8"}},
	}}
	want := map[string]form.Fill{"guard": {Field: "risk", Value: "d8"}, "tam": {}}
	for _, m := range []game.Move{checkMove, groupMove} {
		against, _ := m.Fit(s, m.Form.For(form.AtTable)).Field("against")
		for _, o := range against.Options {
			if o.Fill != want[o.Value] {
				t.Errorf("%s against %s fills in %v, want %v", m.ID, o.Value, o.Fill, want[o.Value])
			}
		}
		if len(against.Options) != len(want) {
			t.Errorf("%s offers %d opponents, want %d", m.ID, len(against.Options), len(want))
		}
	}
}

// A group of four who all take stress and a fallout costs the game master five answers: one for the
// danger, in which no resistance is preset, and one for each fallout. SP-09
func TestGroupActionCostsTheGMOneAnswerForAllAndOneForEachFallout(t *testing.T) {
	for stakes, first := range map[string]string{"players": "spire.danger", "gm": "spire.stakes"} {
		rules := standard
		rules.Stakes = stakes
		s := game.Scene{Actor: "lira", Settings: rules, Cast: map[string]game.Member{}}
		for _, id := range []string{"lira", "tam", "oren", "vess"} {
			s.Cast[id] = game.Member{ID: id, Kind: "character", Name: id, Owner: id, Sheet: Character{Stress: Marks{Shadow: 9}}}
		}
		play := groupMove.Play(s, Group{Members: []form.Ref{"tam", "oren", "vess"}, Check: Check{Enemies: 1}})
		options := rule.Options{Source: shows{"pool": 3, "stress": 2, "fallout": 1}}
		asked := map[string]int{}
		result, err := rule.Play(play, options)
		for n := 0; err == nil && !result.Done && n < 20; n++ {
			open := result.Open[0]
			asked[open.ID]++
			answer := "{}"
			if open.ID == first {
				answer = `{"resistance": "shadow", "risk": "d6"}`
				if _, err := open.Step([]byte("{}"), "s1"); stakes == "players" && err == nil {
					t.Error("a resistance is preset")
				}
				if stakes == "players" {
					answer = `{"resistance": "shadow"}`
				}
			}
			step, e := open.Step([]byte(answer), "s1")
			if e != nil {
				t.Fatal(e)
			}
			options.Trail = append(result.Trail, step)
			result, err = rule.Play(play, options)
		}
		if err != nil || !result.Done || len(asked) != 2 || asked[first] != 1 || asked["spire.fallout"] != 4 {
			t.Errorf("with stakes by %s asked %v: %v", stakes, asked, err)
		}
	}
}

// shows is a source in which each die shows what it's thrown for.
type shows map[string]int

func (s shows) Throw(_ string, p dice.Pool, buf []int) ([]int, error) {
	for range p.N {
		buf = append(buf, s[p.For])
	}
	return buf, nil
}
