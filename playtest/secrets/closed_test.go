package secrets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
	"norn/web"
)

// route is one address of the server with a request.
type route struct {
	method, path string // with {table} and the like
	body         string
	kind         string // media type of the body
}

// routes returns all addresses below a table: those of the API from its document, and those of the
// pages from its routes.
func (h *hall) routes() []route {
	h.t.Helper()
	var all []route
	response, err := http.Get(h.url + "/api/openapi.json")
	must(h.t, err)
	defer response.Body.Close()
	var document struct {
		Paths map[string]map[string]struct {
			Body *struct {
				Content map[string]struct{ Example json.RawMessage }
			} `json:"requestBody"`
		}
	}
	must(h.t, json.NewDecoder(response.Body).Decode(&document))
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		if !strings.Contains(path, "/tables/{id}") {
			continue
		}
		for _, method := range slices.Sorted(maps.Keys(document.Paths[path])) {
			method := strings.ToUpper(method)
			op := document.Paths[path][strings.ToLower(method)]
			if op.Body == nil {
				all = append(all, route{method: method, path: path}, route{method: method, path: path + "?after=1"})
				continue
			}
			for _, body := range []string{string(op.Body.Content["application/json"].Example), "{}", `{"wrong`, `[1]`} {
				all = append(all, route{method, path, body, "application/json"})
			}
		}
	}
	const post = "application/x-www-form-urlencoded"
	for _, pattern := range web.Routes() {
		method, path, _ := strings.Cut(pattern, " ")
		at := route{method: method, path: path}
		switch {
		case !strings.HasPrefix(path, "/t/"):
		case method == "POST":
			at.kind = post
			all = append(all, at, route{method, path, "_key=k&_m=check&_a=c1&_c=c1&_seat=s1&name=x", post},
				route{method, path, "%zz", post})
		default:
			all = append(all, at, route{method: method, path: path + "?_c=c1&_edit=1&_m=check&_a=c1"})
		}
	}
	if len(all) < 80 {
		h.t.Fatalf("only %d routes", len(all))
	}
	return all
}

