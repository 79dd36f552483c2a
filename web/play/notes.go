package play

import (
	"net/http"

	"norn/table"
	"norn/table/act"
	"norn/web/html"
)

// postNote keeps a note, or throws it away.
func postNote(w http.ResponseWriter, r *http.Request, v *visit) error {
	text := r.PostForm.Get(html.Own + "text")
	if r.PostForm.Get(html.Own+"do") == "drop" {
		text = ""
	}
	entry, err := table.Do(r.Context(), v.seat, act.KeepNote, act.NoteRequest{ID: r.PostForm.Get(html.Own + "id"), Text: text}, r.PostForm.Get(html.Own+"key"))
	return mastered(w, r, v, entry, err)
}
