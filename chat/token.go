package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a line, a quoted text, a comma or a colon.
type token struct {
	kind    tokenKind
	text    string // without quotes
	at, end int    // in the line, with quotes
}

type tokenKind uint8

const (
	word tokenKind = iota
	quoted
	comma
	colon
	unclosed // a quoted text without an end
)

var closing = map[rune]string{'"': `"`, '«': "»", '“': "”", '„': "“”"}

// tokens splits a line from a byte on. A colon counts where a value may follow: before a space, a
// quote or the end; so "c2:0" is one word. An equals sign always counts.
func tokens(line string, from int) []token {
	var found []token
	for i := from; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
		case r == ',' || r == ';' || r == '·':
			found = append(found, token{comma, line[i : i+size], i, i + size})
			i += size
		case r == '=' || r == ':' && valueMayFollow(line[i+1:]):
			found = append(found, token{colon, line[i : i+size], i, i + size})
			i += size
		case closing[r] != "":
			text, end, ok := quote(line, i+size, closing[r])
			kind := quoted
			if !ok {
				kind = unclosed
			}
			found = append(found, token{kind, text, i, end})
			i = end
		default:
			end := wordEnd(line, i)
			found = append(found, token{word, line[i:end], i, end})
			i = end
		}
	}
	return found
}

func valueMayFollow(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(r) || closing[r] != ""
}

func wordEnd(line string, i int) int {
	for end := i; end < len(line); {
		r, size := utf8.DecodeRuneInString(line[end:])
		if unicode.IsSpace(r) || strings.ContainsRune(",;·=", r) || r == ':' && end > i &&
			valueMayFollow(line[end+1:]) || closing[r] != "" {
			return end
		}
		end += size
	}
	return len(line)
}

// quote reads a text up to its closing quote. A backslash escapes a quote or a backslash.
func quote(line string, i int, ends string) (text string, end int, ok bool) {
	var b strings.Builder
	for i < len(line) {
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == '\\' && i+1 < len(line) {
			next, wide := utf8.DecodeRuneInString(line[i+1:])
			if next == '\\' || strings.ContainsRune(ends, next) {
				b.WriteRune(next)
				i += 1 + wide
				continue
			}
		}
		if strings.ContainsRune(ends, r) && r != utf8.RuneError {
			return b.String(), i + size, true
		}
		b.WriteString(line[i : i+size])
		i += size
	}
	return b.String(), len(line), false
}

// quotation quotes a text so that it's read unchanged.
func quotation(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// plain reports whether a text is read without quotes as one run of words, none of which names the
// actor.
func plain(text string) bool {
	if text == "" || text != strings.Join(strings.Fields(text), " ") {
		return false
	}
	for _, t := range tokens(text, 0) {
		if t.kind != word || t.text[0] == '@' {
			return false
		}
	}
	return true
}

// short returns what a message can show of a written text.
func short(text string) string {
	const shown = 60
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text))
	if len(runes) > shown {
		runes = append(runes[:shown:shown], '…')
	}
	return string(runes)
}

func joinTexts(texts []string) string { return strings.Join(texts, ", ") }
