package visibility

import (
	"slices"

	"norn/table/internal/state"
)

// Attachment is one for a use, by its hash, if the seat may have its bytes: as a game master, as who brought them, or since it sees what
// names them.
func (e Eye) Attachment(use, hash string) (state.Attachment, bool) {
	found := e.Table.Attachments.Of(use, hash)
	if len(found) == 0 || !e.Viewer.IsGM() && !slices.ContainsFunc(found, func(a state.Attachment) bool { return a.Seat == e.Seat.ID }) {
		return state.Attachment{}, false
	}
	return found[0], true
}
