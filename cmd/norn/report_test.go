package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"norn/agent"
	"norn/chat/bridge"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/kvstore"
	"norn/internal/lab"
	"norn/lang"
	"norn/odds"
	"norn/web"
	"norn/web/api"
	"norn/web/webtest"
)

var (
	tag   = regexp.MustCompile(`<[^>]*>`)
	space = regexp.MustCompile(`[\s\x{a0}]+`)
)

// flat returns a text in one line, without tags.
func flat(text string) string {
	return space.ReplaceAllString(html.UnescapeString(tag.ReplaceAllString(text, " ")), " ")
}

// Every front end draws the same report: its headlines, averages, outcomes, chances and differences. Programs get
// it from the API, from the tools of agents and on the command line.
func TestOddsAreTheSameOnEveryFrontEnd(t *testing.T) {
	norn := home()
	log, gate := slog.New(slog.DiscardHandler), webtest.RoomyGate()
	store, err := kvstore.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	chats, err := bridge.New(t.Context(), bridge.Config{
		Games: norn.Library, Words: norn.Words, Store: store, Gate: gate, Now: time.Now, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer chats.Close()
	site := web.New(web.Config{Words: norn.Words, Games: norn.Library, Gate: gate, Log: log})
	programs := httptest.NewServer(api.New(api.Config{
		Host: newHallEmpty(t, norn.Words), Words: norn.Words, Games: norn.Library, Gate: gate, Log: log,
	}))
	defer programs.Close()
	agents := map[lang.Lang]*mcp.ClientSession{}
	for _, l := range lang.All {
		agents[l] = agentAt(t, programs.URL, l)
	}
	pages := func(path string) string {
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Body.String()
	}
	for _, c := range []struct {
		throws []string // as bare.Parse reads them
		line   []string // of the command line
		words  string   // of a chat, which doesn't compare
	}{
		{[]string{"spire/check,skill=on,difficulty=1"}, []string{"spire", "check", "--skill", "--difficulty", "1"}, "spire check skill difficulty=1"},
		{[]string{"mage/roll,pool=7"}, []string{"mage", "roll", "--pool", "7"}, "mage roll pool=7"},
		{[]string{"spire/stress"}, []string{"spire", "stress"}, "spire stress"},
		{[]string{"dice,notation=4d6kh3,as=norn-3"}, []string{"4d6kh3"}, "4d6kh3"},
		{[]string{"dice,notation=d20%2B5 15%2B,as=norn-3"}, []string{"d20+5", "15+"}, "d20+5 15+"},
		{[]string{"dice,notation=3d6,as=norn-3", "dice,notation=4d6kh3,as=norn-3"}, []string{"3d6", "--compare", "4d6kh3"}, ""},
		{[]string{"spire/check,skill=on", "spire/check,difficulty=1"}, []string{"spire", "check", "--skill", "--compare", "--skill=no --difficulty=1"}, ""},
		{[]string{"spire/check,skill=on", "mage/roll,pool=5"}, []string{"spire", "check", "--skill", "--compare", "mage roll --pool 5"}, ""},
	} {
		var throws []bare.Throw
		for _, text := range c.throws {
			one, err := bare.Parse(text, nil, nil, func(id string) *game.Game {
				g, _ := game.Find(norn.Games, id)
				return g
			})
			if err != nil {
				t.Fatal(text, err)
			}
			throws = append(throws, one)
		}
		for _, l := range lang.All {
			say := norn.Words.In(l)
			r, err := lab.Answer(odds.WithSharedBudget(t.Context()), say, lab.Question{Throws: throws})
			if err != nil {
				t.Fatal(c.line, err)
			}
			drawn := map[string]string{} // by front end
			last, query := throws[len(throws)-1], "?lang="+string(l)
			for _, part := range last.Pairs() {
				query += "&" + part
			}
			for _, one := range throws[:len(throws)-1] {
				query += "&_with=" + strings.NewReplacer("%", "%25", "+", "%2B").Replace(one.Text(last.Move))
			}
			path := "/odds/" + strings.TrimSuffix(last.Game.ID+"/"+last.Move.ID, "/notation")
			page := pages(path + query)
			drawn["page"], drawn["drawing"] = flat(page), flat(pages(path+"/odds.svg"+query))
			var terminal bytes.Buffer
			args := append([]string{"odds"}, append(c.line, "--lang", string(l))...)
			run(t.Context(), norn, args, strings.NewReader(""), &terminal, &terminal, []string{"LANG=C", "COLUMNS=200"})
			drawn["terminal"] = flat(terminal.String())
			if c.words != "" {
				a, err := chats.Do(t.Context(), bridge.Update{
					By: bridge.Person{ID: "test:anna", Name: "Anna", Lang: l}, Place: "test:street", Line: "odds " + c.words,
				})
				if err != nil {
					t.Fatal(err)
				}
				text := a.Message.Head
				for _, line := range a.Message.Lines {
					text += " " + line.Text
				}
				drawn["chat"] = flat(text + " " + a.Message.Alt)
			}
			for where, text := range drawn {
				for _, part := range expected(r, where) {
					if !strings.Contains(text, flat(part)) {
						t.Errorf("%v, %s, %s lacks %q: %s", c.line, l, where, part, text)
					}
				}
			}
			var told struct{ Sides []lab.Side }
			law := regexp.MustCompile(`data-law="([^"]*)"`).FindStringSubmatch(page)
			if law == nil || json.Unmarshal([]byte(html.UnescapeString(law[1])), &told) != nil || len(told.Sides) != len(r.Sides) {
				t.Fatalf("%v: the script gets %q", c.line, law)
			}
			for i, side := range told.Sides {
				same := func(a, b odds.Bar) bool { return a.Label == b.Label && a.P == b.P && a.Plain == b.Plain }
				if !slices.EqualFunc(side.Rows, r.Sides[i].Rows, same) {
					t.Errorf("%v, %s: the script gets %+v, want %+v", c.line, l, side.Rows, r.Sides[i].Rows)
				}
			}
			sameFile(t, r, pages(path+"/odds.csv"+query))

			var want any = r.Sides[0].Document()
			at, asked := "/api/v1/odds/"+last.Game.ID+"/"+last.Move.ID, map[string]any{"args": json.RawMessage(last.Form.JSON(last.Args))}
			if len(throws) > 1 {
				settings := game.Each(throws, func(t bare.Throw) json.RawMessage { return t.Form.JSON(t.Args) })
				want, at, asked = r.Document(), at+"/compare", map[string]any{"settings": settings}
			}
			documents := map[string]string{}
			if r.OneMove {
				documents["api"] = post(t, programs.URL+at, l, asked)
			}
			if last.Game == bare.Dice && len(throws) == 1 {
				answer, err := agents[l].CallTool(t.Context(), &mcp.CallToolParams{Name: "odds", Arguments: map[string]any{
					"move": game.PlainDice, "args": map[string]any{"notation": last.Args.(game.Notation).Notation},
				}})
				if err != nil || answer.IsError {
					t.Fatal(err, answer)
				}
				documents["agent"] = answer.Content[0].(*mcp.TextContent).Text
			}
			terminal.Reset()
			run(t.Context(), norn, append(args, "--json"), strings.NewReader(""), &terminal, &terminal, nil)
			documents["terminal"] = terminal.String()
			for where, text := range documents {
				sameNumbers(t, c.line, r, where, text, want)
			}
		}
	}
}

// expected returns what a front end must show of a report.
func expected(r *lab.Report, where string) (parts []string) {
	parts = append(parts, r.Differences...)
	for i, side := range r.Sides {
		switch {
		case len(r.Sides) == 1:
			parts = append(append(parts, side.Texts()...), side.Meant)
		case !r.OneMove && where != "drawing":
			parts = append(append(parts, side.Name), side.Texts()...)
		case where != "drawing":
			parts = append(parts, side.Name)
			for _, head := range side.Heads {
				parts = append(parts, head.Fine)
			}
		}
		for _, row := range r.Sides[i].Rows {
			if side.Only && where == "terminal" {
				row.Label = strconv.Itoa(row.N)
			}
			if len(r.Sides) == 1 && (where == "page" || where == "terminal") {
				parts = append(parts, row.Label, row.Fine)
			}
		}
		for _, part := range side.Parts {
			if len(r.Sides) == 1 && !side.Only && where == "chat" {
				parts = append(parts, part.Label+" "+part.Shown)
			}
		}
	}
	if where == "drawing" {
		return slices.DeleteFunc(parts, func(part string) bool { return part == r.Sides[0].Meant })
	}
	return parts
}

// agentAt connects an agent to a new table in a language.
func agentAt(t *testing.T, norn string, l lang.Lang) *mcp.ClientSession {
	t.Helper()
	var made struct {
		ID   string
		Seat struct{ Secret string }
	}
	text := post(t, norn+"/api/v1/tables", l, map[string]any{"game": "spire", "name": "Night shift", "lang": l})
	base, err := url.Parse(norn)
	if err := cmp.Or(err, json.Unmarshal([]byte(text), &made)); err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	seat := &agent.Seat{API: http.DefaultTransport, Base: base, Table: made.ID, Secret: made.Seat.Secret}
	if _, err := seat.Server("test").Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// sameNumbers checks that programs get a report: its document, with the chances and words that people see.
// want is the document; an agent's table names the move in its own way.
func sameNumbers(t *testing.T, line []string, r *lab.Report, where, text string, want any) {
	t.Helper()
	var told, all map[string]any
	data, err := json.Marshal(want)
	if err := cmp.Or(err, json.Unmarshal(data, &all), json.Unmarshal([]byte(text), &told)); err != nil {
		t.Fatal(where, err, text)
	}
	if where == "agent" {
		all["game"], all["move"], all["args"] = "spire", game.PlainDice, told["args"]
	}
	if !reflect.DeepEqual(told, all) {
		t.Errorf("%v: %s is told %v, want %v", line, where, told, all)
	}
	sides := []any{told}
	if len(r.Sides) > 1 {
		sides = told["settings"].([]any)
	}
	for i, side := range sides {
		var said []string
		for _, text := range side.(map[string]any)["said"].([]any) {
			said = append(said, text.(string))
		}
		if !slices.Equal(said, r.Sides[i].Texts()) {
			t.Errorf("%v: %s is told %q, want %q", line, where, said, r.Sides[i].Texts())
		}
		for j, row := range side.(map[string]any)["rows"].([]any) {
			if got, want := row.(map[string]any)["p"], r.Sides[i].Odds.Rows[j].P.RatString(); got != want {
				t.Errorf("%v: %s is told the chance %v, want %s", line, where, got, want)
			}
		}
	}
}

// post sends JSON to the API and returns its answer.
func post(t *testing.T, address string, l lang.Lang, body any) string {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", string(l))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 400 {
		t.Fatal(address, answer.Status, string(text), err)
	}
	return string(text)
}

// sameFile checks that a table of commas has the chances of a report.
func sameFile(t *testing.T, r *lab.Report, file string) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, side := range r.Sides {
		for _, row := range side.Odds.Rows {
			n := ""
			if row.Counts {
				n = strconv.Itoa(row.N)
			}
			want = append(want, row.Outcome+" "+n+" "+row.P.RatString())
		}
	}
	var got []string
	for _, line := range lines[1:] {
		line = line[len(line)-4:] // without the setting
		got = append(got, strings.Join(line[:3], " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the file has %q, want %q", got, want)
	}
}
