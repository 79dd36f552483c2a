package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
)

// An edit changes numbers by their difference and sets everything else that it has changed, also in a
// copy that isn't as the sheet was.
func TestEditChangesACopyByWhatItChanged(t *testing.T) {
	type track struct{ Now, Max int }
	type sheet struct {
		Hurt, Luck int
		Name       string
		Track      track
		Bag        []string
		Usual      form.Number // whose parts only its package can set
	}
	was := sheet{2, 3, "Lira", track{1, 5}, []string{"rope"}, form.NewNumber(6)}
	for name, c := range map[string]struct{ copy, is, want any }{
		"the sheet itself": {
			was, sheet{5, 3, "Lia", track{0, 5}, nil, form.NewNumber(7)}, sheet{5, 3, "Lia", track{0, 5}, nil, form.NewNumber(7)},
		},
		"a copy without another's changes": {
			sheet{0, 9, "L", track{4, 4}, []string{"lamp"}, form.Number{}},
			sheet{5, 3, "Lira", track{0, 5}, []string{"rope"}, form.NewNumber(7)},
			sheet{3, 9, "L", track{3, 4}, []string{"lamp"}, form.NewNumber(7)},
		},
		"nobody's sheet":  {nil, was, nil},
		"another's sheet": {track{1, 2}, was, track{1, 2}},
	} {
		got := game.Edited{Who: "c1", Was: was, Is: c.is}.Apply(c.copy)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(form.Number{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
