package odds

import (
	"slices"
	"strings"

	"norn/game"
	"norn/internal/bare"
	"norn/internal/widget"
	"norn/odds"
)

// bars returns the bars of an outcome's counts.
func (p *asked) bars(o *odds.Odds, outcome string) []widget.Bar {
	var bars []widget.Bar
	for _, row := range visibleRows(o, outcome) {
		bars = append(bars, widget.Bar{
			Label: p.Number(row.N), Tone: string(p.move.Outcome(outcome).Tone), P: odds.Float(row.P),
			Shown: p.fine(row), Exact: p.brief(row),
		})
	}
	return bars
}

// plots returns the plots of one setting: bars of outcomes, columns of counts, and a line for "this
// or more".
func (p *asked) plots(o *odds.Odds) []widget.Plot {
	var plots []widget.Plot
	if len(p.Shown.Columns) == 0 {
		plots = append(plots, widget.Horizontal(p.Say("web.odds.outcomes"), p.Shown.Bars))
	}
	for _, kind := range p.move.Outcomes {
		bars := p.bars(o, kind.ID)
		// the table shows that well enough
		if !kind.Counts || len(bars) < 2 || len(bars) == 2 && len(p.Shown.Columns) == 0 {
			continue
		}
		counts, more := p.Say("web.odds.counts"), p.Say("web.odds.more")
		if len(p.Shown.Columns) == 0 {
			counts = p.Say("web.odds.counts-of", "Name", p.Short(kind.ID), "Mean",
				p.Decimal(odds.Float(o.ExpectedOf(kind.ID)), 1))
			more = p.Say("web.odds.more-of", "Name", p.Short(kind.ID))
		}
		if fewer(kind) {
			more = p.Say("web.odds.fewer-of", "Name", p.Short(kind.ID))
		}
		steps := p.steps([]*odds.Odds{o}, []string{""}, kind)
		plots = append(plots, widget.Vertical(counts, bars), widget.Lines(more, []string{""}, steps, p.Speaker))
	}
	return plots
}

// fewer reports whether the natural question about an outcome is "this count or fewer", as when the
// count is the roll at which something succeeds.
func fewer(kind game.OutcomeKind) bool {
	return kind.Counts && kind.Less && (kind.Tone == game.Good || kind.Tone == game.Triumph)
}

