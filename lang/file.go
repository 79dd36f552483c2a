package lang

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
)

// text is one text of a words file in its plural forms; a text without plurals has only
// plural.Other.
type text struct {
	id    string
	forms [plural.Many + 1]string
}

// formsByName lists the keys that make a table one text with plural forms.
var formsByName = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many,
	"other": plural.Other,
}

// readTexts parses a words file: the part of TOML that words need. A line is a comment, the head of
// a table, or a key with a string in one line or an inline table of such. Every command of norn
// reads four thousand texts at its start, and a general TOML parser takes ten times as long. Byte
// order marks and Windows line ends are accepted.
func readTexts(data []byte) ([]text, error) {
	f := &wordsFile{texts: make([]text, 0, len(data)/40)}
	source := TextOf(data)
	for source != "" && f.err == nil {
		f.line++
		f.rest, source, _ = strings.Cut(source, "\n")
		f.readLine()
	}
	if f.err == nil {
		f.endTable()
	}
	if f.err != nil {
		return nil, fmt.Errorf("line %d: %w", f.line, f.err)
	}
	return f.texts, nil
}

// wordsFile is a words file while it is read, line by line.
type wordsFile struct {
	texts []text
	table string // id of the current table, "" before the first
	first int    // index of the table's first text
	line  int
	rest  string // rest of the line
	err   error
}

func (f *wordsFile) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

func (f *wordsFile) space() {
	for f.rest != "" && (f.rest[0] == ' ' || f.rest[0] == '\t') {
		f.rest = f.rest[1:]
	}
}

// take removes a sign and the space after it from the rest of the line, and reports whether it was
// there.
func (f *wordsFile) take(sign byte) bool {
	if f.rest == "" || f.rest[0] != sign {
		return false
	}
	f.rest = f.rest[1:]
	f.space()
	return true
}

func (f *wordsFile) readLine() {
	f.space()
	if f.take('[') {
		f.endTable()
		f.table = f.readKey()
		f.first = len(f.texts)
		if !f.take(']') {
			f.fail("a table's head ends in ]")
		}
	} else if f.rest != "" && f.rest[0] != '#' {
		f.readPair(f.table)
	}
	if f.rest != "" && f.rest[0] != '#' {
		f.fail("nothing is expected here: %q", f.rest)
	}
}

// readPair reads a key and what it names: a text, or a table in braces.
func (f *wordsFile) readPair(table string) {
	quoted := strings.HasPrefix(f.rest, `"`) || strings.HasPrefix(f.rest, "'")
	id := f.readKey()
	if !quoted && strings.Contains(id, ".") {
		f.fail("%s stands in quotes, or after the head of a table", id)
	}
	if table != "" {
		id = table + "." + id
	}
	if !f.take('=') {
		f.fail("a key is followed by =")
	}
	if f.err != nil {
		return
	}
	if !f.take('{') {
		said := text{id: id}
		said.forms[plural.Other] = f.readString()
		f.texts = append(f.texts, said)
		return
	}
	first := len(f.texts)
	for !f.take('}') && f.err == nil {
		f.readPair(id)
		if !f.take(',') && !strings.HasPrefix(f.rest, "}") {
			f.fail("texts in braces are separated by commas")
		}
	}
	f.joinForms(id, first)
}

// endTable makes the table before one text if its keys are plural forms.
func (f *wordsFile) endTable() {
	if f.table != "" {
		f.joinForms(f.table, f.first)
	}
}

// joinForms makes the texts from first on, which are those of the table id, one text if their keys
// are plural forms.
func (f *wordsFile) joinForms(id string, first int) {
	joined, forms, others := text{id: id}, 0, 0
	for _, t := range f.texts[first:] {
		key := t.id[len(id)+1:]
		form, ok := formsByName[key]
		if !ok {
			others++
			continue
		}
		if joined.forms[form] != "" {
			f.fail("the form %q of %s stands twice", key, id)
		}
		forms++
		joined.forms[form] = t.forms[plural.Other]
	}
	if forms > 0 && others > 0 {
		f.fail("%s has plural forms and other texts", id)
	}
	if forms > 0 {
		f.texts = append(f.texts[:first], joined)
	}
}

// readKey reads a key, whose parts are joined by dots.
func (f *wordsFile) readKey() string {
	f.space()
	key := ""
	for f.err == nil {
		var part string
		if strings.HasPrefix(f.rest, `"`) || strings.HasPrefix(f.rest, "'") {
			part = f.readString()
		} else {
			end := 0
			for end < len(f.rest) && isBareKey(f.rest[end]) {
				end++
			}
			if part, f.rest = f.rest[:end], f.rest[end:]; part == "" {
				f.fail("a key is expected, of letters, digits, - and _")
			}
			f.space()
		}
		if key == "" {
			key = part
		} else {
			key += "." + part
		}
		if !f.take('.') {
			break
		}
	}
	return key
}

// isBareKey reports whether a key may have a sign without quotes.
func isBareKey(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// readString reads a string in one line, in double quotes or, without escapes, in single ones.
func (f *wordsFile) readString() string {
	var said string
	switch {
	case strings.HasPrefix(f.rest, `"""`), strings.HasPrefix(f.rest, "'''"):
		f.fail("a text stands in one line")
	case strings.HasPrefix(f.rest, "'"):
		end := strings.IndexByte(f.rest[1:], '\'')
		if end < 0 {
			f.fail("a text in ' ends in '")
			break
		}
		said, f.rest = f.rest[1:1+end], f.rest[end+2:]
	case strings.HasPrefix(f.rest, `"`):
		end := 1
		for end < len(f.rest) && f.rest[end] != '"' {
			if f.rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(f.rest) {
			f.fail(`a text in " ends in "`)
			break
		}
		said, f.rest = f.rest[1:end], f.rest[end+1:]
		if strings.Contains(said, `\`) {
			said = f.unescape(said)
		}
	default:
		f.fail("a text in quotes is expected")
	}
	f.space()
	return said
}

var errEscape = errors.New(`after \ stands one of b t n f r " \ u U`)

// unescape replaces what is written with a backslash.
func (f *wordsFile) unescape(said string) string {
	var b strings.Builder
	for rest := said; rest != ""; {
		plain, escaped, found := strings.Cut(rest, `\`)
		b.WriteString(plain)
		if !found {
			break
		}
		if !strings.ContainsRune(`btnfr"\uU`, rune(escaped[0])) {
			f.err = errors.Join(f.err, errEscape)
			return ""
		}
		sign, _, tail, err := strconv.UnquoteChar(`\`+escaped, '"')
		if err != nil {
			f.err = errors.Join(f.err, errEscape)
			return ""
		}
		b.WriteRune(sign)
		rest = tail
	}
	return b.String()
}
