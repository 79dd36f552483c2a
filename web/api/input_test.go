package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/internal/nesting"
	"norn/web/api"
)

func contains(text any, part string) bool {
	s, ok := text.(string)
	return ok && strings.Contains(s, part)
}

// badBody is an invalid body for an operation, with the code and place of the expected error.
type badBody struct {
	method, path, body string
	status             int
	place, code        string
}

const newTables = "/api/v1/tables"

// badTables lists invalid bodies for setting up a table: tables, seats, settings and characters.
func badTables(p *party, nyx string) []badBody {
	long, prose := strings.Repeat("ä", 201), strings.Repeat("ä", 10_001)
	vex, table := "/characters/"+p.vex, newTables
	return []badBody{
		{"POST", table, `{"game":"chess","name":"x"}`, 422, "body.game", "choice"},
		{"POST", table, `{"name":"x"}`, 422, "body.game", "missing"},
		{"POST", table, `{"game":"spire"}`, 422, "body.name", "missing"},
		{"POST", table, `{"game":"spire","name":"  "}`, 422, "body.name", "missing"},
		{"POST", table, `{"game":"spire","name":"` + long + `"}`, 422, "body.name", "too-long"},
		{"POST", table, `{"game":"spire","name":"a\u0007b"}`, 422, "body.name", "control"},
		{"POST", table, `{"game":"spire","name":"a\ud800b"}`, 422, "body.name", "utf8"},
		{"POST", table, `{"game":"spire","name":7}`, 422, "body.name", "type"},
		{"POST", table, `{"game":"spire","name":"x","lang":"de"}`, 422, "body.lang", "choice"},
		{"POST", table, `{"game":"spire","name":"x","colour":"red"}`, 422, "body.colour", "unknown"},
		{"POST", table, `{"game":"spire","name":"x","name":"y"}`, 422, "body.name", "duplicate"},
		{"POST", "/seats", `{"name":"x","role":"king"}`, 422, "body.role", "choice"},
		{"POST", "/seats", `{"role":"player"}`, 422, "body.name", "missing"},
		{"POST", "/seats", `{"name":"x","role":"player","key":"` + long + `"}`, 422, "body.key", "too-long"},
		{"PATCH", "/seats/" + p.playerSeat, `{}`, 422, "body.name", "missing"},
		{"POST", "/seats/" + p.playerSeat + "/secret", `{"secret":"mine"}`, 422, "body.secret", "unknown"},
		{"PATCH", "/settings", `{}`, 422, "body.settings", "missing"},
		{"PATCH", "/settings", `{"settings":7}`, 422, "body.settings", "type"},
		{"PATCH", "/settings", `{"settings":{"stress-shown":"loud"}}`, 422, "body.settings.stress-shown", "choice"},
		{"PATCH", "/settings", `{"settings":{"helpers-most":99}}`, 422, "body.settings.helpers-most", "range"},
		{"PATCH", "/settings", `{"settings":{"magic":true}}`, 422, "body.settings.magic", "unknown"},
		{"POST", "/characters", `{"name":"x","kind":"dragon"}`, 422, "body.kind", "choice"},
		{"POST", "/characters", `{"name":"x"}`, 422, "body.kind", "missing"},
		{"POST", "/characters", `{"kind":"character"}`, 422, "body.name", "missing"},
		{"POST", "/characters", `{"name":"x","kind":"character","sheet":[]}`, 422, "body.sheet", "type"},
		{
			"POST", "/characters", `{"name":"x","kind":"character","sheet":{"stress":{"blood":100}}}`, 422,
			"body.sheet.stress.blood", "range",
		},
		{
			"POST", "/characters", `{"name":"x","kind":"character","sheet":{"skills":[{}]}}`, 422,
			"body.sheet.skills.0.name", "missing",
		},
		{
			"POST", "/characters", `{"name":"x","kind":"character","sheet":{"level":3}}`, 422, "body.sheet.level",
			"unknown",
		},
		{
			"POST", "/characters", `{"name":"x","kind":"npc","sheet":{"notes":"` + prose + `"}}`, 422, "body.sheet.notes",
			"too-long",
		},
		{
			"POST", "/characters", `{"name":"x","kind":"npc","sheet":{"resistance":1.5}}`, 422, "body.sheet.resistance",
			"type",
		},
		{
			"PATCH", "/characters/" + nyx,
			`{"sheet":{"class":` + strings.Repeat(`{"a":`, 25) + `1` + strings.Repeat(`}`, 25) + `}}`, 422, "", "",
		},
		{"PATCH", "/characters/" + nyx, `{"name":""}`, 422, "body.name", "missing"},
		{"PATCH", "/characters/" + nyx, `{"name":"` + long + `"}`, 422, "body.name", "too-long"},
		{"PATCH", "/characters/" + nyx, `{"owner":"s99"}`, 422, "body.owner", "choice"},
		{"PATCH", "/characters/" + nyx, `{"sheet":"none"}`, 422, "body.sheet", "type"},
		{"PATCH", "/characters/" + nyx, `{"sheet":{"stress":{"blood":-1}}}`, 422, "body.sheet.stress.blood", "range"},
		{"PATCH", vex, `{"colour":1}`, 422, "body.colour", "unknown"},
	}
}

