package api_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"math/big"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"norn/games"
	"norn/internal/bare"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/odds"
	"norn/table"
	"norn/web/api"
	"norn/web/webtest"
)

func TestOddsWorkWithoutATable(t *testing.T) {
	c := serve(t)
	got := c.send("POST", "/api/v1/odds/spire/check", "",
		body{"args": body{"skill": true, "domain": true, "difficulty": 1}}).want(200)
	if got.at(t, "rows", 2, "p") != "8/25" || got.text(t, "rows", 2, "outcome") != "success" ||
		got.at(t, "args", "mastery") != false {
		t.Errorf("odds %v", got)
	}
	query := c.send("GET", "/api/v1/odds/spire/check?skill=yes&domain=order&difficulty=1", "", nil).want(200)
	if query.at(t, "rows", 2, "p") != "8/25" || query.text(t, "args", "domain") != "order" {
		t.Errorf("by the address: %v", query)
	}
	if usual := c.send("GET", "/api/v1/odds/spire/check", "", nil).want(200); usual.at(t, "args", "difficulty") != 0.0 {
		t.Errorf("without arguments: %v", usual)
	}
	dice := c.send("GET", "/api/v1/odds/dice?notation="+url.QueryEscape("2d6+3"), "", nil).want(200)
	if dice.text(t, "expected", "n") != "10" || dice.at(t, "rows", 0, "n") != 5.0 {
		t.Errorf("dice %v", dice)
	}
	same := c.send("POST", "/api/v1/odds/dice", "", body{"args": body{"notation": "2d6+3"}}).want(200)
	if same.text(t, "expected", "n") != "10" || same.text(t, "move") != "notation" {
		t.Errorf("dice %v", same)
	}
	if large := c.send("GET", "/api/v1/odds/dice?notation=1000d120", "", nil).want(200); large.at(t,
		"runs").(float64) < 500 || large.at(t, "rows", 0, "standardError") == nil {
		t.Errorf("too large to walk: %v runs", large.at(t, "runs"))
	}
}

func TestOddsCompareSettingsSideBySide(t *testing.T) {
	c := serve(t)
	got := c.send("POST", "/api/v1/odds/spire/check/compare", "",
		body{"settings": []any{body{}, body{"mastery": true}}}).want(200)
	if got.text(t, "settings", 1, "name") != "Mastery: yes" || got.at(t, "settings", 0, "args", "mastery") != false {
		t.Errorf("settings %v", got.at(t, "settings"))
	}
	if p := got.at(t, "rows", 0, "p").([]any); len(p) != 2 || p[0] == p[1] {
		t.Errorf("rows %v", got.at(t, "rows"))
	}
	dice := c.send("POST", "/api/v1/odds/dice/notation/compare", "",
		body{"settings": []any{body{"notation": "1d4"}, body{"notation": "1d2"}}}).want(200)
	if dice.at(t, "rows", 3, "p", 1) != "0" || dice.at(t, "rows", 3, "difference", 1) != -0.25 {
		t.Errorf("dice %v", dice)
	}
}

