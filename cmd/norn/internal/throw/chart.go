package throw

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/internal/lab"
	"norn/odds"
)

// maxBars limits the lines in a chart of numbers. A longer chart combines neighbouring numbers into
// ranges of equal size.
const maxBars = 40

// lines groups the rows of a chart that share a line.
func lines[R any](rows []R) [][]R {
	return slices.Collect(slices.Chunk(rows, max(1, (len(rows)+maxBars-1)/maxBars)))
}

// bars returns the lines of the chart: one for each row of the odds, unless that is a long list of
// numbers. more has the chances of each number or more.
func bars(p *cli.Program, t *throw, s *lab.Side) (bars []odds.Bar, more []string) {
	if !s.Only {
		return s.Rows, nil
	}
	for _, rows := range lines(s.Odds.Rows) {
		first, last := rows[0], rows[len(rows)-1]
		label, whole := p.Number(first.N), first
		if len(rows) > 1 {
			label += "…" + p.Number(last.N)
			whole.P = new(big.Rat)
			for _, row := range rows {
				whole.P.Add(whole.P, row.P)
			}
		}
		bars, more = append(bars, t.words.Bar(s.Odds, whole, label)), append(more, atLeast(p, s, first))
	}
	return bars, more
}

// atLeast returns the chance of a row's number or more.
func atLeast(p *cli.Program, s *lab.Side, row odds.Row) string {
	chance := s.Odds.AtLeast(row.Outcome, row.N)
	return p.Tenths(odds.Float(chance), chance.Sign() > 0, chance.Cmp(big.NewRat(1, 1)) >= 0)
}

// chart draws bars with their chances in columns: the bar, per cent, the exact fraction if it is
// short enough to read, and the chance of as many or more.
func chart(p *cli.Program, t *throw, s *lab.Side) {
	const gap, shortest, longest, maxFraction = 2, 10, 44, 17
	bars, more := bars(p, t, s)
	rows := make([][]string, len(bars)+1)
	rows[0] = []string{"", p.Say("norn.odds.chance"), p.Say("norn.odds.fraction")}
	simulated := s.Odds.Runs > 0
	if simulated {
		rows[0][2] = p.Say("norn.odds.spread")
	}
	if more != nil {
		rows[0] = append(rows[0], p.Say("norn.odds.at-least"))
	}
	exact, greatest := true, 0.0
	for i, b := range bars {
		if simulated {
			b.Exact = "± " + p.Tenths(math.Sqrt(b.P*(1-b.P)/float64(s.Odds.Runs)), true, false)
		}
		exact = exact && b.Exact != "…" && lipgloss.Width(b.Exact) <= maxFraction
		greatest = max(greatest, b.P)
		rows[i+1] = []string{b.Label, b.Fine, b.Exact}
		if more != nil {
			rows[i+1] = append(rows[i+1], more[i])
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
		line := "  " + alignLabel(row[0], widths[0], more != nil) + "  "
		if i == 0 {
			line += cli.Pad("", length)
		} else {
			drawn := blocks(bars[i-1].P/greatest, length)
			line += cli.Tones[game.Tone(bars[i-1].Tone)].Render(drawn) + cli.Pad("", length-lipgloss.Width(drawn))
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
func alignLabel(label string, width int, number bool) string {
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
