package throw

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// bar is one line of a chart.
type bar struct {
	label   string
	tone    game.Tone
	p       *big.Rat
	atLeast *big.Rat // the chance of this many or more; nil where that isn't shown
	spread  float64  // standard error, in a simulation
}

// maxBars limits the lines in a chart of numbers. A longer chart combines neighbouring numbers into
// ranges of equal size.
const maxBars = 40

// lines groups the rows of a chart that share a line.
func lines[R any](rows []R) [][]R {
	return slices.Collect(slices.Chunk(rows, max(1, (len(rows)+maxBars-1)/maxBars)))
}

// bars returns the lines of the chart: one for each row of the odds, unless that is a long list of
// numbers.
func bars(p *cli.Program, o *priced) []bar {
	if o.only() == "" {
		return game.Each(o.odds.Rows, func(row odds.Row) bar { return newBar(o, barLabel(p, o, row), row) })
	}
	return game.Each(lines(o.odds.Rows), func(rows []odds.Row) bar {
		first, last := rows[0], rows[len(rows)-1]
		label, whole := p.Number(first.N), first
		if len(rows) > 1 {
			label += "…" + p.Number(last.N)
			whole.P = new(big.Rat)
			for _, row := range rows {
				whole.P.Add(whole.P, row.P)
			}
		}
		b := newBar(o, label, whole)
		b.atLeast = o.odds.AtLeast(first.Outcome, first.N)
		return b
	})
}

func newBar(o *priced, label string, row odds.Row) bar {
	b := bar{label: label, tone: o.outcome(row.Outcome).Tone, p: row.P}
	if o.odds.Runs > 0 {
		b.spread = o.odds.StandardError(row)
	}
	return b
}

// barLabel names a row by its outcome, and by its number if the outcome's own text doesn't contain
// that.
func barLabel(p *cli.Program, o *priced, row odds.Row) string {
	text := o.text(rule.Outcome{ID: row.Outcome, N: row.N})
	counted := o.text(rule.Outcome{ID: row.Outcome, N: 1111}) != o.text(rule.Outcome{ID: row.Outcome, N: 2222})
	if row.Counts && !counted {
		return text + " · " + p.Number(row.N)
	}
	return text
}

// chart draws bars with their chances in columns: the bar, per cent, the exact fraction if it is
// short enough to read, and the chance of as many or more.
func chart(p *cli.Program, bars []bar, simulated bool) {
	const gap, shortest, longest, maxFraction = 2, 10, 44, 17
	rows := make([][]string, len(bars)+1)
	rows[0] = []string{"", p.Say("norn.odds.chance"), p.Say("norn.odds.fraction")}
	if simulated {
		rows[0][2] = p.Say("norn.odds.spread")
	}
	if bars[0].atLeast != nil {
		rows[0] = append(rows[0], p.Say("norn.odds.at-least"))
	}
	exact, greatest := true, 0.0
	for i, b := range bars {
		fraction := p.Fraction(b.p)
		if simulated {
			fraction = "± " + percent(p, b.spread, true, false)
		}
		exact = exact && lipgloss.Width(fraction) <= maxFraction
		greatest = max(greatest, odds.Float(b.p))
		rows[i+1] = []string{b.label, ratio(p, b.p), fraction}
		if b.atLeast != nil {
			rows[i+1] = append(rows[i+1], ratio(p, b.atLeast))
		}
	}
	room := func() (widths []int, left int) {
		widths, left = make([]int, len(rows[0])), p.Out.Width-2
		for _, row := range rows {
			for i, cell := range row {
				widths[i] = max(widths[i], lipgloss.Width(cell))
			}
		}
		for _, width := range widths {
			left -= width + gap
		}
		return widths, left
	}
	widths, left := room()
	if !exact || left < shortest {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
		widths, left = room()
	}
	length := min(max(left, shortest), longest)
	for i, row := range rows {
		line := "  " + alignLabel(p, row[0], widths[0], bars[0].atLeast != nil) + "  "
		if i == 0 {
			line += cli.Pad("", length)
		} else {
			drawn := blocks(odds.Float(bars[i-1].p)/greatest, length)
			line += cli.Tones[bars[i-1].tone].Render(drawn) + cli.Pad("", length-lipgloss.Width(drawn))
		}
		for j, cell := range row[1:] {
			cell = "  " + cli.PadLeft(cell, widths[j+1])
			if i == 0 || j > 0 {
				cell = cli.Quiet.Render(cell)
			}
			line += cell
		}
		fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
	}
	if !exact && !simulated {
		fmt.Fprintln(p.Out)
		fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.odds.exact")))
	}
}

// alignLabel aligns numbers right and words left.
func alignLabel(p *cli.Program, label string, width int, number bool) string {
	if number {
		return cli.PadLeft(label, width)
	}
	return cli.Pad(label, width)
}

// blocks draws a part of a length in eighths of a column. What is possible is always visible.
func blocks(part float64, length int) string {
	eighths := int(part*float64(length)*8 + 0.5)
	if eighths == 0 && part > 0 {
		eighths = 1
	}
	drawn := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		drawn += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return drawn
}

// ratio formats a chance in per cent.
func ratio(p *cli.Program, chance *big.Rat) string {
	return percent(p, odds.Float(chance), chance.Sign() > 0, chance.Cmp(big.NewRat(1, 1)) >= 0)
}

// percent formats a probability with one decimal. What is possible is never 0.0, and what isn't
// certain never 100.0.
func percent(p *cli.Program, probability float64, possible, certain bool) string {
	text := p.Decimal(probability*100, 1)
	switch {
	case possible && probability < 0.0005:
		text = "<" + p.Decimal(0.1, 1)
	case !certain && probability >= 0.9995:
		text = ">" + p.Decimal(99.9, 1)
	}
	return p.Say("norn.odds.percent", "P", text)
}
