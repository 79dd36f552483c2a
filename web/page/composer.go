package page

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/chat"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// openFields is the number of visible fields in the composer; the rest are under "more", so that it
// stays low.
const openFields = 6

// compose returns the composer with a draft of the chosen character and move.
func (v *visit) compose(ctx context.Context, d draft) (html.Composer, error) {
	l := &v.Look
	c := l.Composer()
	c.Plain = plainCommand(v)
	p, err := v.prepare(ctx, d)
	if _, known := statusOf(err); known { // the seat can't make the move any more
		c.Moves = nil
	} else if err != nil {
		return c, err
	}
	l.Nobody(&c)
	if len(c.Moves) == 0 || p.Form == nil {
		return c, nil
	}
	c.Fields = fields.Form{Form: p.Form, ID: "move", Values: p.Values, First: openFields, Added: d.added}
	if call, ok := l.Call(p.Call); ok {
		c.Call = &call
	}
	c.Touched, c.Stale = touchedIn(d.Move), p.Changed != nil
	if d.Key != "" {
		c.Key = d.Key
	}
	c.Secret, c.Dice, c.About = d.Secret, d.faces, d.about
	c.Hand, c.Ask = d.ByHand || d.faces != "", d.asks || d.about != ""
	c.Odds = v.chances(ctx, p.Values, func(ctx context.Context) (view.Preview, error) {
		return v.now.PreviewPrepared(ctx, p)
	})
	return c, nil
}

// prepare fills in the form of the chosen move, nothing if none is chosen.
func (v *visit) prepare(ctx context.Context, d draft) (act.Prepared, error) {
	if v.At.Move == "" {
		return act.Prepared{}, nil
	}
	r := d.Move
	r.Move, r.Character, r.Call = v.At.Move, v.Acting(v.At.Actor), v.At.Call
	return v.now.Prepare(ctx, r, d.prepared)
}

// plainCommand returns the beginning of a command that rolls plain dice.
func plainCommand(v *visit) string {
	return "/" + strings.Fields(v.Say("chat.verb." + string(chat.Roll)))[0] + " "
}

// useChosen selects a move with the chosen place of the actor's sheet: the selected move if it can
// use it, otherwise the first that rolls dice, otherwise the first. With the selected move the place
// is added to what somebody has set.
func (v *visit) useChosen(ctx context.Context, d *draft) error {
	l, place := &v.Look, v.At.Use
	v.At.Use = ""
	if place == "" || l.At.Actor == "" {
		return nil
	}
	sheet, err := v.now.SheetForm(ctx, l.At.Actor)
	if _, known := statusOf(err); err != nil {
		if known {
			err = nil
		}
		return err
	}
	for _, m := range l.MovesFromSheet() {
		f, err := v.now.MoveForm(ctx, m.ID, l.At.Actor)
		if err != nil {
			return err
		}
		if l.Master() {
			f = f.WithoutAssumed()
		}
		values, touched := f.DefaultInputs(), []string{}
		if m.ID == l.At.Move {
			values, touched = d.SetIn(values), touchedIn(d.Move)
		}
		with, name, ok := f.Chooser().Choose(values, place, sheet.Values)
		if !ok {
			continue
		}
		if m.ID != l.At.Move {
			l.At = l.At.WithMove(m.ID)
			l.Settle()
		}
		d.Values, d.Touched = with, append(touched, name)
		return nil
	}
	return nil
}

// touchedIn returns the names of the fields that somebody has set.
func touchedIn(r request.Move) []string {
	if !slices.Contains(r.Touched, request.TouchedAll) {
		return slices.Clone(r.Touched)
	}
	var names []string
	for path := range r.Values {
		if name, _, _ := strings.Cut(path, "."); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// repeatMove selects a move of the log and puts it into the draft, to make it again, if the reader
// can.
func (v *visit) repeatMove(ctx context.Context, query url.Values, d *draft) error {
	seq, err := strconv.ParseUint(query.Get(html.AtAgain), 10, 64)
	if err != nil {
		return nil
	}
	again, ok, err := v.now.Again(ctx, seq)
	if err != nil || !ok {
		return err
	}
	v.At = v.At.WithMove(again.Move)
	if again.Character != "" {
		v.At.Actor = again.Character
	}
	v.Settle()
	if v.At.Move == again.Move && (again.Character == "" || v.At.Actor == again.Character) {
		d.Values, d.Touched = again.Values, again.Touched
	}
	return nil
}

// getComposer responds with the composer for another character or move, or again with the draft that
// the page has, filled in by what holds now.
func getComposer(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !middleware.HX(r) {
		http.Redirect(w, r, v.Link(v.At)+"#composer", http.StatusSeeOther)
		return nil
	}
	query := r.URL.Query()
	d := readDraft(v, query)
	keep := query.Has(html.Own+"keep") && query.Has(html.AtMove)
	if !keep {
		d = draft{Move: request.Move{Secret: d.Secret, Key: d.Key, Touched: []string{}}}
	}
	if query.Has(html.AtAgain) {
		if err := v.repeatMove(r.Context(), query, &d); err != nil {
			return err
		}
	}
	if v.At.Use != "" {
		d.faces = ""
	}
	if err := v.useChosen(r.Context(), &d); err != nil {
		return err
	}
	c, err := v.compose(r.Context(), d)
	if err != nil {
		return err
	}
	swap := "innerHTML"
	if keep && v.At.Actor == query.Get(html.AtActor) && v.At.Move == query.Get(html.AtMove) {
		swap = "innerMorph"
	}
	v.s.Show(w, r, http.StatusOK, html.ComposerPiece(v.Page, c, swap))
	return nil
}
