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
	odds := v.chances(r.Context(), d.Values)
	if odds.Problem != "" {
		if _, instead, found := v.another(r.Context(), d.Values); found {
			odds = instead
		}
	}
	drawn, err := html.Draw(r.Context(), v.Page, odds, d.Values)
	if err != nil {
		return err
	}
	v.s.audiences.GaveForm(v.key(), &shownForm{
		At: composerSelection(v.At), Sent: d.sent, Offer: d.sent.Get(html.MarkOffer), Odds: drawn.Mark,
	})
	return show(w, r, v, http.StatusOK, html.OddsAgain(drawn))
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
	taken := r.PostForm.Get(html.AtCall)
	if call, ok := v.Call(taken); ok {
		d.Values = html.ApplyCall(d.Values, call)
	} else if taken == "" && v.At.Call != "" {
		again, err := v.seat.KeyUsed(r.Context(), d.Key)
		if err != nil {
			return err
		}
		if !again {
			return showDraft(w, r, v, d, &changedError{"web.compose.called-meanwhile"})
		}
	}
	if changed, err := changedMeanwhile(r, v); err != nil {
		return err
	} else if changed {
		return showDraft(w, r, v, d, &changedError{"web.compose.changed-meanwhile"})
	}
	var err error
	if d.ByHand {
		d.Dice, err = parseFaces(d.faces)
	}
	var made view.Made
	if err == nil {
		made, err = v.seat.Make(r.Context(), d.Move)
	}
	if _, refused := errors.AsType[*game.Refusal](err); refused {
		if chosen, _, found := v.another(r.Context(), d.Values); found {
			again := d.Move
			again.Values = chosen
			made, err = v.seat.Make(r.Context(), again)
		}
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

// changedMeanwhile reports whether a move comes from a composer that was drawn with other boxes
// than there are now.
func changedMeanwhile(r *http.Request, v *visit) (bool, error) {
	if !r.PostForm.Has(html.Own + "nonce") { // it isn't from a composer
		return false, nil
	}
	f, err := v.now.MoveForm(r.Context(), r.PostForm.Get(html.AtMove), v.Acting(r.PostForm.Get(html.AtActor)))
	if _, known := statusOf(err); known {
		return false, nil // making the move returns this error
	}
	if err != nil {
		return false, err
	}
	if call, ok := v.Call(r.PostForm.Get(html.AtCall)); ok {
		f = f.Without(call.Fixed...)
	}
	if _, changed := html.TickDefaults(f, fields.FormValues(r.PostForm), r.PostForm); !changed {
		return false, nil
	}
	again, err := v.now.KeyUsed(r.Context(), r.PostForm.Get(html.Own+"key"))
	return !again, err
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
