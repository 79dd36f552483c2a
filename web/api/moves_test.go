package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/journal"
	"norn/journal/sqlite"
)

func faces(t testing.TB, entry object) [][]any {
	t.Helper()
	var all [][]any
	for i := range entry.at(t, "throws").([]any) {
		all = append(all, entry.at(t, "throws", i, "faces").([]any))
	}
	return all
}

// The whole course of a failed check: typed dice, the risk, stress, fallout, the game master's
// ruling, the sheet.
func TestFailedCheckLeadsToFalloutOnTheSheet(t *testing.T) {
	p := open(serve(t))
	made := p.post("/moves", p.player, body{
		"move": "check", "character": p.vex, "args": body{"skill": "fight", "domain": "crime", "difficulty": 1},
		"dice": []int{3, 5, 2}, "key": "one",
	}).want(202)
	if got := made.text(t, "outcome", "id"); got != "failure" || made.at(t, "done") != false {
		t.Errorf("outcome %s, done %v", got, made.at(t, "done"))
	}
	if diff := cmp.Diff([][]any{{3.0, 5.0, 2.0}}, faces(t, made)); diff != "" {
		t.Error(diff)
	}
	if made["open"] != nil || made.text(t, "waiting", 0, "to") != "gm" {
		t.Errorf("the player sees more than that the game master is asked: %v", made)
	}
	chooseRisk(t, p)
	typeDice(t, p)
	question, done := ruleOnFallout(t, p)

	// An answered question can't be answered again, except by repeating the request.
	gone := p.post("/answers", p.gm,
		body{"question": question, "answer": body{"do": "take", "pick": "blood.moderate.1"}}).problem(409, "answered")
	if gone["detail"] == "" {
		t.Error("nobody is named")
	}
	again := p.post("/answers", p.gm,
		body{
			"question": question, "answer": body{"do": "take", "pick": "blood.moderate.2"},
			"key": "fallout",
		}).want(200)
	if again["seq"] != done["seq"] {
		t.Errorf("entry %v, then %v", done["seq"], again["seq"])
	}
}

// chooseRisk answers as the game master, who decides what is at stake.
func chooseRisk(t *testing.T, p *party) {
	view := p.get("", p.gm).want(200)
	risk := view.text(t, "questions", 0, "id")
	if got := view.text(t, "questions", 0, "question"); got != "spire.risk" {
		t.Fatalf("asked %s", got)
	}
	if view.at(t, "questions", 0, "schema", "properties", "resistance", "enum") == nil {
		t.Error("the question has no schema")
	}
	p.post("/answers", p.spectator, body{"question": risk, "answer": body{}}).problem(403, "forbidden")
	p.post("/answers", p.player, body{"question": risk, "answer": body{}}).problem(403, "forbidden")
	answered := p.post("/answers", p.gm,
		body{"question": risk, "answer": body{"die": "d8", "resistance": "blood"}, "key": "risk"}).want(202)
	if got := answered.text(t, "open", 0, "question"); got != "dice" {
		t.Fatalf("asked %s", got)
	}
}

// typeDice types 5 stress, and the game master's 1 on the d10 against a total of 5.
func typeDice(t *testing.T, p *party) {
	roll := func(seat string, face int) object {
		t.Helper()
		id := p.get("", seat).want(200).text(t, "questions", 0, "id")
		return p.post("/answers", seat, body{"question": id, "answer": body{"faces": []int{face}}}).want(202)
	}
	p.post("/answers", p.player, body{
		"question": p.get("", p.player).want(200).text(t, "questions", 0, "id"), "answer": body{"faces": []int{9}},
	}).problem(422, "invalid")
	roll(p.player, 5)
	roll(p.gm, 1)
}

// ruleOnFallout answers the question for the fallout, which ends the move, and returns both.
func ruleOnFallout(t *testing.T, p *party) (question string, done object) {
	view := p.get("", p.gm).want(200)
	question = view.text(t, "questions", 0, "id")
	if got := view.text(t, "questions", 0, "question"); got != "spire.fallout" {
		t.Fatalf("asked %s", got)
	}
	refused := p.post("/answers", p.gm,
		body{"question": question, "answer": body{"do": "take", "pick": "blood.minor.1"}}).problem(422, "refused")
	if refused["rule"] != "SP-18" {
		t.Errorf("refused by %v", refused["rule"])
	}
	done = p.post("/answers", p.gm,
		body{
			"question": question, "answer": body{"do": "take", "pick": "blood.moderate.2"},
			"key": "fallout",
		}).want(200)
	if done.at(t, "done") != true {
		t.Errorf("not done: %v", done)
	}
	for who, secret := range map[string]string{"gm": p.gm, "player": p.player, "spectator": p.spectator} {
		sheet := p.sheet(secret, p.vex)
		if sheet.text(t, "fallouts", 0, "suggestion") != "blood.moderate.2" || sheet.at(t, "stress", "blood") != 0.0 {
			t.Errorf("%s sees %v", who, sheet)
		}
	}
	return question, done
}

