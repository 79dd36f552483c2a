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
	atLeast *big.Rat // of this many or more; nil where that isn't shown
	spread  float64  // standard error, in a simulation
}

// Long charts are told in groups of numbers: one outcome takes at most
// mostBars lines, of which the last of either end stand for all beyond them.
const mostBars = 24

// bars are the lines of the chart.
func bars(p *cli.Program, o *priced) []bar {
	var bars []bar
	only := o.only() != ""
	rows := o.odds.Rows
	for len(rows) > 0 {
		same := 1
		for same < len(rows) && rows[same].Outcome == rows[0].Outcome {
			same++
		}
		for _, g := range grouped(rows[:same]) {
			b := bar{
				label: barLabel(p, o, g, only), tone: o.outcome(g.rows[0].Outcome).Tone,
				p: g.chance(),
			}
			if only {
				b.atLeast = o.odds.AtLeast(g.rows[0].Outcome, g.rows[0].N)
			}
			if o.odds.Runs > 0 {
				b.spread = o.odds.StandardError(odds.Row{P: b.p})
			}
			bars = append(bars, b)
		}
		rows = rows[same:]
	}
	return bars
}

// group is neighbouring rows that share a line. An open end is the last line
// before or after which nothing more is told.
type group struct {
	rows      []odds.Row
	low, high bool // stands for everything below, above
}

func (g group) chance() *big.Rat {
	sum := new(big.Rat)
	for _, row := range g.rows {
		sum.Add(sum, row.P)
	}
	return sum
}

// grouped brings one outcome's rows to at most mostBars lines: what is rarer
// than one in a thousand at either end is one line, the rest is told in steps
// of a round number.
func grouped(rows []odds.Row) []group {
	var groups []group
	if len(rows) <= mostBars {
		for i := range rows {
			groups = append(groups, group{rows: rows[i : i+1]})
		}
		return groups
	}
	from, to := tail(rows, 1), len(rows)-tail(reversed(rows), 1)
	step := 1
	for i := 0; (rows[to-1].N-rows[from].N)/step+1 > mostBars-4; i++ {
		step = []int{1, 2, 5}[i%3]
		for range i / 3 {
			step *= 10
		}
	}
	for from > 0 && floor(rows[from-1].N, step) == floor(rows[from].N, step) {
		from--
	}
	for to < len(rows) && floor(rows[to].N, step) == floor(rows[to-1].N, step) {
		to++
	}
	if from > 0 {
		groups = append(groups, group{rows: rows[:from], low: true})
	}
	for from < to {
		end := from + 1
		for end < to && floor(rows[end].N, step) == floor(rows[from].N, step) {
			end++
		}
		groups = append(groups, group{rows: rows[from:end]})
		from = end
	}
	if to < len(rows) {
		groups = append(groups, group{rows: rows[to:], high: true})
	}
	return groups
}

// tail counts the rows at the beginning that together are rarer than so many
// in a thousand; one row alone is no tail.
func tail(rows []odds.Row, mille int64) int {
	sum, rare := new(big.Rat), big.NewRat(mille, 1000)
	for i, row := range rows {
		if sum.Add(sum, row.P); sum.Cmp(rare) > 0 {
			if i == 1 {
				return 0
			}
			return i
		}
	}
	return 0
}

func reversed(rows []odds.Row) []odds.Row {
	rows = slices.Clone(rows)
	slices.Reverse(rows)
	return rows
}

// floor is which step of numbers n is in; steps end on round numbers.
func floor(n, step int) int {
	n--
	if n < 0 {
		return (n+1)/step - 1
	}
	return n / step
}

// barLabel names the rows of a line: the outcome, how many, or both.
func barLabel(p *cli.Program, o *priced, g group, only bool) string {
	first, last := g.rows[0], g.rows[len(g.rows)-1]
	var number string
	switch {
	case g.low:
		number = "≤ " + p.Number(last.N)
	case g.high:
		number = "≥ " + p.Number(first.N)
	case first.N != last.N:
		number = p.Number(first.N) + "…" + p.Number(last.N)
	default:
		number = p.Number(first.N)
	}
	if only {
		return number
	}
	text := o.text(rule.Outcome{ID: first.Outcome, N: first.N})
	switch counted := o.text(rule.Outcome{ID: first.Outcome, N: 1111}) != o.text(rule.Outcome{ID: first.Outcome, N: 2222}); {
	case !first.Counts || counted && len(g.rows) == 1:
		return text
	default:
		return text + " · " + number
	}
}

// chart draws bars with their chances in columns: the bar, per cent, the exact
// fraction where it's short enough to read, and the chance of as many or more.
func chart(p *cli.Program, bars []bar, simulated bool) {
	const gap, shortest, longest, mostFraction = 2, 10, 44, 17
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
		exact = exact && lipgloss.Width(fraction) <= mostFraction
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
		line := "  " + labelled(p, row[0], widths[0], bars[0].atLeast != nil) + "  "
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

// labelled puts numbers to the right of their column and words to the left.
func labelled(p *cli.Program, label string, width int, number bool) string {
	if number {
		return cli.PadLeft(label, width)
	}
	return cli.Pad(label, width)
}

// blocks draws a part of a length in eighths of a column; what is possible is
// always seen.
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

// ratio writes a chance in per cent.
func ratio(p *cli.Program, chance *big.Rat) string {
	return percent(p, odds.Float(chance), chance.Sign() > 0, chance.Cmp(big.NewRat(1, 1)) >= 0)
}

// percent writes a probability with one decimal; what is possible is never
// 0.0 and what isn't certain never 100.0.
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
