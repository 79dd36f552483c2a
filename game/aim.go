package game

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"norn/form"
	"norn/rule"
)

// Aim is a goal for best choices: it assigns a worth to each outcome of a move. Its word is
// <game>.aim.<id>.
type Aim struct {
	ID    string
	Also  []string // other names, such as its label
	Worth func(o rule.Outcome) int64
}

// Value returns the worth in the form that package rule expects.
func (a Aim) Value(o rule.Outcome) *big.Rat { return big.NewRat(a.Worth(o), 1) }

// Aim finds one of the move's aims by its id, or by another name of it.
func (m *Move) Aim(id string) (Aim, bool) {
	i := slices.IndexFunc(m.Aims, func(a Aim) bool { return a.ID == id })
	if i < 0 {
		i = slices.IndexFunc(m.Aims, func(a Aim) bool { return matchesName(id, a.Also) })
	}
	if i < 0 {
		return Aim{}, false
	}
	return m.Aims[i], true
}

// aimsOf returns the aims that every move has: to reach each headline, or to escape it if all its
// outcomes are bad.
func aimsOf(headlines []Headline, outcomes []OutcomeKind) []Aim {
	m := Move{Outcomes: outcomes}
	aims := make([]Aim, len(headlines))
	for i, h := range headlines {
		worth := int64(-1)
		for _, id := range h.Outcomes {
			if tone := m.Outcome(id).Tone; tone != Bad && tone != Disaster {
				worth = 1
			}
		}
		aims[i] = Aim{ID: h.ID, Worth: func(o rule.Outcome) int64 {
			if slices.Contains(h.Outcomes, o.ID) {
				return worth
			}
			return 0
		}}
	}
	return aims
}

// Answer describes an answer to a question in a few words. vary lists the fields to mention; none
// means all. A value of a single field may have its own word, <game>.answer.<question>.<value>.
func (v Voice) Answer(g *Game, question string, f *form.Form, vary []string, answer any) string {
	filled := f.Fill(answer)
	var texts []string
	for _, field := range f.Fields {
		if len(vary) > 0 && !slices.Contains(vary, field.Name) {
			continue
		}
		value := filled[field.Name]
		own := g.Word("answer", strings.TrimPrefix(question, g.ID+"."), fmt.Sprint(value))
		if v.Has(own) {
			texts = append(texts, v.Say(own))
			continue
		}
		switch value := value.(type) {
		case bool:
			word := "form.no"
			if value {
				word = "form.yes"
			}
			texts = append(texts, g.Label(v.Speaker, field.Name)+": "+v.Say(word))
		case int:
			texts = append(texts, g.Label(v.Speaker, field.Name)+" "+v.Number(value))
		case string, form.Trait:
			text := fmt.Sprint(value)
			i := slices.IndexFunc(field.Options, func(o form.Option) bool { return o.Value == text })
			switch {
			case i >= 0:
				texts = append(texts, g.Option(v, field, field.Options[i]))
			case text != "":
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, " · ")
}