// steps returns the chances of "this or more" of an outcome for each setting, or of "this or
// fewer".
func (p *asked) steps(sides []*odds.Odds, names []string, kind game.OutcomeKind) []widget.Step {
	outcome := kind.ID
	numbers := map[int]bool{}
	for _, o := range sides {
		for _, row := range visibleRows(o, outcome) {
			numbers[row.N] = true
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	var all []int
	for n := range numbers {
		all = append(all, n)
	}
	slices.Sort(all)
	var steps []widget.Step
	left := make([][]odds.Row, len(sides))
	sums := make([]float64, len(sides))
	for i, o := range sides {
		left[i] = slices.DeleteFunc(slices.Clone(o.Rows), func(r odds.Row) bool { return r.Outcome != outcome })
		sums[i] = odds.Float(o.Any(outcome))
	}
	for n := all[0]; n <= all[len(all)-1] && len(steps) < maxShown; n++ {
		step := widget.Step{Label: p.Number(n)}
		for i := range sides {
			for len(left[i]) > 0 && left[i][0].N < n {
				sums[i] -= odds.Float(left[i][0].P)
				left[i] = left[i][1:]
			}
			chance, possible := max(sums[i], 0), len(left[i]) > 0
			if !possible {
				chance = 0
			}
			if fewer(kind) {
				upTo := sides[i].Any(outcome)
				upTo.Sub(upTo, sides[i].AtLeast(outcome, n+1))
				chance, possible = odds.Float(upTo), upTo.Sign() > 0
			}
			step.Values = append(step.Values,
				widget.Bar{Label: names[i], P: min(chance, 1), Shown: p.percent(chance, possible)})
		}
		steps = append(steps, step)
	}
	return steps
}

// kind is an outcome of a compared move, with the words for it.
type kind struct {
	game.OutcomeKind
	words Words
}

// kinds returns the outcomes of the compared moves, each once.
func (p *asked) kinds() (kinds []kind) {
	for _, s := range p.settings {
		for _, o := range s.Move.Outcomes {
			if !slices.ContainsFunc(kinds, func(k kind) bool { return k.ID == o.ID }) {
				kinds = append(kinds, kind{o, p.wordsOf(s.Throw)})
			}
		}
	}
	return kinds
}

// wordsOf returns the words for a throw's odds.
func (p *asked) wordsOf(t bare.Throw) Words {
	voice := p.Voice
	if t.Game != p.Game {
		voice.Voice.Speaker, voice.Game = t.Game.Speak(p.Speaker), t.Game
	}
	return Words{Voice: voice, Names: game.BandNames(t.Args)}
}

// comparedPlots returns the plots of several settings.
func (p *asked) comparedPlots() []widget.Plot {
	var plots []widget.Plot
	names := make([]string, len(p.settings))
	mixed := make([]widget.Series, len(p.settings))
	only := true
	for i, s := range p.settings {
		names[i] = s.Name
		side := p.sides.Sides[i]
		mixed[i] = widget.Series{Name: s.Name, Bars: p.wordsOf(s.Throw).Parts(s.Move, side)}
		only = only && len(mixed[i].Bars) == 1 && side.Counts()
	}
	if !only {
		var legend []widget.Bar
		for _, kind := range p.kinds() {
			if slices.ContainsFunc(p.sides.Sides, func(o *odds.Odds) bool { return o.Any(kind.ID).Sign() > 0 }) {
				legend = append(legend, widget.Bar{ID: kind.ID, Label: kind.words.Short(kind.ID), Tone: string(kind.Tone)})
			}
		}
		plots = append(plots, widget.Stacks(p.Say("web.odds.outcomes"), mixed, legend))
	}
	for _, kind := range p.kinds() {
		with := 0 // sides that have it: one alone isn't compared
		for _, side := range p.sides.Sides {
			with += side.Any(kind.ID).Sign()
		}
		if with < 2 && !bare.OneMove(p.throws()) {
			continue
		}
		if steps := p.steps(p.sides.Sides, names, kind.OutcomeKind); kind.Counts && (len(steps) > 2 || only && len(steps) > 1) {
			title := p.Say("web.odds.more")
			if !only {
				title = p.Say("web.odds.more-of", "Name", kind.words.Short(kind.ID))
			}
			if fewer(kind.OutcomeKind) {
				title = p.Say("web.odds.fewer-of", "Name", kind.words.Short(kind.ID))
			}
			plots = append(plots, widget.Lines(title, names, steps, p.Speaker))
		}
	}
	return plots
}

// means returns the averages of the outcomes with counts, given that the outcome happens.
func (p *asked) means() []line {
	var lines []line
	for _, kind := range p.kinds() {
		numbers := map[int]bool{}
		l := line{Label: p.Say("web.odds.average-of", "Name", kind.words.Short(kind.ID))}
		for _, side := range p.sides.Sides {
			for _, row := range visibleRows(side, kind.ID) {
				numbers[row.N] = true
			}
			mean := side.ExpectedOf(kind.ID)
			if mean == nil {
				l.Cells = append(l.Cells, "–")
				continue
			}
			l.Cells = append(l.Cells, p.Decimal(odds.Float(mean), 2))
		}
		if kind.Counts && len(numbers) > 1 {
			lines = append(lines, l)
		}
	}
	return lines
}

// line is a row of the table of several settings.
type line struct {
	Label, Tone string
	Cells       []string
	Strong      bool
}

// heads returns the table's headlines, or one line with what matters most of each of several moves.
func (p *asked) heads() []line {
	if !bare.OneMove(p.throws()) {
		l := line{Label: p.Say("web.odds.short"), Strong: true}
		for i, s := range p.settings {
			shown := p.wordsOf(s.Throw).Chances(s.Move, p.sides.Sides[i])
			l.Cells = append(l.Cells, brief(shown))
		}
		return []line{l}
	}
	var lines []line
	for _, h := range p.move.Headlines {
		if len(h.Among) > 0 && !slices.ContainsFunc(p.sides.Sides, func(side *odds.Odds) bool {
			return side.Any(h.Among...).Sign() > 0
		}) {
			continue
		}
		l := line{Label: strings.TrimSpace(p.Say(p.Game.Word("headline", h.ID), "P", "")), Strong: true}
		for _, side := range p.sides.Sides {
			chance := side.Any(h.Outcomes...)
			l.Cells = append(l.Cells, p.percent(odds.Float(chance), chance.Sign() > 0))
		}
		lines = append(lines, l)
	}
	return lines
}

// throws returns the compared throws.
func (p *asked) throws() []bare.Throw {
	all := make([]bare.Throw, len(p.settings))
	for i, s := range p.settings {
		all[i] = s.Throw
	}
	return all
}

// lines returns the table: headlines first, then each outcome.
func (p *asked) lines() []line {
	lines := p.heads()
	if p.Shown.Mean != "" && bare.OneMove(p.throws()) { // the move has only counts
		l := line{Label: p.Say("web.odds.average"), Strong: true}
		for _, side := range p.sides.Sides {
			l.Cells = append(l.Cells, p.Decimal(odds.Float(side.Mean()), 2))
		}
		lines = append(lines, l)
	} else {
		lines = append(lines, p.means()...)
	}
	likely := func(r odds.Aligned) float64 {
		sum := 0.0
		for _, chance := range r.P {
			sum += odds.Float(chance)
		}
		return sum
	}
	kinds := p.kinds()
	for _, row := range likeliest(p.sides.Rows, likely) {
		of := kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.ID == row.Outcome })]
		l := line{Label: of.words.Outcome(row.Outcome, row.N, row.Counts), Tone: string(of.Tone)}
		for _, chance := range row.P {
			l.Cells = append(l.Cells, p.percent(odds.Float(chance), chance.Sign() > 0))
		}
		lines = append(lines, l)
	}
	return lines
}

// differences says in words how each setting differs from the first one.
func (p *asked) differences() []string {
	names := make([]string, len(p.settings))
	for i, s := range p.settings {
		names[i] = s.Name
	}
	return bare.Differences(p.Speaker, p.throws(), names, p.sides.Sides)
}

// list returns the table of one setting.
func (p *asked) list() []widget.Bar {
	bars := slices.Clone(p.Shown.Rows)
	for i, row := range likeliest(p.sides.Sides[0].Rows, chanceOf) {
		bars[i].Shown = p.fine(row)
		if len(bars[i].Exact) > 40 {
			bars[i].Exact = "…"
		}
	}
	return bars
}

// family is a field, with a link to the page that compares its values.
type family struct {
	Name, Link string
}

// families returns the fields whose values can be compared at once.
func (p *asked) families() []family {
	var families []family
	for _, field := range p.throw.Form.Fields {
		if throws := p.throw.Each(field.Name); throws != nil {
			families = append(families, family{p.Field(field.Name), p.link(p.throw, throws)})
		}
	}
	return families
}
