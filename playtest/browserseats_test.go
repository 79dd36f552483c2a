//go:build e2e

package playtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"norn/journal/postgres/pgtest"
)

// A game master who opens a player's link keeps their own seat: the seat is taken only by a press,
// two pages have two seats, and one press leads back.
func TestABrowserHoldsSeveralSeats(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, width := range []int64{360, 1440} {
		made := s.must("POST", "/tables", "",
			body{"game": "spire", "name": fmt.Sprintf("Thursdays %d", width), "lang": "en"})
		id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
		link := func(name, role string) string {
			return s.url("/t/" + id + "/" +
				s.must("POST", "/tables/"+id+"/seats", secret, body{"name": name, "role": role})["secret"].(string))
		}
		anna, second := link("Anna", "player"), link("Olena", "gm")
		gm := sit(t, fmt.Sprintf("gm-%d", width), width, 800)

		gm.arrives(s.url("/t/" + id + "/" + secret))
		gm.sees("main", "Game master")
		gm.picture("arrives")
		gm.click("[data-form=arrive] button")
		gm.sees("#seat-name", "GM")
		gm.sees("[data-live-state=open]", "")
		first := gm.ask("location.pathname")
		if back := gm.ask("history.length"); back != "2" { // the browser's empty first page, and this one
			t.Errorf("%d px: the link stays in the history, which has %s pages", width, back)
		}

		gm.arrives(anna)
		gm.sees("main", "Anna")
		gm.sees("[data-plays]", "GM")
		gm.picture("beside")
		gm.visit(s.url(first)) // and doesn't press the button
		gm.sees("#seat-name", "GM")
		gm.sees("[data-drawer]", "")
		gm.visit(anna)
		gm.sees("#seat-name", "Anna")
		gm.gone("[data-drawer]")
		gm.click("#seat-menu > summary")
		gm.sees("#seat-menu [data-plays]", "GM")
		gm.picture("menu")
		gm.choose("#own-name", "Ganna")
		gm.click("[data-form=own-seat] button")
		gm.sees("#seat-name", "Ganna")
		if gm.ask("document.querySelector('#seat-menu').open") != "true" {
			gm.click("#seat-menu > summary")
		}
		gm.click("[data-form=own-link] button")
		gm.sees("#seat-link .link-local", "this computer only")
		if shown := gm.ask("document.querySelector('#own-link').value"); shown != anna {
			t.Errorf("Anna's own link is %q, want %q", shown, anna)
		}
		gm.picture("link")
		gm.click("#seat-menu [data-plays]")
		gm.sees("#seat-name", "GM")
		gm.sees("[data-drawer]", "")

		gm.visit(second)
		gm.sees("#seat-name", "Olena")
		gm.sees("[data-drawer]", "")
		gm.sees(".shelf-open svg", "") // the script that remembers the seat comes before that
		gm.visit(anna)                 // the browser has the seat: no question
		gm.sees("#seat-name", "Ganna")

		gm.visit(s.url(first + "#drawer"))
		gm.click("[data-form=my-link] button")
		gm.sees("#drawer-seats .link-local", "this computer only")
		if shown := gm.ask("document.querySelector('[id^=invitation-]').value"); shown != s.url("/t/"+id+"/"+secret) {
			t.Errorf("the game master's own link is %q", shown)
		}
		gm.picture("drawer")

		gm.visit(s.url("/"))
		for _, seat := range []string{"GM", "Ganna", "Olena"} {
			gm.sees("#own-tables", seat)
		}
		gm.picture("start")
	}
}

