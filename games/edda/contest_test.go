package edda

import (
	"testing"

	"norn/rule"
)

// Any surplus can be answered with the defaults of its question, written in full or left out. ED-05
func TestAnySurplusCanBeAnsweredWithTheDefaults(t *testing.T) {
	for _, by := range []int{1, 42, largest, 3 * largest} {
		got, err := rule.Play(func(r *rule.Run) any {
			return personOf(r, "c1", Fated{}).yield(lost{by: by, to: "c2"}, false)
		}, rule.Options{})
		if err != nil || len(got.Open) != 1 {
			t.Fatalf("%d left: %v asked, %v", by, got.Open, err)
		}
		q := got.Open[0]
		if _, err := q.Step(q.Form.JSON(q.Standard), ""); err != nil {
			t.Errorf("%d left: %v", by, err)
		}
	}
}
