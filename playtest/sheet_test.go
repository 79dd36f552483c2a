package playtest

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"norn/games"
	"norn/lang"
)

// tableOf opens a table of a game by the API, with the demo's cast for one
// player, and returns the links of both seats.
func (s *server) tableOf(game, tongue string) (gm, player, table string) {
	s.t.Helper()
	answer := s.must("POST", "/tables", "", map[string]any{"game": game, "name": "Sheets", "lang": tongue})
	seat := answer["seat"].(map[string]any)
	table, secret := answer["id"].(string), seat["secret"].(string)
	anna := s.must("POST", "/tables/"+table+"/seats", secret, map[string]any{"name": "Anna", "role": "player"})
	for _, g := range games.All {
		if g.ID != game {
			continue
		}
		words, err := lang.Load(g.Words)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, c := range g.Demo(words.In(lang.Lang(tongue))).Cast {
			owner := ""
			if c.Player {
				owner = anna["id"].(string)
			}
			s.must("POST", "/tables/"+table+"/characters", secret, map[string]any{"name": c.Name, "kind": c.Kind, "owner": owner, "sheet": c.Sheet})
		}
	}
	return s.url("/t/" + table + "/" + secret), s.url("/t/" + table + "/" + anna["secret"].(string)), table
}

// All five games' sheets, to be looked at.
func TestSheetsOfAllGames(t *testing.T) {
	s := serve(t)
	for _, g := range games.All {
		gm, _, _ := s.tableOf(g.ID, "en")
		one := sit(t, g.ID, 1440, 900)
		one.visit(gm)
		one.sees("#sheet .sheet", "")
		one.picture("wide")
		if os.Getenv("NORN_PICTURES") == "" {
			continue
		}
		one.do("look narrow", chromedp.EmulateViewport(360, 780, chromedp.EmulateMobile, chromedp.EmulateTouch))
		one.visit(one.ask("location.href") + "?_tab=sheet")
		one.picture("narrow")
	}
	_ = fmt.Sprint
	_ = kb.Tab
}
