package playtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// paper is a table over the API with a game master's pencil beside it: what its sheets say is held to what stands on paper.
type paper struct {
	*server
	path string // of the table in the API
	gm   string // the game master's secret
}

// opens opens a table of a game in a language.
func (s *server) opens(game, lang string) paper {
	s.t.Helper()
	made := s.must("POST", "/tables", "", body{"game": game, "name": "On paper", "lang": lang})
	return paper{s, "/tables/" + made["id"].(string), made["seat"].(map[string]any)["secret"].(string)}
}

// paperStep is a part of a test on paper.
type paperStep struct {
	name string
	play func(t *testing.T)
}

// play goes through steps, each of which begins where the one before it ends.
func (p *paper) play(t *testing.T, steps []paperStep) {
	t.Helper()
	for _, step := range steps {
		played := t.Run(step.name, func(t *testing.T) {
			p.t = t
			step.play(t)
		})
		if p.t = t; !played {
			t.FailNow()
		}
	}
}

// invites gives somebody a player's seat.
func (p *paper) invites(name string) (secret, id string) {
	p.t.Helper()
	seat := p.must("POST", p.path+"/seats", p.gm, body{"name": name, "role": "player"})
	return seat["secret"].(string), seat["id"].(string)
}

// adds adds a character, whose owner may be nobody.
func (p *paper) adds(kind, name, owner string, sheet body) string {
	p.t.Helper()
	return p.must("POST", p.path+"/characters", p.gm, body{"name": name, "kind": kind, "owner": owner, "sheet": sheet})["id"].(string)
}

// becomes changes members of a sheet, as somebody does with a pencil.
func (p *paper) becomes(who string, sheet body) {
	p.t.Helper()
	p.must("PATCH", p.path+"/characters/"+who, p.gm, body{"sheet": sheet})
}

// sets changes the table's settings.
func (p *paper) sets(settings body) {
	p.t.Helper()
	p.must("PATCH", p.path+"/settings", p.gm, body{"settings": settings})
}

// moves makes a move with faces from dice on a real table.
func (p *paper) moves(secret, move, who string, args body, faces ...int) {
	p.t.Helper()
	p.must("POST", p.path+"/moves", secret, made(move, who, args, faces))
}

// refused makes a move that is refused, by a rule unless that is "".
func (p *paper) refused(secret, move, who string, args body, rule string) {
	p.t.Helper()
	status, refused := p.call("POST", p.path+"/moves", secret, made(move, who, args, nil))
	if by, _ := refused["rule"].(string); status != http.StatusUnprocessableEntity || by != rule {
		p.t.Errorf("%s %v: %d %v, want it refused by %s", move, args, status, refused, rule)
	}
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

// asked is an open question of a kind, as a seat sees it.
func (p *paper) asked(secret, question string) map[string]any {
	p.t.Helper()
	for _, each := range p.must("GET", p.path, secret, nil)["questions"].([]any) {
		if q := each.(map[string]any); q["question"] == question {
			return q
		}
	}
	p.t.Fatalf("nobody asks %s there", question)
	return nil
}

// onPage is the id that a question has on a page.
func onPage(question map[string]any) string {
	return "q-" + strings.NewReplacer(":", "-", ".", "_").Replace(question["id"].(string))
}

// answers answers an open question of a kind from a seat.
func (p *paper) answers(secret, question string, answer body) {
	p.t.Helper()
	p.must("POST", p.path+"/answers", secret, body{"question": p.asked(secret, question)["id"], "answer": answer})
}

// throws types in the faces that a seat is asked for.
func (p *paper) throws(secret string, faces ...int) {
	p.t.Helper()
	p.answers(secret, "dice", body{"faces": faces})
}

// sees is a character as a seat sees it.
func (p *paper) sees(secret, who string) map[string]any {
	p.t.Helper()
	for _, each := range p.must("GET", p.path, secret, nil)["characters"].([]any) {
		if c := each.(map[string]any); c["id"] == who {
			return c
		}
	}
	p.t.Fatalf("nobody sees %s there", who)
	return nil
}

// reckoned holds a sheet to what stands on paper: of a group only what is named there.
func (p *paper) reckoned(who string, want body) {
	p.t.Helper()
	c := p.sees(p.gm, who)
	p.holds(c["name"].(string), c["sheet"].(map[string]any), want)
}

func (p *paper) holds(where string, sheet map[string]any, want body) {
	p.t.Helper()
	for name, value := range want {
		if part, group := sheet[name].(map[string]any); group {
			if of, some := value.(body); some {
				p.holds(where+", "+name, part, of)
				continue
			}
		}
		have, _ := json.Marshal(sheet[name])
		paper, _ := json.Marshal(value)
		if string(have) != string(paper) {
			p.t.Errorf("%s, %s: the sheet says %s, paper %s", where, name, have, paper)
		}
	}
}

// came holds the last outcome in the log to what is read off the dice, and no question may be left. n is not looked at where
// it's 0.
func (p *paper) came(outcome string, n int) {
	p.t.Helper()
	if open := p.must("GET", p.path, p.gm, nil)["questions"].([]any); len(open) > 0 {
		p.t.Errorf("%s: still asked is %v", outcome, open[0].(map[string]any)["question"])
	}
	entries := p.must("GET", p.path+"/log?limit=1000", p.gm, nil)["entries"].([]any)
	var last map[string]any
	for _, each := range entries {
		if came, ok := each.(map[string]any)["outcome"].(map[string]any); ok {
			last = came
		}
	}
	if have, _ := last["n"].(float64); last["id"] != outcome || n != 0 && int(have) != n {
		p.t.Errorf("the log says %v, paper %s %d", last, outcome, n)
	}
}

// text is all that a seat reads of the log over the API.
func (p *paper) text(secret string) string {
	p.t.Helper()
	data, err := json.Marshal(p.must("GET", p.path+"/log?limit=1000", secret, nil))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}