// If the risk is agreed on and all dice are given, only the ruling is left.
func TestMoveWithAllDiceGivenAsksOnlyForTheRuling(t *testing.T) {
	p := open(serve(t))
	made := p.post("/moves", p.gm, body{
		"move": "check", "character": p.vex, "args": body{"risk": "d8", "resistance": "mind"}, "dice": []int{1, 4, 7},
	}).want(202)
	if made.text(t, "outcome", "id") != "critical-failure" || made.text(t, "open", 0, "question") != "spire.fallout" {
		t.Errorf("%v", made)
	}
	if got := p.sheet(p.player, p.vex).at(t, "stress", "mind"); got != 8.0 { // SP-11: doubled
		t.Errorf("stress %v", got)
	}
	// Another move with Vex must wait for the ruling; an edit needn't.
	p.post("/moves", p.player, body{"move": "check", "character": p.vex}).problem(409, "busy")
	p.send("PATCH", p.base+"/characters/"+p.vex, p.gm, body{"sheet": body{"class": "Knight"}}).want(200)
}

func TestMoveRollsNornsDiceUnlessByHand(t *testing.T) {
	p := open(serve(t))
	made := p.post("/moves", p.player,
		body{"move": "check", "character": p.vex, "args": body{"skill": "fight"}, "nonce": "n"})
	if made.status != 200 && made.status != 202 {
		t.Fatalf("%d %s", made.status, made.body)
	}
	entry := made.want(made.status)
	if got := faces(t, entry); len(got[0]) != 3 { // one, the skill, its mastery
		t.Errorf("thrown %v", got)
	}
	if entry.at(t, "check", "nonce") != "n" {
		t.Errorf("check %v", entry["check"])
	}
	// byHand without faces asks for them.
	p = open(serve(t))
	asked := p.post("/moves", p.player, body{"move": "check", "character": p.vex, "byHand": true}).want(202)
	if asked.text(t, "open", 0, "question") != "dice" {
		t.Errorf("%v", asked)
	}
	// The player who is asked may let norn roll.
	question := asked.text(t, "open", 0, "id")
	p.post("/answers", p.player, body{"question": question, "answer": body{"roll": false}}).want(422)
	rolled := p.post("/answers", p.player, body{"question": question, "answer": body{"roll": true}})
	if entry := rolled.want(rolled.status); entry.at(t, "throws", 0, "hand") != false ||
		entry.text(t, "check", "move") == "" {
		t.Errorf("norn's dice: %v", entry)
	}
}

// A refusal names its rule in the reader's language, and nothing is written.
func TestRefusalNamesItsRuleAndWritesNothing(t *testing.T) {
	p := open(serve(t))
	made := p.post("/moves", p.gm, body{
		"move": "check", "character": p.vex, "args": body{"risk": "d8", "resistance": "mind"}, "dice": []int{2, 4, 2},
	}).want(202)
	question, before := made.text(t, "open", 0, "id"), p.entries()
	var details []string
	for _, lang := range []string{"en", "ru", "uk"} {
		p.lang = lang
		o := p.post("/answers", p.gm, body{
			"question": question,
			"answer":   body{"do": "take", "pick": "mind.moderate.1"},
		}).problem(422, "refused")
		if o["rule"] != "SP-18" || o["errors"] != nil {
			t.Errorf("%v", o)
		}
		details = append(details, o.text(t, "detail"))
	}
	if diff := cmp.Diff([]string{
		"SP-18: The fallout picked is of another category; needed here: minor", "SP-18: ", "SP-18: ",
	}, []string{details[0], details[1][:7], details[2][:7]}); diff != "" || details[1] == details[2] {
		t.Errorf("%s%q", diff, details)
	}
	if p.entries() != before {
		t.Error("a refusal was written")
	}
}

