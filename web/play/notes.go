package play

import (
	"net/http"

	"norn/web/html"
)

// postNote keeps a note, or throws it away.
func postNote(w http.ResponseWriter, r *http.Request, v *visit) error {
	text := r.PostForm.Get(html.Own + "text")
	if r.PostForm.Get(html.Own+"do") == "drop" {
		text = ""
	}
	entry, err := v.seat.Note(r.Context(), r.PostForm.Get(html.Own+"id"), text, r.PostForm.Get(html.Own+"key"))
	return mastered(w, r, v, entry, err)
}
