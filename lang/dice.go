package lang

import (
	"regexp"
	"strconv"
)

// Die is the name of a die's size as players write it: "d10", "к10".
func (s Speaker) Die(sides int) string { return s.die(strconv.Itoa(sides)) }

func (s Speaker) die(sides string) string { return s.Say("lang.die", "Sides", sides) }

// written is a die in notation, whichever letter it was typed with.
var written = regexp.MustCompile(`(^|[^\pL])[dDдДкК](\d+|%)`)

// Notation returns dice notation in the letters of the language: 1d8+2 is 1к8+2 in Russian. Other
// text stays as it is.
func (s Speaker) Notation(text string) string {
	return written.ReplaceAllStringFunc(text, func(die string) string {
		part := written.FindStringSubmatch(die)
		return part[1] + s.die(part[2])
	})
}
