package act

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"norn/table/internal/visibility"
	"norn/table/refusal"
)

// checkOwnName refuses a player's new name for the seat or its character if it looks like the name
// of another seat or of somebody else's character, because readers of the log go by names. It
// ignores names that the seat doesn't see, and names that a game master gives. character is the one
// that gets the name, "" for a new one or the seat. Logs aren't checked, since older ones have such
// names.
func checkOwnName(e *visibility.Eye, name, character string) error {
	if e.Viewer.IsGM() {
		return nil
	}
	shape := shapeOf(name)
	if shape == "" && strings.TrimSpace(name) != "" {
		return refusal.Refuse("name-unseen", nil)
	}
	for _, s := range e.Table.Seats.Here() {
		if s.ID != e.Seat.ID && shapeOf(s.Name) == shape {
			return refusal.Refuse("name-taken", map[string]any{"Name": s.Name})
		}
	}
	for _, c := range e.Table.Characters {
		if c.ID != character && c.Owner != e.Seat.ID && !c.Removed && e.Sees(c.ID) && shapeOf(c.Name) == shape {
			return refusal.Refuse("name-taken", map[string]any{"Name": c.Name})
		}
	}
	return nil
}

// shapeOf reduces a name to what is seen at a glance: without case, accents, spaces and invisible
// characters, and with one letter for all that look alike.
func shapeOf(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		if unicode.In(r, unicode.M, unicode.Cf, unicode.Cc, unicode.Z) || strings.ContainsRune(fillers, r) {
			continue
		}
		r = unicode.ToLower(unicode.ToUpper(r))
		if alike, ok := lookalikes[r]; ok {
			r = alike
		}
		b.WriteRune(r)
	}
	return strings.NewReplacer("rn", "m", "vv", "w").Replace(b.String())
}

// fillers are invisible characters that Unicode counts as letters.
const fillers = "\u115f\u1160\u2800\u3164\uffa0"

// lookalikes maps letters to a letter of another script that looks like them in either case, or to
// a digit: в to b, because В looks like B.
var lookalikes = func() map[rune]rune {
	all := map[rune]rune{}
	for like, letters := range map[rune]string{
		'a': "аαɑ", 'b': "вβьъ", 'c': "сϲ", 'd': "ԁ", 'e': "еεєҽ", 'g': "ɡԍ", 'h': "нηһ", 'i': "l1|іιıӏ!", 'j': "јϳ",
		'k': "кκ", 'm': "мμ", 'n': "ν",
		'o': "0оοσ", 'p': "рρ", 'q': "ԛ", 'r': "г", 's': "5ѕ", 't': "тτ", 'v': "ѵ", 'w': "ԝω", 'x': "хχ", 'y': "уυүγ",
		'z': "ζ",
		'3': "зэӡ", '6': "б", '-': "‐–—−_", '\'': "’ʼ′`‘",
	} {
		for _, letter := range letters {
			all[letter] = like
		}
	}
	return all
}()
