package table

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"norn/dice"
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
	for r := range b.of(m) {
		if r.Kind == KindAnswer && b.whole(r).Answers == place {
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