// badMoves lists invalid bodies for playing: moves, odds and answers.
func badMoves(nyx, question string) []badBody {
	long, prose := strings.Repeat("ä", 201), strings.Repeat("ä", 10_001)
	return []badBody{
		{"POST", "/moves", `{}`, 422, "body.move", "missing"},
		{"POST", "/moves", `{"move":"dance","character":"` + nyx + `"}`, 422, "body.move", "choice"},
		{"POST", "/moves", `{"move":"check"}`, 422, "body.character", "missing"},
		{"POST", "/moves", `{"move":"check","character":"c99"}`, 422, "body.character", "choice"},
		{"POST", "/moves", `{"move":"check","character":"` + nyx + `","args":7}`, 422, "body.args", "type"},
		{
			"POST", "/moves", `{"move":"check","character":"` + nyx + `","args":{"difficulty":3}}`, 422,
			"body.args.difficulty", "range",
		},
		{
			"POST", "/moves", `{"move":"check","character":"` + nyx + `","args":{"difficulty":1e0}}`, 422,
			"body.args.difficulty", "type",
		},
		{
			"POST", "/moves", `{"move":"check","character":"` + nyx + `","args":{"helpers":1}}`, 422, "body.args.helpers",
			"unknown",
		},
		{
			"POST", "/moves", `{"move":"check","character":"` + nyx + `","args":{"with":["c99"]}}`, 422,
			"body.args.with.0", "choice",
		},
		{
			"POST", "/moves", `{"move":"check","character":"` + nyx + `","args":{},"args":{}}`, 422, "body.args",
			"duplicate",
		},
		{"POST", "/moves", `{"move":"check","character":"` + nyx + `","byHand":"yes"}`, 422, "body.byHand", "type"},
		{"POST", "/moves", `{"move":"check","character":"` + nyx + `","secret":1}`, 422, "body.secret", "type"},
		{"POST", "/moves", `{"move":"check","character":"` + nyx + `","dice":"3"}`, 422, "body.dice", "type"},
		{"POST", "/moves", `{"move":"check","character":"` + nyx + `","dice":[11]}`, 422, "body.dice.0", "range"},
		{"POST", "/moves", `{"move":"check","character":"` + nyx + `","dice":[9,9]}`, 422, "body.dice", "too-many"},
		{
			"POST", "/moves", `{"move":"no-roll","character":"` + nyx + `","args":{"text":"` + prose + `"}}`, 422,
			"body.args.text", "too-long",
		},
		{
			"POST", "/moves", `{"move":"check","character":"` + nyx + `","nonce":"` + long + `"}`, 422, "body.nonce",
			"too-long",
		},
		{
			"POST", "/odds", `{"move":"check","character":"` + nyx + `","args":{"difficulty":-1}}`, 422,
			"body.args.difficulty", "range",
		},
		{"POST", "/odds", `{"move":"check","character":"` + nyx + `","key":"k"}`, 422, "body.key", "unknown"},
		{"POST", "/answers", `{}`, 422, "body.question", "missing"},
		{"POST", "/answers", `{"question":"` + question + `"}`, 422, "body.answer", "missing"},
		{"POST", "/answers", `{"question":"` + question + `","answer":null}`, 422, "body.answer", "missing"},
		{"POST", "/answers", `{"question":"` + question + `","answer":[]}`, 422, "body.answer", "type"},
		{
			"POST", "/answers", `{"question":"` + question + `","answer":{"die":"d20"}}`, 422, "body.answer.die",
			"choice",
		},
		{"POST", "/answers", `{"question":"m99::0","answer":{}}`, 422, "body.question", "choice"},
	}
}

