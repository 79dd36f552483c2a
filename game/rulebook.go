package game

import (
	"slices"
	"strings"
	"unicode"

	"norn/lang"
)

// Chapter groups rules of a game under a heading, named by the word chapter.ID.
type Chapter struct {
	ID    string
	Rules []string // ids, in reading order
}

// ChapterOf returns a chapter of rules by their numbers: SP-01, SP-02 …
func ChapterOf(id, of string, numbers ...int) Chapter {
	c := Chapter{ID: id}
	for _, n := range numbers {
		c.Rules = append(c.Rules, RuleIDs(of, n)[n-1])
	}
	return c
}

// FindRules returns the ids of the rules that contain every word of a query in their id, title or
// text in the language of s. Rules that contain all of it in id and title come first. Other forms
// of a word match too: "fallouts" finds fallout. An empty query finds none.
func (g *Game) FindRules(s lang.Speaker, query string) []string {
	wanted := searchWords(query)
	if len(wanted) == 0 {
		return nil
	}
	var byTitle, byText []string
	for _, id := range g.Rules {
		title := searchWords(g.RuleTitle(s, id))
		if lang.Key(id) == lang.Key(query) || hasWords(title, wanted) {
			byTitle = append(byTitle, id)
		} else if hasWords(append(title, searchWords(s.Say(g.Word("rule", id)))...), wanted) {
			byText = append(byText, id)
		}
	}
	return append(byTitle, byText...)
}

// RuleTitle returns a rule's title in the language of s, or "" if it has none.
func (g *Game) RuleTitle(s lang.Speaker, id string) string {
	if word := g.Word("rule-title", id); s.Has(word) {
		return s.Say(word)
	}
	return ""
}

// hasWords reports whether each wanted word, or another form of it, is in a text.
func hasWords(text, wanted []string) bool {
	for _, word := range wanted {
		if !slices.ContainsFunc(text, func(t string) bool { return strings.HasPrefix(t, stem(word)) }) {
			return false
		}
	}
	return true
}

// stem drops the last letters of a long word, in which its forms differ in all three languages.
func stem(word string) string {
	letters := []rune(word)
	return string(letters[:max(min(len(letters), 4), len(letters)-2)])
}

// searchWords returns the words of a text, normalized by lang.Key.
func searchWords(text string) []string {
	return strings.FieldsFunc(lang.Key(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
