//go:build browser

package playtest

import (
	"testing"

	"norn/lang"
)

// Somebody who presses the most prominent control, alone and as a guest on a phone, plays Spire
// from the first page to the recap.
func TestNewcomerAndGuestPlaySpireToItsRecap(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.naiveEvening(t, "spire", lang.Ru)
}
