package ledger

import (
	"slices"

	"norn/rule"
	"norn/table/internal/state"
	"norn/table/view"
)

// Draft is an entry that the journal doesn't have yet. The node that writes it needn't decode it
// where the result is known.
type Draft struct {
	Move    string
	Content state.EntryBody
	Args    any          // of an opening; nil if they must be decoded
	Events  []rule.Event // of the body; nil if they must be decoded
	Luck    view.Luck    // as in the body
}

// AsRead returns the draft if decoding its entry would give the same, otherwise nil: answers,
// sheets and texts come from clients and must be decoded.
func (d *Draft) AsRead() *Draft {
	if d.Content.Kind != view.KindMove && d.Content.Kind != view.KindAnswer ||
		slices.ContainsFunc(d.Content.Steps, func(s rule.Step) bool {
			return s.Answer != nil
		}) {
		return nil
	}
	return d
}
