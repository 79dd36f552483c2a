//go:build !race

package web_test

import (
	"net/http"
	"strings"
	"testing"

	"norn/games"
)

// Every rule is on its game's page in the reader's language, and each mention of a rule links
// there.
func TestEveryRuleIsOnItsGamesPage(t *testing.T) {
	h := open(t)
	for _, g := range games.All() {
		page := h.stranger().get("/rules/" + g.ID)
		want(t, "status", page.status, http.StatusOK)
		stands := map[string]bool{}
		for _, id := range g.Rules {
			text := page.the(t, "id", id).says()
			stands[id] = true
			if len(text) < len(id)+10 || strings.Contains(text, "rule.") {
				t.Errorf("%s says %q", id, text)
			}
		}
		for _, link := range page.all(func(n *node) bool { return n.attrs["data-rule"] != "" }) {
			if !stands[link.attrs["data-rule"]] {
				t.Errorf("%s leads to no rule", link.attrs["href"])
			}
		}
	}
	want(t, "no game", h.stranger().get("/rules/chess").status, http.StatusNotFound)
}
