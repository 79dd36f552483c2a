package projection

import (
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// listsSeen returns the lists of the table's own that the seat sees.
func listsSeen(e *visibility.Eye) (seen []view.ListShown) {
	for _, l := range e.Table.Lists {
		if e.Hears(l.Audience) {
			seen = append(seen, ListShown(e, l))
		}
	}
	return seen
}

// ListShown returns a list as a seat that sees it knows it.
func ListShown(e *visibility.Eye, l state.List) view.ListShown {
	shown := view.ListShown{ID: l.ID, Name: l.Name, Kind: l.Kind, Field: l.Field, Hash: l.Version(), Rows: l.Rows}
	if e.Viewer.IsGM() {
		shown.Hidden, shown.To = l.Hidden, l.To
	}
	return shown
}
