package projection

import (
	"slices"

	"norn/table/internal/visibility"
	"norn/table/view"
)

// Handouts returns the shared notes that the seat may read, the last shared one at the end.
func Handouts(e *visibility.Eye) []view.Handout {
	all := []view.Handout{}
	for _, h := range e.Table.Handouts {
		if !e.Viewer.IsGM() && len(h.To) > 0 && !slices.Contains(h.To, e.Seat.ID) {
			continue
		}
		shown := view.Handout{ID: h.ID, Text: h.Text, Seq: h.Seq, Time: h.At, All: len(h.To) == 0, To: []string{}}
		if e.Viewer.IsGM() {
			shown.To = append(shown.To, h.To...)
		}
		all = append(all, shown)
	}
	return all
}
