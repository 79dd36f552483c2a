package web

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/table"
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
func (v *visit) asks(q table.Question) string {
	h := fnv.New32a()
	fmt.Fprint(h, q.ID, q.Mine, v.whom(q.To), q.Text, q.AboutText, q.Guidance, q.Advice)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// asking is the form of a question, filled with what is assumed when nobody
// chooses.
func (v *visit) asking(q table.Question, wrong *reply) (f fields, key string) {
	f = fields{Form: q.Form, ID: questionID(q.ID), Values: offered(q.Form), Voice: v.voice}
	if q.Dice != nil {
		f.Like = like(*q.Dice)
	}
	if wrong != nil && wrong.Question == q.ID {
		f.Values, f.Problems, f.Added = wrong.Values, wrong.Problems, wrong.Added
		return f, wrong.Key
	}
	for name, texts := range supposed(q) {
		f.Values[name] = texts
	}
	return f, random(16)
}

// like shows how faces are typed: as many as fall, though no more than three.
func like(p dice.Pool) string {
	var faces []string
	for _, face := range []int{3, 10, 1}[:min(p.N, 3)] {
		faces = append(faces, itoa(min(face, p.Sides)))
	}
	return strings.Join(faces, " ")
}

// supposed is a question's standard answer as a form holds it.
func supposed(q table.Question) url.Values {
	values := url.Values{}
	data, err := json.Marshal(q.Standard)
	var given map[string]any
	if err != nil || json.Unmarshal(data, &given) != nil {
		return values
	}
	suppose(values, q.Form.Fields, given, "")
	return values
}

func suppose(values url.Values, fs []form.Field, given map[string]any, prefix string) {
	for _, f := range fs {
		path := prefix + f.Name
		switch value := given[f.Name].(type) {
		case bool:
			if value {
				values.Set(path, "on")
			}
		case float64:
			values.Set(path, itoa(int(value)))
		case string:
			values.Set(path, value)
		case int:
			values.Set(path, itoa(value))
		case form.Trait:
			values.Set(path, string(value))
		case []string:
			values[path] = value
		case []map[string]any:
			for i, item := range value {
				suppose(values, f.Fields, item, path+"."+itoa(i)+".")
			}
		case map[string]any:
			suppose(values, f.Fields, value, path+".")
		}
	}
}

// answer answers a question.
func (s *server) answer(w http.ResponseWriter, r *http.Request, v *visit) {
	id := r.PostForm.Get(own + "question")
	if r.PostForm.Has(addItem) || r.PostForm.Has(dropItem) {
		s.answerResized(w, r, v, id)
		return
	}
	made, err := v.seat.Answer(r.Context(), table.Reply{
		Question: id, Values: sent(r.PostForm), Key: r.PostForm.Get(own + "key"),
	})
	if err != nil {
		s.answerRefused(w, r, v, id, err)
		return
	}
	if !hx(r) {
		http.Redirect(w, r, v.link(v.at)+"#"+made.Entry.Move, http.StatusSeeOther)
		return
	}
	s.changed(w, r, v, []string{made.Entry.Move}, func() (extras, error) { return extras{answered: true}, nil })
}

// answerResized shows a question again with an item more or less in a list.
func (s *server) answerResized(w http.ResponseWriter, r *http.Request, v *visit, id string) {
	at := slices.IndexFunc(v.view.Questions, func(q table.Question) bool { return q.ID == id })
	if at < 0 {
		s.answerRefused(w, r, v, id, &table.NotFoundError{})
		return
	}
	q := v.view.Questions[at]
	draft := &reply{Question: id, Key: r.PostForm.Get(own + "key")}
	draft.Values, draft.Added, _ = resized(q.Form, r.PostForm, sent(r.PostForm))
	if hx(r) {
		s.show(w, r, http.StatusOK, v.questionAgain(q, draft))
		return
	}
	s.page(w, r, http.StatusOK, v, extras{answer: draft})
}

func (s *server) answerRefused(w http.ResponseWriter, r *http.Request, v *visit, id string, err error) {
	status, known := statusOf(err)
	if !known {
		s.refuse(w, r, err)
		return
	}
	wrong := &reply{Question: id, Values: sent(r.PostForm), Problems: map[string]string{}, Key: r.PostForm.Get(own + "key")}
	note := ""
	for _, q := range v.view.Questions {
		if q.ID != id {
			continue
		}
		problems, rest := split(err, "answer")
		wrong.Problems = v.voice.problems(q.Form, problems)
		if len(problems) == 0 {
			wrong.Problems[""] = v.sayError(err)
		}
		for _, p := range rest {
			wrong.Problems[""] = v.voice.problem(q.Form, p)
		}
		if hx(r) {
			s.show(w, r, status, v.questionAgain(q, wrong))
			return
		}
	}
	if len(wrong.Problems) == 0 { // it isn't open any more: somebody was quicker
		note = v.sayError(err)
	}
	if !hx(r) {
		s.page(w, r, status, v, extras{answer: wrong, note: note})
		return
	}
	moves := []string{}
	if move, _, ok := strings.Cut(id, ":"); ok {
		moves = append(moves, move)
	}
	s.changed(w, r, v, moves, func() (extras, error) { return extras{note: note}, nil })
}
