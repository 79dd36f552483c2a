package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"norn/form"
	"norn/rule"
)

// opens judges a new move that a log tells of, and runs its rule again.
func (v *verifier) opens(p *proposal) error {
	r := p.r
	if err := same(r.Move, p.st.nextMove()); err != nil {
		return err
	}
	if r.Answers != "" {
		return misfit(MisfitUnreadable, data{"Problem": "a new move answers nothing"})
	}
	if err := mayOpen(p.eye, r.Secret, r.Opening.Nonce); err != nil {
		return asMisfit(r.Seat, err)
	}
	for _, id := range r.Opening.Cast {
		if c := p.st.characters.of(id); c == nil || c.removed {
			return misfit(MisfitMissing, data{"ID": id})
		}
		if err := isFree(p.eye, id); err != nil {
			return err
		}
	}
	m := p.st.underway(r.move)
	if err := p.rules(func() error { return asRecorded(p.eye, m, r) }); err != nil {
		return err
	}
	return v.run(m, r)
}

// asRecorded judges a new move by the rules: that they allow it, with that cast and those arguments.
func asRecorded(e eye, m *underway, r *record) error {
	asked := only(fittedForm(e, m.def, m.actor), r.Opening.Args)
	a, err := judgedAttempt(e, Request{Move: m.def.ID, Character: m.actor, Args: asked, Secret: r.Secret})
	switch {
	case err != nil:
		return err
	case !slices.Equal(a.cast, m.cast):
		return misfit(MisfitCast, data{"Have": fmt.Sprint(m.cast), "Want": fmt.Sprint(a.cast)})
	case !reflect.DeepEqual(bare(members(a.args)), bare(members(m.args))):
		return misfit(MisfitRefused, data{"Problem": string(r.Opening.Args)})
	}
	return nil
}

// answers judges an answer that a log tells of, and runs its rule again from there.
func (v *verifier) answers(p *proposal) error {
	r, m := p.r, p.st.open.going(p.r.Move)
	if len(r.Steps) == 0 || r.Opening != nil {
		return misfit(MisfitUnreadable, data{"Problem": "an answer without a step"})
	}
	if r.Secret != m.secret {
		return misfit(MisfitUnreadable, data{"Problem": "it isn't as secret as its move"})
	}
	if err := p.rules(func() error { return answersOpen(p.eye, m, r) }); err != nil {
		return err
	}
	if v.otherwise {
		if err := answersAsked(p.eye, m, r); err != nil {
			return err
		}
	}
	return v.run(m, r)
}

// answersOpen judges an answer by the rules: to a question that they leave open, by who may give it.
func answersOpen(e eye, m *underway, r *record) error {
	i := slices.IndexFunc(m.open, func(o rule.Open) bool { return o.Place() == r.Answers })
	switch {
	case i < 0:
		return misfit(MisfitMissing, data{"ID": questionID(m.move, r.Answers)})
	case !e.mayAnswer(m.move, m.open[i].To):
		return misfit(MisfitSeat, data{"Seat": r.Seat})
	}
	return takes(m.open[i], r.Steps[0], r.Seat)
}

// answersAsked judges an answer by what the entries before it say: to a question that they leave open, by who may give it.
func answersAsked(e eye, m *underway, r *record) error {
	i := slices.IndexFunc(m.asked, func(a ask) bool { return a.Place == r.Answers })
	if i < 0 {
		return misfit(MisfitMissing, data{"ID": questionID(m.move, r.Answers)})
	}
	asked, given := m.asked[i], r.Steps[0]
	question, by := rule.DiceQuestion, r.Seat
	if given.Answer != nil {
		question, by = given.Answer.Question, given.Answer.Seat
	}
	switch {
	case !e.mayAnswer(m.move, asked.To) || by != r.Seat:
		return misfit(MisfitSeat, data{"Seat": r.Seat})
	case question != asked.Question:
		return misfit(MisfitID, data{"Have": question, "Want": asked.Question})
	}
	return nil
}

// takes tells whether a step is an answer that a question takes.
func takes(o rule.Open, given rule.Step, seat string) error {
	var value json.RawMessage
	switch {
	case given.Dice != nil:
		value, _ = json.Marshal(rule.Faces{Faces: form.Faces(given.Dice.Faces)})
	case given.Answer != nil:
		value = only(o.Form, given.Answer.Value)
	}
	step, err := o.Step(orNothing(value), seat)
	if lost := unneeded(o.Form, err); len(lost) > 0 && given.Answer != nil { // older rules took words that nothing took up
		var members map[string]json.RawMessage
		if json.Unmarshal(given.Answer.Value, &members) == nil {
			maps.Copy(members, lost)
			cleared := *given.Answer
			if cleared.Value, err = json.Marshal(members); err == nil {
				value = only(o.Form, cleared.Value)
				if step, err = o.Step(orNothing(value), seat); err == nil {
					return nil
				}
			}
		}
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(encoded(step), encoded(given)) {
		return misfit(MisfitRefused, data{"Problem": string(encoded(given))})
	}
	return nil
}

// unneeded are the members that nothing took up, with what stands there in a form
// that nobody has filled, if nothing else is wrong.
func unneeded(f *form.Form, err error) map[string]json.RawMessage {
	var problems form.Problems
	if !errors.As(err, &problems) {
		return nil
	}
	lost := map[string]json.RawMessage{}
	for _, p := range problems {
		field, known := f.Field(p.Path)
		if p.Code != form.Unneeded || !known || strings.Contains(p.Path, ".") {
			return nil
		}
		lost[p.Path], _ = json.Marshal(field.Default)
	}
	return lost
}
