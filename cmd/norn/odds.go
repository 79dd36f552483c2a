package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"norn/bare"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

func (p *program) oddsCommand() *cobra.Command {
	c := p.group("odds "+p.Say("norn.metavar.game")+" "+p.Say("norn.metavar.move")+" "+p.Say("norn.metavar.flags"),
		"norn.about.odds", "norn.error.missing-game", "norn.error.unknown-game")
	c.Example = p.examples("odds", "norn odds dice 4d6kh3 --compare 3d6")
	p.throwCommands(c, func(c *cobra.Command) func(*cobra.Command, *throw) error {
		runs := &countFlag{metavar: p.Say("norn.metavar.number"), least: 1, most: mostRuns}
		c.Flags().Var(runs, "simulate", p.Say("norn.flag.simulate", "Max", mostRuns))
		complete(c, "simulate", func() []cobra.Completion { return nil })
		compared := &listFlag{metavar: p.Say("norn.metavar.setting")}
		c.Flags().Var(compared, "compare", p.Say("norn.flag.compare"))
		complete(c, "compare", func() []cobra.Completion { return nil })
		choosing := p.choosingFlags(c)
		asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
		asCSV := c.Flags().Bool("csv", false, p.Say("norn.flag.csv"))
		return func(c *cobra.Command, t *throw) error {
			if *asJSON && *asCSV {
				return p.wrong("norn.error.one-format")
			}
			if choosing.given() && runs.value > 0 {
				return p.wrong("norn.error.choose-alone")
			}
			price := func(t *throw) (*priced, error) { return p.price(c, t, runs.value) }
			if choosing.given() {
				price = func(t *throw) (*priced, error) { return p.priceChosen(c, t, choosing) }
			}
			if len(compared.values) > 0 {
				return p.compare(c, t, compared.values, price, *asJSON, *asCSV)
			}
			priced, err := price(t)
			if err != nil {
				return err
			}
			switch {
			case *asJSON:
				return p.json(priced)
			case *asCSV:
				return priced.odds.CSV(p.out)
			}
			p.showOdds(priced)
			p.showPolicy(priced)
			return nil
		}
	})
	return c
}

// mostRuns is how many throws a simulation may make.
const mostRuns = 10_000_000

// countFlag is a flag that takes a number.
type countFlag struct {
	value       int
	metavar     string
	least, most int
}

func (f *countFlag) String() string { return strconv.Itoa(f.value) }
func (f *countFlag) Type() string   { return f.metavar }
func (f *countFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && strings.Trim(text, "0123456789") != "" || text == "":
		return form.Problem{Code: form.Type, Given: text, Allowed: []string{string(form.KindInt)}}
	case err != nil || n < f.least || n > f.most:
		return form.Problem{Code: form.Range, Min: f.least, Max: f.most, Given: text}
	}
	f.value = n
	return nil
}

// priced is a throw with its odds.
type priced struct {
	*throw
	odds *odds.Odds
}

// price works the odds out, or throws runs times.
func (p *program) price(c *cobra.Command, t *throw, runs int) (*priced, error) {
	var (
		o   *odds.Odds
		err error
	)
	if runs > 0 {
		o, err = odds.Simulate(c.Context(), t.rule, t.kinds(), nil, dice.NewStream(seed()), runs)
	} else {
		o, err = odds.Price(c.Context(), t.rule, t.kinds(), nil, rule.Limits{})
	}
	if err != nil {
		return nil, err
	}
	return &priced{throw: t, odds: o}, nil
}

// MarshalJSON writes the throw's members, then those of the odds.
func (o *priced) MarshalJSON() ([]byte, error) {
	head, err := json.Marshal(o.throw)
	if err != nil {
		return nil, err
	}
	tail, err := json.Marshal(o.odds)
	if err != nil {
		return nil, err
	}
	return append(append(head[:len(head)-1], ','), tail[1:]...), nil
}

// bar is one line of a chart.
type bar struct {
	label   string
	tone    game.Tone
	p       *big.Rat
	atLeast *big.Rat // of this many or more; nil where that isn't shown
	spread  float64  // standard error, in a simulation
}

