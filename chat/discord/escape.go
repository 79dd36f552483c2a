package discord

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// escape returns a text that Discord shows unchanged, without markup, links, mentions or emoji.
func escape(text string) string {
	var out strings.Builder
	begins, digits := true, false // at the beginning of a line; after digits there
	for i, r := range text {
		switch {
		case r == '\n':
			begins, digits = true, false
			out.WriteRune(r)
			continue
		case begins && unicode.IsSpace(r):
			out.WriteRune(r)
			continue
		case begins && r >= '0' && r <= '9':
			digits = true
			out.WriteRune(r)
			continue
		case strings.ContainsRune("\\*_~`|<>[]@", r),
			r == ':' && strings.HasPrefix(text[i:], "://"),
			begins && !digits && strings.ContainsRune("#-+", r), // headings, subtext, lists
			begins && digits && (r == '.' || r == ')'):
			out.WriteByte('\\')
		}
		begins = false
		out.WriteRune(r)
	}
	return out.String()
}

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// tail returns the end of a text, as much as Discord accepts.
func tail(text string, most int) string {
	n := 1
	for i := len(text); i > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if n += utf16.RuneLen(r); n > most {
			return "…" + text[i:]
		}
		i -= size
	}
	return text
}
