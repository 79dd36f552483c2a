package chat

import "unicode/utf8"

// near is the candidate that differs from what was written by the fewest letters, "" where none is near: at most a third
// of the letters, never more than three, and never all of them. What was written itself is no help.
func near(given string, candidates []string) string {
	given = key(given)
	best, least := "", min(max(utf8.RuneCountInString(given)/3, 1), 3)+1
	for _, c := range candidates {
		if d := distance([]rune(given), []rune(key(c)), least); 0 < d && d < least && d < utf8.RuneCountInString(c) {
			best, least = c, d
		}
	}
	return best
}

// distance counts the letters to put in, take out, change or swap with the next, as far as most.
func distance(a, b []rune, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
