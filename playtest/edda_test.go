//go:build e2e

package playtest

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// edda is a table of the Christmas Edda with its people: a game master, Anna
// who plays Asta, Boris who plays Jon, and somebody who only looks on.
type edda struct {
	*server
	path                       string // of the table in the API
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
		"strengths":  []body{{"name": "Knows every crack in the ice", "steps": 3}, {"name": "A singing voice", "steps": 2}},
		"weakness":   body{"text": "Afraid of the dark", "marks": 2},
		"memories":   []body{{"text": "The last crossing with her grandfather", "calls": 1}},
	})
	e.jon = e.add("Jon", boris, body{
		"experience": 4,
		"strengths":  []body{{"name": "Never lets go of a rope", "steps": 3}, {"name": "Laughs at everything", "steps": 2, "faded": true}},
		"weakness":   body{"text": "Lets nobody go first", "marks": 3},
		"gear":       []body{{"name": "The sledge", "dice": 1}},
	})
	e.frost = e.must("POST", e.path+"/characters", e.gm, body{"name": "Old Frost", "kind": "fated", "sheet": body{"dice": 3}})["id"].(string)
	return e
}

func (e *edda) invite(name, role string) (secret, id string) {
	e.t.Helper()
	seat := e.must("POST", e.path+"/seats", e.gm, body{"name": name, "role": role})
	return seat["secret"].(string), seat["id"].(string)
}

func (e *edda) add(name, owner string, sheet body) string {
	e.t.Helper()
	return e.must("POST", e.path+"/characters", e.gm, body{"name": name, "kind": "hero", "owner": owner, "sheet": sheet})["id"].(string)
}

// sit brings somebody to the table at a browser of their own.
func (e *edda) sit(name, secret string, width, height int64) *seat {
	e.t.Helper()
	s := sit(e.t, name, width, height)
	s.visit(e.url("/t" + e.path[len("/tables"):] + "/" + secret))
	s.sees("header", "The bell on the ice")
	return s
}

// seats are all who sit at the table, by their secrets.
func (e *edda) seats() map[string]string {
	return map[string]string{"the GM": e.gm, "Anna": e.anna, "Boris": e.boris, "the spectator": e.spectator}
}

// raw is what an address of the API answers, as it stands.
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

// verdict is how anything that gives a verdict away reads, in bytes of the API
// and in those of a page.
var verdict = regexp.MustCompile(`game\.resolved|edda\.(opposed|surplus|shared|attempted|weakness|experience)|"outcome"|data-outcome|Won by|Lost by|Succeeded|Fiasco with|Draw\b`)

// silent fails if anybody can read a verdict: in the API's log and view, in
// the log of an open page and in a page that is opened anew.
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
		// The composer says what may come of a move yet to be made: it isn't part of the log.
		fresh := s.fetched(`new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), 'text/html').querySelector('.log-box').outerHTML`)
		if found := verdict.FindString(fresh); found != "" {
			e.t.Errorf("%s reads %q on the page opened anew %s", s.name, found, when)
		}
	}
}

// Asta and Jon contend with real dice, and each makes a special effort in a
// browser of their own; then Jon's weakness costs him an action and feeds his
// experience; then he fades his last strength for a miracle and is forgotten.
func TestEddaContestFiascoAndOblivion(t *testing.T) {
	t.Parallel()
	e := openEdda(serve(t))
	gm := e.sit("gm", e.gm, 1440, 900)
	anna := e.sit("anna", e.anna, 390, 844)
	boris := e.sit("boris", e.boris, 1024, 768)

	contendsInSight(e, anna)
	plansUnseen(t, e, anna, boris)
	makesBothEfforts(e, gm, anna, boris)
	failsByHisWeakness(gm, boris)
	fadesTheLastStrength(t, gm, anna, boris)
	actsNoMore(t, e)
}

// contendsInSight has Asta's pool add up in sight, with the odds side by side.
func contendsInSight(e *edda, anna *seat) {
	anna.click(".compose-open")
	anna.composes("contest")
	anna.fills(composer, "against", e.jon)
	anna.fills(composer, "strengths", "0")
	anna.fills(composer, "strengths", "1")
	anna.sees("#odds .odds-sources", "Knows every crack in the ice +3")
	anna.sees("#odds .odds-sources", "A singing voice +2")
	anna.sees("#odds .odds-pool", "5d6")
	for _, way := range []string{"With a special effort", "With a faded strength"} {
		anna.sees("#odds .odds-variants", way)
	}
	anna.picture("contest-composer")
	anna.click(".hand summary")
	anna.click("[data-by-hand]")
}

