package secrets

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/lang"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
	"norn/web"
)

// behind does what a game master can do in secret, and what is addressed to few people, all with
// marked texts: notes, prepared scenes, lists and clocks of their own, requested moves, words to the
// game master, ready characters, favourites.
func (p *party) behind() {
	p.taken(p.gm.api("POST", "/notes", map[string]any{"text": p.ledger.text("a note", "gm")}))
	p.taken(p.gm.api("POST", "/scenes", map[string]any{
		"title": p.ledger.text("a prepared scene", "gm"), "note": p.ledger.text("its note", "gm"),
	}))
	p.taken(p.gm.api("POST", "/lists", map[string]any{
		"name": p.ledger.text("a list", "gm"), "rows": "Name\n" + p.ledger.text("a row of it", "gm"), "hidden": true,
	}))
	p.taken(p.gm.api("POST", "/clocks", map[string]any{
		"name": p.ledger.text("a clock", "gm"), "max": 6, "hidden": true,
	}))
	for _, g := range p.seated[1:3] {
		p.taken(g.api("POST", "/talk",
			map[string]any{"text": p.ledger.text(g.name+"'s word to the game master", "gm", g.name), "secret": true}))
	}
	p.taken(p.gm.api("POST", "/talk",
		map[string]any{"text": p.ledger.text("the game master's word to themselves", "gm"), "secret": true}))
	p.calls()
	if stock := p.game.InStock(spoken().In(lang.En)); len(stock) > 0 {
		ready := stock[p.IntN(len(stock))]
		must(p.t, p.adds(act.CharacterRequest{Name: ready.Name, Stock: ready.ID}))
		p.notes(nil)
	}
}

// calls requests a move from players, with a text that only readers of the character may see.
func (p *party) calls() {
	shown, err := p.gm.seat.View(p.t.Context())
	must(p.t, err)
	for _, g := range p.seated[1:3] {
		for _, at := range p.Perm(len(shown.Moves)) {
			m := shown.Moves[at]
			i := slices.IndexFunc(shown.Characters, func(c view.CharacterShown) bool {
				return c.Owner == g.id && slices.Contains(m.Characters, c.ID)
			})
			if i < 0 {
				continue
			}
			got := p.gm.api("POST", "/calls", map[string]any{
				"move": m.ID, "character": shown.Characters[i].ID,
				"text": p.ledger.text("what "+g.name+" is asked for", "gm", "anna", "bohdan", "watcher"),
			})
			if got.status == http.StatusOK {
				p.taken(g.api("POST", "/favourites",
					map[string]any{"character": shown.Characters[i].ID, "move": m.ID, "on": true}))
				break
			}
		}
	}
}

func (p *party) taken(got sent) {
	if got.status != http.StatusOK {
		p.t.Errorf("status %d: %s", got.status, got.body)
	}
}

// pries looks wherever a secret may have been left: searches, parts of the log, the game master's
// screen, checks of secret rolls, luck, the story in all languages, resumed streams, and everything
// that is the same for everybody: odds as files, the service worker, the app.
func (p *party) pries() {
	base := "/t/" + p.id
	script := map[string]string{"HX-Request": "true"}
	fill := strings.NewReplacer("{$}", "", "{game}", p.game.ID, "{move}", p.game.Moves[0].ID, "{file}", "odds.csv",
		"{lang}", "uk")
	for _, g := range p.all {
		for _, pattern := range web.Routes() {
			if method, path, _ := strings.Cut(pattern, " "); method == "GET" && !strings.HasPrefix(path, "/t/") {
				g.page("GET", fill.Replace(path), nil, nil)
			}
		}
		g.page("GET", base+"?_find="+sign, nil, nil)
		g.page("GET", base+"?_part="+string(request.Talks), nil, nil)
		g.page("GET", base+"/gm", nil, nil)
		g.page("GET", base+"/lists", nil, nil)
		g.page("GET", base+"/session/1", nil, nil)
		g.page("GET", base+"/complete?"+url.Values{"line": {"/"}}.Encode(), nil, script)
		g.page("GET", base+"/public", nil, nil)
		g.api("GET", "/luck", nil)
		if g != p.gm { // the game master's file has more: see play
			g.page("GET", base+"/export.jsonl", nil, nil)
			g.api("GET", "/export", nil)
		}
		for _, move := range p.secret[max(0, len(p.secret)-2):] {
			g.page("GET", base+"/check/"+move, nil, nil)
			g.page("GET", base+"?_again="+move[1:]+"&_at="+move[1:], nil, nil)
		}
		for _, l := range lang.All {
			was := g.lang
			g.lang = string(l)
			g.api("GET", "/export.md", nil)
			g.lang = was
		}
		after := strconv.Itoa(p.length(p.id) / 2)
		defer g.stream("/api/v1/tables/"+g.table+"/live?after="+after, http.DefaultClient, func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+g.secret)
		})()
		defer g.stream(base+"/live", g.pages, func(r *http.Request) {
			r.Header.Set("HX-Request", "true")
			r.Header.Set("Last-Event-ID", after)
		})()
	}
	// and all streams receive something
	p.taken(p.gm.api("POST", "/talk", map[string]any{"text": "heard by all"}))
}
