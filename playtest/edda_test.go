//go:build e2e

package playtest

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// edda is a table of the Christmas Edda with its people: a game master, Anna with Asta, Boris with
// Jon, and a spectator.
type edda struct {
	*server
	path                       string // the table's path in the API
	gm, anna, boris, spectator string // secrets
	asta, jon, frost           string // ids
}

func openEdda(s *server) *edda {
	s.t.Helper()
	e := &edda{server: s}
	made := e.must("POST", "/tables", "", body{"game": "edda", "name": "The bell on the ice", "lang": "en"})
	e.path = "/tables/" + made["id"].(string)
	e.gm = made["seat"].(map[string]any)["secret"].(string)
	var annas, boris string
	e.anna, annas = e.invite("Anna", "player")
	e.boris, boris = e.invite("Boris", "player")
	e.spectator, _ = e.invite("Grandmother", "spectator")
	e.asta = e.add("Asta", annas, body{
		"experience": 17,
		"strengths": []body{
			{"name": "Knows every crack in the ice", "steps": 3},
			{"name": "A singing voice", "steps": 2},
		},
		"weakness": body{"text": "Afraid of the dark", "marks": 2},
		"memories": []body{{"text": "The last crossing with her grandfather", "calls": 1}},
	})
	e.jon = e.add("Jon", boris, body{
		"experience": 4,
		"strengths": []body{
			{"name": "Never lets go of a rope", "steps": 3},
			{"name": "Laughs at everything", "steps": 2, "faded": true},
		},
		"weakness": body{"text": "Lets nobody go first", "marks": 3},
		"gear":     []body{{"name": "The sledge", "dice": 1}},
	})
	e.frost = e.must("POST", e.path+"/characters", e.gm,
		body{"name": "Old Frost", "kind": "fated", "sheet": body{"dice": 3}})["id"].(string)
	return e
}

func (e *edda) invite(name, role string) (secret, id string) {
	e.t.Helper()
	seat := e.must("POST", e.path+"/seats", e.gm, body{"name": name, "role": role})
	return seat["secret"].(string), seat["id"].(string)
}

func (e *edda) add(name, owner string, sheet body) string {
	e.t.Helper()
	return e.must("POST", e.path+"/characters", e.gm,
		body{"name": name, "kind": "hero", "owner": owner, "sheet": sheet})["id"].(string)
}

// seats returns the secrets of all seats.
func (e *edda) seats() map[string]string {
	return map[string]string{"the GM": e.gm, "Anna": e.anna, "Boris": e.boris, "the spectator": e.spectator}
}

// raw returns the raw answer of an address of the API.
func (e *edda) raw(path, secret string) string {
	e.t.Helper()
	request, err := http.NewRequestWithContext(e.t.Context(), http.MethodGet, e.url(path), nil)
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		e.t.Fatalf("%s: %d %v %s", path, response.StatusCode, err, text)
	}
	return string(text)
}

// verdict matches everything that reveals a verdict, in bytes of the API and of a page.
var verdict = regexp.MustCompile(`game\.resolved|edda\.(opposed|surplus|shared|attempted|weakness|experience)|"outcome"|data-outcome|Won by|Lost by|Succeeded|Fiasco with|Draw\b`)

// silent fails if anybody can read a verdict: in the API's log and view, in the log of an open page
// and in a new page.
func (e *edda) silent(when string, browsers ...*seat) {
	e.t.Helper()
	for who, secret := range e.seats() {
		for _, what := range []string{"", "/log"} {
			if found := verdict.FindString(e.raw("/api/v1"+e.path+what, secret)); found != "" {
				e.t.Errorf("%s reads %q in the API's %q %s", who, found, what, when)
			}
		}
	}
	for _, s := range browsers {
		if found := verdict.FindString(s.ask("document.querySelector('.log-box').outerHTML")); found != "" {
			e.t.Errorf("%s reads %q on the page %s", s.name, found, when)
		}
		// The composer lists the possible outcomes of a new move: it isn't part of the log.
		fresh := s.fetched(`new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), 'text/html').querySelector('.log-box').outerHTML`)
		if found := verdict.FindString(fresh); found != "" {
			e.t.Errorf("%s reads %q on the page opened anew %s", s.name, found, when)
		}
	}
}

// No bytes for anybody, not even the game master, reveal a verdict before the special effort is
// answered. ED-15
func TestEddaVerdictIsHiddenUntilTheSpecialEffort(t *testing.T) {
	t.Parallel()
	s := serve(t)
	browser := sit(t, "boris", 1440, 900)
	for _, move := range []struct {
		name    string
		dice    []int
		args    func(e *edda) body
		efforts int
	}{
		{"act", []int{3}, func(*edda) body {
			return body{"strengths": []string{"0"}, "weakness": true, "complexity": 2}
		}, 1},
		{"help", []int{6, 1, 2}, func(e *edda) body { return body{"strengths": []string{"0"}, "helped": e.jon} }, 1},
		{"contest", []int{5, 1, 2, 5, 6, 1}, func(e *edda) body {
			return body{"strengths": []string{"0"}, "against": e.frost}
		}, 2},
	} {
		e := openEdda(s)
		e.must("POST", e.path+"/moves", e.anna,
			body{"move": move.name, "character": e.asta, "args": move.args(e), "dice": move.dice})
		if n := len(e.questions()); n != move.efforts {
			t.Fatalf("%s: %d questions are open, want %d", move.name, n, move.efforts)
		}
		browser.visit(e.url("/t" + e.path[len("/tables"):] + "/" + e.boris))
		browser.sees("[data-move]", "Asta")
		e.silent("while an effort of "+move.name+" is open", browser)
		for open := e.questions(); len(open) > 0; open = e.questions() {
			question := open[0].(map[string]any)
			e.must("POST", e.path+"/answers", e.gm, body{"question": question["id"], "answer": question["standard"]})
			if len(e.questions()) > 0 && e.questions()[0].(map[string]any)["question"] == "edda.effort" {
				e.silent("after the first of two answers", browser)
			}
		}
		for who, secret := range e.seats() {
			log := e.raw("/api/v1"+e.path+"/log", secret)
			if !verdict.MatchString(log) { // the searched text can be found
				t.Errorf("%s: %s reads no verdict at all", move.name, who)
			}
			if !strings.Contains(log, `"strengths":["0"]`) {
				t.Errorf("%s: %s doesn't read which strengths were ticked", move.name, who)
			}
		}
		browser.sees("[data-move] [data-outcome]", "")
	}
}

// questions returns the open questions, as the game master sees them.
func (e *edda) questions() []any {
	e.t.Helper()
	return e.must("GET", e.path, e.gm, body{})["questions"].([]any)
}
