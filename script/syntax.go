package script

import (
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// expected matches what the parser says of a token that it didn't expect.
var expected = regexp.MustCompile(`^got '?(.+?)'?, want '?(.+?)'?(, for, or if)?$`)

// lastToken matches the last word, number, text or sign of a line.
var lastToken = regexp.MustCompile(`(?:[-+*/%<>=!]=|[\pL\pN_.]+|"[^"]*"|'[^']*'|[^\s\pL\pN_])\s*$`)

// diceInText matches dice notation.
var diceInText = regexp.MustCompile(`(?:^|[^\pL\pN_])\d*[dDдДкК](?:\d+|[fF%])[\pL\pN!]*`)

// signs maps signs of other languages and of typesetting to those of a rule.
var signs = map[string]string{
	"“": `"`, "”": `"`, "„": `"`, "«": `"`, "»": `"`, "’": `"`, "‘": `"`, "×": "*", "·": "*", "÷": "//",
	"−": "-", "–": "-", "—": "-", "≥": ">=", "≤": "<=", "≠": "!=", "!": "not",
}

// keptWords are the words that Starlark keeps for itself.
var keptWords = []string{
	"as", "assert", "async", "await", "class", "del", "except", "finally", "from", "global", "import", "is",
	"nonlocal", "raise", "try", "with", "yield",
}

// syntaxProblem says what is wrong where a script can't be parsed, and how to fix it.
func syntaxProblem(source string, err syntax.Error) *Problem {
	s := spelling{lines: strings.Split(source, "\n"), pos: err.Pos}
	what := s.mistake(err.Msg)
	return at(s.pos, what)
}

// spelling is a place at which a script can't be parsed.
type spelling struct {
	lines []string
	pos   syntax.Position
}

// line returns a line without its comment, counted from 1.
func (s *spelling) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return codeOf(s.lines[n-1])
}

// codeOf removes a line's comment and the spaces at its end.
func codeOf(line string) string {
	quote := rune(0)
	for i, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '#':
			return strings.TrimRight(line[:i], " \t\r")
		}
	}
	return strings.TrimRight(line, " \t\r")
}

// before returns the line up to the place.
func (s *spelling) before() string {
	letters := []rune(s.line(int(s.pos.Line)))
	return string(letters[:min(len(letters), max(0, int(s.pos.Col)-1))])
}

// here returns the line from the place on.
func (s *spelling) here() string {
	letters := []rune(s.line(int(s.pos.Line)))
	return string(letters[min(len(letters), max(0, int(s.pos.Col)-1)):])
}

// back moves the place to the end of the last line with code above it.
func (s *spelling) back() {
	for n := int(s.pos.Line) - 1; n > 0; n-- {
		if line := s.line(n); strings.TrimSpace(line) != "" {
			s.pos.Line, s.pos.Col = int32(n), int32(len([]rune(line))+1)
			return
		}
	}
}

// mistake returns what is wrong. It moves the place to where people look for it.
func (s *spelling) mistake(msg string) error {
	token := strings.TrimSpace(lastToken.FindString(s.before()))
	switch {
	case strings.Contains(msg, "without else"):
		return wrong("syntax-else")
	case strings.Contains(msg, "in string"), strings.Contains(msg, "EOF in"):
		return wrong("syntax-quote")
	case strings.HasPrefix(msg, "unindent"):
		return wrong("syntax-indent")
	case strings.HasPrefix(msg, "unexpected input character"), strings.HasPrefix(msg, "unexpected "):
		sign, _, _ := strings.Cut(strings.TrimSpace(s.here()), " ")
		if letters := []rune(sign); len(letters) > 0 {
			sign = string(letters[:1])
		}
		if use, known := signs[sign]; known {
			return wrong("syntax-sign", "Sign", sign, "Use", use)
		}
		return wrong("syntax-before", "Text", sign)
	case strings.Contains(msg, "does not associate"):
		return wrong("syntax-chain")
	case strings.Contains(msg, "octal") || strings.Contains(msg, "literal") && strings.HasPrefix(msg, "invalid"):
		return wrong("syntax-number")
	case strings.HasPrefix(msg, "not an identifier"), strings.Contains(msg, "must have form name=expr"):
		return wrong("syntax-name", "Text", token)
	}
	if found := expected.FindStringSubmatch(msg); found != nil {
		return s.unexpected(found[1], found[2], token)
	}
	return s.unknown(token)
}