// showOdds draws the odds: what people ask for in words, then the chart.
func (p *program) showOdds(o *priced) {
	p.heading(o.throw)
	said := false
	if line := p.headlines(o); line != "" {
		for _, line := range wrap(line, p.out.width) {
			fmt.Fprintln(p.out, strong.Render(line))
		}
		said = true
	}
	if only := o.only(); only != "" {
		fmt.Fprintln(p.out, p.Say("norn.odds.expected", "Mean", p.mean(o.odds.Expected())))
		said = true
	}
	if g, ok := game.Find(p.games, o.throw.Game); ok {
		voice := game.Voice{Speaker: g.Speak(p.Speaker), Game: g.ID, Name: func(id string) string { return id }}
		if text := bare.Granted(voice, g, o.odds); text != "" {
			for _, line := range wrap(text, p.out.width) {
				fmt.Fprintln(p.out, quiet.Render(line))
			}
			said = true
		}
	}
	if o.odds.Runs > 0 {
		fmt.Fprintln(p.out, quiet.Render(p.Say("norn.odds.simulated", "N", o.odds.Runs)))
		said = true
	}
	if said {
		fmt.Fprintln(p.out)
	}
	p.chart(p.bars(o), o.odds.Runs > 0)
}

// mean writes an average with two decimals, or fewer where those say it all.
func (p *program) mean(mean *big.Rat) string {
	digits := 0
	for scaled := new(big.Rat).Set(mean); !scaled.IsInt() && digits < 2; digits++ {
		scaled.Mul(scaled, big.NewRat(10, 1))
	}
	return p.Decimal(odds.Float(mean), digits)
}

// headlines are the chances people ask for, in one line.
func (p *program) headlines(o *priced) string {
	var texts []string
	one := big.NewRat(1, 1)
	for _, h := range o.headlines {
		chance := o.odds.Any(h.outcomes...)
		texts = append(texts, h.text(p.Chance(odds.Float(chance), chance.Sign() > 0, chance.Cmp(one) == 0)))
	}
	return strings.Join(texts, ", ")
}

// only is the outcome's id if there's a single one and it counts something: then
// its numbers are all that's asked for.
func (o *priced) only() string {
	id := o.odds.Rows[0].Outcome
	for _, row := range o.odds.Rows {
		if row.Outcome != id || !row.Counts {
			return ""
		}
	}
	return id
}

// Long charts are told in groups of numbers: one outcome takes at most
// mostBars lines, of which the last of either end stand for all beyond them.
const mostBars = 24

// bars are the lines of the chart.
func (p *program) bars(o *priced) []bar {
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
				label: p.barLabel(o, g, only), tone: o.outcome(g.rows[0].Outcome).Tone,
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
func (p *program) barLabel(o *priced, g group, only bool) string {
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
func (p *program) chart(bars []bar, simulated bool) {
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
			fraction = "± " + p.percent(b.spread, true, false)
		}
		exact = exact && lipgloss.Width(fraction) <= mostFraction
		greatest = max(greatest, odds.Float(b.p))
		rows[i+1] = []string{b.label, p.ratio(b.p), fraction}
		if b.atLeast != nil {
			rows[i+1] = append(rows[i+1], p.ratio(b.atLeast))
		}
	}
	room := func() (widths []int, left int) {
		widths, left = make([]int, len(rows[0])), p.out.width-2
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
		line := "  " + p.labelled(row[0], widths[0], bars[0].atLeast != nil) + "  "
		if i == 0 {
			line += pad("", length)
		} else {
			drawn := blocks(odds.Float(bars[i-1].p)/greatest, length)
			line += tones[bars[i-1].tone].Render(drawn) + pad("", length-lipgloss.Width(drawn))
		}
		for j, cell := range row[1:] {
			cell = "  " + padLeft(cell, widths[j+1])
			if i == 0 || j > 0 {
				cell = quiet.Render(cell)
			}
			line += cell
		}
		fmt.Fprintln(p.out, strings.TrimRight(line, " "))
	}
	if !exact && !simulated {
		fmt.Fprintln(p.out)
		fmt.Fprintln(p.out, quiet.Render(p.Say("norn.odds.exact")))
	}
}

// labelled puts numbers to the right of their column and words to the left.
func (p *program) labelled(label string, width int, number bool) string {
	if number {
		return padLeft(label, width)
	}
	return pad(label, width)
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
func (p *program) ratio(chance *big.Rat) string {
	return p.percent(odds.Float(chance), chance.Sign() > 0, chance.Cmp(big.NewRat(1, 1)) >= 0)
}

// percent writes a probability with one decimal; what is possible is never
// 0.0 and what isn't certain never 100.0.
func (p *program) percent(probability float64, possible, certain bool) string {
	text := p.Decimal(probability*100, 1)
	switch {
	case possible && probability < 0.0005:
		text = "<" + p.Decimal(0.1, 1)
	case !certain && probability >= 0.9995:
		text = ">" + p.Decimal(99.9, 1)
	}
	return p.Say("norn.odds.percent", "P", text)
}