// Every kind of invalid input to every operation that accepts it is refused with its place, and
// nothing is written.
func TestInvalidBodyIsRefusedWithItsPlaceAndWritesNothing(t *testing.T) {
	p := open(serve(t))
	p.post("/moves", p.player, body{"move": "check", "character": p.vex, "dice": []int{3}}).want(202)
	question := p.get("", p.gm).want(200).text(t, "questions", 0, "id")
	nyx := p.add(p.gm, body{"name": "Nyx", "kind": "character"})
	before := p.entries()
	for _, c := range append(badTables(p, nyx), badMoves(nyx, question)...) {
		path := c.path
		if path != newTables {
			path = p.base + path
		}
		t.Run(fmt.Sprintf("%s %s %.60s", c.method, c.path, c.body), func(t *testing.T) {
			p.t = t
			got := p.send(c.method, path, p.gm, c.body).problem(c.status, "invalid")
			if c.place == "" {
				return
			}
			var places []string
			for i := range got.at(t, "errors").([]any) {
				place := got.text(t, "errors", i, "place")
				places = append(places, place)
				if place != c.place {
					continue
				}
				if code := got.text(t, "errors", i, "code"); code != c.code {
					t.Errorf("%s is wrong by %s, want %s", place, code, c.code)
				}
				if !contains(got.at(t, "errors", i, "message"), c.place) {
					t.Errorf("the message doesn't name the place: %v", got.at(t, "errors", i, "message"))
				}
				if c.code == "range" && (got.at(t, "errors", i, "min") == nil || got.at(t, "errors", i, "max") == nil) {
					t.Errorf("no range in %v", got.at(t, "errors", i))
				}
			}
			if !slices.Contains(places, c.place) {
				t.Errorf("wrong are %v, want %s: %v", places, c.place, got["detail"])
			}
		})
	}
	p.t = t
	if p.entries() != before {
		t.Errorf("%d entries were written", p.entries()-before)
	}
}

// A body that isn't valid JSON is refused by every operation that takes one.
func TestUnreadableBodiesAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	p := open(serve(t))
	before := p.entries()
	for at := range openAPI(t).operations {
		method, path, _ := strings.Cut(at, " ")
		if method != http.MethodPost && method != http.MethodPatch {
			continue
		}
		path = strings.NewReplacer("/api/v1/tables/{id}", p.base, "{sid}", p.playerSeat, "{cid}", p.vex, "{game}",
			"spire", "{move}", "check").Replace(path)
		for _, b := range []string{
			"", "{", "null", "[]", "7", `"x"`, "{}{}", "{\"a\":1,}", "\xff",
			"{\"name\":\"\xff\"}", strings.Repeat("[", 100_000), "\x00",
			`{"name":` + strings.Repeat("[", nesting.Max) + strings.Repeat("]", nesting.Max) + "}",
		} {
			got := p.send(method, path, p.gm, b).problem(400, "malformed")
			if got.text(t, "errors", 0, "place") != "body" {
				t.Errorf("%s %.20q: %v", at, b, got)
			}
		}
		most := api.MaxBody
		if strings.HasSuffix(path, "/lists") {
			most = api.MaxListBody
		}
		p.send(method, path, p.gm, `{"name":"`+strings.Repeat("a", most)+`"}`).problem(413, "too-large")
		for _, media := range []string{
			"", "text/plain", "application/x-www-form-urlencoded",
			"application/json; charset=latin1", "multipart/form-data; boundary=x", ";",
		} {
			r, err := http.NewRequest(method, p.url+path, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			if media != "" {
				r.Header.Set("Content-Type", media)
			}
			p.request(r, p.gm).problem(415, "unsupported-media")
		}
		// A body without a length has the same limit.
		r, err := http.NewRequest(method, p.url+path, struct{ *bytes.Reader }{bytes.NewReader(make([]byte, most+1))})
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json; charset=UTF-8")
		p.request(r, p.gm).problem(413, "too-large")
	}
	if p.entries() != before {
		t.Errorf("%d entries were written", p.entries()-before)
	}
}

