package secrets

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"norn/games"
	"norn/table/verify"
)

var (
	inPage = regexp.MustCompile(`name="_token" value="([0-9a-f]{32})"`)
	inJSON = regexp.MustCompile(`"takeBack":"([0-9a-f]{32})"`)
)

// The token that withdraws an X-card is sent only to the seat that raised it, and once: in the
// answer to the request. No stream, page, file, log or metric contains it. The table's file doesn't
// depend on who raised it.
func TestWhoRaisedAnXCardIsNeverRevealed(t *testing.T) {
	g := games.All()[0]
	files := map[string]string{}
	for _, name := range []string{"anna", "bohdan"} {
		p := gather(t, g, g, 1)
		heard := map[string]*strings.Builder{}
		p.heard = func(guest, text string) {
			if heard[guest] == nil {
				heard[guest] = &strings.Builder{}
			}
			heard[guest].WriteString(text)
		}
		var raiser *guest
		for _, each := range p.seated {
			if each.name == name {
				raiser = each
			}
		}
		tokens := []string{p.raisesByPage(raiser), p.raisesByAPI(raiser)}
		p.looks()
		p.hears("metrics and log", "both", p.log.String())
		file, err := p.gm.exported()
		must(t, err)
		p.tight()
		p.mu.Lock()
		for guest, text := range heard {
			for _, token := range tokens {
				want := 0
				if guest == name {
					want = 1
				}
				if got := strings.Count(text.String(), token); got != want {
					t.Errorf("%s has raised it, and %s was sent its token %d times", name, guest, got)
				}
			}
		}
		p.mu.Unlock()
		if _, err := verify.File(games.All(), spoken(), strings.NewReader(file)); err != nil {
			t.Error(err)
		}
		files[name] = file
	}
	if files["anna"] != files["bohdan"] {
		t.Error("the file tells who raised the X-card")
	}
}

// raisesByPage raises an X-card and withdraws it, by script.
func (p *party) raisesByPage(who *guest) (token string) {
	p.t.Helper()
	script := map[string]string{"HX-Request": "true"}
	raised := who.page("POST", "/t/"+p.id+"/x-card", url.Values{}, script)
	found := inPage.FindSubmatch(raised.body)
	if found == nil {
		p.t.Fatalf("raised with %d: %s", raised.status, raised.body)
	}
	if back := who.page("POST", "/t/"+p.id+"/x-card/back", url.Values{"_token": {string(found[1])}},
		script); back.status != http.StatusOK {
		p.t.Errorf("taken back with %d: %s", back.status, back.body)
	}
	return string(found[1])
}

// raisesByAPI does the same by the API.
func (p *party) raisesByAPI(who *guest) (token string) {
	p.t.Helper()
	raised := who.api("POST", "/x-card", map[string]any{})
	found := inJSON.FindSubmatch(raised.body)
	if found == nil {
		p.t.Fatalf("raised with %d: %s", raised.status, raised.body)
	}
	back := who.api("POST", "/x-card/back", map[string]any{"token": string(found[1])})
	var left struct{ X *uint64 }
	if err := json.Unmarshal(back.body, &left); err != nil || left.X == nil || *left.X != 0 {
		p.t.Errorf("taken back with %d: %s", back.status, back.body)
	}
	return string(found[1])
}
