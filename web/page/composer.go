package page

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/chat"
	"norn/form"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// openFields is the number of visible fields in the composer; the rest are under "more", so that it
// stays low.
const openFields = 6

// compose returns the composer for the chosen character and move. values is nil for an untouched
// form.
func (v *visit) compose(ctx context.Context, values, before url.Values) (html.Composer, error) {
	c, err := v.composerFor(ctx, values, before)
	if err == nil && c.Fields.Form != nil {
		c.Odds = v.chances(ctx, c.Fields.Values)
		if values == nil && !throws(c.Odds) {
			_, err = v.fillFirst(ctx, &c)
		} else if values != nil && c.Odds.Problem != "" {
			if chosen, odds, found := v.another(ctx, c.Fields.Values); found {
				c.Fields.Values, c.Odds = chosen, odds
			}
		}

	}
	return c, err
}

// throws reports whether a move with these odds rolls dice; moves without odds are assumed to.
func throws(odds html.Chances) bool { return odds.Empty() || odds.Problem == "" && len(odds.Pool) > 0 }

// fillFirst fills in an untouched form that lacks a choice, from the first place of the actor's
// sheet with which the move can be made, so that its button works at once. It returns that place,
// "" for none.
func (v *visit) fillFirst(ctx context.Context, c *html.Composer) (place string, err error) {
	if v.Acting(v.At.Actor) == "" {
		return "", nil
	}
	sheet, err := v.now.SheetForm(ctx, v.At.Actor)
	if _, known := statusOf(err); err != nil {
		if known {
			err = nil
		}
		return "", err
	}
	for place := range sheet.Form.Places(sheet.Values) {
		values, ok := html.FillFromPlace(c.Fields.Form, c.Fields.Values, place, sheet.Values)
		if !ok {
			continue
		}
		if odds := v.chances(ctx, values); throws(odds) {
			c.Fields.Values, c.Odds = values, odds
			return place, nil
		}
	}
	return "", nil
}

// withoutFilled returns the values without those that fillFirst filled in and nobody changed, and
// the place on the sheet that they came from. ok is false if nothing was filled in, or if it was
// changed.
func (v *visit) withoutFilled(ctx context.Context, values url.Values) (chosen url.Values, place string, ok bool) {
	filled, err := v.composerFor(ctx, nil, nil)
	if err != nil || filled.Fields.Form == nil || throws(v.chances(ctx, filled.Fields.Values)) {
		return nil, "", false
	}
	empty := filled.Fields.Values
	if place, err = v.fillFirst(ctx, &filled); err != nil || place == "" {
		return nil, "", false
	}
	chosen = maps.Clone(values)
	for name, is := range filled.Fields.Values {
		if slices.Equal(is, empty[name]) {
			continue
		}
		if !slices.Equal(values[name], is) {
			return nil, "", false
		}
		chosen[name] = empty[name]
	}
	return chosen, place, true
}

// another returns the values without what fillFirst filled in, with their odds, if somebody has
// chosen another way: the move is refused with the filled-in values and possible without them.
func (v *visit) another(ctx context.Context, values url.Values) (chosen url.Values, odds html.Chances, found bool) {
	if chosen, _, found = v.withoutFilled(ctx, values); found {
		odds = v.chances(ctx, chosen)
		found = odds.Problem == ""
	}
	return chosen, odds, found
}

// composerFor returns the composer without odds.
func (v *visit) composerFor(ctx context.Context, values, before url.Values) (html.Composer, error) {
	l := &v.Look
	c := l.Composer()
	c.Plain = plainCommand(v)
	var f *form.Form
	if l.At.Move != "" {
		var err error
		f, err = v.now.MoveForm(ctx, l.At.Move, l.Acting(l.At.Actor))
		if _, known := statusOf(err); known { // the seat can't make the move any more
			c.Moves = nil
		} else if err != nil {
			return c, err
		}
	}
	l.Nobody(&c)
	if len(c.Moves) == 0 || f == nil {
		return c, nil
	}
	if l.Master() { // a game master sees all sheets, so nothing is assumed
		f = f.WithoutAssumed()
	}
	if values == nil {
		values = fields.DefaultValues(f)
	}
	values, _ = html.TickDefaults(f, values, before)
	c.Fields = fields.Form{Form: f, ID: "move", Values: values, First: openFields}
	if call, ok := l.Call(l.At.Call); ok {
		values = html.ApplyCall(values, call)
		c.Fields.Form, c.Fields.Values, c.Call = f.Without(call.Fixed...), values, l.TakenCall(call)
	}
	return c, nil
}

// plainCommand returns the beginning of a command that rolls plain dice.
func plainCommand(v *visit) string {
	return "/" + strings.Fields(v.Say("chat.verb." + string(chat.Roll)))[0] + " "
}

// withMarks returns a composer with the marks for the page.
func (v *visit) withMarks(ctx context.Context, c html.Composer) (html.Composer, error) {
	if c.Fields.Form == nil || len(c.Notes)+len(c.Fields.Problems) > 0 {
		return c, nil
	}
	var err error
	if c.Offer, err = html.OfferMark(ctx, v.Page, c); err != nil {
		return c, err
	}
	odds, err := html.Draw(ctx, v.Page, c.Odds, c.Fields.Values)
	if err == nil {
		v.giveForm(c, c.Fields.Sends(), odds.Mark)
	}
	return c, err
}

