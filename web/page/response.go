package page

import (
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"norn/lang"
	"norn/table"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

// handler serves a seat. If it returns an error, it hasn't responded yet.
type handler func(http.ResponseWriter, *http.Request, *visit) error

// show responds with a page or a part of one.
func show(w http.ResponseWriter, r *http.Request, v *visit, status int, c templ.Component) error {
	v.s.Show(w, r, status, c)
	return nil
}

// notFound responds that there's nothing at the address.
func notFound(w http.ResponseWriter, r *http.Request, v *visit) error {
	v.s.NotFound(w, r)
	return nil
}

// redirect leads the client to the place that shows the result.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// redirectPage redirects the whole page, also for the script.
func redirectPage(w http.ResponseWriter, r *http.Request, to string) error {
	if !middleware.HX(r) {
		return redirect(w, r, to)
	}
	w.Header().Set("HX-Redirect", to)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// frame returns the frame of a page next to the table's own, at a path below it.
func frame(r *http.Request, v *visit, head, path string) html.Frame {
	f := sideFrame(r, v, v.View.Name+" · "+v.Say(head))
	f.Path = v.To(path)
	return f
}

// sideFrame returns the frame of a page that follows only alerts of the table.
func sideFrame(r *http.Request, v *visit, title string) html.Frame {
	f := v.s.FrameOf(v.Reader, r, title, v.View.Game)
	f.Hears = html.ListenerOf(v.Page, v.View)
	return f
}

// standsAt is the header with the table's seq in a response to the script. If the stream is ahead
// of a response, the script requests it again; if the stream misses an entry, it reconnects.
const standsAt = "Norn-Seq"

// answerDone responds to a form that was successful. The script gets the seq, because a page
// changes only by its stream, and what concerns its own form. A page without script is redirected
// to the place that shows the result.
func answerDone(w http.ResponseWriter, r *http.Request, v *visit, seq uint64, to string, own ...templ.Component) error {
	if !middleware.HX(r) {
		return redirect(w, r, to)
	}
	w.Header().Set(standsAt, html.SeqText(seq))
	if len(own) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return show(w, r, v, http.StatusOK, templ.Join(own...))
}

// answerEntry responds to a form with the entry it wrote, or returns err.
func answerEntry(w http.ResponseWriter, r *http.Request, v *visit, entry view.Entry, err error, to string,
	own ...templ.Component,
) error {
	if err != nil {
		return err
	}
	return answerDone(w, r, v, entry.Seq, to, own...)
}

// statusOf returns the HTTP status of a refusal; known is false for any other error.
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

// why puts a refusal into words for a reader without a seat.
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
