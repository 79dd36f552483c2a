package play

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"norn/bare"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/table"
	"norn/web/html"
	oddspages "norn/web/odds"
)

// public leads from the composer to the same setting on the page without a
// table: as the game says it without its sheets, where the odds are the very
// same then, else with what was filled in.
func (s *Server) public(w http.ResponseWriter, r *http.Request, v *visit) error {
	m, ok := bare.Move(v.voice.Game, v.at.Move)
	if i := indexMove(v.view.Moves, v.at.Move); !ok || i < 0 || !v.view.Moves[i].Odds {
		s.NotFound(w, r)
		return nil
	}
	var found bare.Throw
	err := v.priced(r.Context(), func(ctx context.Context) error {
		values := html.Sent(r.URL.Query())
		before, err := v.seat.Before(ctx, table.Request{Move: v.at.Move, Character: v.acting(v.at.Actor), Values: values})
		if err != nil {
			before = table.Before{} // only what can be carried over is
		}
		found, err = likest(ctx, v.voice.Game, m, values, before)
		return err
	})
	if err != nil {
		http.Redirect(w, r, oddspages.Path(v.voice.Game, m), http.StatusSeeOther)
		return nil
	}
	http.Redirect(w, r, oddspages.Link(v.voice.Game, m, found), http.StatusSeeOther)
	return nil
}

// likest is the bare throw that is most like what the composer holds.
func likest(ctx context.Context, g *game.Game, m *game.Move, values url.Values, before table.Before) (bare.Throw, error) {
	shared := map[string]string{}
	f := m.Form.For(form.Bare)
	for _, field := range f.Fields {
		if field.Where != form.Both || !values.Has(field.Name) {
			continue
		}
		if _, err := bare.Texts(g, m, map[string]string{field.Name: values.Get(field.Name)}); err == nil {
			shared[field.Name] = values.Get(field.Name)
		}
	}
	first, err := bare.Texts(g, m, shared)
	if err != nil || before.Odds == nil || before.Odds.Runs > 0 {
		return first, err
	}
	same, err := bare.Stripped(g, m, before.Stripped)
	if err != nil {
		return first, nil
	}
	priced, err := same.Quote(ctx)
	if large := (*odds.LargeError)(nil); errors.As(err, &large) || err == nil && !equal(priced, before.Odds) {
		return first, nil
	}
	return same, err
}

func equal(a, b *odds.Odds) bool {
	return slices.EqualFunc(a.Rows, b.Rows, func(a, b odds.Row) bool {
		return a.Outcome == b.Outcome && a.N == b.N && a.P.Cmp(b.P) == 0
	})
}

// publicLink is the address that leads there from what the composer holds, ""
// for a move that has no odds without a table. Free text stays at the table.
func (v *visit) publicLink(values url.Values) string {
	m, ok := bare.Move(v.voice.Game, v.at.Move)
	if !ok {
		return ""
	}
	query := url.Values{atMove: {v.at.Move}, atActor: {v.at.Actor}}
	for path, field := range m.Form.All() {
		if texts := values[path]; len(texts) > 0 && texts[0] != "" && field.Kind != form.KindProse && field.Kind != form.KindText {
			query[path] = texts
		}
	}
	return v.to("/public?" + query.Encode())
}
