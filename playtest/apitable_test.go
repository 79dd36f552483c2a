//go:build browser || e2e

package playtest

import (
	"encoding/json"
	"strings"
)

// apiTable is a table that a test plays through the API, together with the pages of its seats.
type apiTable struct {
	*server
	path string // the table's path in the API
	gm   string // the game master's secret
}

// opens creates a table of a game in a language.
func (s *server) opens(game, lang string) *apiTable {
	s.t.Helper()
	made := s.must("POST", "/tables", "", body{"game": game, "name": "Tuesday", "lang": lang})
	return &apiTable{s, "/tables/" + made["id"].(string), made["seat"].(map[string]any)["secret"].(string)}
}

// invites adds a player's seat.
func (p *apiTable) invites(name string) (secret, id string) {
	p.t.Helper()
	seat := p.must("POST", p.path+"/seats", p.gm, body{"name": name, "role": "player"})
	return seat["secret"].(string), seat["id"].(string)
}

// adds adds a character, with or without an owner.
func (p *apiTable) adds(kind, name, owner string, sheet body) string {
	p.t.Helper()
	return p.must("POST", p.path+"/characters", p.gm,
		body{"name": name, "kind": kind, "owner": owner, "sheet": sheet})["id"].(string)
}

// becomes changes fields of a sheet.
func (p *apiTable) becomes(who string, sheet body) {
	p.t.Helper()
	p.must("PATCH", p.path+"/characters/"+who, p.gm, body{"sheet": sheet})
}

// sets changes the table's settings.
func (p *apiTable) sets(settings body) {
	p.t.Helper()
	p.must("PATCH", p.path+"/settings", p.gm, body{"settings": settings})
}

// moves makes a move with faces of real dice.
func (p *apiTable) moves(secret, move, who string, args body, faces ...int) {
	p.t.Helper()
	p.must("POST", p.path+"/moves", secret, made(move, who, args, faces))
}

func made(move, who string, args body, faces []int) body {
	request := body{"move": move, "args": args}
	if who != "" {
		request["character"] = who
	}
	if len(faces) > 0 {
		request["dice"] = faces
	}
	return request
}

// asked returns an open question of a kind, as a seat sees it.
func (p *apiTable) asked(secret, question string) map[string]any {
	p.t.Helper()
	for _, each := range p.must("GET", p.path, secret, nil)["questions"].([]any) {
		if q := each.(map[string]any); q["question"] == question {
			return q
		}
	}
	p.t.Fatalf("nobody asks %s there", question)
	return nil
}

// onPage returns the id of a question's element on a page.
func onPage(question map[string]any) string {
	return "q-" + strings.NewReplacer(":", "-", ".", "_").Replace(question["id"].(string))
}

// answers answers an open question of a kind from a seat.
func (p *apiTable) answers(secret, question string, answer body) {
	p.t.Helper()
	p.must("POST", p.path+"/answers", secret, body{"question": p.asked(secret, question)["id"], "answer": answer})
}

// throws enters the faces that a seat is asked for.
func (p *apiTable) throws(secret string, faces ...int) {
	p.t.Helper()
	p.answers(secret, "dice", body{"faces": faces})
}

// sees returns a character as a seat sees it.
func (p *apiTable) sees(secret, who string) map[string]any {
	p.t.Helper()
	for _, each := range p.must("GET", p.path, secret, nil)["characters"].([]any) {
		if c := each.(map[string]any); c["id"] == who {
			return c
		}
	}
	p.t.Fatalf("nobody sees %s there", who)
	return nil
}

// reckoned checks that a sheet has these values; of a group only the given members.
func (p *apiTable) reckoned(who string, want body) {
	p.t.Helper()
	c := p.sees(p.gm, who)
	p.holds(c["name"].(string), c["sheet"].(map[string]any), want)
}

func (p *apiTable) holds(where string, sheet map[string]any, want body) {
	p.t.Helper()
	for name, value := range want {
		if part, group := sheet[name].(map[string]any); group {
			if of, some := value.(body); some {
				p.holds(where+", "+name, part, of)
				continue
			}
		}
		have, _ := json.Marshal(sheet[name])
		wanted, _ := json.Marshal(value)
		if string(have) != string(wanted) {
			p.t.Errorf("%s, %s: the sheet says %s, want %s", where, name, have, wanted)
		}
	}
}

// text returns all text of the log that a seat reads through the API.
func (p *apiTable) text(secret string) string {
	p.t.Helper()
	data, err := json.Marshal(p.must("GET", p.path+"/log?limit=1000", secret, nil))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}
