package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// judgeOpening checks the entry of a new move and runs its rule again.
func (v *verifier) judgeOpening(p *act.Proposal) error {
	r := p.Record
	if err := refusal.Same(r.Move, state.MoveID(p.Table.Seq+1)); err != nil {
		return err
	}
	if r.Answers != "" {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "a new move answers nothing"})
	}
	if err := act.MayOpen(p.Eye, r.Secret, r.Opening.Nonce); err != nil {
		return refusal.AsMisfit(r.Seat, err)
	}
	for _, id := range r.Opening.Cast {
		if c := p.Table.Characters.Of(id); c == nil || c.Removed {
			return refusal.Misfit(refusal.MisfitMissing, view.Data{"ID": id})
		}
	}
	m := p.Table.NewOpenMove(r.Of)
	instant := !r.Secret && m.Def.Instant(m.Scene, m.Args)
	for _, id := range r.Opening.Cast {
		if err := act.CheckUnblocked(p.Eye, instant, id); err != nil {
			return err
		}
	}
	if err := p.Rules(func() error { return asRecorded(p.Eye, m, r) }); err != nil {
		return err
	}
	return v.run(m, r)
}

// asRecorded checks a new move by the rules: that they allow it, and give the recorded cast and
// arguments.
func asRecorded(e *visibility.Eye, m *state.OpenMove, r *state.Record) error {
	asked := act.Only(act.MoveForm(e, m.Def, m.Actor), r.Opening.Args)
	a, err := act.AllowedAttempt(e,
		request.Move{Move: m.Def.ID, Character: m.Actor, Args: asked, Secret: r.Secret, Offer: r.Opening.Offer})
	switch {
	case err != nil:
		return err
	case a.Def != m.Def || a.Scene.Actor != m.Actor:
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": r.Opening.Offer})
	case !slices.Equal(a.Cast, m.Cast):
		return refusal.Misfit(refusal.MisfitCast, view.Data{"Have": fmt.Sprint(m.Cast), "Want": fmt.Sprint(a.Cast)})
	case !reflect.DeepEqual(state.NonEmpty(state.Members(a.Args)), state.NonEmpty(state.Members(m.Args))):
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": string(r.Opening.Args)})
	}
	return nil
}

// judgeAnswer checks the entry of an answer and runs its rule again from there.
func (v *verifier) judgeAnswer(p *act.Proposal) error {
	r, m := p.Record, p.Table.OpenMoves.Of(p.Record.Move)
	if len(r.Steps) == 0 || r.Opening != nil {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "an answer without a step"})
	}
	if r.Secret != m.Secret {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "it isn't as secret as its move"})
	}
	if err := p.Rules(func() error { return answersOpen(p.Eye, m, r) }); err != nil {
		return err
	}
	if v.differs {
		if err := answersAsked(p.Eye, m, r); err != nil {
			return err
		}
	}
	for _, id := range m.Def.Joining(r.Steps[0]) {
		if c := p.Table.Characters.Of(id); c == nil || c.Removed {
			return refusal.Misfit(refusal.MisfitMissing, view.Data{"ID": id})
		}
		if m.Has(id) {
			continue
		}
		if err := act.CheckFree(p.Eye, id); err != nil {
			return err
		}
	}
	if err := act.CheckOthers(p.Eye, m); err != nil {
		return err
	}
	return v.run(m.JoinedBy(p.Table.State, r.Steps[0]), r)
}

// answersOpen checks an answer by the rules: that they leave the question open, and that the seat
// may answer it.
func answersOpen(e *visibility.Eye, m *state.OpenMove, r *state.Record) error {
	i := slices.IndexFunc(m.Pending, func(o rule.Open) bool { return o.Place() == r.Answers })
	switch {
	case i < 0:
		return refusal.Misfit(refusal.MisfitMissing, view.Data{"ID": state.QuestionID(m.Move, r.Answers)})
	case !e.MayAnswer(m.Move, m.Pending[i].To):
		return refusal.Misfit(refusal.MisfitSeat, view.Data{"Seat": r.Seat})
	}
	return takes(e.OfferedQuestion(m, m.Pending[i]), r.Steps[0], r.Seat)
}

// answersAsked checks an answer by the entries before it, without running rules: that they leave
// the question open, and that the seat may answer it.
func answersAsked(e *visibility.Eye, m *state.OpenMove, r *state.Record) error {
	i := slices.IndexFunc(m.Asks, func(a state.Ask) bool { return a.Place == r.Answers })
	if i < 0 {
		return refusal.Misfit(refusal.MisfitMissing, view.Data{"ID": state.QuestionID(m.Move, r.Answers)})
	}
	asked, given := m.Asks[i], r.Steps[0]
	question, by := rule.DiceQuestion, r.Seat
	if given.Answer != nil {
		question, by = given.Answer.Question, given.Answer.Seat
	}
	switch {
	case !e.MayAnswer(m.Move, asked.To) || by != r.Seat:
		return refusal.Misfit(refusal.MisfitSeat, view.Data{"Seat": r.Seat})
	case question != asked.Question:
		return refusal.Misfit(refusal.MisfitID, view.Data{"Have": question, "Want": asked.Question})
	}
	return nil
}

// takes returns a misfit unless a step is a valid answer to a question.
func takes(o rule.Open, given rule.Step, seat string) error {
	var value json.RawMessage
	switch {
	case given.Dice != nil && !given.Dice.Hand:
		value, _ = json.Marshal(rule.Faces{Roll: true})
	case given.Dice != nil && given.Dice.Total:
		total := dice.TotalText(dice.ShownTotal(given.Dice.Pool(), given.Dice.Faces))
		value, _ = json.Marshal(map[string][]string{"faces": {total}})
	case given.Dice != nil:
		value, _ = json.Marshal(rule.Faces{Faces: form.Faces(given.Dice.Faces)})
	case given.Answer != nil:
		value = act.Only(o.Form, given.Answer.Value)
	}
	step, err := o.Step(act.OrNothing(value), seat)
	// older rules accepted values that nothing used
	if lost := unneededMembers(o.Form, err); len(lost) > 0 && given.Answer != nil {
		var members map[string]json.RawMessage
		if json.Unmarshal(given.Answer.Value, &members) == nil {
			maps.Copy(members, lost)
			cleared := *given.Answer
			if cleared.Value, err = json.Marshal(members); err == nil {
				value = act.Only(o.Form, cleared.Value)
				if step, err = o.Step(act.OrNothing(value), seat); err == nil {
					return nil
				}
			}
		}
	}
	if err != nil {
		return err
	}
	if given.Dice != nil && !given.Dice.Hand && step.Dice != nil {
		step.Dice.Faces = given.Dice.Faces // the caller derives them again with the other dice of the entry
	}
	if !bytes.Equal(state.JSON(step), state.JSON(given)) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": string(state.JSON(given))})
	}
	return nil
}

// unneededMembers returns the members that nothing uses, with their values in an empty form. It
// returns nil if anything else is wrong.
func unneededMembers(f *form.Form, err error) map[string]json.RawMessage {
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
