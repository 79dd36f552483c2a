package play

import (
	"net/http"
	"strconv"

	"norn/table"
	"norn/web/html"
)

// takingBack is what the reader may do about a card: "undo", "cancel", "old" for what is too old to be undone, or
// nothing. A game master is offered to undo any move: what stands on it comes
// and goes, and the refusal names it.
func (v *visit) takingBack(c card) string {
	switch {
	case c.Undone != nil:
		return ""
	case c.MayCancel:
		return "cancel"
	case c.TooOld:
		return "old"
	case c.MayUndo || v.master() && c.Move != "":
		return "undo"
	}
	return ""
}

// undone says who took a card back, and when.
func (v *visit) undone(u *table.Undone) string {
	word := "web.undo.undone"
	switch {
	case u.Yielded:
		word = "web.undo.yielded"
	case u.Cancelled:
		word = "web.undo.cancelled"
	}
	return v.Say(word, "Name", u.Seat.Name, "Time", v.TimeOf(u.Time))
}

// undo takes a move or a change back.
func (s *Server) undo(w http.ResponseWriter, r *http.Request, v *visit) error {
	seq, err := strconv.ParseUint(r.PostForm.Get(html.Own+"seq"), 10, 64)
	if err != nil {
		seq = 0 // there is no such entry, and the table says so
	}
	entry, err := v.seat.Undo(r.Context(), seq, r.PostForm.Get(html.Own+"key"))
	return s.tookBack(w, r, v, entry, err)
}

// cancel ends an open move.
func (s *Server) cancel(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.Cancel(r.Context(), r.PostForm.Get(html.Own+"move"), r.PostForm.Get(html.Own+"key"))
	return s.tookBack(w, r, v, entry, err)
}

func (s *Server) tookBack(w http.ResponseWriter, r *http.Request, v *visit, entry table.Entry, err error) error {
	if err != nil {
		return err
	}
	s.done(w, r, entry.Seq, v.link(v.at.tab("log"))+"#"+cardIDs(entry)[0])
	return nil
}

// cardIDs are the cards that an entry changes, its own first. Moves are named
// by their id, entries of the table's own as "e" and their seq.
func cardIDs(e table.Entry) []string {
	ids := []string{"e" + strconv.FormatUint(e.Seq, 10)}
	switch {
	case e.Kind == table.KindShown:
		return []string{e.Move, ids[0]}
	case e.Move != "":
		return append([]string{e.Move}, e.Yields...)
	}
	if e.Undoes > 0 {
		ids = append(ids, "e"+strconv.FormatUint(e.Undoes, 10))
	}
	return append(ids, e.Yields...)
}
