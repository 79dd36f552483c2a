package play

import (
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/dice"
	"norn/game"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
)

// reply is an answer that couldn't be taken, to be mended, or one that isn't
// given yet: a list of it has become longer or shorter.
type reply struct {
	Question string
	Values   url.Values
	Problems map[string]string
	Key      string
	Added    string // as in fields
}

// questionID is the id of a question's element.
func questionID(q string) string { return "q-" + strings.NewReplacer(":", "-", ".", "_").Replace(q) }

// asks changes with what a question asks, and of whom.
func asks(l *look, q view.Question) string {
	h := fnv.New32a()
	fmt.Fprint(h, q.ID, q.Mine, l.whom(q.To), q.Text, q.AboutText, q.Guidance, q.Advice)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// questionOf is an open question as it's drawn, filled with what is assumed when nobody chooses; wrong is an answer to be mended.
func questionOf(l *look, q view.Question, wrong *reply) html.Question {
	d := html.Question{
		ID: q.ID, Kind: q.Question, Mine: q.Mine, Text: q.Text, About: q.AboutText, Guidance: q.Guidance, Asks: asks(l, q), Kept: kept(l),
		Fields: html.Fields{Form: q.Form, ID: questionID(q.ID), Values: html.Offered(q.Form), Voice: l.voice, About: l.To("/about")},
	}
	switch {
	case q.Mine && l.master() && q.To != game.GM:
		d.Whom = l.Say("web.question.for", "Name", l.whom(q.To))
	case q.Mine:
		d.Whom = l.Say("web.question.you")
	default:
		d.Whom = l.Say("web.question.waits", "Name", l.whom(q.To))
	}
	for _, a := range q.Advice {
		d.Advice = append(d.Advice, a.Text)
	}
	if q.Dice != nil {
		d.N, d.Sides, d.Fields.Like = q.Dice.N, q.Dice.Sides, like(*q.Dice)
	}
	if wrong != nil && wrong.Question == q.ID {
		d.Fields.Values, d.Fields.Problems, d.Fields.Added, d.Key = wrong.Values, wrong.Problems, wrong.Added, wrong.Key
		return d
	}
	if q.Values != nil {
		d.Fields.Values = maps.Clone(q.Values)
	}
	d.Key = l.Key()
	return d
}

// kept are the reader's choices, for a form that leads back to the page.
func kept(l *look) []html.Hidden {
	return []html.Hidden{{Name: atCharacter, Value: l.at.Character}, {Name: atActor, Value: l.at.Actor}, {Name: atMove, Value: l.at.Move}, {Name: atTab, Value: l.at.Tab}}
}

// getAbout tells what an option of a question does, before anybody chooses it.
func getAbout(w http.ResponseWriter, r *http.Request, v *visit) error {
	query := r.URL.Query()
	i := slices.IndexFunc(v.view.Questions, func(q view.Question) bool { return q.ID == query.Get(html.Own+"question") })
	text := ""
	if i >= 0 {
		f := html.Fields{Form: v.view.Questions[i].Form, Values: html.Sent(query), Voice: v.voice}
		text = f.Does(query.Get(html.Own + "field"))
	}
	v.s.Show(w, r, http.StatusOK, templ.Raw(templ.EscapeString(text)))
	return nil
}

// like shows how faces are typed: as many as fall, though no more than three.
func like(p dice.Pool) string {
	var faces []string
	for _, face := range []int{3, 10, 1}[:min(p.N, 3)] {
		faces = append(faces, html.Itoa(min(face, p.Sides)))
	}
	return strings.Join(faces, " ")
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
	done(w, r, v, made.Entry.Seq, v.link(v.at)+"#"+made.Entry.Move)
	return nil
}

// answerResized shows a question again with an item more or less in a list.
func answerResized(w http.ResponseWriter, r *http.Request, v *visit, id string) error {
	at := slices.IndexFunc(v.view.Questions, func(q view.Question) bool { return q.ID == id })
	if at < 0 {
		return answerRefused(w, r, v, id, &refusal.NotFoundError{})
	}
	q := v.view.Questions[at]
	draft := &reply{Question: id, Key: r.PostForm.Get(html.Own + "key")}
	draft.Values, draft.Added, _ = html.Resized(q.Form, r.PostForm, html.Sent(r.PostForm))
	if door.HX(r) {
		v.s.Show(w, r, http.StatusOK, html.QuestionAgain(v.Page, questionOf(&v.look, q, draft)))
		return nil
	}
	return showPage(w, r, http.StatusOK, v, extras{answer: draft})
}

func answerRefused(w http.ResponseWriter, r *http.Request, v *visit, id string, err error) error {
	status, known := statusOf(err)
	if !known {
		return err
	}
	wrong := &reply{Question: id, Values: html.Sent(r.PostForm), Problems: map[string]string{}, Key: r.PostForm.Get(html.Own + "key")}
	note := ""
	for _, q := range v.view.Questions {
		if q.ID != id {
			continue
		}
		problems, rest := split(err, "answer")
		wrong.Problems = v.voice.ProblemsOf(q.Form, problems)
		if len(problems) == 0 {
			wrong.Problems[""] = v.sayError(err)
		}
		for _, p := range rest {
			wrong.Problems[""] = v.voice.Problem(q.Form, p)
		}
		if door.HX(r) {
			v.s.Show(w, r, status, html.QuestionAgain(v.Page, questionOf(&v.look, q, wrong)))
			return nil
		}
	}
	if len(wrong.Problems) == 0 { // it isn't open any more: somebody was quicker
		note = v.sayError(err)
	}
	if !door.HX(r) {
		return showPage(w, r, status, v, extras{answer: wrong, note: note})
	}
	v.s.Show(w, r, status, html.Toast(note))
	return nil
}
