package verify

import (
	"fmt"
	"slices"

	"norn/journal/archive"
	"norn/table/refusal"
	"norn/table/view"
)

// Result counts what was checked of a valid log.
type Result struct {
	archive.Header
	Moves int `json:"moves"` // whose rules were run again
	// in a seat's file: moves of which it doesn't see everything, so that their rules can't be run
	// again
	Unseen   int `json:"unseen"`
	Dice     int `json:"dice"`   // derived again, face by face
	Hand     int `json:"hand"`   // typed in: nobody can check them
	Sealed   int `json:"sealed"` // whose secret is still sealed
	Sessions int `json:"sessions"`

	Older []Older `json:"older,omitempty"` // entries whose rules, as they are now, can't be run again
}

// Older counts entries of an older edition of the rules that the current rules wouldn't make. Their
// dice are derived again and their form is checked, but their rules don't run.
type Older struct {
	Edition string `json:"edition"`
	Entries int    `json:"entries"`
}

// older counts an entry whose rules weren't run again.
func (v *Result) older(edition string) {
	i := slices.IndexFunc(v.Older, func(o Older) bool { return o.Edition == edition })
	if i < 0 {
		i, v.Older = len(v.Older), append(v.Older, Older{Edition: edition})
	}
	v.Older[i].Entries++
}

// recoverMisfit turns a panic over a hostile file into a misfit. Games may rely on the events of
// their own rules; in a file somebody else may have written them.
func recoverMisfit(err *error, seq *uint64) {
	if p := recover(); p != nil {
		*err = &refusal.MisfitError{
			Seq: *seq, Code: refusal.MisfitUnreadable,
			Data: view.Data{"Problem": fmt.Sprint(p)},
		}
	}
}
