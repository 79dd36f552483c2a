package page

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"norn/game"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

// seatLink matches the path of a seat's link, or of a table.
var seatLink = regexp.MustCompile(`^/t/[a-z2-7]{1,64}(/[A-Za-z0-9_-]{1,128})?$`)

// join redirects to a pasted seat link, or the address of a table; only its path counts.
func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	if !s.Parse(w, r) {
		return
	}
	link := strings.TrimSpace(r.PostForm.Get("link"))
	if at, err := url.Parse(link); err == nil && seatLink.MatchString(at.Path) {
		http.Redirect(w, r, at.Path, http.StatusSeeOther)
		return
	}
	s.startPage(w, r, http.StatusUnprocessableEntity,
		html.Start{Lang: s.ReaderOf(r).Lang(), Link: link, LinkWrong: true})
}

// readLink reads a seat's link; false means that it has responded.
func (s *Server) readLink(w http.ResponseWriter, r *http.Request) (*visit, bool) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", middleware.OfLinks)
	id, read := r.PathValue("table"), s.ReaderOf(r)
	seat, err := s.enterSeat(r, id, r.PathValue("secret"), read.Lang())
	if err != nil {
		s.refuse(w, r, err)
		return nil, false
	}
	v := s.visit(seat, read, "", "")
	err = v.atRevision(r.Context(), func() (err error) {
		if v.Held, err = heldSeats(r, v.now); err != nil {
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

// preview returns what a messenger shows for a seat's link, in the table's language: the table, but
// nothing about the seat or its people.
func preview(r *http.Request, v *visit) *html.Preview {
	g := v.Voice.Game
	say := g.Speak(v.s.Words.In(v.View.Lang))
	p := &html.Preview{
		Title: v.View.Name + " · " + say.Say(g.Word("game", "name")),
		Line:  say.Say(g.Word("game", "tagline")),
	}
	if picture := v.s.Site.File(v.View.Game + "-card.png"); picture != "" {
		p.Picture = v.s.OriginOf(r) + picture
	}
	return p
}

// arrive shows whose seat a link opens. It changes nothing, since anything may have opened the
// link, but redirects to a seat that the browser already holds.
func (s *Server) arrive(w http.ResponseWriter, r *http.Request) {
	v, ok := s.readLink(w, r)
	if !ok {
		return
	}
	for _, h := range v.Held {
		if h.ID == v.View.Seat {
			w.Header().Set("Referrer-Policy", "no-referrer")
			to := h.At
			if chosen := carriedChoice(r); len(chosen) > 0 {
				to += "?" + chosen.Encode()
			}
			http.Redirect(w, r, to, http.StatusSeeOther)
			return
		}
	}
	l := &v.Look
	first := "web.arrive.first." + string(l.View.Role)
	hero := slices.ContainsFunc(l.View.Characters, func(c view.CharacterShown) bool { return c.Mine })
	switch {
	case l.View.Role == game.Player && hero:
		first = "web.arrive.first.player-hero"
	case l.View.Role == game.Player && len(html.ReadyHeroes(l.Voice, l.View.Role, nil)) == 0:
		first = "web.arrive.first.player-own"
	}
	f := s.FrameOf(v.Reader, r, l.View.Name+" · norn", l.View.Game)
	f.Light, f.Seen = true, preview(r, v)
	s.Show(w, r, http.StatusOK, html.Arrive(f, html.Arrival{
		Table: l.View.Name, Game: l.Voice.Word("game", "name"), Line: l.Voice.Word("game", "tagline"),
		Me: l.View.Me(), Held: html.HeldSeats(l.View.Seats, l.Held),
		First: l.Say(first), Hero: l.View.Role == game.Player && !hero, Recovery: l.View.Role != game.Spectator,
	}))
}

// take makes the browser hold the seat of a link, in addition to those that it holds.
func (s *Server) take(w http.ResponseWriter, r *http.Request) {
	v, ok := s.readLink(w, r)
	if !ok {
		return
	}
	to := s.holdSeat(w, r, v, r.PathValue("secret"))
	w.Header().Set("Referrer-Policy", "no-referrer")
	onward := ""
	if r.FormValue(html.Own+"to") == "hero" {
		onward = "/hero"
	}
	chosen := carriedChoice(r)
	if r.FormValue(html.Own+"recovery") != "" {
		chosen.Set(then, onward)
		onward = "/recovery"
	}
	to += onward
	chosen.Set(fromLink, "1")
	to += "?" + chosen.Encode()
	if middleware.HX(r) { // the script redirects, so that the link isn't left in the browser's history
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// holdSeat makes the browser hold a seat, unless it does, and returns the seat's address.
func (s *Server) holdSeat(w http.ResponseWriter, r *http.Request, v *visit, secret string) string {
	id, seat := v.View.ID, v.View.Seat
	as := ""
	for _, h := range v.Held {
		switch {
		case h.ID == seat:
			return h.At
		case h.At == middleware.SeatAt(id, ""):
			as = seat
		}
	}
	s.keepSeat(w, r, id, as, secret)
	return middleware.SeatAt(id, as)
}

// carriedChoice returns what a link selects in addition to its seat, as a demo's does: the actor,
// and a move to fill in.
func carriedChoice(r *http.Request) url.Values {
	chosen := url.Values{}
	for _, name := range []string{html.AtCharacter, html.AtAgain} {
		if text := r.URL.Query().Get(name); text != "" {
			chosen.Set(name, text)
		}
	}
	return chosen
}

// linkOf returns the link of a seat from its secret.
func (s *Server) linkOf(r *http.Request, table, secret string) html.Link {
	origins, local := s.LinkOrigins(r)
	path := "/t/" + table + "/" + secret
	others := game.Each(origins[1:], func(origin string) string { return origin + path })
	return html.Link{URL: origins[0] + path, Others: others, Local: local}
}
