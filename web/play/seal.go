package play

import (
	"net/http"
	"slices"

	"norn/table"
	"norn/web/html"
)

// shared tells whether the reader's seat has added its share to this session
// of dice.
func (v *visit) shared() bool {
	return slices.ContainsFunc(v.view.Session.Shares, func(s table.Share) bool { return s.Seat == v.view.Seat })
}

// ended are the sessions that are over, newest first.
func (v *visit) ended() []table.Session {
	ended := slices.Clone(v.view.Sessions)
	slices.Reverse(ended)
	return ended
}

// share adds the reader's share to the dice.
func (s *Server) share(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.AddShare(r.Context(), r.PostForm.Get(html.Own+"share"), r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	s.done(w, r, entry.Seq, v.link(v.at))
	return nil
}

// endSession opens the secret of the dice and begins the next session.
func (s *Server) endSession(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.EndSession(r.Context(), r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	s.done(w, r, entry.Seq, v.link(v.at), html.Toast(v.Say("web.seal.ended")))
	return nil
}