// giveForm notes for the seat's streams which move form its page shows now, and what the page posts
// with it.
func (v *visit) giveForm(c html.Composer, sent url.Values, odds string) {
	var f *shownForm
	if c.Fields.Form != nil {
		f = &shownForm{At: composerSelection(v.At), Sent: sent, Offer: c.Offer, Odds: odds}
	}
	v.s.audiences.GaveForm(v.key(), f)
}

// composerSelection returns the part of the selection that the move form depends on.
func composerSelection(c html.Selection) html.Selection {
	return html.Selection{Character: c.Character, Actor: c.Actor, Move: c.Move, Call: c.Call}
}

// stays reports whether a page that has posted its form already shows what the composer offers.
func stays(c html.Composer, sent url.Values) bool {
	return c.Offer != "" && c.Offer == sent.Get(html.MarkOffer) && sent.Get(html.Own+"dice") == c.Dice &&
		sent.Get(html.Own+"about") == c.About && len(c.Notes) == 0
}

// useChosen selects a move with the chosen place of the actor's sheet: the selected move if it can
// use it, otherwise the first that rolls dice, otherwise the first. values are those of the form;
// with the selected move they are added to what it has.
func (v *visit) useChosen(ctx context.Context, values url.Values) (url.Values, error) {
	l, place := &v.Look, v.At.Use
	v.At.Use = ""
	if place == "" || l.At.Actor == "" {
		return values, nil
	}
	sheet, err := v.now.SheetForm(ctx, l.At.Actor)
	if _, known := statusOf(err); err != nil {
		if known {
			err = nil
		}
		return values, err
	}
	for _, m := range l.MovesFromSheet() {
		f, err := v.now.MoveForm(ctx, m.ID, l.At.Actor)
		if err != nil {
			return values, err
		}
		if l.Master() {
			f = f.WithoutAssumed()
		}
		with := values
		if m.ID != l.At.Move || values == nil {
			with = fields.DefaultValues(f)
		}
		if with, ok := html.FillFromPlace(f, with, place, sheet.Values); ok {
			if _, filled, untouched := v.withoutFilled(ctx, values); m.ID == l.At.Move && untouched && filled == place {
				return values, nil // norn has filled it in already, so the press just confirms it
			}
			if m.ID != l.At.Move {
				l.At = l.At.WithMove(m.ID)
				l.Settle()
			}
			return with, nil
		}
	}
	return values, nil
}

// repeatMove selects a move of the log, and returns its values, to make it again; nil if the reader
// can't.
func (v *visit) repeatMove(ctx context.Context, query url.Values) (url.Values, error) {
	seq, err := strconv.ParseUint(query.Get(html.AtAgain), 10, 64)
	if err != nil {
		return nil, nil
	}
	again, ok, err := v.now.Again(ctx, seq)
	if err != nil || !ok {
		return nil, err
	}
	v.At = v.At.WithMove(again.Move)
	if again.Character != "" {
		v.At.Actor = again.Character
	}
	v.Settle()
	if v.At.Move != again.Move || again.Character != "" && v.At.Actor != again.Character {
		return nil, nil
	}
	m, _ := v.Voice.Game.Move(again.Move)
	for _, field := range m.Form.For(form.AtTable).Fields {
		if field.Assumed { // not part of the move
			fields.Offer(again.Values, []form.Field{field}, "")
		}
	}
	return again.Values, nil
}

// getComposer responds with the composer for another character or move.
func getComposer(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !middleware.HX(r) {
		http.Redirect(w, r, v.Link(v.At)+"#composer", http.StatusSeeOther)
		return nil
	}
	var values url.Values
	query := r.URL.Query()
	keep := query.Has(html.Own+"keep") && query.Has(html.AtMove) // the values in the form stay
	if keep {
		values = fields.FormValues(query)
	}
	if query.Has(html.AtAgain) {
		var err error
		if values, err = v.repeatMove(r.Context(), query); err != nil {
			return err
		}
	}
	place := v.At.Use
	values, err := v.useChosen(r.Context(), values)
	if err != nil {
		return err
	}
	d := readDraft(v, query)
	d.Values = values
	if !keep || place != "" {
		d.faces = ""
	}
	c, err := v.composeDraft(r.Context(), d)
	if err != nil {
		return err
	}
	swap := "innerHTML"
	if keep && v.At.Actor == query.Get(html.AtActor) && v.At.Move == query.Get(html.AtMove) {
		swap = "innerMorph"
	}
	if c.Offer, err = html.OfferMark(r.Context(), v.Page, c); err != nil {
		return err
	}
	odds, err := html.Draw(r.Context(), v.Page, c.Odds, c.Fields.Values)
	if err != nil {
		return err
	}
	stands := keep && place == "" && stays(c, query)
	if stands {
		v.giveForm(c, query, odds.Mark)
	} else {
		v.giveForm(c, c.Fields.Sends(), odds.Mark)
	}
	switch {
	case stands && odds.Mark == query.Get(html.MarkOdds):
		w.WriteHeader(http.StatusNoContent)
		return nil
	case stands:
		v.s.Show(w, r, http.StatusOK, html.OddsPiece(odds))
		return nil
	}
	v.s.Show(w, r, http.StatusOK, html.ComposerPiece(v.Page, c, swap))
	return nil
}
