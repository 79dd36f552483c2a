package play

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"norn/table"
	"norn/web/door"
	"norn/web/html"
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

// follow reads a seat's link; false means that an answer was given.
func (s *Server) follow(w http.ResponseWriter, r *http.Request) (*visit, bool) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", door.OfLinks)
	id, read := r.PathValue("table"), s.ReaderOf(r)
	seat, err := s.sit(r, id, r.PathValue("secret"), read.Lang())
	if err != nil {
		s.refuse(w, r, err)
		return nil, false
	}
	v := s.visit(seat, read, "", "")
	err = v.still(r.Context(), func() (err error) {
		if v.Held, err = holds(r, v.now); err != nil {
			return err
		}
		return v.see(r.Context())
	})
	if err != nil {
		s.refuse(w, r, err)
		return nil, false
	}
	return v, true
}

// preview is what a messenger shows of a seat's link, in the table's own language: what table it leads to, and nothing of whose
// seat it is, or who sits there.
func (v *visit) preview(r *http.Request) html.Preview {
	say := v.s.Words.In(v.View.Lang).Of(v.View.Game)
	g := v.Voice.Game
	p := html.Preview{Title: v.View.Name + " · " + say.Say(g.Word("game", "name")), Line: say.Say(g.Word("game", "tagline"))}
	if picture := v.s.Site.File(v.View.Game + "-card.png"); picture != "" {
		p.Picture = v.s.OriginOf(r) + picture
	}
	return p
}

// arrive says whose seat a link opens. It changes nothing, whoever has led the
// browser there, but a seat that it holds already is gone to.
func (s *Server) arrive(w http.ResponseWriter, r *http.Request) {
	v, ok := s.follow(w, r)
	if !ok {
		return
	}
	for _, h := range v.Held {
		if h.Seat == v.View.Seat {
			w.Header().Set("Referrer-Policy", "no-referrer")
			http.Redirect(w, r, h.At, http.StatusSeeOther)
			return
		}
	}
	l := &v.Look
	f := s.FrameOf(v.Reader, r, l.View.Name+" · norn", l.View.Game).AsLight().Previewed(v.preview(r))
	s.Show(w, r, http.StatusOK, html.Arrive(f, html.Arrival{
		Table: l.View.Name, Game: l.Voice.Word("game", "name"), Line: l.Voice.Word("game", "tagline"), Me: present.Seat(l, l.Me()), Held: present.Playable(l, l.Held),
		First: l.Say("web.arrive.first." + string(l.View.Role)),
	}))
}

// take has the browser hold the seat of a link beside those that it holds.
func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	v, ok := s.follow(w, r)
	if !ok {
		return
	}
	id, seat := v.View.ID, v.View.Seat
	to := door.SeatAt(id, seat)
	for _, h := range v.Held {
		if h.Seat == seat {
			to = h.At
		}
	}
	first := func(h present.Holding) bool { return h.At == door.SeatAt(id, "") }
	if !slices.ContainsFunc(v.Held, func(h present.Holding) bool { return h.Seat == seat }) {
		as := seat
		if !slices.ContainsFunc(v.Held, first) {
			as = ""
		}
		to = door.SeatAt(id, as)
		s.keepSeat(w, r, id, as, r.PathValue("secret"))
	}
	w.Header().Set("Referrer-Policy", "no-referrer")
	to += "?" + came + "=1"
	if door.HX(r) { // script leads there itself, so that the link doesn't stay behind in the browser's history
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// elsewhere is another seat's page, for a browser that came to the table's
// first address and whose first seat is gone; "" for none.
func (s *Server) elsewhere(r *http.Request, table string) string {
	if r.Method != http.MethodGet || door.HX(r) || r.URL.Path != door.SeatAt(table, "") || door.Asked(r) != "" {
		return ""
	}
	for _, at := range places(r, table) {
		if at.as == "" {
			continue
		}
		if seat, err := s.sit(r, table, at.secret, s.ReaderOf(r).Lang()); err == nil && seat.ID() == at.as {
			to := url.URL{Path: door.SeatAt(table, at.as), RawQuery: r.URL.RawQuery}
			return to.String()
		}
	}
	return ""
}

// linkOf is the link that a secret of a table makes.
func (s *Server) linkOf(r *http.Request, table, secret string) string {
	return s.OriginOf(r) + "/t/" + table + "/" + secret
}
