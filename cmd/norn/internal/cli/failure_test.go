package cli

import "testing"

func TestTheNearestNameIsSuggested(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"chekc", "check"},
		{"chek", "check"},
		{"fall", "fallout"},
		{"strss", "stress"},
		{"zzz", ""},
		{"x", ""},
		{"", ""},
	} {
		if got := Nearest(c.typed, []string{"check", "stress", "fallout"}); got != c.want {
			t.Errorf("nearest(%q) = %q, want %q", c.typed, got, c.want)
		}
	}
}
