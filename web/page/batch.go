package page

import (
	"slices"

	"norn/table/view"
	"norn/web/html"
)

// batch is what has come to a stream since the last time.
type batch struct {
	IDs      []string    // of cards that have changed
	Undoable []string    // of cards that may or mayn't be undone any more
	Seq      uint64      // up to which all was told; 0 for nothing that is in the journal
	Taken    bool        // a picture was taken back
	Only     *view.Entry // that came, where it is one
	Anew     bool        // the table is played by another edition now
}

// same tells whether all of it is.
func (a batch) same(b batch) bool {
	return a.Seq == b.Seq && slices.Equal(a.IDs, b.IDs) && slices.Equal(a.Undoable, b.Undoable)
}

// gather takes what has come together, so that a burst is drawn once.
func gather(updates []view.Update) (came batch) {
	for i, u := range updates {
		came.Seq = max(came.Seq, u.Seq)
		if e := u.Entry; e != nil && e.Kind != view.KindShare {
			came.IDs = append(came.IDs, cardIDs(*e)...)
			if came.Only = e; i > 0 {
				came.Only = nil
			}
			came.Taken = came.Taken || slices.ContainsFunc(e.Lines, func(l view.Line) bool {
				return l.Type == "table.picture-taken"
			})
			came.Anew = came.Anew || e.Kind == view.KindEdition
		}
		for _, seq := range u.UndoabilityChanged {
			came.Undoable = append(came.Undoable, "e"+html.SeqText(seq))
		}
	}
	return came
}

// cardIDs are the cards that an entry changes, its own first. Moves are named
// by their id, entries of the table's own as "e" and their seq.
func cardIDs(e view.Entry) []string {
	ids := []string{"e" + html.SeqText(e.Seq)}
	switch {
	case e.Kind == view.KindShown:
		return []string{e.Move, ids[0]}
	case e.Move != "":
		return append([]string{e.Move}, e.Yields...)
	}
	if e.Undoes > 0 {
		ids = append(ids, "e"+html.SeqText(e.Undoes))
	}
	return append(ids, e.Yields...)
}
