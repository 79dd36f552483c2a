//go:build e2e

package playtest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/internal/wait"
)

// eclipse is a table of Eclipse Phase with its people: a game master, Anna with Lira, Boris with
// Tam, and the game master's Otho.
type eclipse struct {
	*server
	path            string // the table's path in the API
	gm, anna, boris string // secrets
	lira, tam, otho string // ids
}

func openEclipse(s *server) *eclipse {
	s.t.Helper()
	e := &eclipse{server: s}
	made := e.must("POST", "/tables", "", body{"game": "eclipse", "name": "Scum swarm", "lang": "en"})
	e.path = "/tables/" + made["id"].(string)
	e.gm = made["seat"].(map[string]any)["secret"].(string)
	e.must("PATCH", e.path+"/settings", e.gm, body{"settings": body{"effects": "ask"}})
	invite := func(name string) (secret, id string) {
		seat := e.must("POST", e.path+"/seats", e.gm, body{"name": name, "role": "player"})
		return seat["secret"].(string), seat["id"].(string)
	}
	add := func(kind, name, owner string, sheet body) string {
		return e.must("POST", e.path+"/characters", e.gm,
			body{"name": name, "kind": kind, "owner": owner, "sheet": sheet})["id"].(string)
	}
	anna, annas := invite("Anna")
	boris, boriss := invite("Boris")
	e.anna, e.boris = anna, boris
	skill := func(name, aptitude, kind string, value int) body {
		return body{"name": name, "aptitude": aptitude, "kind": kind, "value": value}
	}
	e.lira = add("character", "Lira", annas, body{
		"morph":     "Exalt",
		"aptitudes": body{"cog": 20, "int": 15, "ref": 15, "sav": 20, "som": 10, "wil": 15},
		"skills": []body{
			{"name": "persuade", "aptitude": "sav", "kind": "social", "value": 60, "specialisation": "Haggling"},
			skill("perceive", "int", "mental", 45), skill("guns", "ref", "combat", 35),
			{"name": "know", "aptitude": "cog", "kind": "know", "field": "Mars", "value": 50},
		},
		"rep": body{"at": 30, "c": 20},
		"pools": body{
			"insight": body{"now": 2, "max": 2}, "moxie": body{"now": 2, "max": 3},
			"flex": body{"now": 1, "max": 1},
		},
	})
	e.tam = add("character", "Tam", boriss, body{
		"morph":     "Bouncer",
		"aptitudes": body{"cog": 15, "int": 15, "ref": 20, "sav": 15, "som": 15, "wil": 20},
		"skills":    []body{skill("kinesics", "sav", "social", 55), skill("fray", "ref", "combat", 50)},
	})
	e.otho = add("npc", "Otho", "", body{"morph": "Ghost", "skills": []body{skill("deceive", "sav", "social", 70)}})
	return e
}

// A requested move names the skill for the character's player, and nothing from the sheet for
// another player.
func TestEclipseCallNamesTheSkill(t *testing.T) {
	t.Parallel()
	e := openEclipse(serve(t))
	e.must("POST", e.path+"/calls", e.gm,
		body{"move": "test", "character": e.lira, "args": body{"on": "skill:perceive", "difficulty": "easy"}})
	for who, secret := range map[string]string{"anna": e.anna, "gm": e.gm} {
		calls := e.must("GET", e.path, secret, nil)["calls"].([]any)
		if said := fmt.Sprint(calls[0].(map[string]any)["said"]); said != "[Skill or check: Perceive Difficulty: Easy +20]" {
			t.Errorf("%s reads %s", who, said)
		}
	}
	log := fmt.Sprint(e.must("GET", e.path+"/log", e.boris, nil))
	if !strings.Contains(log, "Test (Difficulty: Easy +20)") {
		t.Errorf("another player reads %s", log)
	}
}

// heard records all bytes of a connection.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) all() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// listen opens a stream and records its raw bytes.
func (e *eclipse) listen(path string, dress func(*http.Request)) *heard {
	e.t.Helper()
	request, err := http.NewRequestWithContext(e.t.Context(), http.MethodGet, e.url(path), nil)
	if err != nil {
		e.t.Fatal(err)
	}
	dress(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		e.t.Fatalf("%s: %s", path, response.Status)
	}
	h := &heard{}
	go func() {
		defer response.Body.Close()
		_, _ = io.Copy(h, response.Body) // until the test ends
	}()
	return h
}