// asks sends a route's request as a guest.
func (g *guest) asks(at route, tableID string, script bool) sent {
	path := strings.NewReplacer("{id}", tableID, "{table}", tableID, "{secret}", "wrong", "{cid}", "c1", "{sid}", "s1",
		"{mid}", "m9", "{move}", "m1", "{n}", "1").Replace(at.path)
	var body io.Reader
	if at.kind != "" {
		body = strings.NewReader(at.body)
	}
	r, err := http.NewRequest(at.method, g.url+path, body)
	must(g.t, err)
	if at.kind != "" {
		r.Header.Set("Content-Type", at.kind)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if script {
		r.Header.Set("HX-Request", "true")
	}
	if g.secret != "" {
		r.Header.Set("Authorization", "Bearer "+g.secret)
		r.AddCookie(&http.Cookie{Name: "seat_" + tableID, Value: g.secret})
	}
	return g.do(&http.Client{Timeout: 10 * time.Second}, r)
}

// keyInForm matches the random key of a form.
var keyInForm = regexp.MustCompile(`name="_key" value="\w+"`)

// told returns an answer without the parts that differ from one request to the next.
func (s sent) told(tableID string) string {
	header := s.header.Clone()
	header.Del("Date")
	header.Del("X-Request-Id")
	var b strings.Builder
	fmt.Fprintln(&b, s.status)
	_ = header.Write(&b)
	b.Write(keyInForm.ReplaceAll(s.body, nil))
	return strings.ReplaceAll(b.String(), tableID, "TABLE")
}

// outside creates a table, people without a valid link to it, and the id of a table that doesn't
// exist.
func outside(t *testing.T) (h *hall, created view.Created, out []*guest, none string) {
	h = openHall(t, gameOf(t, "spire"), 1)
	created, err := h.host.Create(t.Context(),
		request.NewTable{Game: "spire", Name: h.ledger.text("the table's name"), Lang: lang.En})
	must(t, err)
	gm, err := h.host.Enter(t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	revoked, err := table.Do(t.Context(), gm, act.AddSeat, act.SeatRequest{Name: "gone", Role: string(game.Player)}, "")
	must(t, err)
	renewed, err := table.Do(t.Context(), gm, act.AddSeat, act.SeatRequest{Name: "renewed", Role: string(game.Player)},
		"")
	must(t, err)
	_, err = table.Do(t.Context(), gm, act.AddCharacter,
		act.CharacterRequest{Name: h.ledger.text("somebody's name"), Kind: "character", Owner: revoked.ID}, "")
	must(t, err)
	_, err = table.Do(t.Context(), gm, act.RevokeSeat, act.SeatNamed{Seat: revoked.ID}, "")
	must(t, err)
	_, err = table.Do(t.Context(), gm, act.RenewSeat, act.SeatNamed{Seat: renewed.ID}, "")
	must(t, err)
	for name, secret := range map[string]string{
		"nobody": "", "stranger": strings.Repeat("x", len(created.Seat.Secret)), "garbage": "%%%",
		"revoked": revoked.Secret, "renewed": renewed.Secret,
	} {
		out = append(out, &guest{hall: h, name: name, secret: secret, lang: "en"})
	}
	return h, created, out, "aaaaaaaaaaaaaaaa"
}

// Anybody without a valid link gets the same answer as for a table that doesn't exist, at every
// address.
func TestClosedTablesLookLikeMissingOnes(t *testing.T) {
	h, created, out, none := outside(t)
	before := h.length(created.ID)
	for _, at := range h.routes() {
		for _, g := range out {
			for _, script := range []bool{false, true} {
				there, nowhere := g.asks(at, created.ID, script), g.asks(at, none, script)
				if there.told(created.ID) != nowhere.told(none) {
					t.Errorf("%s %s %s by %s (script %v):\n%s\nand where no table is:\n%s",
						at.method, at.path, at.body, g.name, script, there.told(created.ID), nowhere.told(none))
				}
				asksCode := at.method == "GET" && strings.HasPrefix(at.path, "/t/{table}/recover?") ||
					at.path == "/t/{table}/recover" // a page for those without a seat
				if there.status < 400 && there.status != http.StatusNoContent && !asksCode {
					t.Errorf("%s %s by %s: status %d", at.method, at.path, g.name, there.status)
				}
			}
		}
	}
	if h.length(created.ID) != before {
		t.Error("something was written")
	}
	h.tight()
}

// length returns the number of a table's entries.
func (h *hall) length(tableID string) int {
	h.t.Helper()
	entries, err := h.journal.Read(h.t.Context(), tableID, 0, 0)
	must(h.t, err)
	return len(entries)
}

// sum returns a checksum of a table's entries.
func (h *hall) sum(tableID string) string {
	h.t.Helper()
	entries, err := h.journal.Read(h.t.Context(), tableID, 0, 0)
	must(h.t, err)
	sum := sha256.New()
	must(h.t, json.NewEncoder(sum).Encode(entries))
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// The time of the answer reveals nothing either. Medians of alternating requests are compared, so
// that a busy machine doesn't matter.
func TestClosedTablesAnswerAsFastAsMissingOnes(t *testing.T) {
	_, created, out, none := outside(t)
	at := route{method: "GET", path: "/api/v1/tables/{id}"}
	for _, g := range out {
		var there, nowhere []time.Duration
		for range 200 {
			began := time.Now()
			g.asks(at, created.ID, false)
			between := time.Now()
			g.asks(at, none, false)
			there, nowhere = append(there, between.Sub(began)), append(nowhere, time.Since(between))
		}
		a, b := median(there), median(nowhere)
		t.Logf("%s: %v at a table, %v where none is", g.name, a, b)
		if a > 2*b || b > 2*a {
			t.Errorf("%s: %v at a table, %v where none is", g.name, a, b)
		}
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// A spectator can change nothing, except for a share to the dice, which every seat may add.
func TestSpectatorsChangeNothingButAddShares(t *testing.T) {
	h, created, _, _ := outside(t)
	gm, err := h.host.Enter(t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	seat, err := table.Do(t.Context(), gm, act.AddSeat, act.SeatRequest{Name: "watcher", Role: string(game.Spectator)},
		"")
	must(t, err)
	h.ledger.open(func(what string) bool { return strings.HasSuffix(what, "name") })
	g := &guest{hall: h, name: "watcher", secret: seat.Secret, lang: "en"}
	for _, at := range h.routes() {
		if at.method == "GET" || strings.HasSuffix(at.path, "/share") || strings.HasSuffix(at.path, "/shares") {
			continue
		}
		before := h.length(created.ID)
		got := g.asks(at, created.ID, false)
		if h.length(created.ID) != before {
			t.Errorf("%s %s %s: a spectator wrote something: %s", at.method, at.path, at.body, got.body)
		}
		if got.status < 400 && !strings.HasSuffix(at.path, "/link") { // this shows a seat its own link
			t.Errorf("%s %s %s: status %d: %s", at.method, at.path, at.body, got.status,
				url.QueryEscape(string(got.body)))
		}
	}
	h.tight()
}

// No browser or proxy may cache the answers of a table's addresses, and its pages and files run no
// scripts but norn's own.
func TestTableResponsesAreNeverCached(t *testing.T) {
	h, created, out, _ := outside(t)
	first, err := h.host.Enter(t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	// because the routes try to remove s1
	seat, err := table.Do(t.Context(), first, act.AddSeat, act.SeatRequest{Name: "second", Role: string(game.Master)},
		"")
	must(t, err)
	h.ledger.open(func(string) bool { return true })
	gm := &guest{hall: h, name: "gm", secret: seat.Secret, lang: "en"}
	for _, at := range h.routes() {
		if strings.Contains(at.path, "/live") {
			continue // the streams have tests of their own
		}
		for _, g := range append(out, gm) {
			got := g.asks(at, created.ID, false)
			if kept := got.header.Get("Cache-Control"); kept != "no-store" {
				t.Errorf("%s %s by %s, status %d: Cache-Control %q", at.method, at.path, g.name, got.status, kept)
			}
			policy, scripts := got.header.Get("Content-Security-Policy"), "script-src 'self'"
			if strings.HasPrefix(at.path, "/api/") {
				scripts = "default-src 'none'"
			}
			if !strings.Contains(policy, scripts) || strings.Contains(policy, "unsafe") ||
				got.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s %s by %s: policy %q", at.method, at.path, g.name, policy)
			}
		}
	}
	if got := gm.asks(route{method: "GET", path: "/t/{table}/story.md"}, created.ID,
		false); got.status != http.StatusOK {
		t.Errorf("the game master isn't let in any more: %d", got.status)
	}
}
