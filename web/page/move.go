package page

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// getOdds responds with the odds of what the composer has, without script with the whole page.
func getOdds(w http.ResponseWriter, r *http.Request, v *visit) error {
	d := readDraft(v, r.URL.Query())
	if !middleware.HX(r) {
		return showDraft(w, r, v, d, nil)
	}
	c, err := v.compose(r.Context(), d)
	if err != nil {
		return err
	}
	if c.Stale { // what was set decides what norn fills in
		return show(w, r, v, http.StatusOK, html.ComposerPiece(v.Page, c, "innerMorph"))
	}
	return show(w, r, v, http.StatusOK, html.OddsAgain(v.Speaker, c.Odds))
}

// postMove makes a move.
func postMove(w http.ResponseWriter, r *http.Request, v *visit) error {
	r.PostForm.Set(html.Own+"by", pressed(r))
	d := readDraft(v, r.PostForm)
	switch {
	case d.by == "call":
		r.SetPathValue("name", act.CallMove.Name)
		return postAct(w, r, v)
	case d.by == "enter" || resizes(r):
		return resizeDraft(w, r, v, d)
	}
	if d.old {
		again, err := v.seat.KeyUsed(r.Context(), d.Key)
		if err != nil {
			return err
		}
		if !again {
			return showDraft(w, r, v, d, &refusal.ChangedError{})
		}
	}
	var err error
	if d.ByHand {
		d.Dice, err = parseFaces(d.faces)
	}
	var made view.Made
	if err == nil {
		made, d.prepared, err = v.seat.MakeForm(r.Context(), d.Move)
	}
	if err != nil {
		return showDraft(w, r, v, d, err)
	}
	// the script resets what is for one move only (controls.js)
	w.Header().Set("HX-Trigger", "made")
	return answerDone(w, r, v, made.Entry.Seq, v.Link(v.At.WithTab("log"))+"#"+made.Entry.Move)
}

// resizes reports whether one of the buttons was pressed that make a list longer or shorter.
func resizes(r *http.Request) bool {
	return r.PostForm.Has(fields.AddItem) || r.PostForm.Has(fields.DropItem)
}

// resizeDraft shows the composer with an item added to a list or removed, or just with the odds of
// what it has.
func resizeDraft(w http.ResponseWriter, r *http.Request, v *visit, d draft) error {
	f, err := v.now.MoveForm(r.Context(), v.At.Move, v.Acting(v.At.Actor))
	if err != nil {
		return err
	}
	d.resize(f)
	return showDraft(w, r, v, d, nil)
}

// callAgain shows the composer again after a call that was refused, or with a longer or shorter list.
func callAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	d := readDraft(v, r.PostForm)
	d.asks = true
	if resizes(r) {
		return resizeDraft(w, r, v, d)
	}
	return showDraft(w, r, v, d, err)
}

// parseFaces reads faces as people type them: "3 10 1" or "3, 10, 1".
func parseFaces(text string) ([]int, error) {
	var holder struct {
		Faces form.Faces `json:"dice"`
	}
	err := facesForm.Values(url.Values{"dice": {text}}, &holder)
	if problems, ok := errors.AsType[form.Problems](err); ok {
		return nil, &refusal.InvalidError{Problems: problems}
	}
	return holder.Faces, err
}

// firstFaces returns the first n faces as people type them.
func firstFaces(faces []int, n int) string {
	texts := make([]string, min(n, len(faces)))
	for i := range texts {
		texts[i] = html.Itoa(faces[i])
	}
	return strings.Join(texts, " ")
}

var facesForm = form.Of[struct {
	Faces form.Faces `json:"dice"`
}]()

// passTurn makes the move that passes the turn, unless it has passed since the page was drawn.
func passTurn(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	at, err := strconv.Atoi(r.PostForm.Get(html.Own + "at"))
	if said := v.Look.TurnSaid(at); err != nil || said == "" || said != r.PostForm.Get(html.Own+"said") ||
		v.View.Turns[at].Pass == nil {
		return answerDone(w, r, v, v.View.Seq, v.Link(v.At))
	}
	pass := v.View.Turns[at].Pass
	made, err := v.seat.Make(r.Context(),
		request.Move{
			Move: pass.Move, Character: pass.Character, Args: pass.Args,
			Key: r.PostForm.Get(html.Own + "key"),
		})
	return answerEntry(w, r, v, made.Entry, err, v.Link(v.At))
}

// takeOffer makes a move that a card offers.
func takeOffer(w http.ResponseWriter, r *http.Request, v *visit) error {
	made, err := v.seat.Make(r.Context(),
		request.Move{Offer: r.PostForm.Get(html.Own + "offer"), Key: r.PostForm.Get(html.Own + "key")})
	return answerEntry(w, r, v, made.Entry, err, v.Link(v.At.WithTab("log"))+"#"+made.Entry.Move)
}