// A page on another site that redirects a game master's browser to a link, embeds it or posts there
// changes nothing.
func TestPageOnAnotherSiteTakesNoSeat(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", body{"game": "spire", "name": "Thursdays", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	link := s.url("/t/" + id + "/" +
		s.must("POST", "/tables/"+id+"/seats", secret, body{"name": "Anna", "role": "player"})["secret"].(string))
	done := make(chan string, 4)
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/navigates":
			fmt.Fprintf(w, `<body><script>location = %q</script>`, link)
		case "/posts":
			fmt.Fprintf(w, `<body><form method="post" action=%q></form><script>document.forms[0].submit()</script>`,
				link)
		case "/embeds":
			fmt.Fprintf(w, `<body><iframe src=%q></iframe><img src=%q><script>fetch(%q, {method: "POST", credentials: "include", mode: "no-cors"}).finally(() => fetch("/done"))</script>`, link, link, link)
		case "/done":
			done <- "done"
		}
	}))
	defer evil.Close()
	elsewhere := strings.Replace(evil.URL, "127.0.0.1", "localhost", 1) // another site, not only another port

	gm := sit(t, "gm", 1440, 900)
	gm.follows(s.url("/t/" + id + "/" + secret))
	table := gm.ask("location.origin + location.pathname")
	for _, does := range []string{"navigates", "posts", "embeds"} {
		gm.do("open a page elsewhere", chromedp.Navigate(elsewhere+"/"+does), chromedp.WaitReady("body"))
		switch does {
		case "navigates":
			gm.sees("[data-form=arrive]", "")
		case "posts":
			gm.sees("h1", "another site")
		case "embeds":
			select {
			case <-done:
			case <-time.After(patience):
				t.Fatal("the page elsewhere does nothing")
			}
		}
		gm.visit(table)
		gm.sees("#seat-name", "GM")
		gm.sees("[data-drawer]", "")
		if held := gm.ask("document.querySelectorAll('[data-plays]').length"); held != "0" {
			t.Errorf("a page that %s has the browser hold %s seats more", does, held)
		}
	}
}

// A game master who lost all links gets another one from the operator: next to the running server,
// which does the writing; after a server was killed; and when none runs. Nothing that was written
// is lost.
func TestOperatorIssuesANewLinkForALostSeat(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", body{"game": "spire", "name": "Thursdays", "lang": "en"})
	id, old := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	var secrets []string
	restores := func() (link string) {
		t.Helper()
		said, err := exec.Command(binary, "seat", id, "--gm", "--json", "--data", s.dir).Output()
		if err != nil {
			t.Fatalf("norn seat: %v %s", err, said)
		}
		var told struct{ Secret, Link string }
		if err := json.Unmarshal(said, &told); err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, told.Secret)
		return told.Link
	}
	opens := func(secret string) int {
		t.Helper()
		status, _ := s.call("GET", "/tables/"+id, secret, nil)
		return status
	}
	socket := filepath.Join(s.dir, "norn.sock")

	if link := restores(); link != s.url("/t/"+id+"/"+secrets[0]) {
		t.Errorf("beside the server the link is %q", link)
	}
	if info, err := os.Stat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v; want it for its owner alone", info, err)
	}
	if was, is := opens(old), opens(secrets[0]); was != http.StatusNotFound || is != http.StatusOK {
		t.Errorf("the old link gets %d, the new one %d", was, is)
	}
	s.must("POST", "/tables/"+id+"/seats", secrets[0], body{"name": "Anna", "role": "player"})

	s.kill() // the socket file stays
	if _, err := os.Stat(socket); err != nil {
		t.Fatalf("nothing to find after a crash: %v", err)
	}
	if link := restores(); link != "/t/"+id+"/"+secrets[1] {
		t.Errorf("where no server runs the link is %q", link)
	}
	s.start()
	if was, is := opens(secrets[0]), opens(secrets[1]); was != http.StatusNotFound || is != http.StatusOK {
		t.Errorf("after a start the old link gets %d, the new one %d", was, is)
	}
	restores()
	status, log := s.call("GET", "/tables/"+id+"/log", secrets[2], nil)
	if entries, ok := log["entries"].([]any); status != http.StatusOK || !ok || len(entries) != 5 {
		t.Errorf("the log: %d %v", status, log)
	}
}

// With PostgreSQL every node accepts the new link at once.
func TestNewSeatLinkWorksOnEveryPostgreSQLNode(t *testing.T) {
	t.Parallel()
	database := pgtest.Run(t, "fsync=off")
	address, err := database.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--journal", address)
	made := s.must("POST", "/tables", "", body{"game": "edda", "name": "Thursdays", "lang": "en"})
	id := made["id"].(string)
	said, err := exec.Command(binary, "seat", id, "--gm", "--json", "--journal", address).Output()
	if err != nil {
		t.Fatalf("norn seat: %v %s", err, said)
	}
	var told struct{ Secret string }
	if err := json.Unmarshal(said, &told); err != nil {
		t.Fatal(err)
	}
	s.must("GET", "/tables/"+id, told.Secret, nil)
	if status, _ := s.call("GET", "/tables/"+id, made["seat"].(map[string]any)["secret"].(string),
		nil); status != http.StatusNotFound {
		t.Errorf("the old link gets %d", status)
	}
}
