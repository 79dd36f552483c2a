package html

import (
	"regexp"

	"norn/lang"
)

// RulesOf is the address of a game's rules.
func RulesOf(game string) string { return "/rules/" + game }

var rule = regexp.MustCompile(`\b[A-Z]{2}-\d{2}\b`)

// ruled takes a text apart at the ids of rules in it: every second part is one.
func ruled(text string) []string {
	var parts []string
	last := 0
	for _, at := range rule.FindAllStringIndex(text, -1) {
		parts = append(parts, text[last:at[0]], text[at[0]:at[1]])
		last = at[1]
	}
	return append(parts, text[last:])
}

// GuideIn is where a page of the guide stands in a language.
func GuideIn(l lang.Lang, page string) string { return "/guide/" + string(l) + "/" + page }
