package html

import (
	"fmt"
	"hash/fnv"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// Reply is an answer to correct, or one in progress because a list in it has changed its length.
type Reply struct {
	Question string
	Values   url.Values
	Problems map[string]string
	Key      string
	Added    string // see fields.Form
}

// Asks returns a mark that changes with a question's content and addressee.
func Asks(p Page, q view.Question) string {
	h := fnv.New32a()
	fmt.Fprint(h, q.ID, q.Mine, p.Whom(q.To), q.Text, q.AboutText, q.Guidance, q.Advice, q.Standard)
	for path, field := range q.Form.All() { // characters may be added meanwhile, or what somebody can choose may change
		fmt.Fprint(h, path, field.Min, field.Max)
		for _, o := range field.Options {
			fmt.Fprint(h, o.Value, o.Text, o.Word, o.After, o.Worth, o.Past)
		}
	}
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// Question returns an open question for display, with its default answer filled in; wrong is an
// answer to correct.
func (l *Look) Question(q view.Question, wrong *Reply) Question {
	d := Question{
		ID: q.ID, Kind: q.Question, Who: l.Voice.Name(q.Character), Move: l.Voice.Word("move", q.Name),
		Mine: q.Mine, Self: q.To == q.Character, Text: q.Text, About: q.AboutText,
		Guidance: q.Guidance, Asks: Asks(l.Page, q), Kept: l.At.Fields(),
		Fields: fields.Form{
			Form: q.Form, ID: questionID(q.ID), Values: q.Form.DefaultInputs(),
			About: l.To("/about"),
		},
	}
	switch {
	case q.Mine && l.Master() && q.To != game.GM:
		d.Whom = l.Say("web.question.for", "Name", l.Whom(q.To))
	case q.Mine:
		d.Whom = l.Say("web.question.you")
	default:
		d.Whom = l.Say("web.question.waits", "Name", l.Whom(q.To))
	}
	d.Advice = game.Each(q.Advice, func(a view.Advice) string { return a.Text })
	if q.Dice != nil {
		d.N, d.Sides, d.ByHand, d.Fields.Like = q.Dice.N, q.Dice.Sides, q.ByHand, faceExample(*q.Dice)
	}
	if wrong != nil && wrong.Question == q.ID {
		d.Fields.Values, d.Fields.Problems, d.Fields.Added, d.Key = wrong.Values, wrong.Problems, wrong.Added, wrong.Key
		return d
	}
	if q.Values != nil {
		d.Fields.Values = maps.Clone(q.Values)
	}
	d.Key = l.Key()
	return d
}

// faceExample returns an example of typed faces: as many as needed, but at most three.
func faceExample(p dice.Pool) string {
	return strings.Join(game.Each([]int{3, 10, 1}[:min(p.N, 3)], func(face int) string {
		return Itoa(min(face, p.Sides))
	}), " ")
}

// FacesWrong puts an error in typed faces into words.
func (p Page) FacesWrong(wrong form.Problem) string {
	id, data := wrong.Word()
	data["Field"] = p.Say("web.compose.faces")
	return p.Say(id, data)
}
