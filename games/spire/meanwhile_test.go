package spire

import (
	"slices"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// A question that offers fallouts offers those that are left when magic has healed one meanwhile. SP-18,
// SP-21, SP-30
func TestQuestionOffersWhatMagicHasLeft(t *testing.T) {
	bleeding := Fallout{Kind: "blood", Severity: "minor", Suggestion: "blood.minor.1"}
	limping := Fallout{Kind: "blood", Severity: "minor", Suggestion: "blood.minor.2"}
	lira := Character{Stress: Marks{Blood: 3}, Fallouts: []Fallout{bleeding, limping}}
	lira.Bonds = []Bond{{Name: "Mara", NPC: true, Stress: 3, Fallouts: []Fallout{bleeding, limping}}}
	s := game.Scene{
		Actor: "lira", Settings: standard,
		Cast: map[string]game.Member{"lira": {ID: "lira", Kind: "character", Name: "Lira", Sheet: lira}},
	}
	own := FalloutRemoved{Who: "lira", At: 0, Fallout: bleeding}
	bonds := own
	bonds.Bond = "Mara"
	for name, c := range map[string]struct {
		play         func(*rule.Run, game.Scene)
		field        string
		healed       FalloutRemoved
		before, want []string
	}{
		"fallout": {
			func(r *rule.Run, s game.Scene) { suffer(r, s, "lira", "blood", 1) },
			"replaces", own,
			[]string{"", "0", "1"},
			[]string{"", "0"},
		},
		"a bond's": {
			func(r *rule.Run, s game.Scene) { suffer(r, s, "lira", "bond:0", 1) },
			"replaces", bonds,
			[]string{"", "0", "1"},
			[]string{"", "0"},
		},
		"a day": {
			outlive, "ended", own,
			[]string{"lira:0", "lira:1", "lira:0.0", "lira:0.1"},
			[]string{"lira:0", "lira:0.0", "lira:0.1"},
		},
	} {
		play := func(r *rule.Run) int {
			c.play(r, game.Lend(r, s))
			return 0
		}
		source := rule.HandSource(dice.NewHand([]int{1}), false)
		options := func(trail rule.Trail) (values []string, after rule.Trail) {
			result, err := rule.Play(play, rule.Options{Trail: trail, Source: source})
			if err != nil || len(result.Open) != 1 {
				t.Fatalf("%s: %d open, %v", name, len(result.Open), err)
			}
			field, _ := result.Open[0].Form.Field(c.field)
			return game.Each(field.Options, func(o form.Option) string { return o.Value }), result.Trail
		}
		before, trail := options(nil)
		after, _ := options(append(trail, rule.Step{Meanwhile: &rule.Meanwhile{Event: c.healed}}))
		if !slices.Equal(before, c.before) || !slices.Equal(after, c.want) {
			t.Errorf("%s: offers %q and then %q, want %q and %q", name, before, after, c.before, c.want)
		}
	}
}
