package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/odds"
	"norn/table/request"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	oddspages "norn/web/odds"
)

// withPlace runs a computation of odds within the seat's limits.
func (v *visit) withPlace(ctx context.Context, work func(context.Context) error) error {
	return v.s.Odds.Gate.Work(ctx, v.from, "seat "+v.View.ID+" "+v.seat.ID(), work)
}

// dear runs what may take the server long, such as a search of the log, within the seat's limits.
func (v *visit) dear(ctx context.Context, work func() error) error {
	return v.s.Odds.Gate.Do(ctx, v.from, "seat "+v.View.ID+" "+v.seat.ID(), work)
}

// chances returns the odds of the chosen move, of which preview returns what is known; values are
// those of the composer, nil for none.
func (v *visit) chances(ctx context.Context, values url.Values,
	preview func(context.Context) (view.Preview, error),
) html.Chances {
	if made, _ := v.Move(v.At.Move); v.At.Move != game.PlainDice && !made.Odds {
		return html.Chances{}
	}
	var before view.Preview
	err := v.withPlace(ctx, func(ctx context.Context) (err error) {
		before, err = preview(ctx)
		return err
	})
	if err != nil {
		return html.Chances{Game: v.Game, Problem: pricingProblem(&v.Look, err)}
	}
	v.s.Odds.Gate.CountFound(before.Odds)
	return drawChances(&v.Look, before, values)
}

// getPublic redirects from the composer to the same setting on the page without a table: as the
// game translates it without sheets, if the odds are the same then, otherwise with the values of
// the form.
func getPublic(w http.ResponseWriter, r *http.Request, v *visit) error {
	m, ok := bare.Move(v.Voice.Game, v.At.Move)
	if made, _ := v.Move(v.At.Move); !ok || !made.Odds {
		return notFound(w, r, v)
	}
	var found bare.Throw
	err := v.withPlace(r.Context(), func(ctx context.Context) error {
		values := fields.FormValues(r.URL.Query())
		before, err := v.now.Preview(ctx,
			request.Move{Move: v.At.Move, Character: v.Acting(v.At.Actor), Values: values})
		if err != nil {
			before = view.Preview{} // carries over what is possible
		}
		found, err = likest(ctx, v.Voice.Game, m, values, before)
		return err
	})
	if err != nil {
		return redirect(w, r, oddspages.Path(v.Voice.Game, m))
	}
	return redirect(w, r, oddspages.Link(found))
}

// likest returns the bare throw that is closest to what the composer has.
func likest(ctx context.Context, g *game.Game, m *game.Move, values url.Values, before view.Preview) (bare.Throw,
	error,
) {
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
	same, err := bare.Strip(g, m, before.Stripped)
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
