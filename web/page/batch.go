package page

import (
	"slices"

	"norn/table/view"
	"norn/web/html"
)

// batch collects the news of a stream since its last event.
type batch struct {
	IDs      []string    // of cards that have changed
	Undoable []string    // of cards whose undo button appears or disappears
	Seq      uint64      // seq up to which everything is included; 0 for a change that isn't in the journal
	Taken    bool        // a picture was withdrawn
	Only     *view.Entry // the only entry, if there is just one
	Anew     bool        // the table plays by another edition now
}

// same reports whether two batches are equal.
func (a batch) same(b batch) bool {
	return a.Seq == b.Seq && slices.Equal(a.IDs, b.IDs) && slices.Equal(a.Undoable, b.Undoable)
}

// gather collects updates that arrived together, so that they're drawn once.
func gather(updates []view.Update) (news batch) {
	for i, u := range updates {
		news.Seq = max(news.Seq, u.Seq)
		if e := u.Entry; e != nil && e.Kind != view.KindShare {
			news.IDs = append(news.IDs, cardIDs(*e)...)
			if news.Only = e; i > 0 {
				news.Only = nil
			}
			news.Taken = news.Taken || slices.ContainsFunc(e.Lines, func(l view.Line) bool {
				return l.Type == "table.picture-taken"
			})
			news.Anew = news.Anew || e.Kind == view.KindEdition
		}
		for _, seq := range u.UndoabilityChanged {
			news.Undoable = append(news.Undoable, "e"+html.SeqText(seq))
		}
	}
	return news
}

// cardIDs returns the ids of cards that an entry changes, its own first. A move's card has the
// move's id, any other entry's "e" and its seq.
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