// Of two concurrent answers, one is refused as answered.
func TestConcurrentAnswersAreAcceptedOnce(t *testing.T) {
	p := open(serve(t))
	other := p.post("/seats", p.gm, body{"name": "Second", "role": "gm"}).want(201).text(t, "secret")
	question := p.post("/moves", p.gm, body{"move": "check", "character": p.vex, "dice": []int{3}}).want(202).text(t,
		"open", 0, "id")
	answers := make(chan answer)
	for _, secret := range []string{p.gm, other} {
		go func() {
			answers <- p.post("/answers", secret,
				body{"question": question, "answer": body{"die": "d6", "resistance": "blood"}})
		}()
	}
	a, b := <-answers, <-answers
	if a.status > b.status {
		a, b = b, a
	}
	a.want(202)
	b.problem(409, "answered")
}

// A failed write or read of the journal gives 503 with a time to try again.
func TestFailedJournalGives503WithARetryTime(t *testing.T) {
	j, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	full := &fullJournal{Journal: j}
	p := open(serveOn(t, full))
	full.full.Store(true)
	for path, b := range map[string]body{
		"/moves":      {"move": "check", "character": p.vex, "dice": []int{9}, "key": "k"},
		"/seats":      {"name": "X"},
		"/characters": {"name": "X", "kind": "npc"},
	} {
		got := p.post(path, p.gm, b)
		got.problem(503, "unavailable")
		if got.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	p.send("POST", "/api/v1/tables", "", body{"game": "spire", "name": "X"}).problem(503, "unavailable")
	full.full.Store(false)
	p.post("/moves", p.gm, body{"move": "check", "character": p.vex, "dice": []int{9}, "key": "k"}).want(200)

	// A table of a newer norn stays closed.
	id := strings.TrimPrefix(p.base, "/api/v1/tables/")
	seq := p.entries() - 1
	if _, err := j.Append(t.Context(), id, seq, journal.Entry{Time: time.Now(), Body: []byte(`{"v":99}`)}); err != nil {
		t.Fatal(err)
	}
	serveOn(t, j).send("GET", p.base, p.gm, nil).problem(503, "unreadable")
}

// fullJournal is a journal whose disk can be full.
type fullJournal struct {
	journal.Journal
	full atomic.Bool
}

func (j *fullJournal) Append(ctx context.Context, table string, expect uint64,
	entries ...journal.Entry,
) ([]journal.Entry, error) {
	if j.full.Load() {
		return nil, &journal.UnavailableError{Err: errors.New("the disk is full")}
	}
	return j.Journal.Append(ctx, table, expect, entries...)
}

func TestRepeatedKeyWritesNothing(t *testing.T) {
	p := open(serve(t))
	move := body{"move": "check", "character": p.vex, "dice": []int{8}, "key": "k"}
	first := p.post("/moves", p.player, move).want(200)
	before := p.entries()
	for range 3 {
		if again := p.post("/moves", p.player, move).want(200); again["seq"] != first["seq"] {
			t.Errorf("entry %v, then %v", first["seq"], again["seq"])
		}
	}
	if p.entries() != before {
		t.Error("a repetition was written")
	}
	move["dice"] = []int{9}
	p.post("/moves", p.player, move).problem(409, "key-reused")
	if p.post("/moves", p.gm, move).want(200)["seq"] == first["seq"] { // a key belongs to its seat
		t.Error("one seat's key is another's")
	}

	seat := body{"name": "Sasha", "role": "player", "key": "s"}
	a, b := p.post("/seats", p.gm, seat).want(201), p.post("/seats", p.gm, seat).want(201)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	p.send("GET", p.base, a.text(t, "secret"), nil).want(200)
	sheet := body{"name": "Nyx", "kind": "character", "key": "c"}
	x, y := p.post("/characters", p.player, sheet).want(201), p.post("/characters", p.player, sheet).want(201)
	if x["seq"] != y["seq"] {
		t.Errorf("entry %v, then %v", x["seq"], y["seq"])
	}
}

func TestOddsOfAMoveSumToOneAndWriteNothing(t *testing.T) {
	p := open(serve(t))
	before := p.entries()
	odds := p.post("/odds", p.player,
		body{"move": "check", "character": p.vex, "args": body{"skill": "fight", "difficulty": 1}}).want(200)
	sum := new(big.Rat)
	for i := range odds.at(t, "rows").([]any) {
		chance, ok := new(big.Rat).SetString(odds.text(t, "rows", i, "p"))
		if !ok {
			t.Fatalf("%v", odds)
		}
		sum.Add(sum, chance)
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("the chances sum to %v", sum)
	}
	// Difficulty removes one of three dice: two dice, at most 5 with (1/2)² minus two ones.
	for i := range odds.at(t, "rows").([]any) {
		if odds.text(t, "rows", i, "outcome") == "failure" && odds.text(t, "rows", i, "p") != "6/25" {
			t.Errorf("failure is %v", odds.at(t, "rows", i))
		}
	}
	if odds["game"] != "spire" || odds["move"] != "check" || odds.at(t, "args", "difficulty") != 1.0 ||
		odds.at(t, "args", "enemies") != 1.0 {
		t.Errorf("%v", odds)
	}
	p.post("/odds", p.gm, body{"move": "lie-low", "character": p.vex}).want(422)
	if p.entries() != before {
		t.Error("odds were written")
	}
}

func TestTablesSeatsAndCharactersAreReadAndChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	p := open(serve(t))
	view := p.get("", p.player).want(200)
	if view["role"] != "player" || view["game"] != "spire" || view["name"] != "Tuesday" ||
		view.at(t, "characters", 0, "mine") != true {
		t.Errorf("%v", view)
	}
	refuseOthers(p)
	patchSheets(t, p)
	fillTable(t, p)
	npc := releaseCharacters(t, p)

	// An address that names something unknown.
	for _, path := range []string{"/seats/s99", "/characters/c99", "/characters/" + npc} {
		got := p.send("DELETE", p.base+path, p.gm, nil).problem(404, "not-found")
		if place := got.text(t, "errors", 0, "place"); place != "path.sid" && place != "path.cid" {
			t.Errorf("%s: %s", path, place)
		}
	}
	renewSeats(t, p)
}

