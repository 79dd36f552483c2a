package lang

import (
	"regexp"
	"strconv"
)

// Die returns a die's name as players write it: "d10", "к10".
func (s Speaker) Die(sides int) string { return s.die(strconv.Itoa(sides)) }

func (s Speaker) die(sides string) string { return s.Say("lang.die", "Sides", sides) }

// written matches a die in notation with any language's letter.
var written = regexp.MustCompile(`(^|[^\pL])[dDдДкК](\d+|%)`)

// Notation returns dice notation in the letters of the language: 1d8+2 is 1к8+2 in Russian. Other
// text isn't changed.
func (s Speaker) Notation(text string) string {
	return written.ReplaceAllStringFunc(text, func(die string) string {
		part := written.FindStringSubmatch(die)
		return part[1] + s.die(part[2])
	})
}