// unexpected returns what is wrong where the parser got one token and wants another.
func (s *spelling) unexpected(got, want, token string) error {
	if bracket, line := s.open(); bracket != "" && want != "primary expression" {
		switch {
		case strings.Contains(")]}", got) && got != "":
			return wrong("syntax-closes", "Text", got, "Open", bracket, "Use", closing[bracket])
		case line < int(s.pos.Line) || strings.Contains(got, "end of file") || got == ":" && bracket == "(":
			open := s.line(line)
			s.pos.Line, s.pos.Col = int32(line), int32(len([]rune(open[:strings.LastIndex(open, bracket)]))+1)
			return wrong("syntax-open", "Open", bracket, "Use", closing[bracket])
		}
		return s.gap(token)
	}
	switch ended := got == "newline" || got == "end of file" || got == "outdent"; {
	case want == ":" && got == "=" && strings.HasPrefix(strings.TrimSpace(s.here()), ">"):
		return wrong("syntax-sign", "Sign", "=>", "Use", ">=")
	case want == ":" && got == "=":
		return wrong("syntax-equal")
	case want == ":" && got == "}":
		return wrong("syntax-dict")
	case want == ":" && got == "{":
		return wrong("syntax-braces")
	case want == ":" && ended:
		if s.pos.Col == 1 {
			s.back()
		}
		return wrong("syntax-colon")
	case want == ":":
		return wrong("syntax-colon")
	case want == "indent":
		return wrong("syntax-inside")
	case got == "indent":
		return wrong("syntax-indent")
	case want == "(":
		return wrong("syntax-def")
	case want == "primary expression":
		return s.missing(got, ended)
	}
	return s.gap(token)
}

// missing returns what is wrong where a value must stand and none does.
func (s *spelling) missing(got string, ended bool) error {
	next := lastNext.FindString(s.here())
	switch {
	case ended:
		if s.pos.Col == 1 {
			s.back()
		}
		return wrong("syntax-end", "Text", strings.TrimSpace(lastToken.FindString(s.before())))
	case got == "else" || got == "elif":
		return wrong("syntax-if", "Text", got)
	case slices.Contains(keptWords, got):
		return wrong("syntax-reserved", "Text", got)
	case got == "&":
		return wrong("syntax-sign", "Sign", "&&", "Use", "and")
	case got == "|":
		return wrong("syntax-sign", "Sign", "||", "Use", "or")
	}
	if next == "" {
		return s.unknown(got)
	}
	return wrong("syntax-before", "Text", next)
}

// lastNext matches the first word or sign of a text.
var lastNext = regexp.MustCompile(`^(?:[\pL\pN_]+|\S)`)

// gap returns what is wrong where two things stand next to each other.
func (s *spelling) gap(token string) error {
	if diceInText.MatchString(s.line(int(s.pos.Line))) && !strings.Contains(s.before(), "(d") {
		return wrong("syntax-dice")
	}
	return wrong("syntax-gap", "Text", token)
}

func (s *spelling) unknown(token string) error {
	if token == "" {
		return wrong("syntax")
	}
	return wrong("syntax-near", "Text", token)
}

// closing maps brackets to those that close them.
var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

// open returns the innermost bracket that is open at the place, and its line; "" for none.
func (s *spelling) open() (bracket string, line int) {
	type one struct {
		sign string
		line int
	}
	var stack []one
	for n := 1; n <= int(s.pos.Line); n++ {
		code := s.line(n)
		if n == int(s.pos.Line) {
			code = strings.TrimRight(s.before(), "([{ ") // one at the place isn't open yet
		}
		quote := rune(0)
		for i, r := range code {
			switch {
			case quote != 0:
				if r == quote {
					quote = 0
				}
			case r == '"' || r == '\'':
				quote = r
			case strings.ContainsRune("([{", r):
				stack = append(stack, one{string(r), n})
			case strings.ContainsRune(")]}", r) && len(stack) > 0:
				last := stack[len(stack)-1]
				if closing[last.sign] != string(r) && n == int(s.pos.Line) && i >= len(strings.TrimRight(code, " "))-1 {
					return last.sign, last.line // this one is the mistake
				}
				stack = stack[:len(stack)-1]
			}
		}
	}
	if len(stack) == 0 {
		return "", 0
	}
	return stack[len(stack)-1].sign, stack[len(stack)-1].line
}
