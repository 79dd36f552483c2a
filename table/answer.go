package table

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/dice"
	"norn/rule"
)

// goOn carries a move on with an answer.
func goOnMove(e eye, r Reply) (draft, error) {
	m, o, err := questionTo(e, r.Question)
	if err == nil {
		err = currentEdition(e)
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
	d, err := draftRun(e, KindAnswer, m, result)
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
func questionTo(e eye, id string) (*underway, rule.Open, error) {
	moveID, place, _ := strings.Cut(id, ":")
	of := e.st.move(moveID)
	if of == nil || e.st.secretMove(of) && !e.viewer.IsGM() {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if by, ok := answeredBy(e.st, of, place); ok {
		answered := &AnsweredError{Question: id, By: by}
		if seat := e.st.seats.of(by); seat != nil {
			answered.Name = seat.name
		}
		return nil, rule.Open{}, answered
	}
	m := e.st.open.going(moveID)
	if m == nil {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if m.fault != nil {
		return nil, rule.Open{}, refused("stranded", nil)
	}
	i := slices.IndexFunc(m.open, func(o rule.Open) bool { return o.Place() == place })
	if i < 0 {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if !e.mayAnswer(m.move, m.open[i].To) {
		return nil, rule.Open{}, &ForbiddenError{}
	}
	return m, m.open[i], nil
}

// answered is who has answered a question of a move.
func answeredBy(b ledger, m *move, place string) (seat string, ok bool) {
	for _, r := range b.of(m) {
		if r.Kind == KindAnswer && r.Answers == place {
			return r.Seat, true
		}
	}
	return "", false
}

func noQuestion(e eye, id string) error {
	var allowed []string
	for _, m := range e.st.open {
		for _, o := range m.open {
			if m.fault == nil && e.mayAnswer(m.move, o.To) {
				allowed = append(allowed, questionID(m.move, o.Place()))
			}
		}
	}
	return noChoice("question", id, allowed)
}
