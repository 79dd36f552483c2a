package act

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"norn/dice"
	"norn/game"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Answer continues a move with an answer.
func Answer(e *visibility.Eye, r request.Answer) (ledger.Draft, error) {
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
		var asked rule.Trail
		if o.Dice != nil {
			asked = rule.Trail{{Dice: &rule.Throw{Sides: o.Dice.Sides}}}
		}
		return ledger.Draft{}, refusal.Within("answer",
			cmp.Or(game.HandProblem("faces", countFaces(r), false, asked, err), err))
	}
	if err := CheckOthers(e, m); err != nil {
		return ledger.Draft{}, err
	}
	e, yields, err := makeWayFor(e, e.Table.OpenMoves.Holding, m.Def.Joining(step)...)
	if err != nil {
		return ledger.Draft{}, err
	}
	m = e.Table.OpenMoves.Of(m.ID).JoinedBy(e.Table.State, step)
	move := e.Table.Sessions.ContinueMove(m.Move, e.Table.Seq+1)
	if step.Dice != nil && !step.Dice.Hand {
		if step.Dice.Faces, err = move.Dice(e.Table.ID, m.Trail).Throw(o.Part, *o.Dice, nil); err != nil {
			return ledger.Draft{}, err
		}
	}
	trail := append(slices.Clip(m.Trail), step)
	source := move.Dice(e.Table.ID, trail)
	if m.ByHand {
		source = rule.HandSource(dice.NewHand(nil), true)
	}
	result, err := m.Play(trail, source)
	if err != nil {
		return ledger.Draft{}, err
	}
	result.New = slices.Concat(rule.Trail{step}, result.New)
	d, err := draftRun(e, view.KindAnswer, m, result)
	d.Content.Answers, d.Content.Yields = o.Place(), idsOf(yields)
	return d, err
}

// countFaces counts the faces of an answer, for an error message.
func countFaces(r request.Answer) int {
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

// questionTo returns an open question that the seat may answer. A question that the seat may not
// know of is treated like one that doesn't exist.
func questionTo(e *visibility.Eye, id string) (*state.OpenMove, rule.Open, error) {
	moveID, place, _ := strings.Cut(id, ":")
	of := e.Table.Move(moveID)
	if of == nil || e.Table.SecretMove(of) && !e.Viewer.IsGM() {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if by, ok := answeredBy(e.Table, of, place); ok {
		return nil, rule.Open{}, &refusal.AnsweredError{Question: id, By: by, Name: e.Table.Seats.Name(by)}
	}
	m := e.Table.OpenMoves.Of(moveID)
	if m == nil {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if m.Fault != nil {
		return nil, rule.Open{}, refusal.Refuse("stranded", nil)
	}
	i := slices.IndexFunc(m.Pending, func(o rule.Open) bool { return o.Place() == place })
	if i < 0 {
		return nil, rule.Open{}, noQuestion(e, id)
	}
	if !e.MayAnswer(m.Move, m.Pending[i].To) {
		return nil, rule.Open{}, &refusal.ForbiddenError{}
	}
	return m, e.OfferedQuestion(m, m.Pending[i]), nil
}

// answeredBy returns the seat that answered a question of a move.
func answeredBy(b ledger.Ledger, m *state.Move, place string) (seat string, ok bool) {
	for _, r := range b.RecordsOf(m) {
		if r.Kind == view.KindAnswer && r.Answers == place {
			return r.Seat, true
		}
	}
	return "", false
}

func noQuestion(e *visibility.Eye, id string) error {
	var allowed []string
	for _, m := range e.Table.OpenMoves {
		for _, o := range m.Pending {
			if m.Fault == nil && e.MayAnswer(m.Move, o.To) {
				allowed = append(allowed, state.QuestionID(m.Move, o.Place()))
			}
		}
	}
	return refusal.NoChoice("question", id, allowed)
}
