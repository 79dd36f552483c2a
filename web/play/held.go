package play

import (
	"net/http"
	"slices"
	"strings"

	"norn/table"
	"norn/web/door"
	"norn/web/present"
)

// mostHeld is how many seats of a table a page knows to be held beside its own.
const mostHeld = 16

// keepSeat gives the browser a seat.
func (s *Server) keepSeat(w http.ResponseWriter, r *http.Request, table, as, secret string) {
	s.Keep(w, r, door.SeatCookie(table, as), secret, "/t/"+table, true)
}

// place is an address of the table at which the browser has a secret.
type place struct{ as, secret string }

// places are those of the browser, the first one first.
func places(r *http.Request, table string) []place {
	var all []place
	first := door.SeatCookie(table, "")
	for _, c := range r.Cookies() {
		as, other := strings.CutPrefix(c.Name, first+"_")
		if c.Name != first && !other || c.Value == "" || len(all) == mostHeld {
			continue
		}
		if !other {
			as = ""
		}
		all = append(all, place{as, c.Value})
	}
	slices.SortStableFunc(all, func(a, b place) int {
		if len(a.as) != len(b.as) { // s2 stands before s10
			return len(a.as) - len(b.as)
		}
		return strings.Compare(a.as, b.as)
	})
	return all
}

// holds are the seats that the browser holds at the table of a seat, which asks.
func holds(r *http.Request, seat *table.Reader) ([]present.Holding, error) {
	all := places(r, seat.Table())
	secrets := make([]string, len(all))
	for i, at := range all {
		secrets[i] = at.secret
	}
	ids, err := seat.Beside(r.Context(), secrets)
	if err != nil {
		return nil, err
	}
	var found []present.Holding
	for i, id := range ids {
		known := func(h present.Holding) bool { return h.Seat == id }
		if id != "" && (all[i].as == "" || all[i].as == id) && !slices.ContainsFunc(found, known) {
			found = append(found, present.Holding{Seat: id, At: door.SeatAt(seat.Table(), all[i].as)})
		}
	}
	return found, nil
}