// read returns the raw answer of an address.
func (e *eclipse) read(path string, dress func(*http.Request)) string {
	e.t.Helper()
	request, err := http.NewRequestWithContext(e.t.Context(), http.MethodGet, e.url(path), nil)
	if err != nil {
		e.t.Fatal(err)
	}
	dress(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		e.t.Fatalf("%s: %s %v", path, response.Status, err)
	}
	return string(text)
}

// The game master makes a secret roll for Lira with all possible consequences: a success that a
// point could raise, a critical success, a failure that a flip would turn, and the use of an
// earlier result. None of the bytes for her player reveal anything, not even that there was a roll.
// EP-09
func TestEclipseSecretTestReachesNoPlayer(t *testing.T) {
	t.Parallel()
	e := openEclipse(serve(t))
	e.must("PATCH", e.path+"/characters/"+e.lira, e.gm,
		body{"sheet": body{"effects": []body{{"kind": "next", "n": 10}}}})
	page := "/t" + e.path[len("/tables"):]
	bearer := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+e.anna) }
	cookies := e.cookies(page + "/" + e.anna)
	cookie := func(r *http.Request) {
		for _, c := range cookies {
			r.AddCookie(c)
		}
	}
	pieces, events := e.listen(page+"/live", cookie), e.listen("/api/v1"+e.path+"/live", bearer)
	answers := func() map[string]string {
		return map[string]string{
			"the page":       e.read(page, cookie),
			"the composer":   e.read(page+"/move?_a="+e.lira+"&_m=test", cookie),
			"the API's view": e.read("/api/v1"+e.path, bearer),
			"the API's log":  e.read("/api/v1"+e.path+"/log", bearer),
		}
	}
	for _, stream := range []*heard{pieces, events} {
		wait.Until(t, "the stream says that Anna is online", func() bool {
			return strings.Contains(stream.all(), "\n\n")
		})
	}
	before, saidBefore, eventsBefore := answers(), pieces.all(), events.all()

	var ids []string
	for _, face := range []int{13, 100, 82, 55} {
		made := e.must("POST", e.path+"/moves", e.gm, body{
			"move": "test", "character": e.lira, "secret": true, "dice": []int{face},
			"args": body{"on": "skill:perceive", "also": []body{{"name": "A tail in the crowd", "value": -10}}},
		})
		if done, _ := made["done"].(bool); !done {
			t.Fatalf("a secret %d asks something: %v", face, made)
		}
		ids = append(ids, made["move"].(string))
	}
	// An open one: the game master answers what Lira opposes Otho with.
	waits := e.must("POST", e.path+"/moves", e.gm, body{
		"move": "opposed", "character": e.otho, "secret": true, "args": body{"on": "skill:deceive", "against": e.lira},
	})
	ids = append(ids, waits["move"].(string))

	nothingHasCome(t, pieces, events, answers, before, saidBefore, eventsBefore)

	// A secret move is cancelled without notice when somebody else acts, and the game master makes
	// it again.
	status, acted := e.call("POST", e.path+"/moves", e.anna,
		body{"move": "test", "character": e.lira, "args": body{"on": "check:int"}, "dice": []int{50}})
	if text := fmt.Sprint(acted); status != http.StatusOK && status != http.StatusAccepted ||
		strings.Contains(text, "opposed") || strings.Contains(text, ids[len(ids)-1]) {
		t.Errorf("while a secret move waits, acting is answered with %d %v", status, acted)
	}
	for open, _ := acted["open"].([]any); len(open) > 0; open, _ = acted["open"].([]any) {
		question := open[0].(map[string]any)
		acted = e.must("POST", e.path+"/answers", e.anna,
			body{"question": question["id"], "answer": question["standard"]})
	}
	waits = e.must("POST", e.path+"/moves", e.gm, body{
		"move": "opposed", "character": e.otho, "secret": true, "args": body{"on": "skill:deceive", "against": e.lira},
	})
	ids = append(ids, waits["move"].(string))
	for open := waits["open"].([]any); len(open) > 0; {
		question := open[0].(map[string]any)
		waits = e.must("POST", e.path+"/answers", e.gm,
			body{"question": question["id"], "answer": question["standard"]})
		open, _ = waits["open"].([]any)
	}

	givesNothingAway(t, e, pieces, events, answers, ids)
}

