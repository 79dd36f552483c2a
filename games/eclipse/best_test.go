package eclipse

import (
	"testing"

	"norn/game"
	"norn/rule"
)

// The best use of a point after the roll, found through the question itself, must be worth what the
// variant shows. EP-20
func TestBestUseOfAPointIsWorthWhatItsVariantShows(t *testing.T) {
	sheet := lira
	sheet.Effects, sheet.Wounds, sheet.Traumas = nil, 0, 0
	s := scene(sheet)
	s.Settings = Settings{"stands", "offer", "ask"}
	hard := Test{Roll: Roll{On: "skill:know/Mars", Difficulty: "slightly-hard"}}
	late := testMove.Variants(s, hard)[2].Args
	for i, headline := range testHeadlines {
		aim, ok := testMove.Aim(headline.ID)
		if !ok {
			t.Fatalf("no aim %s", headline.ID)
		}
		best, err := rule.Lookahead[rule.Outcome]{
			Aim: aim.Value, Decides: func(to string) bool { return to == s.Actor },
			End: func(e rule.Event) (rule.Outcome, bool) {
				told, ok := e.(game.Resolved)
				return told.Outcome, ok
			},
		}.Walk(testMove.Play(s, hard))
		if err != nil {
			t.Fatal(err)
		}
		if want := chance(t, testMove, s, late, headline.Outcomes...); best.Worth.RatString() != want {
			t.Errorf("headline %d: %v, want %s", i, best.Worth, want)
		}
		if len(best.Assumed) != 0 || len(best.Choices) == 0 {
			t.Errorf("taken %d, assumed %v", len(best.Choices), best.Assumed)
		}
	}
}
