package api_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// hostile lists bodies that must not make any operation fail.
var hostile = []string{
	`{}`, `{"move":"check","character":"c1","args":{"difficulty":1},"dice":[3],"key":"k"}`,
	`{"name":"x","kind":"npc","sheet":{"notes":"y"}}`,
	`{"settings":{"helpers-most":2}}`, `{"question":"m5::0","answer":{"die":"d6"}}`, `{"game":"spire","name":"x"}`,
	`{"name":"x","role":"player"}`,
	`{"sheet":{"stress":{"blood":null}},"owner":null}`, `{"args":{"with":["c1"]},"move":"group","character":"c1"}`,
	`{"byHand":true}`, "\xff", `[`,
	`{"args":{"difficulty":2}}`, `{"args":{"notation":"2d6+"}}`, `{"settings":[{},{"skill":true}]}`,
	`{"settings":[{"difficulty":9},1]}`,
	`{"move":"check","character":"c1","byHand":true}`, `{"key":"\u0000"}`, `{"dice":[1e99]}`, `{"sheet":null}`,
}

// queries lists queries that must not make any operation fail.
var queries = []string{
	"", "after=1&limit=2", "after=18446744073709551616", "limit=-1", "limit=1e3", "find=%00", "find=zq&part=talk",
	"find=" + strings.Repeat("a", 5000),
	"after=1&after=2", "%zz", "session=1", "session=99999999999999999999", "lang=uk", "part=%D1%8F", "unknown=1", ";",
	"=",
}

// siege is a table with an open question for trying any operation.
type siege struct {
	*party
	operations []string // such as "POST /api/v1/tables/{id}/moves"; those with a body first
	bodies     int
}

func besiege(t testing.TB) *siege {
	s := &siege{party: open(serve(t))}
	all := openAPI(t).operations
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if all[id].Body != nil {
			s.operations = append(s.operations, id)
		}
	}
	s.bodies = len(s.operations)
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(all))) { // operations that remove something come last
		if all[id].Body == nil && !strings.HasSuffix(id, "/live") { // streams don't end
			s.operations = append(s.operations, id)
		}
	}
	s.loose = true
	s.post("/moves", s.player, body{"move": "check", "character": s.vex, "dice": []int{3}}).want(202)
	return s
}

// try sends a body, or a query to an operation without one. The response must not be 5xx, and with
// 4xx nothing may be written.
func (s *siege) try(t testing.TB, operation, who int, sent string) {
	s.t = t
	method, path, _ := strings.Cut(s.operations[operation], " ")
	path = strings.NewReplacer("/api/v1/tables/{id}", s.base, "{sid}", s.playerSeat, "{cid}", s.vex, "{mid}", "m1",
		"{game}", "spire", "{move}", "check").Replace(path)
	content := any(sent)
	if operation >= s.bodies {
		// no HTTP client sends that
		if _, err := url.Parse("?" + sent); err != nil || strings.ContainsAny(sent, "# ") {
			return
		}
		path, content = path+"?"+sent, nil
	}
	before := s.entries()
	got := s.send(method, path, []string{s.gm, s.player, s.spectator}[who], content)
	if got.status >= 500 {
		t.Errorf("%s: %d: %s", s.operations[operation], got.status, got.body)
	}
	if written := s.entries() - before; got.status >= 400 && written > 0 {
		t.Errorf("%s: %d wrote %d entries: %s", s.operations[operation], got.status, written, got.body)
	}
}

// Every operation survives every hostile body or query.
func TestHostileInputBreaksNoOperation(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	s := besiege(t)
	for operation := range s.operations {
		sent := hostile
		if operation >= s.bodies {
			sent = queries
		}
		for i, text := range sent {
			s.try(t, operation, (operation+i)%3, text)
		}
	}
}

// FuzzBody sends anything to any operation.
func FuzzBody(f *testing.F) {
	s := besiege(f)
	for i, text := range hostile {
		f.Add(byte(i), byte(i), text)
	}
	for i, text := range queries {
		f.Add(byte(s.bodies+i), byte(i), text)
	}
	for i, id := range s.operations[:s.bodies] {
		for _, media := range openAPI(f).operations[id].Body.Content {
			if example, err := json.Marshal(media.Example); err == nil {
				f.Add(byte(i), byte(i), string(example))
			}
		}
	}
	f.Fuzz(func(t *testing.T, operation, who byte, sent string) {
		s.try(t, int(operation)%len(s.operations), int(who)%3, sent)
	})
}
