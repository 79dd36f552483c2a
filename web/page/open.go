package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/web/html"
	"norn/web/middleware"
)

// elsewhere returns the page of another seat of the browser if it opened the table's first address
// and its first seat was revoked; "" for none.
func (s *Server) elsewhere(r *http.Request, table string) string {
	if r.Method != http.MethodGet || middleware.HX(r) || r.URL.Path != middleware.SeatAt(table, "") ||
		middleware.AskedSeat(r) != "" {
		return ""
	}
	for _, at := range places(r, table) {
		if at.as == "" {
			continue
		}
		if seat, err := s.enterSeat(r, table, at.secret, s.ReaderOf(r).Lang()); err == nil && seat.ID() == at.as {
			to := url.URL{Path: middleware.SeatAt(table, at.as), RawQuery: r.URL.RawQuery}
			return to.String()
		}
	}
	return ""
}

// withSeat runs a handler for a seat of the table. Everything that it reads is of one revision.
func (s *Server) withSeat(next handler) http.HandlerFunc {
	return s.enter(func(w http.ResponseWriter, r *http.Request, v *visit) error {
		return v.withTable(r, func() error {
			if middleware.HX(r) {
				w.Header().Set(standsAt, html.SeqText(v.View.Told))
			}
			return next(w, r, v)
		})
	})
}

// enter runs a handler that takes long, or that chooses its own revision.
func (s *Server) enter(next handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store") // everything here is for this seat only
		id := r.PathValue("table")
		read := s.ReaderOf(r)
		secret := middleware.Cookie(r, middleware.SeatCookie(id, middleware.AskedSeat(r)))
		seat, err := s.enterSeat(r, id, secret, read.Lang())
		// not a cookie that norn has set
		if err == nil && middleware.AskedSeat(r) != "" && middleware.AskedSeat(r) != seat.ID() {
			err = &refusal.NotFoundError{}
		}
		if _, missing := errors.AsType[*refusal.NotFoundError](err); missing {
			if to := s.elsewhere(r, id); to != "" {
				http.Redirect(w, r, to, http.StatusSeeOther)
				return
			}
			if secret == "" && r.URL.Query().Has(fromLink) {
				s.Fail(w, r, http.StatusNotFound, "no-cookies") // the same whether the table exists or not
				return
			}
		}
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		r = r.WithContext(table.WithBill(r.Context(), func(bytes int) {
			s.Limits.ChargeEntry(odds.Asker(r.RemoteAddr), bytes)
		}))
		r = r.WithContext(table.WithTurn(r.Context(), func() error { return s.Limits.Upload(odds.Asker(r.RemoteAddr)) },
			func(ctx context.Context) (func(), error) { return s.Odds.Gate.Alone(ctx, odds.Asker(r.RemoteAddr)) }))
		if r.Method == http.MethodPost && !s.Parse(w, r) {
			return
		}
		v := s.visit(seat, read, middleware.SeatAt(id, middleware.AskedSeat(r)), secret)
		v.from = odds.Asker(r.RemoteAddr)
		if err := next(w, r, v); err != nil {
			answerRefusal(w, r, v, err)
		}
	}
}

// answerRefusal responds with a handler's error: a refusal is shown on the current page, if
// possible in the form that was posted; the script gets a short message.
func answerRefusal(w http.ResponseWriter, r *http.Request, v *visit, err error) {
	status, known := statusOf(err)
	if !known {
		v.s.refuse(w, r, err)
		return
	}
	failed := v.withTable(r, func() error {
		said := v.SayError(err)
		if middleware.HX(r) {
			return show(w, r, v, status, html.Toast(said))
		}
		if r.Method == http.MethodPost {
			page, err := v.page(r, html.Extras{})
			if err != nil {
				return err
			}
			if again, ok := html.Refill(r.Context(), page, r.URL.Path, r.PostForm, said); ok {
				return show(w, r, v, status, again)
			}
		}
		return showPage(w, r, status, v, html.Extras{Note: said})
	})
	if failed != nil {
		v.s.refuse(w, r, failed)
	}
}
