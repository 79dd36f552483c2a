package ledger

import (
	"slices"

	"norn/rule"
	"norn/table/internal/state"
	"norn/table/view"
)

// Draft is an entry before the journal has it. Who writes it needn't read it
// back where it's known what that would give.
type Draft struct {
	Move    string
	Content state.EntryBody
	Args    any          // of an opening; nil where they're to be read
	Events  []rule.Event // those of the body; likewise
	Luck    view.Luck    // of the body's
}

// AsRead is a draft whose entry decode would read back as it is, nil where that's only known by
// reading: an answer, a sheet, a text are as somebody sent them.
func (d *Draft) AsRead() *Draft {
	if d.Content.Kind != view.KindMove && d.Content.Kind != view.KindAnswer ||
		slices.ContainsFunc(d.Content.Steps, func(s rule.Step) bool {
			return s.Answer != nil
		}) {
		return nil
	}
	return d
}
