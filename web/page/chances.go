package page

import (
	"net/url"
	"slices"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/internal/widget"
	"norn/odds"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
	oddspages "norn/web/odds"
)

// drawChances returns odds for display; values are those of the composer, nil for none.
func drawChances(l *html.Look, before view.Preview, values url.Values) html.Chances {
	var c html.Chances
	if m, ok := l.Rule(); ok {
		var args any
		if m == &game.Plain {
			args = game.Notation{Notation: values.Get(game.PlainNotation), As: l.View.Values.Notation}
		}
		w := lab.WordingOf(l.Voice.Voice, l.Voice.Game, m, args)
		c.Description = w.Describe(before.Odds, maxListed)
		if c.Course = course(l, w, before); len(c.Course) > 0 {
			c.Counts = counted(l, c.Description)
		}
		c.Variants = compareWays(l, w, before)
	}
	if values != nil {
		c.Public = publicLink(l, values)
	}
	if len(before.Assumed) > 0 {
		c.Assumed = l.Say("web.odds.assumed", "Names", l.List(game.Each(before.Assumed, l.Voice.Name)))
	}
	for _, source := range before.Sources {
		name := source.Text
		if source.Word != "" {
			name = l.Voice.Tell(source.Word, source.Data)
		}
		if source.N != 0 {
			name = l.Say("web.odds.source", "Name", name, "N", withSign(source.N))
		}
		c.Sources = append(c.Sources, name)
	}
	c.Pool, c.Number = poolOf(l, before.Pools)
	return c
}

// maxListed limits the rows of odds that are listed.
const maxListed = 400

// counted returns the counts of all outcomes that have some; none if there's nothing to see.
func counted(l *html.Look, d lab.Description) []odds.Bar {
	const maxCounts = 40 // drawn side by side
	bars := slices.DeleteFunc(slices.Clone(d.Rows), func(b odds.Bar) bool { return !b.Counts })
	if len(bars) < 2 || len(bars) > maxCounts {
		return nil
	}
	for i := range bars {
		bars[i].Label = l.Number(bars[i].N)
	}
	return bars
}

// poolOf returns the dice that will be rolled, without faces, and their notation.
func poolOf(l *html.Look, pools []dice.Pool) (empty []widget.Die, number string) {
	var names []string
	for i := 0; i < len(pools); {
		of := dice.Pool{Sides: pools[i].Sides}
		for ; i < len(pools) && pools[i].Sides == of.Sides; i++ { // dice of the same kind together
			of.N += pools[i].N
		}
		names = append(names, diceName(l, of))
		empty = append(empty, slices.Repeat([]widget.Die{{Sides: of.Sides}}, min(of.N, maxEmpty-len(empty)))...)
	}
	return empty, strings.Join(names, " + ")
}

// pricingProblem says why there are no odds; for an error of a field it names the field.
func pricingProblem(l *html.Look, err error) string {
	if text := oddspages.Excuse(l.Speaker, err); text != "" {
		return text
	}
	m, ok := l.Rule()
	if problems, _ := refusal.Split(err, "args"); ok && len(problems) > 0 {
		if f, known := m.Form.Field(problems[0].Path); known && problems[0].Code == form.Missing {
			return l.Say("web.compose.first", "Field", l.Voice.Field(f.Name)) // a missing value isn't an error yet
		}
		return l.Voice.Problem(m.Form, problems[0])
	}
	return l.SayError(err)
}

// compareWays describes other ways to make a move by how they change the odds.
func compareWays(l *html.Look, w lab.Wording, before view.Preview) []string {
	var lines []string
	for _, other := range before.Variants {
		if other.Step || len(w.Move.Headlines) == 0 {
			continue
		}
		var heads []string
		for _, h := range w.Move.Headlines {
			p := w.Percent(other.Odds.Any(h.Outcomes...))
			if plain := w.Percent(before.Odds.Any(h.Outcomes...)); plain != p {
				p = plain + " → " + p
			}
			heads = append(heads, l.Say(l.Voice.Game.Word("headline", h.ID), "P", p))
		}
		lines = append(lines, l.Say("web.odds.variant", "Name", l.Voice.Tell(other.Word, other.Data), "Chances",
			strings.Join(heads, " · ")))
	}
	return lines
}

// withSign returns a number with its sign: "+2", "−1".
func withSign(n int) string {
	if n < 0 {
		return "−" + html.Itoa(-n)
	}
	return "+" + html.Itoa(n)
}

// maxEmpty limits the dice that are drawn for a pool; their number is next to them.
const maxEmpty = 20

// diceName names a pool as players write it: "3d10".
func diceName(l *html.Look, p dice.Pool) string { return l.Number(p.N) + l.Speaker.Die(p.Sides) }

// course returns a move's steps, as a plot next to its odds.
func course(l *html.Look, w lab.Wording, before view.Preview) (steps []html.Stage) {
	for _, other := range before.Variants {
		if other.Step {
			d := w.Describe(other.Odds, maxListed)
			s := html.Stage{Name: l.Voice.Tell(other.Word, other.Data), Bars: d.Parts, Left: counted(l, d)}
			s.Said = l.Say("web.odds.variant", "Name", s.Name, "Chances",
				strings.Join(game.Each(d.Heads, func(h lab.Head) string { return h.Text }), " · "))
			steps = append(steps, s)
		}
	}
	return steps
}

// publicLink returns the address of the public odds of what the composer has, "" for a move without
// any. Free text isn't passed on.
func publicLink(l *html.Look, values url.Values) string {
	m, ok := bare.Move(l.Voice.Game, l.At.Move)
	if !ok {
		return ""
	}
	query := url.Values{html.AtMove: {l.At.Move}, html.AtActor: {l.At.Actor}}
	for path, field := range m.Form.All() {
		if texts := values[path]; len(texts) > 0 && texts[0] != "" && !field.Kind.IsText() {
			query[path] = texts
		}
	}
	return l.To("/public?" + query.Encode())
}
