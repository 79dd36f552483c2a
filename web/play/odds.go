package play

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"norn/bare"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/page"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	oddspages "norn/web/odds"
)

// getOdds answers with the odds of what the composer holds. Without script that
// is the whole page again.
func getOdds(w http.ResponseWriter, r *http.Request, v *visit) error {
	values := html.Sent(r.URL.Query())
	if door.HX(r) {
		v.s.stands.drop(v, r.URL.Query().Get(html.MarkOffer))
		v.s.Show(w, r, http.StatusOK, html.OddsAgain(v.Page, v.chances(r.Context(), values)))
		return nil
	}
	c, err := v.compose(r.Context(), values, r.URL.Query())
	if err != nil {
		return err
	}
	c.Secret = r.URL.Query().Has(html.Own + "secret")
	return showPage(w, r, http.StatusOK, v, extras{composer: &c})
}

// words say odds to the reader.
func words(l *look) oddspages.Words { return oddspages.Words{Voice: l.voice} }

// priced lets odds be worked out in a place of the seat's.
func (v *visit) priced(ctx context.Context, work func(context.Context) error) error {
	return v.s.Odds.Priced(ctx, v.from, "seat "+v.view.ID+" "+v.seat.ID(), work)
}

// chances asks for the odds of the chosen move with these values.
func (v *visit) chances(ctx context.Context, values url.Values) html.Chances {
	return v.chancesFor(ctx, request.Move{Move: v.at.Move, Character: v.acting(v.at.Actor), Values: html.Sent(values)}, values)
}

// chancesFor asks for the odds of a request of the chosen move; values are
// those of the composer, nil for none.
func (v *visit) chancesFor(ctx context.Context, request request.Move, values url.Values) html.Chances {
	if made, _ := v.move(v.at.Move); v.at.Move != game.PlainDice && !made.Odds {
		return html.Chances{}
	}
	var before view.Before
	err := v.priced(ctx, func(ctx context.Context) (err error) {
		before, err = v.now.Before(ctx, request)
		return err
	})
	if err != nil {
		return html.Chances{Game: v.Game, Problem: unpriced(&v.look, err)}
	}
	v.s.Counted(before.Odds)
	m, ok := v.rule()
	var c html.Chances
	if ok {
		c = words(&v.look).Drawn(m, before.Odds)
	}
	c.Variants = compared(&v.look, before)
	if values != nil {
		c.Public = publicLink(&v.look, values)
	}
	if len(before.Assumed) > 0 {
		names := make([]string, len(before.Assumed))
		for i, id := range before.Assumed {
			names[i] = v.voice.Name(id)
		}
		c.Assumed = v.Say("web.odds.assumed", "Names", v.List(names))
	}
	if ok {
		if c.Course = course(&v.look, m, before); len(c.Course) > 0 {
			c.Counts = words(&v.look).Counts(m, before.Odds)
		}
	}
	for _, source := range before.Sources {
		name := source.Text
		if source.Word != "" {
			name = v.voice.Tell(source.Word, source.Data)
		}
		if source.N != 0 {
			name = v.Say("web.odds.source", "Name", name, "N", signed(source.N))
		}
		c.Sources = append(c.Sources, name)
	}
	if before.Pool != nil {
		c.Pool = make([]page.Die, min(before.Pool.N, mostEmpty))
		for i := range c.Pool {
			c.Pool[i].Sides = before.Pool.Sides
		}
		c.Number = diceName(&v.look, *before.Pool)
	}
	return c
}

// unpriced says why there are no odds; what is wrong with a field, by the
// field's name.
func unpriced(l *look, err error) string {
	if text := oddspages.Hurried(l.Speaker, err); text != "" {
		return text
	}
	m, ok := l.rule()
	if problems, _ := split(err, "args"); ok && len(problems) > 0 {
		if f, known := m.Form.Field(problems[0].Path); known && problems[0].Code == form.Missing {
			return l.Say("web.compose.first", "Field", l.voice.Field(f.Name)) // not yet is nothing wrong
		}
		return l.voice.Problem(m.Form, problems[0])
	}
	return l.sayError(err)
}

// compared are the other ways to make a move, each with what it changes.
func compared(l *look, before view.Before) []string {
	m, ok := l.rule()
	if !ok || len(m.Headlines) == 0 {
		return nil
	}
	var lines []string
	for _, other := range before.Variants {
		if other.Step {
			continue
		}
		var heads []string
		for _, h := range m.Headlines {
			p := words(l).Percent(other.Odds.Any(h.Outcomes...))
			if plain := words(l).Percent(before.Odds.Any(h.Outcomes...)); plain != p {
				p = plain + " → " + p
			}
			heads = append(heads, l.Say(l.voice.Game.Word("headline", h.ID), "P", p))
		}
		lines = append(lines, l.Say("web.odds.variant", "Name", l.voice.Tell(other.Word, other.Data), "Chances", strings.Join(heads, " · ")))
	}
	return lines
}

// signed is a number with its sign: "+2", "−1".
func signed(n int) string {
	if n < 0 {
		return "−" + html.Itoa(-n)
	}
	return "+" + html.Itoa(n)
}

// mostEmpty is how many empty dice a pool is drawn with; the number beside
// them tells of the rest.
const mostEmpty = 20

// diceName names a pool as players write it: "3d10".
func diceName(l *look, p dice.Pool) string { return l.Number(p.N) + l.Speaker.Die(p.Sides) }

// course are a move's steps, as a plot beside its odds.
func course(l *look, m *game.Move, before view.Before) []html.Stage {
	var steps []html.Stage
	for _, other := range before.Variants {
		if !other.Step {
			continue
		}
		s := html.Stage{Name: l.voice.Tell(other.Word, other.Data), Bars: words(l).Parts(m, other.Odds), Left: words(l).Counts(m, other.Odds)}
		heads := make([]string, len(m.Headlines))
		for i, h := range m.Headlines {
			heads[i] = l.Say(l.voice.Game.Word("headline", h.ID), "P", words(l).Percent(other.Odds.Any(h.Outcomes...)))
		}
		s.Said = l.Say("web.odds.variant", "Name", s.Name, "Chances", strings.Join(heads, " · "))
		steps = append(steps, s)
	}
	return steps
}

// getPublic leads from the composer to the same setting on the page without a
// table: as the game says it without its sheets, where the odds are the very
// same then, else with what was filled in.
func getPublic(w http.ResponseWriter, r *http.Request, v *visit) error {
	m, ok := bare.Move(v.voice.Game, v.at.Move)
	if made, _ := v.move(v.at.Move); !ok || !made.Odds {
		v.s.NotFound(w, r)
		return nil
	}
	var found bare.Throw
	err := v.priced(r.Context(), func(ctx context.Context) error {
		values := html.Sent(r.URL.Query())
		before, err := v.now.Before(ctx, request.Move{Move: v.at.Move, Character: v.acting(v.at.Actor), Values: values})
		if err != nil {
			before = view.Before{} // only what can be carried over is
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
func likest(ctx context.Context, g *game.Game, m *game.Move, values url.Values, before view.Before) (bare.Throw, error) {
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
func publicLink(l *look, values url.Values) string {
	m, ok := bare.Move(l.voice.Game, l.at.Move)
	if !ok {
		return ""
	}
	query := url.Values{atMove: {l.at.Move}, atActor: {l.at.Actor}}
	for path, field := range m.Form.All() {
		if texts := values[path]; len(texts) > 0 && texts[0] != "" && field.Kind != form.KindProse && field.Kind != form.KindText {
			query[path] = texts
		}
	}
	return l.To("/public?" + query.Encode())
}
