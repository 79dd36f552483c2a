package play

import (
	"net/http"

	"norn/web/html"
)

// stranded are the open moves that can't go on by the newer rules.
func (v *visit) stranded() string {
	var moves []string
	for _, m := range v.view.Stranded {
		moves = append(moves, m.Text)
	}
	return v.List(moves)
}

// takeEdition has the table played by this norn's rules.
func (s *Server) takeEdition(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.TakeEdition(r.Context(), r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	s.done(w, r, entry.Seq, v.link(v.at))
	return nil
}