// nothingHasCome checks that nothing was sent, and that everything readable is the same to the
// byte.
func nothingHasCome(t *testing.T, pieces, events *heard, answers func() map[string]string, before map[string]string,
	saidBefore, eventsBefore string,
) {
	time.Sleep(time.Second) // the test is that nothing arrives in this time
	if extra := strings.TrimPrefix(pieces.all(), saidBefore); extra != "" {
		t.Errorf("the page's stream has said something: %s", extra)
	}
	if extra := strings.TrimPrefix(events.all(), eventsBefore); extra != "" {
		t.Errorf("the API's stream has said something: %s", extra)
	}
	for where, text := range answers() {
		if text = settled(text); text != settled(before[where]) {
			t.Errorf("%s has changed: %s", where, difference(settled(before[where]), text))
		}
	}
}

// givesNothingAway checks that the player is sent nothing about the secret later, and that the game
// master sees all of it.
func givesNothingAway(t *testing.T, e *eclipse, pieces, events *heard, answers func() map[string]string, ids []string) {
	e.must("POST", e.path+"/moves", e.gm,
		body{"move": "test", "character": e.otho, "args": body{"on": "skill:deceive"}, "dice": []int{93}})
	wait.Until(t, "Otho's roll", func() bool { return strings.Contains(pieces.all(), "event: entry") })
	wait.Until(t, "Otho's roll", func() bool { return strings.Contains(events.all(), "event: entry") })
	all := answers()
	all["the page's stream"], all["the API's stream"] = pieces.all(), events.all()
	for where, text := range all {
		for _, given := range append(ids, "A tail in the crowd", `"secret":true`, "card-secret") {
			found := strings.Contains(text, `"`+given+`"`) || len(given) > 8 && strings.Contains(text, given)
			if found {
				t.Errorf("%s gives away %q", where, given)
			}
		}
	}
	// The searched text can be found: the game master reads it, and the table has no way to reveal
	// it later.
	log := e.read("/api/v1"+e.path+"/log", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+e.gm) })
	for _, id := range append(ids, "A tail in the crowd", "critical-success") {
		if !strings.Contains(log, id) {
			t.Errorf("the GM doesn't read %q", id)
		}
	}

	// Lira isn't busy, and her player can act.
	e.must("POST", e.path+"/moves", e.anna,
		body{"move": "test", "character": e.lira, "args": body{"on": "check:int"}, "dice": []int{93}})
	// A player's point can't be spent in secret: the track would reveal it.
	status, acted := e.call("POST", e.path+"/moves", e.gm,
		body{"move": "test", "character": e.tam, "secret": true, "args": body{"on": "check:int", "boost": true}})
	if status != http.StatusUnprocessableEntity || acted["rule"] != "EP-09" {
		t.Errorf("a point is spent in secret: %d %v", status, acted)
	}
}

// cookies returns the cookies that taking a link's seat sets.
func (e *eclipse) cookies(link string) []*http.Cookie {
	e.t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(e.t.Context(), http.MethodPost, e.url(link), nil)
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := client.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	if len(response.Cookies()) == 0 {
		e.t.Fatalf("%s sets no cookie: %s", link, response.Status)
	}
	return response.Cookies()
}

// settled removes random keys, which differ on each page.
func settled(text string) string {
	const key = `name="_key"`
	var b strings.Builder
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "<", "\n<"), "\n") {
		if !strings.Contains(line, key) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// difference returns the first difference of two texts.
func difference(a, b string) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	cut := func(s string) string { return s[max(0, at-80):min(len(s), at+120)] }
	return fmt.Sprintf("%q was %q", cut(b), cut(a))
}