func TestInvalidQueriesAreRefusedWithTheirPlace(t *testing.T) {
	p := open(serve(t))
	for query, want := range map[string]string{
		"after=-1": "range", "after=x": "type", "after=99999999999999999999": "range", "limit=0": "range",
		"limit=1001": "range",
		"since=1":    "unknown", "after=1&after=2": "duplicate", "limit=%ff": "type",
	} {
		got := p.get("/log?"+query, p.gm).problem(422, "invalid")
		name, _, _ := strings.Cut(query, "=")
		if got.text(t, "errors", 0, "code") != want || got.text(t, "errors", 0, "place") != "query."+name {
			t.Errorf("%s: %v", query, got["errors"])
		}
	}
	p.get("/log?after=%zz", p.gm).problem(422, "invalid")
	p.get("?after=1", p.gm).problem(422, "invalid")
	p.get("/live?after=x", p.gm).problem(422, "invalid")
	r, err := http.NewRequest("GET", p.url+p.base+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Last-Event-ID", "x")
	if got := p.request(r, p.gm).problem(422, "invalid"); got.text(t, "errors", 0, "place") != "header.Last-Event-ID" {
		t.Errorf("%v", got)
	}
}

func TestOtherMethodsAndPathsAreRefused(t *testing.T) {
	p := open(serve(t))
	for method, path := range map[string]string{
		"PUT": p.base, "DELETE": p.base + "/log", "GET": p.base + "/moves",
		"POST": p.base + "/live", "PATCH": "/api/v1/tables",
	} {
		got := p.send(method, path, p.gm, nil)
		got.problem(405, "method-not-allowed")
		if got.header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", method, path)
		}
	}
	for _, path := range []string{"", "/log", "/live"} {
		if got := p.send("HEAD", p.base+path, p.gm, nil); got.status != 200 || len(got.body) > 0 {
			t.Errorf("HEAD %s: %d %s", path, got.status, got.body)
		}
	}
	if got := p.send("PUT", p.base+"/characters/c1", p.gm, nil).header.Get("Allow"); got != "DELETE, PATCH" {
		t.Errorf("Allow: %s", got)
	}
	for _, path := range []string{
		"/api/", "/api/v1", "/api/v2/tables", "/api/docs", p.base + "/dice",
		"/api/v1/tables/",
	} {
		p.send("GET", path, p.gm, nil).problem(404, "not-found")
	}
}

// Errors are in the requested language and have the same form.
func TestErrorsAreInTheRequestedLanguage(t *testing.T) {
	p := open(serve(t))
	var titles, messages, missing, games []string
	for _, language := range []string{"en", "ru", "uk", "de", "uk-UA,en;q=0.5"} {
		p.lang = language
		a := p.post("/moves", p.gm, body{"move": "check", "character": p.vex, "args": body{"difficulty": 7}})
		got := a.problem(422, "invalid")
		titles = append(titles, got.text(t, "title"))
		messages = append(messages, got.text(t, "errors", 0, "message"))
		missing = append(missing, p.get("", "wrong").problem(404, "not-found").text(t, "detail"))
		games = append(games, p.send("GET", "/api/v1/games", "", nil).want(200).text(t, "games", 0, "moves", 0, "name"))
		if want := map[string]string{"de": "en", "uk-UA,en;q=0.5": "uk"}[language]; want == "" &&
			a.header.Get("Content-Language") != language {
			t.Errorf("%s is answered in %s", language, a.header.Get("Content-Language"))
		}
	}
	for _, texts := range [][]string{titles, missing, games} {
		if texts[0] == texts[1] || texts[1] == texts[2] || texts[3] != texts[0] || texts[4] != texts[2] {
			t.Errorf("%q", texts)
		}
	}
	if diff := cmp.Diff([]string{
		"body.args.difficulty: must be 0 to 2, got 7",
		"body.args.difficulty: от 0 до 2, а дано 7",
		"body.args.difficulty: від 0 до 2, а дано 7",
	}, messages[:3]); diff != "" {
		t.Error(diff)
	}
}
