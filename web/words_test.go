package web_test

import (
	"testing"

	"norn/bare"
	"norn/lang"
	"norn/lang/langtest"
	"norn/page"
	"norn/web"
	"norn/web/api"
)

func TestWords(t *testing.T) {
	words, err := lang.Load(page.Words, bare.Words, web.Words, api.Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, words, langtest.Project{
		Roots:    []string{".", "../page"},
		Prefixes: []string{"web.error.", "web.look.", "web.role.", "web.tab.", "web.keys.", "web.field.", "web.start.name", "web.undo.", "web.steps.", "web.log.part.", "web.tone.", "lang.", "api.title.", "bare.", "dice."},
		Same:     []string{"page.throw", "lang.", "web.odds.source", "web.odds.variant", "bare.", "dice.outcome.total"},
	})
}
