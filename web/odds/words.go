package odds

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"norn/game"
	"norn/internal/bare"
	"norn/internal/widget"
	"norn/odds"
	"norn/web/fields"
	"norn/web/html"
)

// Words puts odds into words in a reader's language.
type Words struct {
	fields.Voice
	Names map[string]string // names that people gave outcomes, by id
}

// maxShown limits the counts that are drawn or listed; the file has the rarer ones, too.
const maxShown = 400

// visibleRows returns an outcome's counts without those at the ends that are too rare to be seen.
func visibleRows(o *odds.Odds, outcome string) []odds.Row {
	rows := slices.DeleteFunc(slices.Clone(o.Rows), func(r odds.Row) bool { return r.Outcome != outcome })
	if len(rows) <= 60 {
		return rows
	}
	rare := func(r odds.Row) bool { return odds.Float(r.P) < 1e-5 }
	for len(rows) > 60 && rare(rows[0]) {
		rows = rows[1:]
	}
	for len(rows) > 60 && rare(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	return likeliest(rows, chanceOf)
}

// likeliest returns the rows that are shown, without the rarest, in the same order.
func likeliest[Row any](rows []Row, chance func(Row) float64) []Row {
	if len(rows) <= maxShown {
		return rows
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(chance(rows[b]), chance(rows[a])) })
	order = order[:maxShown]
	slices.Sort(order)
	shown := make([]Row, len(order))
	for i, at := range order {
		shown[i] = rows[at]
	}
	return shown
}

// chanceOf returns a row's chance for display.
func chanceOf(r odds.Row) float64 { return odds.Float(r.P) }

// Exactly returns a fraction, or "…" for one too long to read.
func (w Words) Exactly(p *big.Rat) string {
	const maxBits = 400 // of both numbers together: more than anybody reads, but still fast to write
	if p.Num().BitLen()+p.Denom().BitLen() > maxBits {
		return "…"
	}
	return w.Fraction(p)
}

// exact returns a chance as a fraction, or with twelve digits if the odds have no more.
func (w Words) exact(o *odds.Odds, p *big.Rat) string {
	if o.Rounded {
		return "≈ " + o.Text(p)
	}
	return w.Exactly(p)
}

// Percent returns a chance for display.
func (w Words) Percent(p *big.Rat) string {
	return w.Chance(odds.Float(p), p.Sign() > 0, p.Cmp(big.NewRat(1, 1)) >= 0)
}

// fine returns a chance with a decimal, for columns.
func (w Words) fine(row odds.Row) string { return w.percent(odds.Float(row.P), row.P.Sign() > 0) }

func (w Words) percent(chance float64, possible bool) string {
	if chance >= 0.9995 || !possible {
		return w.Chance(chance, possible, chance >= 1)
	}
	text := w.Decimal(chance*100, 1)
	if chance < 0.0005 {
		text = "<" + w.Decimal(0.1, 1)
	}
	return w.Say("web.odds.percent", "P", text)
}

// brief returns a fraction if it's short enough to read.
func (w Words) brief(row odds.Row) string {
	if text := w.Exactly(row.P); len(text) <= 24 && text != "…" {
		return text
	}
	return ""
}

// Outcome returns the name of an outcome, with its count if that means something.
func (w Words) Outcome(id string, n int, counts bool) string {
	if name := w.Names[id]; name != "" {
		if n == 0 {
			return name
		}
		return w.Say("bare.band", "N", n, "Name", name)
	}
	if counts {
		word := w.Game.Word("outcome-counted", id) // for an outcome that has no count in other moves
		if !w.Has(word) {
			word = w.Game.Word("outcome", id)
		}
		return w.Say(word, "N", n)
	}
	return w.Word("outcome", id)
}

// Short returns an outcome's shortest name.
func (w Words) Short(id string) string {
	if name := w.Names[id]; name != "" {
		return name
	}
	if word := w.Game.Word("outcome-short", id); w.Has(word) {
		return w.Say(word)
	}
	return w.Outcome(id, 0, false)
}