// refuseOthers sends what only others than the seat may do.
func refuseOthers(p *party) {
	p.post("/seats", p.player, body{"name": "X", "role": "gm"}).problem(403, "forbidden")
	p.send("PATCH", p.base+"/settings", p.player, body{"settings": body{"less-lethal": true}}).problem(403, "forbidden")
	p.send("DELETE", p.base+"/seats/"+p.playerSeat, p.player, nil).problem(403, "forbidden")
	p.post("/characters", p.player, body{"name": "Boss", "kind": "npc"}).problem(403, "forbidden")
	p.post("/characters", p.spectator, body{"name": "Me", "kind": "character"}).problem(403, "forbidden")
	p.post("/moves", p.spectator, body{"move": "check", "character": p.vex}).problem(403, "forbidden")
	p.post("/moves", p.player, body{"move": "stress", "character": p.vex}).problem(403, "forbidden")
}

// patchSheets changes settings and sheets by merge patches.
func patchSheets(t *testing.T, p *party) {
	p.send("PATCH", p.base+"/settings", p.gm, body{"settings": body{"less-lethal": true}, "key": "k"}).want(200)
	if got := p.get("", p.player).want(200).at(t, "settings", "less-lethal"); got != true {
		t.Errorf("less-lethal is %v", got)
	}
	p.send("PATCH", p.base+"/characters/"+p.vex, p.player,
		body{"name": "Vex II", "sheet": body{"slots": body{"blood": 2}, "class": nil}}).want(200)
	sheet := p.sheet(p.gm, p.vex)
	if sheet.at(t, "slots", "blood") != 2.0 || sheet["class"] != "" || sheet.text(t, "skills", 0, "name") != "fight" {
		t.Errorf("%v", sheet)
	}
}

// fillTable adds sheets until a table has no room for another long one.
func fillTable(t *testing.T, p *party) {
	long := []any{}
	for range 14 { // ten thousand characters each
		long = append(long, body{"kind": "blood", "severity": "minor", "text": strings.Repeat("x", 10_000)})
	}
	p.send("PATCH", p.base+"/characters/"+p.vex, p.player, body{"sheet": body{"fallouts": long[2:]}}).want(200)
	p.send("PATCH", p.base+"/characters/"+p.vex, p.player, body{"sheet": body{"fallouts": long}}).problem(409,
		"too-many")
	p.post("/characters", p.player,
		body{"name": "Me", "kind": "character", "sheet": body{"fallouts": long}}).problem(409, "too-many")
	for range 16 { // together with the present one, nearly all that a table can hold
		p.post("/characters", p.gm, body{
			"name": "Them", "kind": "character",
			"sheet": body{"fallouts": long[2:]},
		}).want(201)
	}
	full := p.post("/characters", p.gm, body{"name": "Them", "kind": "character", "sheet": body{"fallouts": long[2:]}})
	full.problem(409, "too-many")
	if !strings.Contains(string(full.body), "All sheets at this table together") {
		t.Errorf("%s", full.body)
	}
	p.post("/characters", p.gm, body{"name": "Me", "kind": "character"}).want(201)
	p.send("PATCH", p.base+"/characters/"+p.vex, p.player, body{"sheet": body{"fallouts": long[13:]}}).want(200)
}

