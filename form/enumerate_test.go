package form_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
)

func TestEveryListsAnswersInTheFormsOrder(t *testing.T) {
	type group struct {
		Again bool   `json:"again"`
		Note  string `json:"note" form:"prose"`
	}
	type answer struct {
		Pay  string     `json:"pay" form:"choice=none|condition"`
		Size int        `json:"size" form:"min=1,max=2,default=1"`
		Name form.Trait `json:"name" form:"choice=fatigue,open"`
		More group      `json:"more"`
	}
	f := form.Of[answer]()
	from := answer{Pay: "none", Size: 1, Name: "pain", More: group{Note: "so"}}
	texts := func(all [][]byte) []string {
		var texts []string
		for _, text := range all {
			texts = append(texts, string(text))
			var a answer
			if err := f.Decode(text, &a); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		return texts
	}
	if diff := cmp.Diff([]string{
		`{"pay":"none","size":1,"name":"pain","more":{"again":false,"note":"so"}}`,
		`{"pay":"none","size":1,"name":"pain","more":{"again":true,"note":"so"}}`,
		`{"pay":"condition","size":1,"name":"pain","more":{"again":false,"note":"so"}}`,
		`{"pay":"condition","size":1,"name":"pain","more":{"again":true,"note":"so"}}`,
	}, texts(f.Every(from, []string{"pay", "more.again"}, 4))); diff != "" {
		t.Error(diff)
	}
	if got := len(f.Every(from, nil, 64)); got != 2*2*2*2 {
		t.Errorf("%d answers, want 16", got)
	}
	if f.Every(from, nil, 15) != nil || f.Every(from, []string{"more.note"}, 64) != nil {
		t.Error("too many answers are listed")
	}
	if got := len(form.Of[struct {
		Text string `json:"text" form:"prose,required"`
	}]().Every(struct {
		Text string `json:"text" form:"prose,required"`
	}{"x"}, nil, 64)); got != 0 {
		t.Errorf("a text that must be given: %d answers", got)
	}
}
