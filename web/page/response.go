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

// handler serves somebody who has a seat. What it can't do it returns; it has answered nothing then.
type handler func(http.ResponseWriter, *http.Request, *visit) error

// show answers with a page or a piece of one.
func show(w http.ResponseWriter, r *http.Request, v *visit, status int, c templ.Component) error {
	v.s.Show(w, r, status, c)
	return nil
}

// notFound answers that there's nothing at the address.
func notFound(w http.ResponseWriter, r *http.Request, v *visit) error {
	v.s.NotFound(w, r)
	return nil
}

// redirect leads to where something shows.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// redirectPage leads the whole page there, by script too.
func redirectPage(w http.ResponseWriter, r *http.Request, to string) error {
	if !middleware.HX(r) {
		return redirect(w, r, to)
	}
	w.Header().Set("HX-Redirect", to)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// frame is that of a page next to the table's own, at a path below it.
func frame(r *http.Request, v *visit, head, path string) html.Frame {
	f := sideFrame(r, v, v.View.Name+" · "+v.Say(head))
	f.Path = v.To(path)
	return f
}

// sideFrame is the frame of a page that follows nothing of the table but alerts.
func sideFrame(r *http.Request, v *visit, title string) html.Frame {
	f := v.s.FrameOf(v.Reader, r, title, v.View.Game)
	f.Hears = v.Look.Listener()
	return f
}

// standsAt tells script the seq at which the table stands in an answer. What it has asked for it
// asks for again where its stream has told more; and where the stream hasn't told of a press, it
// opens that anew.
const standsAt = "Norn-Seq"

// answerDone answers a press: script by the seq at which it is done, since a page changes by its
// stream alone, and with what is for its own form only; a page without script is led to where it
// shows.
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

// answerEntry answers a press of which an entry came, or an error.
func answerEntry(w http.ResponseWriter, r *http.Request, v *visit, entry view.Entry, err error, to string,
	own ...templ.Component,
) error {
	if err != nil {
		return err
	}
	return answerDone(w, r, v, entry.Seq, to, own...)
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

// why words a refusal for somebody who has no seat yet.
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
