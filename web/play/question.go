package play

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// getAbout tells what an option of a question does, before anybody chooses it.
func getAbout(w http.ResponseWriter, r *http.Request, v *visit) error {
	query := r.URL.Query()
	i := slices.IndexFunc(v.View.Questions, func(q view.Question) bool { return q.ID == query.Get(html.Own+"question") })
	text, name := "", query.Get(html.Own+"field")
	if i >= 0 {
		f := html.Fields{Form: v.View.Questions[i].Form, Values: html.Sent(query), Voice: v.Voice}
		if query.Has(html.Own + "all") {
			v.s.Show(w, r, http.StatusOK, html.DoesAll(f, name))
			return nil
		}
		text = f.Does(name)
	}
	v.s.Show(w, r, http.StatusOK, templ.Raw(templ.EscapeString(text)))
	return nil
}

// postAnswer answers a question.
func postAnswer(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(html.Own + "question")
	if r.PostForm.Has(html.AddItem) || r.PostForm.Has(html.DropItem) {
		return answerResized(w, r, v, id)
	}
	made, err := v.seat.Answer(r.Context(), request.Answer{
		Question: id, Values: html.Sent(r.PostForm), Key: r.PostForm.Get(html.Own + "key"),
	})
	if err != nil {
		return answerRefused(w, r, v, id, err)
	}
	done(w, r, v, made.Entry.Seq, v.Link(v.At)+"#"+made.Entry.Move)
	return nil
}

// answerResized shows a question again with an item more or less in a list.
func answerResized(w http.ResponseWriter, r *http.Request, v *visit, id string) error {
	at := slices.IndexFunc(v.View.Questions, func(q view.Question) bool { return q.ID == id })
	if at < 0 {
		return answerRefused(w, r, v, id, &refusal.NotFoundError{})
	}
	q := v.View.Questions[at]
	draft := &present.Reply{Question: id, Key: r.PostForm.Get(html.Own + "key")}
	draft.Values, draft.Added, _ = html.Resized(q.Form, r.PostForm, html.Sent(r.PostForm))
	if door.HX(r) {
		v.s.Show(w, r, http.StatusOK, html.QuestionAgain(v.Page, present.Question(&v.Look, q, draft)))
		return nil
	}
	return showPage(w, r, http.StatusOK, v, present.Extras{Answer: draft})
}

func answerRefused(w http.ResponseWriter, r *http.Request, v *visit, id string, err error) error {
	status, known := statusOf(err)
	if !known {
		return err
	}
	wrong := &present.Reply{Question: id, Values: html.Sent(r.PostForm), Problems: map[string]string{}, Key: r.PostForm.Get(html.Own + "key")}
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
		if door.HX(r) {
			v.s.Show(w, r, status, html.QuestionAgain(v.Page, present.Question(&v.Look, q, wrong)))
			return nil
		}
	}
	if len(wrong.Problems) == 0 { // it isn't open any more: somebody was quicker
		note = v.SayError(err)
	}
	if !door.HX(r) {
		return showPage(w, r, status, v, present.Extras{Answer: wrong, Note: note})
	}
	v.s.Show(w, r, status, html.Toast(note))
	return nil
}
