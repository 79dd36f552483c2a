//go:build !race

package web_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/internal/bare"
	"norn/internal/widget"
	"norn/lang"
	"norn/lang/langtest"
	"norn/web"
	"norn/web/api"
)

func TestWordsAreComplete(t *testing.T) {
	words, err := lang.Load(widget.Words, bare.Words, web.Words, api.Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, langtest.Project{
		Roots: []string{".", "../internal/widget"},
		Prefixes: []string{
			"web.error.", "web.called.", "web.edition.", "web.drawer.to.", "web.look.", "web.role.",
			"web.tab.", "web.keys.", "web.field.", "web.start.name", "web.undo.", "web.arrive.first.", "web.steps.",
			"web.log.part.", "web.tone.", "lang.", "api.title.", "bare.", "dice.",
		},
		Same: []string{"page.throw", "lang.", "web.odds.source", "web.odds.variant", "bare.", "dice.outcome.total"},
	})
}

// TestOnlyTheGamesOwnWordForItsGameMasterIsUsed checks that a game with its own word for the game master
// uses no other.
func TestOnlyTheGamesOwnWordForItsGameMasterIsUsed(t *testing.T) {
	words, err := lang.Load(wordFolders()...)
	if err != nil {
		t.Fatal(err)
	}
	stems := map[lang.Lang]*regexp.Regexp{
		lang.En: regexp.MustCompile(`(?i)\bgame master|\bGM\b`), lang.Ru: regexp.MustCompile(`(?i)ведущ`),
		lang.Uk: regexp.MustCompile(`(?i)ведуч`),
	}
	// these are used without a game
	anywhere := []string{"web.start.you-are-gm", "web.start.join-what", "web.error.not-found-what", "chat.verb.tell"}
	for _, l := range lang.All {
		shell, mage := words.In(l), words.In(l).Of("mage")
		for _, id := range words.IDs(l) {
			of, _, _ := strings.Cut(id, ".")
			if !slices.Contains([]string{"web", "table", "chat"}, of) || slices.Contains(anywhere, id) {
				continue
			}
			if found := stems[l].FindString(mage.Say(id)); found != "" {
				t.Errorf("%s: %s says %q at a table of Mage: name the term {{gm}} (%q)", l, id, found, shell.Say(id))
			}
		}
	}
}
