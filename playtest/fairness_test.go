//go:build e2e

package playtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"norn/dice"
)

// A player checks a roll before its session ends and after; the page itself computes the dice. Then
// its script checks hundreds of rolls of norn's own dice, correct and tampered with.
func TestPlayerChecksARollInTheBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("#seal [data-share=s1]", "")
	gm.invites("Anna")
	player := sit(t, "player", 360, 780)
	player.visit(gm.ask("document.querySelector('[id^=invitation-]').value"))
	player.sees("#seal [data-share=s2]", "")
	player.click(".tabs [data-to-tab=cast]")
	player.choose("#add-name", "Lira")
	player.click("[data-form=character] button[type=submit]")
	gm.sees("#cast", "Lira")

	gm.visit(s.url("/t/" + gm.ask("location.pathname.split('/')[2]") + "?_c=c1&_m=act"))
	for i := range 3 {
		gm.choose("[data-form=move] [name=resistance][value=blood]", "blood")
		gm.choose("[data-form=move] [name=text]", "sleeps "+fmt.Sprint(i))
		gm.click("[data-throw]")
		gm.sees(".card .lines", "sleeps "+fmt.Sprint(i))
	}
	player.click(".tabs [data-to-tab=log]")
	player.click(".card [data-check]")
	player.sees("#check .verdict", "This session still lasts")
	if focus := player.ask("document.getElementById('check').contains(document.activeElement)"); focus != "true" {
		t.Error("the panel doesn't take the focus")
	}
	player.picture("before")
	player.press(kb.Escape)
	player.gone("#check[open]")

	checksTheSession(s, gm, player)
	agreesWithTheVectors(t, gm)
}

// checksTheSession checks each die, and all of them, after the session, and detects a secret that
// was replaced.
func checksTheSession(s *server, gm, player *seat) {
	gm.click("[data-drawer]")
	gm.click("#drawer-end button")
	player.sees("#seal [data-session='2']", "")
	gm.gone("#end-session[open]")
	player.click(".card [data-check]")
	player.sees("#check [data-verdict=fits]", "The die is fair")
	player.picture("fits")
	player.run("document.documentElement.dataset.theme = 'dark'")
	player.picture("fits-dark")
	gm.run("location.hash = '_'")
	gm.click(".card [data-check]")
	gm.sees("#check [data-verdict=fits]", "The die is fair")
	gm.picture("fits")
	gm.click("#check a[href*='/session/1']")
	gm.sees("[data-verdict=fits]", "All 3 dice are fair")
	gm.picture("session")
	gm.run("document.documentElement.dataset.theme = 'dark'")
	gm.picture("session-dark")
	player.visit(s.url("/t/" + gm.ask("location.pathname.split('/')[2]") + "/session/1"))
	player.sees("[data-verdict=fits]", "All 3 dice are fair")
	player.picture("session")
	// The browser remembers a commitment that it was shown during the session.
	player.run(`for (const name of Object.keys(localStorage)) if (name.startsWith('norn.seals.')) {
		localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), 1: '0'.repeat(64) }))
	}`)
	player.visit(s.url("/t/" + gm.ask("location.pathname.split('/')[2]") + "/session/1"))
	player.sees("[data-verdict=misfit]", "another secret in its place")
	player.picture("replaced")
}

// agreesWithTheVectors checks that the page's result for each proof is norn's.
func agreesWithTheVectors(t *testing.T, gm *seat) {
	proofs, wrong := vectors(300)
	all, err := json.Marshal(proofs)
	if err != nil {
		t.Fatal(err)
	}
	gm.run(`window.found = undefined
		const file = performance.getEntriesByType('resource').find((r) => /\/verify-/.test(r.name)).name
		import(file).then(({ verify }) => { window.found = JSON.stringify(` + string(all) +
		`.map((p) => verify(p) ?? null)) })`)
	gm.until("check the vectors", func() bool {
		return gm.ask("window.found !== undefined") == "true"
	}, func() string {
		return ""
	})
	var found []any
	if err := json.Unmarshal([]byte(gm.ask("window.found")), &found); err != nil {
		t.Fatal(err)
	}
	for i, got := range found {
		have, _ := json.Marshal(got)
		if string(have) != wrong[i] {
			t.Errorf("%d: the page finds %s, want %s, in %+v", i, have, wrong[i], proofs[i])
		}
	}
}

// proof is the input of the page's script.
type proof struct {
	Table      string   `json:"table"`
	Commitment string   `json:"commitment"`
	Shares     []string `json:"shares"`
	Move       string   `json:"move"`
	Nonce      string   `json:"nonce"`
	Secret     string   `json:"secret"`
	Throws     []throws `json:"throws"`
}

type throws struct {
	Place string `json:"place"`
	Sides int    `json:"sides"`
	Faces []int  `json:"faces"`
}

// vectors returns proofs by norn's own dice, and the error of each: every third has a wrong die,
// every seventh a wrong secret.
func vectors(n int) (proofs []proof, wrong []string) {
	r := rand.New(rand.NewPCG(8, 1))
	texts := []string{
		"", "alder", "сім сірих журавлів", "a\nb", "𝔫", "ﬀ", "\u2028", "\"<&",
		strings.Repeat("long ", 40),
	}
	text := func() string { return texts[r.IntN(len(texts))] + fmt.Sprint(r.Uint64()>>r.IntN(60)) }
	for i := range n {
		var seed [32]byte
		for j := range seed {
			seed[j] = byte(r.Uint32())
		}
		secret, _ := dice.NewSecret(strings.NewReader(string(seed[:]))) // 32 bytes are enough
		p := proof{
			Table: text(), Move: text(), Nonce: text(), Shares: []string{},
			Commitment: secret.Commitment(), Secret: secret.Reveal(),
		}
		for range r.IntN(6) {
			p.Shares = append(p.Shares, text())
		}
		for range 1 + r.IntN(3) {
			t := throws{Place: text() + "#1", Sides: []int{2, 3, 6, 10, 100, 1<<31 - 1}[r.IntN(6)]}
			stream := dice.NewStream(dice.Key(secret, p.Shares, p.Table, p.Move, p.Nonce, t.Place))
			for range 1 + r.IntN(200) {
				t.Faces = append(t.Faces, stream.Face(t.Sides))
			}
			p.Throws = append(p.Throws, t)
		}
		found := "null"
		switch {
		case i%7 == 0:
			p.Secret = strings.Repeat("0", 63) + "1"
			found = `"secret"`
		case i%3 == 0:
			t := &p.Throws[r.IntN(len(p.Throws))]
			die := r.IntN(len(t.Faces))
			want := t.Faces[die]
			t.Faces[die] = want%t.Sides + 1
			data, _ := json.Marshal(map[string]any{
				"place": t.Place, "die": die + 1, "have": t.Faces[die],
				"want": want,
			})
			found = string(data)
		}
		proofs, wrong = append(proofs, p), append(wrong, found)
	}
	return proofs, wrong
}
