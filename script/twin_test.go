package script_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"norn/dice"
	"norn/distribution"
	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/script"
)

// twin is a move of an example, at a table, and the same rule in Go.
type twin struct {
	game, move, args string
	sheets           map[string][2]string // kind and sheet by id; "me" acts
	inGo             func(r *rule.Run) rule.Outcome
}

func worth(fell, skill int) int {
	switch {
	case fell > skill || fell == 20:
		return 0
	case fell == skill:
		return 21
	}
	return fell
}

var twins = []twin{
	{
		game: "nightferry", move: "act", args: `{"action":"row"}`,
		sheets: map[string][2]string{"me": {"ferryman", `{"row":3}`}},
		inGo: func(r *rule.Run) rule.Outcome {
			fell := r.Classes(dice.Pool{N: 3, Sides: 6, For: "action"}, dice.Exactly(6), dice.Between(4, 5))
			switch {
			case fell[0] > 1:
				return rule.Outcome{ID: "critical"}
			case fell[0] == 1:
				return rule.Outcome{ID: "clean"}
			case fell[1] > 0:
				return rule.Outcome{ID: "price"}
			}
			return rule.Outcome{ID: "wrong"}
		},
	},
	{
		game: "longroad", move: "brave", args: `{"trait":"keen"}`,
		sheets: map[string][2]string{"me": {"wanderer", `{"keen":2,"lent":1}`}},
		inGo: func(r *rule.Run) rule.Outcome {
			switch total := r.Sum(dice.Pool{N: 2, Sides: 6, For: "brave-it"}) + 3; {
			case total >= 10:
				return rule.Outcome{ID: "done"}
			case total >= 7:
				return rule.Outcome{ID: "price"}
			}
			return rule.Outcome{ID: "wrong"}
		},
	},
	{
		game: "underhill", move: "oppose", args: `{"skill":"sneak","foe":"dog","theirs":"sneak"}`,
		sheets: map[string][2]string{"me": {"delver", `{"sneak":12}`}, "dog": {"dweller", `{"sneak":9}`}},
		inGo: func(r *rule.Run) rule.Outcome {
			side := func(skill int) func(*rule.Run) int {
				return func(r *rule.Run) int { return worth(r.Sum(dice.Pool{N: 1, Sides: 20, For: "test"}), skill) }
			}
			switch rule.Against(r, side(12), side(9)) {
			case 1:
				return rule.Outcome{ID: "wins", N: 1}
			case 0:
				return rule.Outcome{ID: "level"}
			}
			return rule.Outcome{ID: "loses"}
		},
	},
}

// staged returns a twin's scripted move, ready for odds and play.
func (tw twin) staged(t testing.TB) (m *game.Move, s game.Scene, args any) {
	t.Helper()
	text, err := script.Read(os.DirFS(filepath.Join("../examples", tw.game)))
	if err != nil {
		t.Fatal(err)
	}
	g, err := script.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	s = game.Scene{Actor: "me", Cast: map[string]game.Member{}, Settings: g.Settings.Default}
	for id, of := range tw.sheets {
		k, _ := g.Kind(of[0])
		sheet, err := k.Decode(json.RawMessage(of[1]))
		if err != nil {
			t.Fatal(err)
		}
		s.Cast[id] = game.Member{ID: id, Kind: k.ID, Name: id, Sheet: sheet}
	}
	m, _ = g.Move(tw.move)
	if args, err = m.Decode(m.Fit(s, m.Form.For(form.AtTable)), json.RawMessage(tw.args)); err != nil {
		t.Fatal(err)
	}
	return m, s, args
}

func walked(t testing.TB, f func(*rule.Run) rule.Outcome) *distribution.Law[rule.Outcome] {
	law, err := rule.Walk(f, nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// A script must have the same odds as the same rule in Go.
func TestScriptHasTheOddsOfTheSameRuleInGo(t *testing.T) {
	for _, tw := range twins {
		t.Run(tw.game, func(t *testing.T) {
			m, s, args := tw.staged(t)
			own, its := walked(t, m.Price(s, args)), walked(t, tw.inGo)
			if len(own.Values) != len(its.Values) {
				t.Fatalf("%v, in Go %v", own.Values, its.Values)
			}
			for i, o := range its.Values {
				if p := own.Of(o); p.Cmp(its.Chance(i)) != 0 {
					t.Errorf("%v is %v, in Go %v", o, p, its.Chance(i))
				}
			}
		})
	}
}

func BenchmarkScriptAgainstGo(b *testing.B) {
	for _, tw := range twins {
		m, s, args := tw.staged(b)
		b.Run(tw.game+"/go", func(b *testing.B) {
			for b.Loop() {
				walked(b, tw.inGo)
			}
		})
		b.Run(tw.game+"/text", func(b *testing.B) {
			for b.Loop() {
				walked(b, m.Price(s, args))
			}
		})
	}
}