// releaseCharacters takes a character from its player and removes another, whose id it returns.
func releaseCharacters(t *testing.T, p *party) (npc string) {
	p.send("PATCH", p.base+"/characters/"+p.vex, p.gm, body{"owner": ""}).want(200)
	if view := p.get("", p.player).want(200); view.at(t, "characters", 0, "mine") != false ||
		view.text(t, "characters", 0, "name") != "Vex II" {
		t.Errorf("%v", view.at(t, "characters"))
	}
	npc = p.add(p.gm, body{"name": "Boss", "kind": "npc", "sheet": body{"resistance": 7}})
	p.send("DELETE", p.base+"/characters/"+npc, p.gm, nil).want(200)
	return npc
}

// renewSeats renames, renews and revokes seats, but for the last game master's.
func renewSeats(t *testing.T, p *party) {
	p.send("PATCH", p.base+"/seats/"+p.playerSeat, p.gm, body{"name": "Olena K."}).want(200)
	// everybody may rename their own
	p.send("PATCH", p.base+"/seats/"+p.playerSeat, p.player, body{"name": "Olena"}).want(200)
	p.send("PATCH", p.base+"/seats/s1", p.player, body{"name": "x"}).problem(403, "forbidden")
	renewed := p.post("/seats/"+p.playerSeat+"/secret", p.gm, body{}).want(201).text(t, "secret")
	p.get("", p.player).problem(404, "not-found")
	p.get("", renewed).want(200)
	p.send("DELETE", p.base+"/seats/"+p.playerSeat, p.gm, nil).want(200)
	p.get("", renewed).problem(404, "not-found")
	own := p.get("", p.gm).want(200).text(t, "seat")
	last := p.send("DELETE", p.base+"/seats/"+own, p.gm, nil)
	if last.status < 400 || last.status >= 500 {
		t.Errorf("the last game master is revoked: %d %s", last.status, last.body)
	}
}

// A client without access to a table gets the same response, whatever the reason.
func TestTableWithoutAccessIsNotFound(t *testing.T) {
	p := open(serve(t))
	p.send("DELETE", p.base+"/seats/"+p.playerSeat, p.gm, nil).want(200)
	var first []byte
	for _, path := range []string{"", "/log", "/live"} {
		for _, secret := range []string{"", "wrong", p.player, p.gm + "x"} {
			got := p.get(path, secret)
			got.problem(404, "not-found")
			if first == nil {
				first = got.body
			}
			if string(got.body) != string(first) {
				t.Errorf("%s differs from %s", got.body, first)
			}
		}
	}
	for _, table := range []string{"aaaaaaaaaaaaaaaa", "x", "%00", "%ff", "..%2f", "aaaaaaaaaaaaaaaab"} {
		got := p.send("GET", "/api/v1/tables/"+table, p.gm, nil)
		if got.problem(404, "not-found"); string(got.body) != string(first) {
			t.Errorf("%s differs from %s", got.body, first)
		}
	}
	for _, header := range []string{"Basic " + p.gm, p.gm, "Bearer", "bearer  "} {
		r, err := http.NewRequest("GET", p.url+p.base, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", header)
		p.request(r, "").problem(404, "not-found")
	}
	p.post("/moves", "wrong", body{"move": "check"}).problem(404, "not-found")
	p.post("/answers", p.player, "{").problem(404, "not-found") // before the body is checked
}

func TestTheLogIsPagedAndHidesSecrets(t *testing.T) {
	p := open(serve(t))
	for range 4 {
		p.post("/moves", p.player, body{
			"move": "no-roll", "character": p.vex,
			"args": body{"text": "goes on"},
		}).want(200)
	}
	p.post("/moves", p.gm, body{
		"move": "no-roll", "character": p.vex, "args": body{"text": "hush"},
		"secret": true,
	}).want(200)
	all := p.get("/log", p.gm).want(200).at(t, "entries").([]any)
	seen := p.get("/log", p.player).want(200).at(t, "entries").([]any)
	if len(all) <= len(seen) {
		t.Errorf("the game master sees %d, the player %d", len(all), len(seen))
	}
	var paged []any
	after := "0"
	for {
		page := p.get("/log?limit=2&after="+after, p.gm).want(200).at(t, "entries").([]any)
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
		seq, err := json.Marshal(page[len(page)-1].(map[string]any)["seq"])
		if err != nil {
			t.Fatal(err)
		}
		after = string(seq)
	}
	if diff := cmp.Diff(all, paged); diff != "" {
		t.Error(diff)
	}
}
