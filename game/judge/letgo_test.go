package judge

import (
	"slices"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/rule"
)

// marked is an event that changes a character.
type marked struct{ Who string }

func (marked) Type() string          { return "gametest.marked" }
func (e marked) Whose() string       { return e.Who }
func (e marked) Apply(sheet any) any { return sheet }

// The checks must detect a rule that changes a character after releasing it: in the same part,
// after the part, or in a parallel part.
func TestGameChecksFindChangesAfterRelease(t *testing.T) {
	type nothing struct{}
	ask := func(r *rule.Run) { rule.Ask(r, rule.Question[nothing]{ID: "x", Form: form.Of[nothing]()}) }
	part := func(does ...func(*rule.Run)) func(*rule.Run) int {
		return func(r *rule.Run) int {
			for _, do := range does {
				do(r)
			}
			return 0
		}
	}
	mark := func(r *rule.Run) { r.Record(marked{"a"}) }
	free := func(r *rule.Run) { r.Release("a") }
	throw := func(r *rule.Run) { r.Sum(dice.Pool{N: 1, Sides: 6}) }
	together := func(parts ...func(*rule.Run) int) func(*rule.Run) {
		return func(r *rule.Run) { rule.Together(r, parts...) }
	}
	for name, c := range map[string]struct {
		rule func(*rule.Run) int
		want bool
	}{
		"before":                       {part(mark, free, ask), false},
		"with nothing between":         {part(mark, free, mark, ask), false},
		"after a question":             {part(free, ask, mark), true},
		"after a throw":                {part(free, throw, mark), true},
		"another part is still asking": {part(together(part(mark, free), part(ask)), throw), false},
		"a part beside it":             {part(together(part(ask, mark), part(ask, free))), true},
		"a part beside it, told first": {part(together(part(ask, free), part(ask, mark))), true},
		"after the parts":              {part(together(part(ask, free), part(ask)), mark), true},
	} {
		play := func(r *rule.Run) rule.Outcome { return rule.Outcome{N: c.rule(r)} }
		whole, err := rule.Play(
			play,
			rule.Options{Source: rule.RollerSource(dice.NewStream([32]byte{})), Policy: rule.Policy{}},
		)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Equal(changedLater(play, whole), []string{"a"}); got != c.want {
			t.Errorf("%s: found %v, want %v", name, got, c.want)
		}
	}
}
