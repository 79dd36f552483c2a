package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"norn/game"
	"norn/internal/limit"
	"norn/lang"
	"norn/odds"
	"norn/table/refusal"
	"norn/table/request"
	"norn/web/html"
	"norn/web/middleware"
)

// playerRoute redirects to a demo table's player seat instead of its game master's.
const playerRoute = "GET /demo/{game}/player"

// startPage responds with the start page.
func (s *Server) startPage(w http.ResponseWriter, r *http.Request, status int, o html.Start) {
	read := s.ReaderOf(r)
	o.Games, o.Demos = s.OfferedGames(), s.Demo != nil
	s.Show(w, r, status, html.StartPage(s.FrameOf(read, r, "norn", ""), o))
}

// start shows the start page.
func (s *Server) start(w http.ResponseWriter, r *http.Request) {
	s.startPage(w, r, http.StatusOK, html.Start{Lang: s.ReaderOf(r).Lang()})
}

// open opens a table and redirects to its first game master's page.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	if !s.Parse(w, r) {
		return
	}
	read := s.ReaderOf(r)
	o := html.Start{Game: r.PostForm.Get("game"), Name: r.PostForm.Get("name"), Lang: read.Lang()}
	if l, ok := lang.Parse(r.PostForm.Get("lang")); ok {
		o.Lang = l
	}
	if err := s.Limits.Table(odds.Asker(r.RemoteAddr)); err != nil {
		s.refuse(w, r, err)
		return
	}
	created, err := s.Host.Create(r.Context(), request.NewTable{Game: o.Game, Name: o.Name, Lang: o.Lang})
	if err != nil {
		status, known := statusOf(err)
		if !known {
			s.refuse(w, r, err)
			return
		}
		o.Problem = why(read.Speaker, err)
		s.startPage(w, r, status, o)
		return
	}
	// so that failed tries by others at the address don't matter
	s.Limits.RememberSeat(limit.Seat(created.ID, created.Seat.Secret))
	s.keepSeat(w, r, created.ID, "", created.Seat.Secret)
	http.Redirect(w, r, middleware.SeatAt(created.ID, "")+"?"+fromLink+"=1", http.StatusSeeOther)
}

// demo redirects to a seat of a game's demo table in the reader's language, without another
// confirmation.
func (s *Server) demo(w http.ResponseWriter, r *http.Request) {
	g := s.Game(r.PathValue("game"))
	if s.Demo == nil || g == nil || g.Demo == nil {
		s.NotFound(w, r)
		return
	}
	role := game.Master
	if r.Pattern == playerRoute {
		role = game.Player
	}
	admit := func() error { return s.Limits.Table(odds.Asker(r.RemoteAddr)) }
	path, err := s.Demo(r.Context(), g, s.ReaderOf(r).Speaker, role, admit)
	if err != nil {
		// the host logs outages
		if _, outage := errors.AsType[*refusal.UnavailableError](err); !outage && limit.As(err) == nil {
			s.Log.ErrorContext(r.Context(), "demo can't be opened", "game", g.ID, "error", err)
		}
		s.refuse(w, r, err)
		return
	}
	link, chosen, _ := strings.Cut(path, "?")
	at := strings.Split(link, "/") // "", "t", the table, the secret
	s.Limits.RememberSeat(limit.Seat(at[2], at[3]))
	if r.Method == http.MethodPost {
		r = r.WithContext(r.Context())
		r.URL = &url.URL{Path: link, RawQuery: chosen}
		r.SetPathValue("table", at[2])
		r.SetPathValue("secret", at[3])
		s.take(w, r)
		return
	}
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, path, http.StatusSeeOther)
}
