package page

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"norn/table/refusal"
	"norn/table/request"
	"norn/web/html"
	"norn/web/middleware"
)

// getTable shows the page.
func getTable(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !middleware.HX(r) || !r.URL.Query().Has(html.AtCards) {
		return showPage(w, r, http.StatusOK, v, html.Extras{})
	}
	cards, _, err := v.recent(r.Context())
	if err != nil {
		return err
	}
	return show(w, r, v, http.StatusOK, html.LogAgain(v.Page, v.Look.Cards(cards, nil)))
}

// pageAgain shows the page after something was done.
func pageAgain(w http.ResponseWriter, r *http.Request, status int, v *visit, e html.Extras) error {
	return v.withTable(r, func() error { return showPage(w, r, status, v, e) })
}

// sendBack responds with what was posted, to be corrected or continued: the script gets the part
// that it concerns.
func sendBack(w http.ResponseWriter, r *http.Request, v *visit, status int, piece templ.Component,
	e html.Extras,
) error {
	if middleware.HX(r) {
		return show(w, r, v, status, piece)
	}
	return showPage(w, r, status, v, e)
}

// showPage responds with the page.
func showPage(w http.ResponseWriter, r *http.Request, status int, v *visit, e html.Extras) error {
	page, err := v.page(r, e)
	if err != nil {
		return err
	}
	return show(w, r, v, status, page)
}

// page returns the table's page.
func (v *visit) page(r *http.Request, e html.Extras) (templ.Component, error) {
	ctx := r.Context()
	cards, before, err := v.recent(ctx)
	if err != nil {
		return nil, err
	}
	if err := v.loadScreen(ctx); err != nil {
		return nil, err
	}
	f := v.s.FrameOf(v.Reader, r, v.View.Name+" · norn", v.View.Game)
	f.Wide, f.Path = true, v.path
	if e.Composer == nil {
		d := draft{Move: request.Move{Touched: []string{}}}
		if err := v.repeatMove(ctx, r.URL.Query(), &d); err != nil {
			return nil, err
		}
		d.Secret = d.Values != nil && r.URL.Query().Has(html.Own+"secret")
		if err := v.useChosen(ctx, &d); err != nil {
			return nil, err
		}
		c, err := v.compose(ctx, d)
		if err != nil {
			return nil, err
		}
		e.Composer = &c
	}
	v.At.Change = false // only the script requests it
	if v.At.Edit && e.Sheet == nil {
		if e.Sheet, err = v.editing(ctx, v.At.Character); err != nil {
			if _, known := statusOf(err); !known {
				return nil, err
			}
			e.Note = v.SayError(err)
		}
	}
	if shown, ok := v.View.Character(v.At.Character); ok && e.Sheet == nil {
		if err := v.loadEditing(ctx, shown); err != nil {
			return nil, err
		}
	}
	log := v.Look.Log(cards, before, e.Answer)
	if showsSteps(&v.Look, r) {
		log.Steps = v.Look.Steps()
	}
	return html.TablePage(f, &v.Look, e, log), nil
}

// stepsCookie says for one table that its game master has hidden the first steps.
const stepsCookie = "steps"

// showsSteps reports whether the page shows the first steps: to game masters, until all are done or
// they're hidden.
func showsSteps(l *html.Look, r *http.Request) bool {
	left := func(s html.Step) bool { return !s.Done }
	return l.Master() && middleware.Cookie(r, stepsCookie) != "away" && slices.ContainsFunc(l.Steps(), left)
}

// putStepsAway hides the first steps on this game master's page.
func putStepsAway(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.Master() {
		return &refusal.ForbiddenError{}
	}
	v.s.Keep(w, r, stepsCookie, "away", v.To(""), false)
	if middleware.HX(r) {
		return show(w, r, v, http.StatusOK, html.NoSteps())
	}
	return redirect(w, r, v.Link(v.At))
}
