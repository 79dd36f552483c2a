package play

import (
	"context"
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"norn/lang"
	"norn/limit"
	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// refusal words a refusal for somebody who has no seat yet.
func why(r lang.Speaker, err error) string {
	if invalid, ok := errors.AsType[*refusal.InvalidError](err); ok && len(invalid.Problems) > 0 {
		id, data := invalid.Problems[0].Word()
		if word := "web.start." + invalid.Problems[0].Path; r.Has(word) {
			data["Field"] = r.Say(word)
		}
		return r.Say(id, data)
	}
	return refusal.Say(table.VoiceOf(r), err)
}

// visit is one request by somebody who has a seat: who they are, what they ask, and their look at the table.
type visit struct {
	present.Look
	s    *Server
	seat *table.Seat   // acts
	now  *table.Reader // answers what is asked, all from the revision of the look
	from string        // the address that asks
	path string        // of the page with its choices, to come back to

	secret func() string // the secret of the seat's link; behind a function, so that printing a visit can't show it
}

// came marks the way from a seat's link to its table: who comes there without
// the cookie has a browser that keeps none.
const came = html.Own + "came"

// sit takes the seat that a secret opens, unless too many wrong ones came from
// the same address.
func (s *Server) sit(r *http.Request, id, secret string, l lang.Lang) (*table.Seat, error) {
	address, key := odds.Asker(r.RemoteAddr), limit.Seat(id, secret)
	if err := s.Limits.Knock(address, key); err != nil {
		return nil, err
	}
	seat, err := s.Host.Enter(r.Context(), id, secret, l)
	var missing *refusal.NotFoundError
	switch {
	case err == nil:
		s.Limits.Admitted(key)
	case errors.As(err, &missing):
		s.Limits.Missed(address)
	}
	return seat, err
}

// refuse answers to somebody who can't be seated, or comes too often.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if often := limit.As(err); often != nil {
		s.Often(w, r, often)
		return
	}
	var missing *refusal.NotFoundError
	var unreadable *refusal.UnreadableError
	switch {
	case r.Context().Err() != nil && errors.Is(err, context.Canceled):
		w.WriteHeader(door.StatusGone)
	case errors.As(err, &missing):
		s.NotFound(w, r)
	case errors.As(err, &unreadable):
		s.Log.ErrorContext(r.Context(), "table can't be read", "error", err)
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

// visit is one by a seat.
func (s *Server) visit(seat *table.Seat, read html.Reader, base, secret string) *visit {
	v := &visit{Look: present.Look{Page: html.Page{Reader: read, Game: seat.Game().ID, Base: base, Chats: s.Chats != nil}}, s: s, seat: seat, secret: func() string { return secret }}
	v.Speaker, v.Paint = seat.Speaker(), door.PaintAt(seat.Game())
	return v
}

// looking has f run with a look at the table as it is now.
func (v *visit) looking(r *http.Request, f func() error) error {
	return v.still(r.Context(), func() (err error) {
		if v.Held, err = holds(r, v.now); err != nil {
			return err
		}
		if err := v.see(r.Context()); err != nil {
			return err
		}
		sent := r.Form
		if sent == nil {
			sent = r.URL.Query()
		}
		v.At = present.Choices(sent)
		v.path = v.Link(v.At)
		v.Settle()
		return f()
	})
}

// still has f ask the seat at one revision.
func (v *visit) still(ctx context.Context, f func() error) error {
	return v.seat.Still(ctx, func(at *table.Seat) error {
		v.now = &at.Reader
		defer func() { v.now = &v.seat.Reader }()
		return f()
	})
}

// see takes the seat's view, and its words.
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
	v.View, v.Voice = view, html.Voice{Voice: words, Game: v.seat.Game(), Labels: "field"}
	return nil
}

// key names the seat by its link, for limits and what is kept for it.
func (v *visit) key() string { return limit.Seat(v.seat.Table(), v.secret()) }

// standsAt tells script the seq at which the table stands in an answer. What it has asked for it asks for again where its
// stream has told more; and where the stream hasn't told of a press, it opens that anew.
const standsAt = "Norn-Seq"

// done answers a press: script by the seq at which it is done, since a page changes by its stream alone, and with what is
// for its own form only; a page without script is led to where it shows.
func done(w http.ResponseWriter, r *http.Request, v *visit, seq uint64, to string, own ...templ.Component) {
	if !door.HX(r) {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	w.Header().Set(standsAt, html.SeqText(seq))
	if len(own) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	v.s.Show(w, r, http.StatusOK, templ.Join(own...))
}

// statusOf is the HTTP status of a refusal; not known is what is no refusal
// but a failure.
func statusOf(err error) (status int, known bool) {
	why, ok := errors.AsType[refusal.Error](err)
	if !ok {
		return 0, false
	}
	switch why.Code() {
	case refusal.CodeInvalid, refusal.CodeRefused, refusal.CodeTooMany:
		return http.StatusUnprocessableEntity, true
	case refusal.CodeForbidden:
		return http.StatusForbidden, true
	case refusal.CodeBusy, refusal.CodeAnswered, refusal.CodeKeyReused, refusal.CodeConflict, refusal.CodeLater:
		return http.StatusConflict, true
	}
	return 0, false
}
