package odds

import (
	"math"
	"slices"

	"norn/game"
	"norn/internal/lab"
	"norn/internal/widget"
	"norn/odds"
)

// plots returns the plots of the sides: of one its outcomes and columns of counts, of several their
// parts, and lines for "this or more".
func (p *asked) plots() (plots []widget.Plot) {
	sides, side := p.report.Sides, p.now()
	one, counted := len(sides) == 1, !slices.ContainsFunc(sides, func(s lab.Side) bool { return !s.Only })
	switch {
	case one && side.Columns(p.Speaker) == nil:
		plots = append(plots, widget.Horizontal(p.Say("web.odds.outcomes"), side.Parts))
	case !one && !counted:
		plots = append(plots, widget.Stacks(p.Say("web.odds.outcomes"),
			game.Each(sides, func(s lab.Side) widget.Series { return widget.Series{Name: s.Name, Bars: s.Parts} }),
			game.Each(p.report.Kinds, func(k lab.Kind) odds.Bar {
				return odds.Bar{ID: k.ID, Label: k.Label, Tone: string(k.Tone)}
			})))
	}
	names := game.Each(sides, func(s lab.Side) string { return s.Name })
	for _, kind := range p.report.Kinds {
		steps, more := p.steps(kind), p.Say("web.odds.more")
		if !kind.Counts || len(steps) < 2 {
			continue
		}
		if fewer(kind) {
			more = p.Say("web.odds.fewer-of", "Name", kind.Label)
		} else if !counted {
			more = p.Say("web.odds.more-of", "Name", kind.Label)
		}
		switch {
		case one:
			bars, counts := visible(side.CountsOf(p.Speaker, kind.ID)), p.Say("web.odds.counts")
			if len(bars) < 2 || len(bars) == 2 && !counted { // the table shows that well enough
				continue
			}
			if !counted {
				counts = p.Say("web.odds.counts-of", "Name", kind.Label, "Mean",
					p.Decimal(odds.Float(side.Odds.ExpectedOf(kind.ID)), 1))
			}
			plots = append(plots, widget.Vertical(counts, fine(bars, 24)), widget.Lines(more, []string{""}, steps, p.Speaker))
		case (len(steps) > 2 || counted) && p.compares(kind):
			plots = append(plots, widget.Lines(more, names, steps, p.Speaker))
		}
	}
	return plots
}

// compares reports whether several sides may have an outcome: one alone isn't compared.
func (p *asked) compares(kind lab.Kind) bool {
	with := 0
	for _, side := range p.report.Sides {
		with += side.Odds.Any(kind.ID).Sign()
	}
	return with > 1 || p.report.OneMove
}

// fewer reports whether the natural question about an outcome is "this count or fewer", as when the
// count is the roll at which something succeeds.
func fewer(kind lab.Kind) bool {
	return kind.Counts && kind.Less && (kind.Tone == game.Good || kind.Tone == game.Triumph)
}

// steps returns the chances of "this or more" of an outcome for each side, or of "this or fewer".
func (p *asked) steps(kind lab.Kind) (steps []widget.Step) {
	first, last := math.MaxInt, math.MinInt
	rows := make([][]odds.Bar, len(p.report.Sides))
	for i, side := range p.report.Sides {
		for _, row := range side.Odds.Rows {
			if row.Outcome == kind.ID {
				rows[i] = append(rows[i], odds.Bar{N: row.N, P: odds.Float(row.P)})
			}
		}
		for _, b := range visible(rows[i]) {
			first, last = min(first, b.N), max(last, b.N)
		}
	}
	for n := first; n <= last && len(steps) < maxShown; n++ {
		step := widget.Step{Label: p.Number(n)}
		for i, side := range p.report.Sides {
			b := odds.Bar{Label: side.Name}
			for _, row := range rows[i] {
				if fewer(kind) && row.N <= n || !fewer(kind) && row.N >= n {
					b.P, b.Counts = b.P+row.P, true
				}
			}
			b.P = min(b.P, 1)
			b.Shown = p.Tenths(b.P, b.Counts, b.P > 1-1e-12)
			step.Values = append(step.Values, b)
		}
		steps = append(steps, step)
	}
	return steps
}

// line is a row of the table of several sides.
type line struct {
	Label, Tone string
	Cells       []string
	Strong      bool
}

// line returns a row with a cell for each side.
func (p *asked) line(label string, cell func(s *lab.Side) string) line {
	l := line{Label: label, Strong: true}
	for i := range p.report.Sides {
		l.Cells = append(l.Cells, cell(&p.report.Sides[i]))
	}
	return l
}

// lines returns the table of several sides: headlines first, or one line with what matters most of each of
// several moves, then averages and each outcome.
func (p *asked) lines() (lines []line) {
	if !p.report.OneMove {
		lines = append(lines, p.line(p.Say("web.odds.short"), brief))
	} else {
		for i, head := range p.now().Heads {
			lines = append(lines, p.line(head.Label, func(s *lab.Side) string { return s.Heads[i].Fine }))
		}
	}
	if p.report.OneMove && p.now().Only {
		lines = append(lines, p.line(p.Say("web.odds.average"), func(s *lab.Side) string {
			return p.Decimal(odds.Float(s.Odds.Mean()), 2)
		}))
	} else {
		lines = append(lines, p.means()...)
	}
	for _, row := range odds.Likeliest(p.report.Lines, maxShown, func(l lab.Line) float64 { return l.Sum() }) {
		l := line{Label: row.Label, Tone: row.Tone}
		for _, chance := range row.P {
			l.Cells = append(l.Cells, p.Tenths(odds.Float(chance), chance.Sign() > 0, odds.Float(chance) >= 1))
		}
		lines = append(lines, l)
	}
	return lines
}

// means returns the averages of the outcomes with counts, given that the outcome happens.
func (p *asked) means() (lines []line) {
	for _, kind := range p.report.Kinds {
		l := p.line(p.Say("web.odds.average-of", "Name", kind.Label), func(s *lab.Side) string {
			if mean := s.Odds.ExpectedOf(kind.ID); mean != nil {
				return p.Decimal(odds.Float(mean), 2)
			}
			return "–"
		})
		if l.Strong = false; kind.Counts && len(p.steps(kind)) > 1 {
			lines = append(lines, l)
		}
	}
	return lines
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
