package play

import (
	"net/http"

	"norn/web/html"
)

// withdraw takes back what a player was asked for.
func withdraw(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.Withdraw(r.Context(), r.PostForm.Get(html.Own+"call"), r.PostForm.Get(html.Own+"key"))
	return mastered(w, r, v, entry, err)
}

// takeEdition has the table played by this norn's rules.
func takeEdition(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.TakeEdition(r.Context(), r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	done(w, r, v, entry.Seq, v.Link(v.At))
	return nil
}
