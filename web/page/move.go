package page

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
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
	values := fields.FormValues(r.URL.Query())
	if middleware.HX(r) {
		odds := v.chances(r.Context(), values)
		if odds.Problem != "" {
			if _, instead, found := v.another(r.Context(), values); found {
				odds = instead
			}
		}
		drawn, err := html.Draw(r.Context(), v.Page, odds, values)
		if err != nil {
			return err
		}
		v.s.audiences.GaveForm(v.key(), &shownForm{
			At: composerSelection(v.At), Sent: r.URL.Query(), Offer: r.URL.Query().Get(html.MarkOffer),
			Odds: drawn.Mark,
		})
		return show(w, r, v, http.StatusOK, html.OddsAgain(drawn))
	}
	c, err := v.compose(r.Context(), values, r.URL.Query())
	if err != nil {
		return err
	}
	c.Secret = r.URL.Query().Has(html.Own + "secret")
	return showPage(w, r, http.StatusOK, v, html.Extras{Composer: &c})
}

// submitAction returns which of the composer's buttons to act on. Enter presses the first one, in
// any field. The script handles fields that have a button of their own, so an Enter that it passes
// on is a roll. Without script typed faces are used, a text to a player makes a call, and otherwise
// nothing is made.
func submitAction(r *http.Request) string {
	switch by := r.PostForm.Get(html.Own + "by"); {
	case by != "enter":
		return by
	case middleware.HX(r):
		return "throw"
	case strings.TrimSpace(r.PostForm.Get(html.Own+"dice")) != "":
		return "hand"
	case strings.TrimSpace(r.PostForm.Get(html.Own+"about")) != "":
		return "call"
	}
	return "enter"
}

// postMove makes a move.
func postMove(w http.ResponseWriter, r *http.Request, v *visit) error {
	r.PostForm.Set(html.Own+"by", submitAction(r))
	if relisted, err := resizeList(w, r, v); err != nil {
		return err
	} else if relisted {
		return nil
	}
	if r.PostForm.Get(html.Own+"by") == "call" {
		r.SetPathValue("name", act.CallMove.Name)
		return postAct(w, r, v)
	}
	byHand := r.PostForm.Get(html.Own+"by") == "hand"
	values := fields.FormValues(r.PostForm)
	taken := r.PostForm.Get(html.AtCall)
	if call, ok := v.Call(taken); ok {
		values = html.ApplyCall(values, call)
	} else if taken == "" && v.At.Call != "" {
		again, err := v.seat.KeyUsed(r.Context(), r.PostForm.Get(html.Own+"key"))
		if err != nil {
			return err
		}
		if !again {
			return composedMeanwhile(w, r, v, "web.compose.called-meanwhile")
		}
	}
	if changed, err := changedMeanwhile(r, v); err != nil {
		return err
	} else if changed {
		return composedMeanwhile(w, r, v, "web.compose.changed-meanwhile")
	}
	query := request.Move{
		Move: r.PostForm.Get(html.AtMove), Character: v.Acting(r.PostForm.Get(html.AtActor)), Values: values,
		Nonce: r.PostForm.Get(html.Own + "nonce"), Key: r.PostForm.Get(html.Own + "key"),
		Secret: v.Master() && r.PostForm.Get(html.Own+"secret") != "",
	}
	var err error
	if byHand {
		query.ByHand = true
		query.Dice, err = parseFaces(r.PostForm.Get(html.Own + "dice"))
	}
	var made view.Made
	if err == nil {
		made, err = v.seat.Make(r.Context(), query)
	}
	if _, refused := errors.AsType[*game.Refusal](err); refused {
		if chosen, _, found := v.another(r.Context(), values); found {
			query.Values = chosen
			made, err = v.seat.Make(r.Context(), query)
		}
	}
	if err != nil {
		return moveRefused(w, r, v, err)
	}
	// the script resets what is for one move only (controls.js)
	w.Header().Set("HX-Trigger", "made")
	return answerDone(w, r, v, made.Entry.Seq, v.Link(v.At.WithTab("log"))+"#"+made.Entry.Move)
}

