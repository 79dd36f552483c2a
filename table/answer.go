package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/rule"
)

// Answer answers an open question and carries its move on to the next ones or
// to its end. A GM may answer any; a player those to their own characters. Errors
// are *InvalidError, *RefusedError and *AnsweredError.
func (s *Seat) Answer(ctx context.Context, r Reply) (Made, error) {
	key := r.Key
	r.Key = ""
	rec, err := s.write(ctx, key, "answer", r, func(e eye) (draft, error) { return e.goOn(r) })
	if err != nil {
		return Made{}, err
	}
	return s.made(ctx, rec)
}

// goOn carries a move on with an answer.
func (e eye) goOn(r Reply) (draft, error) {
	m, o, err := e.question(r.Question)
	if err == nil {
		err = e.current()
	}
	if err != nil {
		return draft{}, err
	}
	var step rule.Step
	if r.Values != nil {
		step, err = o.StepOfValues(r.Values, e.seat.id)
	} else {
		step, err = o.Step(orNothing(r.Answer), e.seat.id)
	}
	if err != nil {
		return draft{}, within("answer", badHand("faces", typed(r), false, err))
	}
	trail := append(slices.Clip(m.trail), step)
	source := m.dice(e.st.id, trail)
	if m.byHand {
		source = rule.ByHand(dice.NewHand(nil), true)
	}
	result, err := m.play(trail, source)
	if err != nil {
		return draft{}, err
	}
	result.New = slices.Concat(rule.Trail{step}, result.New)
	d, err := e.draft(KindAnswer, m, result)
	d.body.Answers = o.Place()
	return d, err
}

// orNothing is an answer that wasn't given as an empty one, so that the form
// says what is missing.
func orNothing(answer json.RawMessage) json.RawMessage {
	if answer == nil {
		return json.RawMessage("{}")
	}
	return answer
}

// typed counts the faces of a reply, for a message about them.
func typed(r Reply) int {
	if r.Values != nil {
		faces, err := dice.ParseFaces(strings.Join(r.Values["faces"], " "))
		if err != nil {
			return 0
		}
		return len(faces)
	}
	var given rule.Faces
	if err := json.Unmarshal(orNothing(r.Answer), &given); err != nil {
		return 0
	}
	return len(given.Faces)
}

// question finds an open question that the seat may answer. One that it may
// not know of is no question.
func (e eye) question(id string) (*underway, rule.Open, error) {
	moveID, place, _ := strings.Cut(id, ":")
	of := e.st.move(moveID)
	if of == nil || e.st.secretMove(of) && !e.viewer.IsGM() {
		return nil, rule.Open{}, e.noQuestion(id)
	}
	if by, ok := e.st.answered(of, place); ok {
		answered := &AnsweredError{Question: id, By: by}
		if seat := e.st.seat(by); seat != nil {
			answered.Name = seat.name
		}
		return nil, rule.Open{}, answered
	}
	m := e.st.going(moveID)
	if m == nil {
		return nil, rule.Open{}, e.noQuestion(id)
	}
	if m.fault != nil {
		return nil, rule.Open{}, refused("stranded", nil)
	}
	i := slices.IndexFunc(m.open, func(o rule.Open) bool { return o.Place() == place })
	if i < 0 {
		return nil, rule.Open{}, e.noQuestion(id)
	}
	if !e.mayAnswer(m.move, m.open[i].To) {
		return nil, rule.Open{}, &ForbiddenError{}
	}
	return m, m.open[i], nil
}

// answered is who has answered a question of a move.
func (b ledger) answered(m *move, place string) (seat string, ok bool) {
	for _, r := range b.of(m) {
		if r.Kind == KindAnswer && r.Answers == place {
			return r.Seat, true
		}
	}
	return "", false
}

func (e eye) noQuestion(id string) error {
	var allowed []string
	for _, m := range e.st.open {
		open, _ := e.questions(m)
		for _, q := range open {
			allowed = append(allowed, q.ID)
		}
	}
	return noChoice("question", id, allowed)
}

// answers judges an answer that a log tells of, and runs its rule again from there.
func (p *proposal) answers() error {
	r, m := p.r, p.st.going(p.r.Move)
	if len(r.Steps) == 0 || r.Opening != nil {
		return misfit(MisfitUnreadable, data{"Problem": "an answer without a step"})
	}
	if r.Secret != m.secret {
		return misfit(MisfitUnreadable, data{"Problem": "it isn't as secret as its move"})
	}
	if err := p.rules(func() error { return p.answersOpen(m, r) }); err != nil {
		return err
	}
	if p.v.otherwise {
		if err := p.answersAsked(m, r); err != nil {
			return err
		}
	}
	return p.v.run(m, r)
}

// answersOpen judges an answer by the rules: to a question that they leave open, by who may give it.
func (e eye) answersOpen(m *underway, r *record) error {
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
func (e eye) answersAsked(m *underway, r *record) error {
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
