package page

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// getAbout shows the description of a question's option, before it's chosen.
func getAbout(w http.ResponseWriter, r *http.Request, v *visit) error {
	query := r.URL.Query()
	i := slices.IndexFunc(v.View.Questions, func(q view.Question) bool {
		return q.ID == query.Get(html.Own+"question")
	})
	text, name := "", query.Get(html.Own+"field")
	if i >= 0 {
		f := fields.Form{Form: v.View.Questions[i].Form, Values: fields.FormValues(query)}.In(v.Voice)
		if query.Has(html.Own + "all") {
			return show(w, r, v, http.StatusOK, fields.DoesAll(f, name))
		}
		text = f.Does(name)
	}
	return show(w, r, v, http.StatusOK, templ.Raw(templ.EscapeString(text)))
}

// postAnswer answers a question.
func postAnswer(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(html.Own + "question")
	if r.PostForm.Has(fields.AddItem) || r.PostForm.Has(fields.DropItem) {
		return answerResized(w, r, v, id)
	}
	made, err := v.seat.Answer(r.Context(), request.Answer{
		Question: id, Values: fields.FormValues(r.PostForm), Key: r.PostForm.Get(html.Own + "key"),
	})
	if err != nil {
		return answerRefused(w, r, v, id, err)
	}
	return answerDone(w, r, v, made.Entry.Seq, v.Link(v.At)+"#"+made.Entry.Move)
}

// answerResized shows a question again with an item added to a list or removed.
func answerResized(w http.ResponseWriter, r *http.Request, v *visit, id string) error {
	at := slices.IndexFunc(v.View.Questions, func(q view.Question) bool { return q.ID == id })
	if at < 0 {
		return answerRefused(w, r, v, id, &refusal.NotFoundError{})
	}
	q := v.View.Questions[at]
	draft := &html.Reply{Question: id, Key: r.PostForm.Get(html.Own + "key")}
	draft.Values, draft.Added, _ = fields.Resize(q.Form, r.PostForm, fields.FormValues(r.PostForm))
	return sendBack(w, r, v, http.StatusOK, html.QuestionAgain(v.Page, v.Look.Question(q, draft)),
		html.Extras{Answer: draft})
}

func answerRefused(w http.ResponseWriter, r *http.Request, v *visit, id string, err error) error {
	status, known := statusOf(err)
	if !known {
		return err
	}
	wrong := &html.Reply{
		Question: id, Values: fields.FormValues(r.PostForm), Problems: map[string]string{},
		Key: r.PostForm.Get(html.Own + "key"),
	}
	note := ""
	for _, q := range v.View.Questions {
		if q.ID != id {
			continue
		}
		problems, rest := refusal.Split(err, "answer")
		wrong.Problems = v.Voice.ProblemsOf(q.Form, problems)
		if len(problems) == 0 {
			wrong.Problems[""] = v.SayError(err)
		}
		for _, p := range rest {
			wrong.Problems[""] = v.Voice.Problem(q.Form, p)
		}
		if middleware.HX(r) {
			return show(w, r, v, status, html.QuestionAgain(v.Page, v.Look.Question(q, wrong)))
		}
	}
	if len(wrong.Problems) == 0 { // somebody else has answered it meanwhile
		note = v.SayError(err)
	}
	if !middleware.HX(r) {
		return showPage(w, r, status, v, html.Extras{Answer: wrong, Note: note})
	}
	return show(w, r, v, status, html.Toast(note))
}