// Chances puts odds into words.
func (w Words) Chances(m *game.Move, o *odds.Odds) html.Chances {
	c := html.Chances{Granted: bare.DescribeAssumptions(w.Voice.Voice, w.Game, o)}
	for _, h := range m.Headlines {
		if len(h.Among) > 0 && o.Any(h.Among...).Sign() == 0 {
			continue
		}
		p := o.Any(h.Outcomes...)
		c.Heads = append(c.Heads, w.Say(w.Game.Word("headline", h.ID), "P", w.Percent(p)))
	}
	counted := !slices.ContainsFunc(o.Rows, func(row odds.Row) bool {
		return !row.Counts || row.Outcome != o.Rows[0].Outcome
	})
	rows := likeliest(o.Rows, chanceOf)
	c.Rest = len(rows) < len(o.Rows)
	for _, row := range rows {
		bar := widget.Bar{
			Label: w.Outcome(row.Outcome, row.N, row.Counts), Tone: string(m.Outcome(row.Outcome).Tone),
			P: odds.Float(row.P), Shown: w.Percent(row.P), Exact: w.exact(o, row.P),
		}
		c.Rows = append(c.Rows, bar)
		bar.Label = w.Number(row.N)
		c.Columns = append(c.Columns, bar)
	}
	if !counted || len(o.Rows) < 2 {
		c.Columns = nil
		c.Bars = w.Parts(m, o)
	}
	if counted {
		mean, _ := o.Mean().Float64()
		c.Mean = w.Say("web.odds.mean", "Mean", w.Decimal(mean, 1))
	}
	if o.Runs > 0 {
		most := 0.0
		for _, row := range o.Rows {
			most = max(most, o.StandardError(row))
		}
		c.Simulated = w.Say("web.odds.simulated", "Runs", o.Runs, "Error", w.Decimal(100*most, 1))
	}
	return c
}

// Parts returns the chances of a move's outcomes, as the parts of one bar.
func (w Words) Parts(m *game.Move, o *odds.Odds) []widget.Bar {
	var bars []widget.Bar
	for _, kind := range m.Outcomes {
		if p := o.Any(kind.ID); p.Sign() > 0 {
			bars = append(bars, widget.Bar{
				ID: kind.ID, Label: w.Short(kind.ID), Tone: string(kind.Tone), P: odds.Float(p), Shown: w.Percent(p),
				Exact: w.Fraction(p),
			})
		}
	}
	return bars
}

// maxCounts limits the counts that are drawn side by side.
const maxCounts = 40

// Counts returns the counts of the one outcome that has them; none if there's nothing to see.
func (w Words) Counts(m *game.Move, o *odds.Odds) []widget.Bar {
	counted := slices.DeleteFunc(slices.Clone(o.Rows), func(row odds.Row) bool { return !row.Counts })
	if len(counted) < 2 || len(counted) > maxCounts {
		return nil
	}
	var bars []widget.Bar
	for _, row := range counted {
		bars = append(bars, widget.Bar{
			Label: w.Number(row.N), Tone: string(m.Outcome(row.Outcome).Tone),
			P: odds.Float(row.P), Shown: w.Percent(row.P), Exact: w.Fraction(row.P),
		})
	}
	return bars
}

// examplesIn returns questions to begin with, as people write them in the reader's language.
func examplesIn(read html.Reader) []string {
	return []string{
		read.Say("web.odds.first"), read.Say("web.odds.second"), read.Say("web.odds.third"), read.Say("web.odds.fourth"),
		read.Say("web.odds.fifth"), read.Say("web.odds.sixth"),
	}
}

// brief returns what matters most of odds, in one line.
func brief(c html.Chances) string {
	return strings.Trim(html.JoinTexts(append(slices.Clone(c.Heads), c.Mean)), " ·\u00a0")
}
