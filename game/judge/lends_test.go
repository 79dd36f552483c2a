package judge

import (
	"testing"

	"norn/dice"
	"norn/form"
	"norn/rule"
)

// The checks must detect a rule of which a part lends characters, but not the whole: it could not go
// on once somebody has acted with them.
func TestGameChecksFindAPartThatLendsAlone(t *testing.T) {
	type nothing struct{}
	take := func(rule.Event) {}
	for name, c := range map[string]struct {
		whole, part bool
		want        bool
	}{
		"nobody lends": {false, false, false}, "both lend": {true, true, false},
		"the whole alone": {true, false, false}, "a part alone": {false, true, true},
	} {
		play := func(r *rule.Run) rule.Outcome {
			if c.whole {
				r.Lend(take)
			}
			rule.Together(r, func(r *rule.Run) int {
				if c.part {
					r.Lend(take)
				}
				rule.Ask(r, rule.Question[nothing]{ID: "x", Form: form.Of[nothing]()})
				return 0
			})
			r.Sum(dice.Pool{N: 1, Sides: 6})
			return rule.Outcome{}
		}
		whole, err := rule.Play(play,
			rule.Options{Source: rule.RollerSource(dice.NewStream([32]byte{})), Policy: rule.Policy{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := cannotGoOn(play, whole); (err != nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
