package table

import (
	"slices"

	"norn/rule"
)

// draft is an entry before the journal has it. Who writes it needn't read it
// back where it's known what that would give.
type draft struct {
	move   string
	body   body
	args   any          // of an opening; nil where they're to be read
	events []rule.Event // those of the body; likewise
	luck   Luck         // of the body's
}

// asRead is a draft whose entry decode would read back as it is, nil where that's only known by
// reading: an answer, a sheet, a text are as somebody sent them.
func (d *draft) asRead() *draft {
	if d.body.Kind != KindMove && d.body.Kind != KindAnswer || slices.ContainsFunc(d.body.Steps, func(s rule.Step) bool { return s.Answer != nil }) {
		return nil
	}
	return d
}