func TestOddsWithoutATableRefuseInvalidRequests(t *testing.T) {
	c := serve(t)
	for _, try := range []struct {
		method, path string
		body         any
		status       int
		code, place  string
	}{
		{"GET", "/api/v1/odds/spire/check?difficulty=7", nil, 422, "invalid", "query.difficulty"},
		{"GET", "/api/v1/odds/spire/check?difficult=1", nil, 422, "invalid", "query.difficult"},
		{"GET", "/api/v1/odds/spire/check?difficulty=1&difficulty=2", nil, 422, "invalid", "query.difficulty"},
		{"GET", "/api/v1/odds/dice?notation=2d", nil, 422, "invalid", "query.notation"},
		{"GET", "/api/v1/odds/dice", nil, 422, "invalid", "query.notation"},
		{"GET", "/api/v1/odds/dice?%", nil, 422, "invalid", ""},
		{"GET", "/api/v1/odds/chess/check", nil, 404, "not-found", ""},
		{"GET", "/api/v1/odds/spire/no-roll", nil, 404, "not-found", ""},
		{
			"POST", "/api/v1/odds/spire/check",
			body{"args": body{"difficulty": 7}},
			422, "invalid",
			"body.args.difficulty",
		},
		{"POST", "/api/v1/odds/spire/check", body{"arg": body{}}, 422, "invalid", "body.arg"},
		{"POST", "/api/v1/odds/dice", body{"args": body{"notation": "99999d6"}}, 422, "invalid", "body.args.notation"},
		{"POST", "/api/v1/odds/spire/check/compare", body{"settings": []any{body{}}}, 422, "invalid", "body.settings"},
		{
			"POST", "/api/v1/odds/spire/check/compare",
			body{"settings": []any{body{}, body{"difficulty": 3}}},
			422,
			"invalid", "body.settings.1.difficulty",
		},
		{"POST", "/api/v1/odds/spire/check/compare", body{"settings": 3}, 422, "invalid", "body.settings"},
		{"POST", "/api/v1/odds/spire/check/compare", body{}, 422, "invalid", "body.settings"},
		{"POST", "/api/v1/odds/godbound/damage", body{"args": body{"dice": "3d7d"}}, 422, "refused", ""},
	} {
		got := c.send(try.method, try.path, "", try.body).problem(try.status, try.code)
		if try.place != "" && got.text(t, "errors", 0, "place") != try.place {
			t.Errorf("%s %s: at %v, want %s", try.method, try.path, got.at(t, "errors", 0, "place"), try.place)
		}
	}
	c.lang = "ru"
	if got := c.send("GET", "/api/v1/odds/dice?notation=2d", "", nil).want(422).text(t,
		"detail"); !strings.Contains(got, "знак 3") {
		t.Errorf("in Russian: %s", got)
	}
}

