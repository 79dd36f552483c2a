package lang

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Key returns the canonical form of a text that people write, for comparison in search, names,
// completion and commands. Texts that look alike have the same key: it ignores case, composes
// letters (NFC), reads ё as е, treats all apostrophes alike and all dashes alike, and drops
// invisible characters and spaces that aren't between words. The key of a key is itself.
func Key(text string) string {
	if !plainly(text) {
		text = norm.NFC.String(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	gap, whole := false, true // whole: no character was dropped between letters that are now adjacent
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
			continue
		case r >= 0x80 && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)):
			whole = false
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		if r < 0x80 || 'а' <= r && r <= 'я' {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			if r == '`' {
				r = '\''
			}
			b.WriteRune(r)
			continue
		}
		if r = fold(r); r >= 0x300 && (r < 'а' || r > 'я') {
			whole = false
		}
		b.WriteRune(r)
	}
	if whole {
		return b.String()
	}
	if again := norm.NFC.String(b.String()); again != text {
		return Key(again)
	}
	return b.String()
}

// plainly reports whether a text needs no composing, which is the usual case.
func plainly(text string) bool {
	for _, r := range text {
		if r >= 0x300 && (r < 'А' || r > 'я') {
			return false
		}
	}
	return true
}

// fold returns the character used for comparison.
func fold(r rune) rune {
	switch r = unicode.ToLower(r); r {
	case 'ё':
		return 'е'
	case '’', '‘', 'ʼ', 'ʹ', '′', '´', '＇':
		return '\''
	case '–', '—', '‐', '‑', '‒', '−', '－':
		return '-'
	}
	return r
}
