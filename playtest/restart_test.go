//go:build e2e

package playtest

import (
	"syscall"
	"testing"
)

// stop stops the process as an operator would, and waits for it.
func (s *server) stop() {
	s.t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		s.t.Fatalf("norn ends with %v:\n%s", err, s.log)
	}
}

// After a restart of the server every page reconnects within seconds, without a reload and with the
// missed entries.
func TestPagesReconnectAfterARestart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	id, secret := table["id"].(string), table["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{}})
	pages := []*seat{sit(t, "gm", 1440, 900), sit(t, "second window", 360, 780)}
	for _, page := range pages {
		page.visit(s.url("/t/" + id + "/" + secret))
		page.sees("[data-live-state=open]", "")
		page.run("window.since = 'before'")
	}
	s.stop()
	for _, page := range pages {
		page.sees("[data-live-state=waiting], [data-live-state=connecting]", "")
	}
	pages[0].picture("restarting")
	s.start()
	s.must("POST", "/tables/"+id+"/characters", secret,
		map[string]any{"name": "Harald", "kind": "character", "sheet": map[string]any{}})
	for _, page := range pages {
		page.sees("[data-live-state=open]", "")
		page.sees("#cast", "Harald")
		if page.ask("window.since") != "before" {
			t.Errorf("%s was loaded again", page.name)
		}
	}
	pages[0].picture("back")
}

// A reader who is over a limit sees that next to their text, which stays.
func TestReaderOverALimitIsToldAndKeepsTheirText(t *testing.T) {
	t.Parallel()
	s := serve(t, "--limits", "writes=2/h")
	table := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/t/" + table["id"].(string) + "/" + table["seat"].(map[string]any)["secret"].(string)))
	gm.sees("#seal [data-share=s1]", "") // the page's own share was the first
	gm.visit(s.url("/t/" + table["id"].(string) + "#drawer"))
	for i := range 2 {
		gm.choose("#invite-name", "Anna")
		gm.click("[data-form=invite] button[type=submit]")
		if i == 0 {
			gm.sees("[data-invitation]", "Anna")
		}
	}
	gm.sees("[data-form=invite] > .problem", "Too much in a short time")
	gm.picture("too-often")
	if name := gm.ask("document.querySelector('#invite-name').value"); name != "Anna" {
		t.Errorf("the form holds %q", name)
	}

	hasty := serve(t, "--limits", "requests=1/h")
	stranger := sit(t, "stranger", 360, 780)
	stranger.visit(hasty.url("/"))
	stranger.visit(hasty.url("/"))
	stranger.sees("h1", "Too much in a short time")
	stranger.picture("too-often")
}
