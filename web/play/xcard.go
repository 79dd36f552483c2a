package play

import (
	"net/http"

	"norn/web/html"
)

// postX lays an X-card on the table, and says of it no more than that to who did.
func postX(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.seat.RaiseX(r.Context()); err != nil {
		return err
	}
	return done(w, r, v, 0, v.Link(v.At))
}

// putXAway takes it up again.
func putXAway(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.PutXAway(r.Context(), r.PostForm.Get(html.Own+"key"))
	return kept(w, r, v, entry, err, v.Link(v.At))
}