// plansUnseen lets no die fall before Jon's player has said what goes into his pool; he reads
// nothing of Asta's. ED-01
func plansUnseen(t *testing.T, e *edda, anna, boris *seat) {
	boris.sees("[data-question-kind='edda.plan']", "")
	boris.picture("plan")
	for _, path := range []string{"", "/log"} {
		if raw := e.raw("/api/v1"+e.path+path, e.boris); strings.Contains(raw, `"strengths":["0","1"]`) || strings.Contains(raw, `"advice"`) {
			t.Errorf("Boris reads Asta's plan in the API's %q", path)
		}
	}
	boris.answers("edda.plan", "strengths", "0", "gear", "0")
	anna.answers("dice", "faces", "5 2 6 1 3")
	boris.answers("dice", "faces", "6 1 2 4") // each throws for their own
	anna.sees("[data-question-kind='edda.effort']", "")
	anna.picture("effort")
}

// makesBothEfforts asks both for an effort at once, says what it comes to, and tells no verdict
// before both have answered.
func makesBothEfforts(e *edda, gm, anna, boris *seat) {
	anna.sees("[data-question-kind='edda.effort']", "successes so far 2")
	boris.sees("[data-question-kind='edda.effort']", "successes so far 1")

	// Each is told what an effort comes to, with the dice that lie there: hers can't better 2 against 1, his can.
	boris.sees("[data-question-kind='edda.effort'] .advice", "No special effort: Asta 100% to win")
	boris.sees("[data-question-kind='edda.effort'] .advice", "Special effort for a condition: Asta 30% to win")
	gm.sees("[data-move]", "Jon")
	e.silent("while both efforts are open", gm, anna, boris)
	gm.picture("two-efforts")
	boris.picture("effort")

	boris.answers("edda.effort", "pay", "condition")
	gm.sees("[data-move]", "special effort")
	boris.answers("dice", "faces", "5 6 1")
	e.silent("while one effort is open", gm, anna, boris)

	anna.answers("edda.effort", "pay", "memory", "memory", "0")
	e.silent("while dice are thrown", gm, anna, boris)
	anna.answers("dice", "faces", "6 4 5")

	for _, one := range []*seat{gm, anna, boris} {
		one.sees("[data-move] [data-outcome]", "Won by 1 success")
		one.sees("[data-move]", "Asta 4 : 3 Jon")
		one.sees("[data-move] .throw", "Jon · The other side’s special effort")
	}
	gm.fills("[data-question-kind='edda.yield']", "becomes", "condition")
	gm.picture("yield")
	gm.answers("edda.yield", "size", "2")
	boris.sees("#sheet [data-scale=body][aria-label='fatigue'][aria-valuetext='3 of 6']", "") // one for the effort, two from Fate
	anna.sees("[data-move]", "2 of 5")                                                        // her memory
	gm.picture("contest-over")
	anna.picture("contest-over")
}

// failsByHisWeakness has Jon's weakness cost him an action and feed his experience.
func failsByHisWeakness(gm, boris *seat) {
	boris.composes("act")
	boris.fills(composer, "strengths", "0")
	boris.fills(composer, "gear", "0")
	boris.fills(composer, "weakness", "on")
	boris.sees("#odds .odds-sources", "fatigue −3") // what hinders is ticked. ED-13
	boris.choose(composer+" [name=conditions]", "")
	boris.sees("#odds .odds-sources", "weakness −3")
	boris.sees("#odds .odds-pool", "1d6")
	boris.picture("act-composer")
	boris.click(".hand summary")
	boris.choose("#hand-dice", "2")
	boris.click("[data-by-hand]")
	boris.sees("[data-question-kind='edda.effort']", "")
	boris.answers("edda.effort", "pay", "none")
	for _, one := range []*seat{gm, boris} {
		one.sees("[data-move] + [data-move]", "left out: fatigue −3")
		one.sees("[data-move] + [data-move] [data-outcome]", "Fiasco")
		one.sees("[data-move] + [data-move]", "experience +3 → 7")
	}
	gm.answers("edda.condition")
	boris.sees("#sheet [data-scale=experience][aria-valuetext='7 of 20']", "")
	boris.sees("#sheet [data-scale=weakness][aria-valuetext='1 of 6']", "")
	boris.picture("fiasco")
}