// resizeList shows the composer with an item added to a list or removed, or just with the odds of
// what it has, if that was requested.
func resizeList(w http.ResponseWriter, r *http.Request, v *visit) (bool, error) {
	if !r.PostForm.Has(fields.AddItem) && !r.PostForm.Has(fields.DropItem) && r.PostForm.Get(html.Own+"by") != "enter" {
		return false, nil
	}
	f, err := v.now.MoveForm(r.Context(), v.At.Move, v.Acting(v.At.Actor))
	if err != nil {
		return true, err
	}
	values, added, _ := fields.Resize(f, r.PostForm, fields.FormValues(r.PostForm))
	c, err := v.compose(r.Context(), values, r.PostForm)
	if err != nil {
		return true, err
	}
	c.Fields.Added = added
	c.Key = r.PostForm.Get(html.Own + "key")
	c.Secret = r.PostForm.Get(html.Own+"secret") != ""
	c.Dice = r.PostForm.Get(html.Own + "dice")
	c.Hand = c.Dice != ""
	c.About = r.PostForm.Get(html.Own + "about")
	c.Ask = c.About != ""
	return true, composerAgain(w, r, http.StatusOK, v, c)
}

// moveRefused shows the composer again, with everything that was typed and the error.
func moveRefused(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	status, known := statusOf(err)
	if !known {
		return err
	}
	c, failed := v.compose(r.Context(), fields.FormValues(r.PostForm), r.PostForm)
	if failed != nil {
		return failed
	}
	c.Key = r.PostForm.Get(html.Own + "key")
	c.Secret = r.PostForm.Get(html.Own+"secret") != ""
	c.Hand = r.PostForm.Get(html.Own+"by") == "hand"
	c.Dice = r.PostForm.Get(html.Own + "dice")
	c.Ask, c.About = r.PathValue("name") == act.CallMove.Name, r.PostForm.Get(html.Own+"about")
	problems, rest := refusal.Split(err, "args")
	c.Fields.Problems = v.Voice.ProblemsOf(c.Fields.Form, problems)
	faces, rest := refusal.Cut(rest, "dice")
	if len(faces) > 0 {
		c.Wrong = v.Look.FacesWrong(faces[0])
		// one more press, and norn asks for the rest
		if of, err := parseFaces(c.Dice); err == nil && faces[0].Later {
			c.Dice = firstFaces(of, faces[0].Max)
		}
	}
	for _, p := range rest {
		c.Notes = append(c.Notes, v.Voice.Problem(c.Fields.Form, p))
	}
	if len(problems)+len(faces)+len(rest) == 0 {
		c.Notes = append(c.Notes, v.SayError(err))
	}
	c.Odds.Said = slices.Contains(c.Notes, c.Odds.Problem)
	if _, reused := errors.AsType[*refusal.KeyReusedError](err); reused {
		c.Key = html.NewKey()
	}
	return composerAgain(w, r, status, v, c)
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

// composedMeanwhile shows the composer with changes that the reader hasn't seen: a call, a setting,
// a condition.
func composedMeanwhile(w http.ResponseWriter, r *http.Request, v *visit, word string) error {
	c, err := v.compose(r.Context(), fields.FormValues(r.PostForm), r.PostForm)
	if err != nil {
		return err
	}
	c.Secret = r.PostForm.Get(html.Own+"secret") != ""
	c.Hand, c.Dice = r.PostForm.Get(html.Own+"by") == "hand", r.PostForm.Get(html.Own+"dice")
	c.Notes = []string{v.Say(word)}
	return composerAgain(w, r, http.StatusConflict, v, c)
}

// composerAgain responds with the composer and its message.
func composerAgain(w http.ResponseWriter, r *http.Request, status int, v *visit, c html.Composer) error {
	return sendBack(w, r, v, status, html.ComposerPiece(v.Page, c, "innerHTML"), html.Extras{Composer: &c})
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
