package playtest

import (
	"strconv"
	"testing"
)

// A table of a thousand entries opens with the newest part of its log, and leads to what was before.
func TestALongTableShowsItsEnd(t *testing.T) {
	s := serve(t)
	l := s.talkedAt(1000)
	reader := sit(t, "reader", 390, 800)
	reader.visit(s.url("/t/" + l.id + "/" + l.gm))
	reader.sees("#log", "line 999")
	shown := reader.ask("document.querySelectorAll('#log > li').length")
	if n, err := strconv.Atoi(shown); err != nil || n > 100 {
		t.Errorf("the page shows %s entries of a thousand at once", shown)
	}
	reader.sees(".log-more a[data-earlier]", "")
}

// talkedAt is a table of Spire at which n things were said, after a hundred moves.
func (s *server) talkedAt(n int) longTable {
	s.t.Helper()
	l := s.long("spire", "en", 100)
	for i := range n {
		s.must("POST", "/tables/"+l.id+"/talk", l.gm, body{"text": "line " + strconv.Itoa(i)})
	}
	return l
}
