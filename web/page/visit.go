package page

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"norn/internal/limit"
	"norn/lang"
	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// visit is one request of a seat: the seat, the request, and what the seat sees of the table.
type visit struct {
	html.Look
	s    *Server
	seat *table.Seat   // for writing
	now  *table.Reader // for reading, all at the revision of the look
	from string        // the client's address
	path string        // the page with its selection, to return to

	secret func() string // the secret of the seat's link; a function, so that printing a visit can't show it
}

// fromLink marks the redirect from a seat's link to its table: a browser that arrives there without
// the cookie doesn't accept any.
const fromLink = html.Own + "came"

// enterSeat enters the seat that a secret opens, unless the same address has tried too many wrong
// ones.
func (s *Server) enterSeat(r *http.Request, id, secret string, l lang.Lang) (*table.Seat, error) {
	address, key := odds.Asker(r.RemoteAddr), limit.Seat(id, secret)
	if err := s.Limits.Knock(address, key); err != nil {
		return nil, err
	}
	seat, err := s.Host.Enter(r.Context(), id, secret, l)
	var missing *refusal.NotFoundError
	switch {
	case err == nil:
		s.Limits.RememberSeat(key)
	case errors.As(err, &missing):
		s.Limits.CountMiss(address)
	}
	return seat, err
}

// refuse responds to a client that can't enter a seat, or has too many requests.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if often := limit.As(err); often != nil {
		s.Often(w, r, often)
		return
	}
	var missing *refusal.NotFoundError
	var unreadable *refusal.UnreadableError
	switch {
	case r.Context().Err() != nil && errors.Is(err, context.Canceled):
		w.WriteHeader(middleware.StatusGone)
	case errors.As(err, &missing):
		s.NotFound(w, r)
	case errors.As(err, &unreadable):
		s.Log.ErrorContext(r.Context(), "table can't be read", "error", err)
		if id := unreadable.Game(); id != "" {
			s.FailSaying(w, r, http.StatusServiceUnavailable, "no-game", "Game", id)
			return
		}
		code := "damaged"
		if unreadable.Newer() {
			code = "newer"
		}
		s.Fail(w, r, http.StatusInternalServerError, code)
	case refusal.Unwritable(err): // the host logs outages
		s.Fail(w, r, http.StatusServiceUnavailable, "unwritable")
	default:
		s.Fail(w, r, http.StatusServiceUnavailable, "unavailable")
	}
}

// visit returns a visit of a seat.
func (s *Server) visit(seat *table.Seat, read html.Reader, base, secret string) *visit {
	v := &visit{
		Look: html.Look{Page: html.Page{Reader: read, Game: seat.Game().ID, Base: base, Chats: s.Chats != nil}},
		s:    s, seat: seat, secret: func() string {
			return secret
		},
	}
	v.Speaker, v.Paint = seat.Speaker(), middleware.PaintAt(seat.Game())
	return v
}

// withTable runs f with the table as it is now.
func (v *visit) withTable(r *http.Request, f func() error) error {
	return v.atRevision(r.Context(), func() (err error) {
		if v.Held, err = heldSeats(r, v.now); err != nil {
			return err
		}
		if err := v.see(r.Context()); err != nil {
			return err
		}
		sent := r.Form
		if sent == nil {
			sent = r.URL.Query()
		}
		v.At = html.ReadSelection(sent)
		v.path = v.Link(v.At)
		v.Settle()
		return f()
	})
}

// atRevision runs f with the seat at one revision.
func (v *visit) atRevision(ctx context.Context, f func() error) error {
	return v.seat.AtRevision(ctx, func(at *table.Seat) error {
		v.now = &at.Reader
		defer func() { v.now = &v.seat.Reader }()
		return f()
	})
}

// see loads the seat's view and its voice.
func (v *visit) see(ctx context.Context) error {
	view, err := v.now.View(ctx)
	if err != nil {
		return err
	}
	words, err := v.now.Voice(ctx)
	if err != nil {
		return err
	}
	words.State = func(id string) (string, bool) {
		for _, c := range view.Characters {
			if c.ID == id {
				return c.State, c.Out
			}
		}
		return "", false
	}
	v.View, v.Voice = view, fields.Voice{Voice: words, Game: v.seat.Game(), Labels: "field"}
	return nil
}

// key identifies the seat by its link, for limits and caches.
func (v *visit) key() string { return limit.Seat(v.seat.Table(), v.secret()) }

// maxHeld limits the seats of a table that a page knows the browser to hold.
const maxHeld = 16

// keepSeat stores a seat in the browser.
func (s *Server) keepSeat(w http.ResponseWriter, r *http.Request, table, as, secret string) {
	s.Keep(w, r, middleware.SeatCookie(table, as), secret, "/t/"+table, true)
}

// place is an address of the table for which the browser has a secret.
type place struct{ as, secret string }

// places returns the browser's places, the first one first.
func places(r *http.Request, table string) []place {
	var all []place
	first := middleware.SeatCookie(table, "")
	for _, c := range r.Cookies() {
		as, other := strings.CutPrefix(c.Name, first+"_")
		if c.Name != first && !other || c.Value == "" || len(all) == maxHeld {
			continue
		}
		if !other {
			as = ""
		}
		all = append(all, place{as, c.Value})
	}
	slices.SortStableFunc(all, func(a, b place) int {
		if len(a.as) != len(b.as) { // s2 comes before s10
			return len(a.as) - len(b.as)
		}
		return strings.Compare(a.as, b.as)
	})
	return all
}

// heldSeats returns the seats of this table that the browser holds.
func heldSeats(r *http.Request, seat *table.Reader) ([]html.Holding, error) {
	all := places(r, seat.Table())
	secrets := make([]string, len(all))
	for i, at := range all {
		secrets[i] = at.secret
	}
	ids, err := seat.SeatsOpenedBy(r.Context(), secrets)
	if err != nil {
		return nil, err
	}
	var found []html.Holding
	for i, id := range ids {
		known := func(h html.Holding) bool { return h.ID == id }
		if id != "" && (all[i].as == "" || all[i].as == id) && !slices.ContainsFunc(found, known) {
			found = append(found, html.Holding{
				SeatShown: view.SeatShown{ID: id}, At: middleware.SeatAt(seat.Table(), all[i].as),
			})
		}
	}
	return found, nil
}
