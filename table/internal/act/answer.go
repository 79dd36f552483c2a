package act

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// goOn carries a move on with an answer.
func Answer(e visibility.Eye, r request.Answer) (ledger.Draft, error) {
	m, o, err := questionTo(e, r.Question)
	if err == nil {
		err = currentEdition(e)
	}
	if err != nil {
		return ledger.Draft{}, err
	}
	var step rule.Step
	if r.Values != nil {
		step, err = o.StepOfValues(r.Values, e.Seat.ID)
	} else {
		step, err = o.Step(OrNothing(r.Answer), e.Seat.ID)
	}
	if err != nil {
		return ledger.Draft{}, refusal.Within("answer", badHand("faces", typed(r), false, err))
	}
	e, yields, err := freedFor(e, m.Def.Joining(step)...)
	if err != nil {
		return ledger.Draft{}, err
	}
	m = e.Table.Open.Going(m.ID).JoinedBy(e.Table.State, step)
	trail := append(slices.Clip(m.Trail), step)
	source := m.Dice(e.Table.ID, trail)
	if m.ByHand {
		source = rule.ByHand(dice.NewHand(nil), true)
	}
	result, err := m.Play(trail, source)
	if err != nil {
		return ledger.Draft{}, err
	}
	result.New = slices.Concat(rule.Trail{step}, result.New)
	d, err := draftRun(e, view.KindAnswer, m, result)
	d.Content.Answers, d.Content.Yields = o.Place(), names(yields)
	return d, err
}

// orNothing is an answer that wasn't given as an empty one, so that the form
// says what is missing.
func OrNothing(answer json.RawMessage) json.RawMessage {
	if answer == nil {
		return json.RawMessage("{}")
	}
	return answer
}

// typed counts the faces of a reply, for a message about them.
func typed(r request.Answer) int {
	if r.Values != nil {
		faces, err := dice.ParseFaces(strings.Join(r.Values["faces"], " "))
		if err != nil {
			return 0
		}
		return len(faces)
	}
	var given rule.Faces
	if err := json.Unmarshal(OrNothing(r.Answer), &given); err != nil {
		return 0
	}
	return len(given.Faces)
}

// question finds an open question that the seat may answer. One that it may
// not know of is no question.
func questionTo(e visibility.Eye, id string) (*state.Underway, rule.Open, error) {
	moveID, place, _ := strings.Cut(id, ":")
	of := e.Table.Move(moveID)
	if of == nil || e.Table.SecretMove(of) && !e.Viewer.IsGM() {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if by, ok := answeredBy(e.Table, of, place); ok {
		answered := &refusal.AnsweredError{Question: id, By: by}
		if seat := e.Table.Seats.Of(by); seat != nil {
			answered.Name = seat.Name
		}
		return nil, rule.Open{}, answered
	}
	m := e.Table.Open.Going(moveID)
	if m == nil {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if m.Fault != nil {
		return nil, rule.Open{}, refusal.Refuse("stranded", nil)
	}
	i := slices.IndexFunc(m.Open, func(o rule.Open) bool { return o.Place() == place })
	if i < 0 {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if !e.MayAnswer(m.Move, m.Open[i].To) {
		return nil, rule.Open{}, &refusal.ForbiddenError{}
	}
	return m, e.Offered(m, m.Open[i]), nil
}

// answered is who has answered a question of a move.
func answeredBy(b ledger.Ledger, m *state.Move, place string) (seat string, ok bool) {
	for _, r := range b.Of(m) {
		if r.Kind == view.KindAnswer && r.Answers == place {
			return r.Seat, true
		}
	}
	return "", false
}

func noQuestion(e visibility.Eye, id string) error {
	var allowed []string
	for _, m := range e.Table.Open {
		for _, o := range m.Open {
			if m.Fault == nil && e.MayAnswer(m.Move, o.To) {
				allowed = append(allowed, state.QuestionID(m.Move, o.Place()))
			}
		}
	}
	return refusal.NoChoice("question", id, allowed)
}

// bounded holds a move's arguments to the bounds of a form. Which choices there
// were depends on the whole table, which a seat's file doesn't hold.
func Bounded(def *game.Move, f *form.Form, args json.RawMessage) error {
	_, err := def.Decode(f, Only(f, args))
	var problems form.Problems
	if err == nil || errors.As(err, &problems) && !slices.ContainsFunc(problems, func(p form.Problem) bool { return p.Code != form.NoChoice }) {
		return nil
	}
	return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": err.Error()})
}

// only is what a form asks for of a value that was stored whole. What it didn't
// ask for is compared afterwards. What is empty isn't stored, and is said here, since
// the form may offer something else to who leaves it out.
func Only(f *form.Form, stored json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(stored, &members); err != nil || members == nil {
		return stored
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return !slices.ContainsFunc(f.Fields, func(field form.Field) bool { return field.Name == name })
	})
	for _, field := range f.Fields {
		value, there := members[field.Name]
		switch {
		case string(value) == "null": // an empty list, where none given would be the standard one
			members[field.Name] = json.RawMessage("[]")
		case field.Kind == form.KindGroup && there:
			members[field.Name] = Only(&form.Form{Fields: field.Fields}, value)
		case !there:
			if value = nothing(field); value != nil {
				members[field.Name] = value
			}
		}
	}
	return state.JSON(members)
}

// nothing is how JSON says that a field is empty; nil where it can't be.
func nothing(f form.Field) json.RawMessage {
	switch {
	case f.Kind == form.KindInt && f.Min <= 0 && 0 <= f.Max:
		return json.RawMessage("0")
	case f.Kind == form.KindBool, f.Kind == form.KindTrait && !f.Required:
		return json.RawMessage("false")
	case f.Required:
	case f.Kind == form.KindChoice && slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == "" }),
		f.Kind == form.KindText, f.Kind == form.KindProse, f.Kind == form.KindRef:
		return json.RawMessage(`""`)
	case f.Min == 0 && (f.Kind == form.KindList || f.Kind == form.KindRefs || f.Kind == form.KindFaces):
		return json.RawMessage("[]")
	}
	return nil
}
