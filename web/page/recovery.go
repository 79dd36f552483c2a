package page

import (
	"errors"
	"net/http"
	"slices"

	"norn/game"
	"norn/internal/limit"
	"norn/odds"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

const (
	then      = html.Own + "then"      // where the page of the recovery code leads, below the seat's address
	recovered = html.Own + "recovered" // marks the redirect after a code was used
)

// onwards are the places to which the page of the recovery code may lead.
var onwards = []string{"", "/hero"}

// getRecovery shows the page that makes a recovery code.
func getRecovery(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	has, err := v.now.HasCode(r.Context())
	if err != nil {
		return err
	}
	return showRecovery(w, r, v, html.Recovery{Has: has, Came: r.URL.Query().Has(recovered)})
}

// showCode shows a new recovery code, which is stored nowhere.
func showCode(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
	return v.withTable(r, func() error {
		return showRecovery(w, r, v, html.Recovery{Code: made.(view.RecoveryCode).Code})
	})
}

func showRecovery(w http.ResponseWriter, r *http.Request, v *visit, c html.Recovery) error {
	c.Table, c.Holding = v.View.Name, v.View.Seat
	if to := r.FormValue(then); slices.Contains(onwards, to) {
		c.To = to
	}
	origins, _ := v.s.LinkOrigins(r)
	c.At = origins[0] + middleware.SeatAt(v.View.ID, "") + recoverAt
	v.s.Show(w, r, http.StatusOK, html.RecoveryPage(frame(r, v, "web.recovery.head", "/recovery"), v.Page, c))
	return nil
}

// toRecovery returns the address of the page of the recovery code.
func toRecovery(v *visit, _ view.Entry) string { return v.To("/recovery") }

// recoverAt is the page below a table's address on which a recovery code is entered.
const recoverAt = "/recover"

// askCode shows the page on which a recovery code is entered. It's the same for any table, whether
// it exists or not.
func (s *Server) askCode(w http.ResponseWriter, r *http.Request) {
	s.recoverPage(w, r, http.StatusOK, "", "")
}

func (s *Server) recoverPage(w http.ResponseWriter, r *http.Request, status int, code, wrong string) {
	read := s.ReaderOf(r)
	key := r.PostFormValue(html.Own + "key")
	if key == "" || wrong != "" {
		key = html.NewKey()
	}
	f := s.FrameOf(read, r, read.Say("web.recovery.enter"), "")
	f.Light = true
	s.Show(w, r, status, html.Recover(f, key, code, wrong))
}

// recover gives the browser the seat of a recovery code.
func (s *Server) recover(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !s.Parse(w, r) {
		return
	}
	id, code, read := r.PathValue("table"), r.PostForm.Get(html.Own+"code"), s.ReaderOf(r)
	address := odds.Asker(r.RemoteAddr)
	if err := s.Limits.Knock(address, limit.Seat(id, code)); err != nil {
		s.refuse(w, r, err)
		return
	}
	invited, err := s.Host.Recover(r.Context(), id, code, r.PostForm.Get(html.Own+"key"))
	if errors.As(err, new(*refusal.NotFoundError)) {
		s.Limits.CountMiss(address)
		s.recoverPage(w, r, http.StatusUnprocessableEntity, code, read.Say("web.recovery.wrong"))
		return
	}
	if status, known := statusOf(err); known {
		s.recoverPage(w, r, status, code, why(read.Speaker, err))
		return
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	r.SetPathValue("secret", invited.Secret)
	v, ok := s.readLink(w, r)
	if !ok {
		return
	}
	to := s.holdSeat(w, r, v, invited.Secret)
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, to+"/recovery?"+fromLink+"=1&"+recovered+"=1", http.StatusSeeOther)
}