// A client with too many requests, or without a free place, gets the time to try again.
func TestOddsAreLimited(t *testing.T) {
	j, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	wire, log := local.New(), slog.New(slog.DiscardHandler)
	host := table.New(table.Config{
		Games: games.All(), Words: spoken(), Journal: j, Relay: wire, Now: time.Now,
		Entropy: rand.Reader, Log: log, Version: "test",
	})
	gate := odds.NewGate(3, 1, 20*time.Millisecond)
	server := httptest.NewServer(api.New(api.Config{
		Host: host, Words: spoken(), Games: games.All(), Gate: gate,
		Log: log,
	}))
	t.Cleanup(func() {
		server.Close()
		_ = host.Close()
		_ = wire.Close()
		_ = j.Close()
	})
	c := &client{t: t, url: server.URL, journal: j, lang: "uk"}
	p := open(c)
	hold := func(from, who string) func() {
		t.Helper()
		leave, err := gate.Enter(context.Background(), from, who)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	ask := func(status int, code string) {
		t.Helper()
		got := c.send("GET", "/api/v1/odds/spire/check", "", nil)
		got.problem(status, code)
		if got.header.Get("Retry-After") != "2" {
			t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
		}
	}
	leave := hold("127.0.0.1", "127.0.0.1")
	ask(429, "odds-many")
	seated := body{"move": "check", "character": p.vex, "args": body{}}
	p.post("/odds", p.player, seated).want(200) // a seat has places of its own
	housemate := hold("127.0.0.1", "a seat")
	p.post("/odds", p.player, seated).problem(429, "odds-many") // but leaves one to others
	housemate()
	second, third := hold("elsewhere", "somebody"), hold("elsewhere", "somebody else")
	p.post("/odds", p.player, seated).problem(503, "odds-crowded")
	for _, dear := range []string{"/log?find=vex", "/luck"} { // searches and luck use the same places
		p.get(dear, p.player).problem(429, "too-often")
	}
	p.get("/log", p.player).want(200)
	leave()
	fourth := hold("far away", "a third one")
	ask(503, "odds-crowded")
	second()
	third()
	fourth()
	c.send("GET", "/api/v1/odds/spire/check", "", nil).want(200)
}

// FuzzOddsQuery checks that any address gets a response that isn't 5xx.
func FuzzOddsQuery(f *testing.F) {
	for i, seed := range []string{
		"", "difficulty=1&skill=yes", "notation=4d6kh3", "notation=99d99%2B1", "pool=100&difficulty=10", "skill=%00",
		"difficulty=1e9",
		"a=b&a=c", "%", "others=1+2+3", "dice=3d8&modifier=-1", "heroes=2&hero-hp=40",
		"notation=" + strings.Repeat("9", 60), "skill.x=1",
	} {
		f.Add(byte(i), seed)
	}
	var at []string
	for _, g := range append(games.All(), bare.Dice) {
		for _, m := range bare.Moves(g) {
			at = append(at, "/api/v1/odds/"+g.ID+"/"+m.ID)
		}
	}
	handler := api.New(api.Config{
		Words: spoken(), Games: games.All(), Gate: webtest.RoomyGate(),
		Log: slog.New(slog.DiscardHandler),
	})
	f.Fuzz(func(t *testing.T, move byte, query string) {
		r := httptest.NewRequest("GET", at[int(move)%len(at)], nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= 500 || w.Code == 404 {
			t.Errorf("%s?%s: %d %s", r.URL.Path, query, w.Code, w.Body)
		}
	})
}

// With an aim, questions in the middle get their best answers, which are listed.
func TestOddsForAnAimListTheBestAnswers(t *testing.T) {
	c := serve(t)
	args := body{"complexity": 2, "pool": 2}
	best := c.send("POST", "/api/v1/odds/edda/act", "", body{"args": args, "aim": "succeed"}).want(200)
	if best.at(t, "rows", 0, "p") != "25/81" || best.text(t, "policy", "worth") != "25/81" ||
		best.text(t, "policy", "choices", 0, "question") != "edda.effort" {
		t.Errorf("best %v", best)
	}
	plain := c.send("POST", "/api/v1/odds/edda/act", "", body{"args": args}).want(200)
	if plain.at(t, "rows", 0, "p") != "1/9" {
		t.Errorf("plain %v", plain)
	}
	c.send("POST", "/api/v1/odds/edda/act", "", body{"args": args, "aim": "glory"}).problem(422, "invalid")
	// Too many ways to find the best.
	costly := c.send("POST", "/api/v1/odds/edda/joint", "",
		body{"aim": "succeed", "args": body{"complexity": 9, "others": []int{30, 30, 30, 30, 30, 30}}})
	// the last one on a busy machine
	if code := costly.want(costly.status).text(t, "code"); code != "refused" && code != "odds-large" &&
		code != "odds-crowded" {
		t.Errorf("too many ways are answered with %q", code)
	}
	both := c.send("POST", "/api/v1/odds/edda/act/compare", "",
		body{"aim": "succeed", "settings": []any{args, body{"complexity": 2, "pool": 3}}}).want(200)
	if both.at(t, "rows", 0, "p", 0) != "25/81" || both.text(t, "settings", 1, "policy", "worth") == "" {
		t.Errorf("compared %v", both)
	}
}

// Fractions that are long come when they're asked for; odds that can't have them are refused.
func TestExactFractionsComeOnRequest(t *testing.T) {
	c := serve(t)
	long := body{"args": body{"notation": "1000d6"}}
	rounded := c.send("POST", "/api/v1/odds/dice", "", long).want(200)
	if rounded.at(t, "rounded") != true {
		t.Errorf("rounded: %v", rounded.at(t, "rounded"))
	}
	long["fractions"] = true
	exact := c.send("POST", "/api/v1/odds/dice", "", long).want(200)
	want := "1/" + new(big.Int).Exp(big.NewInt(6), big.NewInt(1000), nil).String()
	if p := exact.text(t, "rows", 0, "p"); p != want {
		t.Errorf("1000 ones: %s", p)
	}
	for notation, part := range map[string]string{"1000d12": "would fit", "500d1000>300+500d999>400": "without fractions"} {
		refused := c.send("POST", "/api/v1/odds/dice", "",
			body{"fractions": true, "args": body{"notation": notation}}).problem(422, "odds-large")
		if detail := refused.text(t, "detail"); !strings.Contains(detail, part) {
			t.Errorf("%s: %s", notation, detail)
		}
	}
}
