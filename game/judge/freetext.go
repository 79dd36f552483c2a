package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/rule"
)

// mark is a text that is typed into a field and searched for later.
const mark = "words that somebody typed"

// wordsKept answers each question of a case with a text in each field that takes one, combined with
// each choice of the others. The rule must record the text or refuse it.
func wordsKept(t *report, st staged, whole rule.Result[rule.Outcome]) {
	if len(st.scene.Cast) == 0 {
		return // nobody there sees the refusal
	}
	stream := dice.NewStream([32]byte{'w', 'o', 'r', 'd', 's'})
	tried := map[string]bool{}
	for n := range len(whole.Trail) + 1 {
		result, err := rule.Play(
			st.play,
			rule.Options{Trail: whole.Trail[:n], Source: rule.HandSource(dice.NewHand(nil), true)},
		)
		if err != nil {
			continue // halfway has reported it
		}
		for _, open := range result.Open {
			if tried[open.ID] || open.Dice != nil || open.Standard == nil {
				continue
			}
			tried[open.ID] = true
			for i := range open.Form.Fields {
				if f := &open.Form.Fields[i]; takesWords(f) {
					for _, answer := range fillField(open, f.Name) {
						lostWords(t, st, whole.Trail[:n], open, answer, f.Name, stream)
					}
				}
			}
		}
	}
}

// takesWords reports whether people type free text into a field.
func takesWords(f *form.Field) bool {
	return f.Kind.IsText() ||
		f.Kind == form.KindTrait && f.Open && f.Required // otherwise a page only offers choices
}

// fillField returns the standard answer with a text in a field, and variants that differ in one or
// two choices.
func fillField(open rule.Open, field string) []map[string]any {
	standard := open.Form.Fill(open.Standard)
	standard[field] = mark
	all := []map[string]any{standard}
	for range 2 {
		for _, before := range slices.Clone(all) {
			for _, f := range open.Form.Fields {
				for _, value := range choicesOf(f) {
					answer := map[string]any{}
					for name, v := range before {
						answer[name] = v
					}
					answer[f.Name] = value
					if len(all) < maxFilled {
						all = append(all, answer)
					}
				}
			}
		}
	}
	return all
}

const maxFilled = 300

func choicesOf(f form.Field) (values []any) {
	switch f.Kind {
	case form.KindBool:
		return []any{true, false}
	case form.KindChoice:
		for i, o := range f.CurrentOptions() {
			if i < 4 || i%3 == 0 {
				values = append(values, o.Value)
			}
		}
	}
	return values
}

// lostWords plays on from an answer to the end and checks that the text was recorded.
func lostWords(
	t *report,
	st staged,
	trail rule.Trail,
	open rule.Open,
	answer map[string]any,
	field string,
	stream *dice.Stream,
) {
	data, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	step, err := open.Step(data, "")
	if err != nil {
		return // refused with a reason, so nothing is lost
	}
	var said strings.Builder
	way := append(slices.Clone(trail), step)
	for range 30 { // each question on the way may be for somebody else
		result, err := rule.Play(st.play, rule.Options{Trail: way, Source: rule.RollerSource(stream)})
		if err != nil {
			t.Errorf("%s answered with %s: %v", open.ID, data, err)
			return
		}
		for _, told := range result.Events {
			data, _ := json.Marshal(told.Event)
			said.Write(data)
		}
		for _, next := range result.Open {
			data, _ := json.Marshal(next.About)
			said.Write(data)
		}
		if result.Done {
			break
		}
		way = slices.Clip(result.Trail)
		for _, next := range result.Open {
			step := standardStep(next)
			if steps := answersTo(next); len(steps) > 0 {
				step = steps[0]
			}
			way = append(way, step)
		}
	}
	if !strings.Contains(said.String(), mark) {
		t.fault("lost", fmt.Sprintf("%s: what is typed as %s is lost: %s", open.ID, field, data),
			"Question", open.ID, "Name", field)
	}
}
