package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// event is one server-sent event.
type event struct{ id, name, data string }

// stream reads a live stream.
type stream struct {
	t      testing.TB
	events <-chan event // closed when the stream ends
	close  context.CancelFunc
}

// follow opens the live stream; query and last may be empty.
func (p *party) follow(secret, query, last string) *stream {
	p.t.Helper()
	ctx, cancel := context.WithCancel(p.t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", p.url+p.base+"/live"+query, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Accept-Language", p.lang)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	if got.StatusCode != 200 || got.Header.Get("Content-Type") != "text/event-stream" {
		p.t.Fatalf("%s %s", got.Status, got.Header.Get("Content-Type"))
	}
	events := make(chan event, 1000)
	go func() {
		defer close(events)
		defer got.Body.Close()
		var e event
		lines := bufio.NewScanner(got.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				e.data = value
			case "":
				if value != "" {
					events <- event{name: "quiet"}
					continue
				}
				if e.name != "" {
					events <- e
				}
				e = event{}
			}
		}
	}()
	p.t.Cleanup(cancel)
	return &stream{p.t, events, cancel}
}

// next returns the next event with a name.
func (s *stream) next(name string) event {
	s.t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		select {
		case e, more := <-s.events:
			if !more {
				s.t.Fatalf("the stream ended before %s", name)
			}
			if e.name == name {
				return e
			}
		case <-timeout:
			s.t.Fatalf("no %s came", name)
		}
	}
}

// ended waits for the end.
func (s *stream) ended() {
	s.t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		select {
		case _, more := <-s.events:
			if !more {
				return
			}
		case <-timeout:
			s.t.Fatal("the stream goes on")
		}
	}
}

func (p *party) say(text string) {
	p.t.Helper()
	p.post("/moves", p.player, body{"move": "no-roll", "character": p.vex, "args": body{"text": text}}).want(200)
}

// A client that reconnects with its last id misses nothing and gets nothing twice.
func TestConcurrentStreamResumesWithoutGapOrRepeat(t *testing.T) {
	p := open(serve(t))
	live := p.follow(p.player, "", "")
	first := live.next("view")
	p.say("one")
	p.say("two")
	var seen []event
	seen = append(seen, live.next("entry"), live.next("entry"))
	live.close()
	p.say("three")
	p.say("four")
	live = p.follow(p.player, "?after=0", seen[1].id) // Last-Event-ID takes precedence over after
	seen = append(seen, live.next("entry"), live.next("entry"))
	p.say("five")
	seen = append(seen, live.next("entry"))

	log := p.get("/log?after="+first.id, p.player).want(200).at(t, "entries").([]any)
	if len(log) != len(seen) {
		t.Fatalf("%d events, %d entries", len(seen), len(log))
	}
	for i, e := range seen {
		var entry any
		if err := json.Unmarshal([]byte(e.data), &entry); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(log[i], entry); diff != "" {
			t.Errorf("entry %d: %s", i, diff)
		}
	}

	// From the beginning, by the query.
	live = p.follow(p.spectator, "?after=0", "")
	all := p.get("/log", p.spectator).want(200).at(t, "entries").([]any)
	for range all {
		live.next("entry")
	}
}

func TestConcurrentStreamReportsOtherSeatsPresence(t *testing.T) {
	p := open(serve(t))
	live := p.follow(p.gm, "", "")
	live.next("view")
	p.follow(p.player, "", "").next("view")
	live.next("view") // the player is online
	live.next("quiet")
	p.say("hello")
	live.next("entry")
}

func TestStreamEndsWhenItsSeatIsRevoked(t *testing.T) {
	p := open(serve(t))
	player, spectator := p.follow(p.player, "", ""), p.follow(p.spectator, "", "")
	player.next("view")
	spectator.next("view")
	p.send("DELETE", p.base+"/seats/"+p.playerSeat, p.gm, nil).want(200)
	player.ended()
	p.post("/moves", p.gm, body{"move": "no-roll", "character": p.vex, "args": body{"text": "on"}}).want(200)
	spectator.next("entry")
}

// A player isn't asked for hidden faces and can't give them. SP-28
func TestOnlyGameMastersTypeInHiddenFaces(t *testing.T) {
	p := open(serve(t))
	p.send("PATCH", p.base+"/settings", p.gm, body{"settings": body{"stress-shown": "hidden"}}).want(200)
	args := body{"risk": "d6", "resistance": "blood"}
	p.post("/moves", p.player, body{
		"move": "check", "character": p.vex, "args": args,
		"dice": []int{3, 4, 10},
	}).want(422)
	p.post("/moves", p.player, body{"move": "check", "character": p.vex, "args": args, "dice": []int{3}}).want(202)
	if asked := string(p.get("", p.player).body); strings.Contains(asked, `"question":"dice"`) {
		t.Errorf("the player is asked for the stress: %s", asked)
	}
	if to := p.get("", p.gm).want(200).text(t, "questions", 0, "to"); to != "gm" {
		t.Errorf("the dice are asked of %q", to)
	}
	roll := body{"question": p.get("", p.gm).want(200).text(t, "questions", 0, "id"), "answer": body{"roll": true}}
	p.post("/answers", p.player, roll).want(403)
	if status := p.post("/answers", p.gm, roll).status; status >= 300 {
		t.Fatalf("norn doesn't throw: %d", status)
	}
	if log := string(p.get("/log", p.player).body); strings.Contains(log, `"hand":false`) {
		t.Errorf("the player sees norn's throw: %s", log)
	}
}

