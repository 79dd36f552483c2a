package projection

import (
	"strings"

	"norn/game"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// advisor is a question's subject that gives guidance.
type advisor interface {
	Guidance(v game.Voice) []string
}

// Questions returns a move's open questions that the seat may answer, and those that others must
// answer.
func Questions(e *visibility.Eye, m *state.OpenMove) (open []view.Question, waiting []view.Waiting) {
	if m.Secret && !e.Viewer.IsGM() {
		return nil, nil
	}
	if m.Fault != nil && !e.Viewer.IsGM() { // GMs get it as a stranded move
		return nil, []view.Waiting{{Move: m.ID, To: game.GM}}
	}
	for _, o := range m.Pending {
		if !e.MayAnswer(m.Move, o.To) {
			waiting = append(waiting, view.Waiting{Move: m.ID, To: e.Addressee(o.To)})
			continue
		}
		o = e.OfferedQuestion(m, o)
		o.Form = act.Arrange(e, o.Form, m.Actor)
		q := view.Question{
			ID: state.QuestionID(m.Move, o.Place()), Move: m.ID, Name: m.Def.ID, Question: o.ID, To: o.To,
			Character: m.Actor,
			Text:      questionText(e, o), About: o.About, Schema: o.LabelSchema(e.Table.Game.Labels(e.Voice.Speaker, "field"), e.Table.Game.ChoiceLabels(e.Voice.Speaker)), Form: o.Form, Dice: o.Dice,
			ByHand: o.Dice != nil && m.Seat == e.Seat.ID,
			Mine:   e.Mine(m.Move, o.To), Secret: m.Secret,
		}
		if o.Standard != nil {
			q.Standard, q.Values = o.Form.Fill(o.Standard), o.Form.Inputs(o.Standard)
		}
		for _, name := range o.Choose { // there's no default answer, and nothing is filled in
			q.Standard = nil
			q.Values.Del(name)
		}
		q.AboutText, _ = e.Voice.Speak(o.About)
		if g, ok := o.About.(advisor); ok {
			q.Guidance = g.Guidance(e.Voice)
		}
		q.Advice = adviceOn(e, m, o)
		open = append(open, q)
	}
	return open, waiting
}

func questionText(e *visibility.Eye, o rule.Open) string {
	if o.Total && o.Dice.N > 1 {
		o.Total = false
		return questionText(e, o) + " " + e.Voice.Say("table.question.dice-total", "N", o.Dice.N*(o.Dice.Sides+1)/2)
	}
	if o.Dice != nil {
		if what := e.Table.Game.Word("throw", o.Dice.For); e.Voice.Has(what) {
			return e.Voice.Say("table.question.dice-for", "N", o.Dice.N, "Dice",
				e.Voice.Speaker.Notation(o.Dice.String()), "What", e.Voice.Say(what))
		}
		return e.Voice.Say("table.question.dice", "N", o.Dice.N, "Dice", e.Voice.Speaker.Notation(o.Dice.String()))
	}
	return e.Voice.Say(e.Table.Game.Word("question", strings.TrimPrefix(o.ID, e.Table.Game.ID+".")))
}
