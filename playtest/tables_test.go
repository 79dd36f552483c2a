//go:build e2e

package playtest

import "strconv"

// longTable is a table with a number of moves with consequences, and talk.
type longTable struct{ id, gm string }

// long creates a table of a game whose log has n moves, in a language.
func (s *server) long(game, lang string, n int) longTable {
	s.t.Helper()
	names := spokenNames[lang]
	made := s.must("POST", "/tables", "", body{"game": game, "name": names.table, "lang": lang})
	l := longTable{id: made["id"].(string), gm: made["seat"].(map[string]any)["secret"].(string)}
	path := "/tables/" + l.id
	for _, play := range plays {
		if play.game != game {
			continue
		}
		s.must("POST", path+"/characters", l.gm, body{"name": names.hero, "kind": play.kind, "sheet": play.sheet})
		args := play.args
		if _, ok := args["deed"]; ok {
			args = body{"deed": names.deed, "effort": "never", "bonus": 3}
		}
		for i := range n {
			if i%10 == 9 {
				s.must("POST", path+"/talk", l.gm, body{"text": names.said})
				continue
			}
			s.must("POST", path+"/moves", l.gm,
				body{"move": play.move, "character": "c1", "args": args, "key": "k" + strconv.Itoa(i)})
			for s.answersAsAssumed(path, l.gm) { // an answer may lead to another question
			}
		}
	}
	return l
}

// answersAsAssumed gives open questions the answers that odds assume. It returns false if there are
// none.
func (s *server) answersAsAssumed(path, secret string) bool {
	s.t.Helper()
	questions := s.must("GET", path, secret, nil)["questions"].([]any)
	for _, q := range questions {
		question := q.(map[string]any)
		answer := question["standard"]
		if answer == nil {
			answer = body{}
		}
		s.must("POST", path+"/answers", secret,
			body{"question": question["id"], "answer": answer, "key": "a" + question["id"].(string)})
	}
	return len(questions) > 0
}

// plays lists moves that the rules always allow, by game, with a character whose sheet they need.
var plays = []struct {
	game, kind string
	sheet      body
	move       string
	args       body
}{
	{
		"spire", "character",
		body{"skills": []body{{"name": "sneak"}}, "domains": []body{{"name": "crime"}}},
		"check",
		body{"skill": "sneak", "domain": "crime", "risk": "d3", "resistance": "blood"},
	},
	{"mage", "character", body{}, "roll", body{"alone": "willpower", "difficulty": 6}},
	{"eclipse", "character", body{}, "test", body{"on": "check:som"}},
	{"edda", "hero", body{}, "act", body{"deed": "", "effort": "never", "bonus": 3}},
	{"godbound", "hero", body{}, "check", body{"tested": "strength"}},
}

var spokenNames = map[string]struct{ table, hero, deed, said string }{
	"en": {"Night shift", "Lira Vale", "Climb the wall", "We wait until the lamps are out, then over the roofs."},
	"ru": {"Ночная смена", "Лира Вэйл", "Перелезть через стену", "Ждём, пока погаснут фонари, и уходим по крышам."},
	"uk": {"Нічна зміна", "Ліра Вейл", "Перелізти через ґанок", "Чекаємо, доки згаснуть ліхтарі, і йдемо дахами."},
}