// A player of a table that hides stress never gets a number of it in any way. SP-28
func TestHiddenStressIsNeverSentToAPlayer(t *testing.T) {
	p := open(serve(t))
	p.send("PATCH", p.base+"/settings", p.gm, body{"settings": body{"stress-shown": "hidden"}}).want(200)
	live := p.follow(p.player, "?after=0", "")
	p.post("/moves", p.gm, body{
		"move": "check", "character": p.vex, "args": body{"risk": "d8", "resistance": "mind", "enemies": 20},
		"dice": []int{1, 7, 10},
	}).want(202) // 2 × 7 + 19 is 33 in Mind: fallout of 33
	question := p.get("", p.gm).want(200).text(t, "questions", 0, "id")
	p.post("/answers", p.gm, body{
		"question": question,
		"answer":   body{"do": "take", "pick": "mind.severe.1"},
	}).want(200)
	p.send("PATCH", p.base+"/characters/"+p.vex, p.gm, body{"sheet": body{"stress": body{"silver": 37}}}).want(200)
	p.post("/moves", p.gm, body{"move": "no-roll", "character": p.vex, "args": body{"text": "the end"}}).want(200)

	var got []string
	for _, path := range []string{"", "/log"} {
		got = append(got, string(p.get(path, p.player).body))
	}
	for {
		e := live.next("entry")
		got = append(got, e.data)
		if strings.Contains(e.data, "the end") {
			break
		}
	}
	odds := p.post("/odds", p.player, body{"move": "check", "character": p.vex})
	for _, name := range []string{"act", "refresh"} { // their odds don't depend on the present stress
		args := body{"die": "d8"}
		if name == "act" {
			args["resistance"] = "silver"
		}
		p.post("/odds", p.player, body{"move": name, "character": p.vex, "args": args}).want(422)
		p.post("/odds", p.gm, body{"move": name, "character": p.vex, "args": args}).want(200)
	}
	own := p.send("PATCH", p.base+"/characters/"+p.vex, p.player, body{"name": "Vex"})
	locked := p.send("PATCH", p.base+"/characters/"+p.vex, p.player, body{"sheet": body{"stress": body{"mind": 0}}})
	if locked.status != 422 {
		t.Errorf("a player writes hidden stress: %d %s", locked.status, locked.body)
	}
	got = append(got, string(odds.body), string(own.body), string(locked.body))
	// 33 and 26 are the stress in Mind before and after the fallout, 37 that in Silver, 63 both; 7
	// was rolled for stress.
	number := regexp.MustCompile(`[^0-9a-z"-](33|26|37|63)[^0-9a-z":]|"faces":\[7\]`)
	clock := regexp.MustCompile(`"(time|began)":"[^"]*"`) // times contain such numbers
	for _, text := range got {
		text = clock.ReplaceAllString(text, "")
		if at := number.FindStringIndex(text); at != nil {
			t.Errorf("a number is sent: …%s…", text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
		for _, name := range []string{
			`"stress":{`, `"total":`, `"cleared":`, `spire.stress-marked`,
			`spire.stress-cleared`,
		} {
			if strings.Contains(text, name) {
				t.Errorf("%s is sent: %s", name, text)
			}
		}
	}
	if stress := p.sheet(p.gm, p.vex).at(t, "stress", "silver"); stress != 37.0 {
		t.Errorf("the game master sees %v", stress)
	}
	if b := p.get("/log", p.gm).body; !number.Match(b) || !strings.Contains(string(b), "spire.stress-marked") {
		t.Errorf("the game master's log has no numbers: %s", b)
	}
}

func TestASecretMoveIsSentToGameMastersOnly(t *testing.T) {
	p := open(serve(t))
	live := p.follow(p.player, "", "")
	live.next("view")
	p.post("/moves", p.gm, body{
		"move": "no-roll", "character": p.vex, "args": body{"text": "whisper"},
		"secret": true,
	}).want(200)
	p.say("aloud")
	if e := live.next("entry"); strings.Contains(e.data, "whisper") || !strings.Contains(e.data, "aloud") {
		t.Errorf("%s", e.data)
	}
	if b := p.get("/log", p.player).body; strings.Contains(string(b), "whisper") {
		t.Errorf("%s", b)
	}
	p.post("/moves", p.player, body{
		"move": "no-roll", "character": p.vex, "args": body{"text": "x"},
		"secret": true,
	}).problem(403, "forbidden")
}
