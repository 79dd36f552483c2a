package verify

import (
	"fmt"
	"slices"

	"norn/journal/archive"
	"norn/table/refusal"
	"norn/table/view"
)

// Result is what was checked of a log that fits.
type Result struct {
	archive.Header
	Moves    int `json:"moves"`  // made again
	Unseen   int `json:"unseen"` // of a seat's file: moves of which it doesn't see all, so that they can't be made again
	Dice     int `json:"dice"`   // derived again, face by face
	Hand     int `json:"hand"`   // thrown by hand: nobody can check them
	Sealed   int `json:"sealed"` // whose secret isn't opened
	Sessions int `json:"sessions"`

	Older []Older `json:"older,omitempty"` // what the rules, as they are now, can't be run for again
}

// Older are entries that were made by an edition of the rules that isn't played any more, and which
// the rules of today wouldn't make. Their dice are derived again, and what they say for themselves
// is checked; the rules are not run.
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

// recoverMisfit turns a panic over what a hostile file says into a misfit: games may rely
// on what their own rules have told, and here somebody else may have.
func recoverMisfit(err *error, seq *uint64) {
	if p := recover(); p != nil {
		*err = &refusal.MisfitError{
			Seq: *seq, Code: refusal.MisfitUnreadable,
			Data: view.Data{"Problem": fmt.Sprint(p)},
		}
	}
}
