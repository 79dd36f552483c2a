package table_test

import (
	"encoding/json"
	"slices"
	"testing"

	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// chances returns the chance after each answer, by the advice on a question.
func chances(q view.Question) map[string]string {
	all := map[string]string{}
	for _, a := range q.Advice {
		all[string(a.Answer)] = a.P
	}
	return all
}

func TestOpenQuestionShowsTheOddsOfEachAnswer(t *testing.T) {
	d := newDesk(t)
	d.make(d.anna, request.Move{
		Move: "duel", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{6, 1, 6, 1},
	})
	q := d.view(d.anna).Questions
	if len(q) != 1 || q[0].Question != "toy.press" {
		t.Fatalf("Anna is asked %+v", q)
	}
	// one hit against the one that everybody sees
	same(t, "advice", map[string]string{`{"press":false}`: "0", `{"press":true}`: "1/2"}, chances(q[0]))
	if text := q[0].Advice[1].Text; text != "Press: yes: ⟨toy.headline.win⟩" {
		t.Errorf("the advice says %q", text)
	}
	same(t, "the GM's", 2, len(d.view(d.gm).Questions[0].Advice))
	d.reopen()
	same(t, "after a restart", map[string]string{`{"press":false}`: "0", `{"press":true}`: "1/2"},
		chances(d.view(d.anna).Questions[0]))

	// Boris may not know the doom of the acting hero, so he must not see odds that depend on it.
	if q := d.view(d.boris).Questions; len(q) != 1 || len(q[0].Advice) != 0 {
		t.Errorf("Boris is told %+v", q)
	}
	for _, asked := range d.view(d.gm).Questions {
		d.answer(d.gm, asked.ID, `{"press":false}`)
	}
	if q := d.view(d.gm).Questions; len(q) != 1 || q[0].Question != "toy.weight" || len(q[0].Advice) != 0 {
		t.Errorf("it's known how it came out, and yet %+v", q)
	}
}

func TestOddsFollowTheChosenAnswers(t *testing.T) {
	d := newDesk(t)
	wanted := request.Move{Move: "duel", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`)}
	win := func(c request.Choices) string {
		t.Helper()
		o, err := d.anna.Best(t.Context(), wanted, c)
		if err != nil {
			t.Fatal(err)
		}
		return o.Any("win").RatString()
	}
	// 2 coins against 2 have 5/16; with a second roll, 0, 1, 2 hits have 1/16, 6/16, 9/16.
	same(t, "standard answers", "5/16", win(request.Choices{}))
	same(t, "best", "33/64", win(request.Choices{Aim: "win"}))
	best, err := d.anna.Best(t.Context(), wanted, request.Choices{Aim: "win"})
	if err != nil || best.Policy == nil || best.Policy.Worth.RatString() != "33/64" || len(best.Policy.Taken) != 1 {
		t.Errorf("%+v, %v", best.Policy, err)
	}
	same(t, "all press", win(request.Choices{
		Aim:     "lead",
		Answers: map[string]json.RawMessage{"toy.press": raw(`{"press":true}`)},
	}),
		win(request.Choices{Answers: map[string]json.RawMessage{"toy.press": raw(`{"press":true}`)}}))
	for _, c := range []struct {
		choices request.Choices
		path    string
	}{
		{request.Choices{Aim: "glory"}, "aim"},
		{
			request.Choices{Answers: map[string]json.RawMessage{"toy.press": raw(`{"press":3}`)}},
			"choices.toy.press.press",
		},
	} {
		_, err := d.anna.Best(t.Context(), wanted, c.choices)
		invalid, ok := err.(*refusal.InvalidError)
		if !ok || invalid.Problems[0].Path != c.path {
			t.Errorf("%+v: %v", c.choices, err)
		}
	}
	if _, err := d.anna.Best(t.Context(), wanted,
		request.Choices{Answers: map[string]json.RawMessage{"toy.never": raw(`{}`)}}); code(err) != refusal.CodeRefused {
		t.Errorf("an answer to no question: %v", err)
	}
	if slices.ContainsFunc(d.log(d.gm), func(e view.Entry) bool { return e.Kind == view.KindMove }) {
		t.Error("odds were written")
	}
}
