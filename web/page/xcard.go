package page

import (
	"net/http"

	"norn/web/html"
	"norn/web/middleware"
)

// postX raises the X-card. Only this response has the token with which that person may take it
// back.
func postX(w http.ResponseWriter, r *http.Request, v *visit) error {
	token, err := v.seat.RaiseX(r.Context())
	switch {
	case err != nil:
		return err
	case token == "":
		return answerDone(w, r, v, 0, v.Link(v.At))
	case middleware.HX(r):
		return answerDone(w, r, v, 0, "", html.AlertBack(v.Page, token))
	}
	return pageAgain(w, r, http.StatusOK, v, html.Extras{TakeBack: token})
}

// postXBack takes the X-card back within ten seconds, for the person who raised it.
func postXBack(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.seat.TakeXBack(r.Context(), r.PostForm.Get(html.Own+"token")); err != nil {
		return err
	}
	return answerDone(w, r, v, 0, v.Link(v.At), html.AlertBack(v.Page, ""))
}
