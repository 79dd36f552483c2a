package chat

import (
	"unicode/utf8"

	"norn/lang"
)

// near is the candidate that differs from what was written by the fewest letters, "" where none is near: at most a third
// of the letters, never more than three, and never all of them. What was written itself is no help.
func near(given string, candidates []string) string {
	given = key(given)
	best, least := "", min(max(utf8.RuneCountInString(given)/3, 1), 3)+1
	for _, c := range candidates {
		if d := lang.Slips(given, key(c)); 0 < d && d < least && d < utf8.RuneCountInString(c) {
			best, least = c, d
		}
	}
	return best
}