// fadesTheLastStrength has Jon do the impossible: Fate declines, and nothing has happened; then
// Fate agrees.
func fadesTheLastStrength(t *testing.T, gm, anna, boris *seat) {
	boris.sees("#odds .odds-variants", "With the last strength faded, then oblivion")
	for i, agree := range []string{"", "on"} {
		for _, kept := range []string{"strengths", "gear", "weakness", "conditions"} { // the composer keeps what was chosen last
			boris.choose(composer+" [name="+kept+"]", "")
		}
		boris.fills(composer, "fade", "0")
		boris.fills(composer, "miracle", "both")
		boris.sees("#odds .odds-pool", "6d6")
		boris.sees("#odds .odds-sources", "the last strength fades, then oblivion")
		boris.picture("miracle-composer")
		boris.click("[data-throw]")
		gm.sees("[data-question-kind='edda.miracle']", "“Never lets go of a rope”, the last strength, would fade for it")
		gm.picture("miracle")
		gm.answers("edda.miracle", "agree", agree)
		if i == 0 {
			boris.sees("[data-move]:last-child [data-outcome]", "Fate doesn’t agree")
			if options := boris.text("[data-move]:last-child .card-options"); strings.Contains(options, "0") {
				t.Errorf("the card shows a place on the sheet: %q", options)
			}
			boris.sees("#sheet .strengths", "Never lets go of a rope")
			if n := boris.ask("document.querySelectorAll('#sheet .strengths s').length"); n != "1" {
				t.Errorf("%s strengths have faded after Fate declined", n)
			}
		}
	}
	boris.sees("[data-question-kind='edda.effort'], [data-question-kind='edda.restore']", "")
	if boris.ask("document.querySelector(\"[data-question-kind='edda.effort']\") !== null") == "true" { // six successes leave nothing to throw again
		boris.answers("edda.effort", "pay", "none")
	}
	boris.sees("[data-question-kind='edda.restore']", "Experience: 7, a strength costs 5") // before he leaves the world. ED-23
	boris.picture("restore")
	boris.answers("edda.restore", "strength", "")
	for _, one := range []*seat{gm, anna, boris} {
		one.sees("[data-move]:last-child", "Jon falls into oblivion")
	}
	boris.sees("#sheet", "oblivion")
	if n := boris.ask("document.querySelectorAll('#sheet .strengths s').length"); n != "2" {
		t.Errorf("%s of Jon's strengths are struck through, want both", n)
	}
	boris.picture("oblivion")
}

// actsNoMore checks that who has left the world can't act. ED-23
func actsNoMore(t *testing.T, e *edda) {
	status, refused := e.call("POST", e.path+"/moves", e.boris, body{"move": "act", "character": e.jon, "args": body{}})
	if status != http.StatusUnprocessableEntity || refused["rule"] != "ED-23" {
		t.Errorf("a hero in oblivion acts: %d %v", status, refused)
	}
}

// A verdict is in nobody's bytes before the special effort is answered, not
// even in the game master's. ED-15
func TestEddaTellsNoVerdictBeforeTheEffort(t *testing.T) {
	t.Parallel()
	s := serve(t)
	browser := sit(t, "boris", 1440, 900)
	for _, move := range []struct {
		name    string
		dice    []int
		args    func(e *edda) body
		efforts int
	}{
		{"act", []int{3}, func(*edda) body { return body{"strengths": []string{"0"}, "weakness": true, "complexity": 2} }, 1},
		{"help", []int{6, 1, 2}, func(e *edda) body { return body{"strengths": []string{"0"}, "helped": e.jon} }, 1},
		{"contest", []int{5, 1, 2, 5, 6, 1}, func(e *edda) body { return body{"strengths": []string{"0"}, "against": e.frost} }, 2},
	} {
		e := openEdda(s)
		e.must("POST", e.path+"/moves", e.anna, body{"move": move.name, "character": e.asta, "args": move.args(e), "dice": move.dice})
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
			if !verdict.MatchString(log) { // what is looked for can be found
				t.Errorf("%s: %s reads no verdict at all", move.name, who)
			}
			if !strings.Contains(log, `"strengths":["0"]`) {
				t.Errorf("%s: %s doesn't read which strengths were ticked", move.name, who)
			}
		}
		browser.sees("[data-move] [data-outcome]", "")
	}
}

// questions are those that are open, as the game master sees them.
func (e *edda) questions() []any {
	e.t.Helper()
	return e.must("GET", e.path, e.gm, body{})["questions"].([]any)
}
