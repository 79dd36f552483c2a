package api_test

import "testing"

func TestOddsRowsNameBandsAndSymbols(t *testing.T) {
	c := serve(t)
	for _, test := range []struct {
		notation string
		want     map[string]bool
	}{
		{"2d6: miss 6-, weak 7-9, strong 10+", map[string]bool{"miss": true, "weak": true, "strong": true}},
		{"d{sun,moon}", map[string]bool{"sun": true, "moon": true}},
		{"2d6", map[string]bool{"": true}},
	} {
		got := c.send("POST", "/api/v1/odds/dice/notation", "", body{"args": body{"notation": test.notation}}).want(200)
		seen := map[string]bool{}
		for _, row := range got["rows"].([]any) {
			name, _ := row.(map[string]any)["name"].(string)
			if seen[name] = true; !test.want[name] {
				t.Errorf("%s: a row is named %q", test.notation, name)
			}
		}
		if len(seen) != len(test.want) {
			t.Errorf("%s: names are %v", test.notation, seen)
		}
	}
}
