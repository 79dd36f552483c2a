package lang

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Key returns the one form in which texts that people write are compared: in search, names,
// completion and commands. Texts that look alike have the same key: it knows no case, composes
// letters (NFC), takes ё for е, all apostrophes and all dashes for one, and leaves out signs that
// can't be seen and spaces that aren't between words. A key's key is itself.
func Key(text string) string {
	if !plainly(text) {
		text = norm.NFC.String(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	gap, whole := false, true // whole: no sign was left out between letters that now meet
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

// plainly reports whether a text needs no composing, like nearly all texts.
func plainly(text string) bool {
	for _, r := range text {
		if r >= 0x300 && (r < 'А' || r > 'я') {
			return false
		}
	}
	return true
}

// fold returns the character that a comparison uses.
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
