package script

import (
	"regexp"
	"strings"
	"testing"

	"norn/lang"
)

// Each mistake is said in plain words, at the line where people look for it.
func TestMistakesInSpellingAreSaidInPlainWords(t *testing.T) {
	tokens := regexp.MustCompile(`\bgot\b|identifier|newline|indent|outdent|expression|` +
		`literal|\bEOF\b|primary|unary|binary op`)
	for text, want := range map[string]string{
		"def f():\n    return 1 +\n": `2: this line ends too early; write what comes ` +
			`after “+”`,
		"def f():\n    x +=\n": `2: this line ends too early; write what comes ` +
			`after “+=”`,
		"def f()\n    return roll(d6)\n":                                  `1: a colon is missing`,
		"def f():\n    if roll(d6) > 3\n        return 1\n    return 0\n": `2: a colon is missing`,
		"def f():\nreturn roll(d6)\n":                                     `2: begin this line four spaces further right`,
		"def f():\n    x = 1\n      y = 2\n    return x\n":                `3: this line begins at another place`,
		"def f():\n    x = 1\n  y = 2\n    return x\n":                    `3: this line begins at another place`,
		"def f():\n    if roll(d6) = 6:\n        return 1\n":              `2: one = gives a name its value`,
		"def f():\n    if roll(d6) => 6:\n        return 1\n":             `2: “=>” isn’t a sign of rules; write >=`,
		"def f():\n    return roll(d6) roll(d6)\n": `2: a comma, a sign such as + or a new line is missing ` +
			`before “roll”`,
		"def f():\n    return 2d6\n":       `2: inside a rule dice are written as functions`,
		"def f():\n    return sum(2, d6\n": `2: the bracket “(” isn’t closed; put )`,
		"def f():\n    return sum(2, d6]\n": `2: “]” closes nothing here, because “(” is ` +
			`open; write )`,
		"def f():\n    x = 1 if roll(d6) > 3\n    return x\n": `2: after if in the middle of a line`,
		"def f():\n    return good(\"x)\n":                    `2: this text doesn’t end`,
		"def f():\n    return roll(d6) × 2\n":                 `2: “×” isn’t a sign of rules; write *`,
		"def f():\n    return roll(d6) && 1\n":                `2: “&&” isn’t a sign of rules; write and`,
		"def f():\n    else:\n        return 1\n":             `2: “else” needs an if above it`,
		"def f():\n    class = 3\n":                           `2: “class” can’t be used here`,
		"def f() {\n  return 1\n}\n":                          `1: there are no braces around lines`,
		"x = {1: 2, 3}\n":                                     `1: write each item between braces`,
		"def f(:\n    return 3\n":                             `1: the bracket “(” isn’t closed; put )`,
		"def f:\n    return 3\n":                              `1: write brackets after the name`,
		"def f():\n    return 1 < 2 < 3\n":                    `2: two comparisons can’t be joined like this`,
		"def f():\n    return 01\n":                           `2: this isn’t a number that can be read`,
		"return 3\n":                                          `1: return works only inside of def`,
		"def f():\n    break\n":                               `2: break and continue work only inside of for`,
		"def f():\n    f() = 3\n":                             `2: only a name can get a value`,
		"def f(a, a):\n    return 1\n":                        `1: two parameters are called a`,
		"def f():\n    return sum(n = 2, d6)\n":               `2: values without a name come first`,
		"x = 3\nx = 4\n":                                      `2: this name is given twice`,
		"x = 1 // 0\n":                                        `1: this divides by zero`,
		"x = 3(4)\n":                                          `1: brackets after this mean a call`,
		"x = [1][3]\n":                                        `1: the list is too short`,
		"x = 1 + \"a\"\n":                                     `1: these two can’t be put together`,
		"for i in 3:\n    x = 1\n":                            `1: this isn’t a list`,
		"def g(a):\n    return a\nx = g()\n":                  `2: this function gets other values`,
	} {
		_, err := CompileRule(text)
		p, ok := err.(*Problem)
		if !ok {
			t.Errorf("%q: %v", text, err)
			continue
		}
		line, what, _ := strings.Cut(want, ": ")
		if got := p.Explain(english()); string(rune('0'+p.Line)) != line || !strings.HasPrefix(got, what) {
			t.Errorf("%q: %d: %s, want %s", text, p.Line, got, want)
		}
		for _, in := range lang.All {
			said := p.Explain(ownWords().In(in))
			if found := tokens.FindString(said); found != "" || in != lang.En && said == p.Explain(english()) {
				t.Errorf("%q in %s: %q in %s", text, in, found, said)
			}
		}
	}
}
