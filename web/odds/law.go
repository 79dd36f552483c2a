package odds

import (
	"norn/internal/lab"
	"norn/odds"
)

// maxLaw limits the rows that the script gets; more would make the page heavy.
const maxLaw = 2000

// law returns the data for the script's statistics and plots, as JSON; "" if there is nothing to
// draw, or too much.
func (p *asked) law() string {
	sides := make([]lab.Side, len(p.sides.Sides))
	total := 0
	for i, o := range p.sides.Sides {
		side := lab.Side{Name: p.settings[i].Name, Rows: make([]lab.Row, len(o.Rows))}
		of, words := p.settings[i].Move, p.wordsOf(p.settings[i].Throw)
		for j, r := range o.Rows {
			row := lab.Row{
				Label: words.Outcome(r.Outcome, r.N, r.Counts), Outcome: r.Outcome,
				Tone: string(of.Outcome(r.Outcome).Tone),
				P:    odds.Float(r.P), Fraction: p.brief(r),
			}
			if r.Counts {
				row.N = &r.N
			}
			side.Rows[j] = row
		}
		sides[i] = side
		total += len(o.Rows)
	}
	if total > maxLaw {
		return ""
	}
	return encodeJSON(map[string]any{"sides": sides, "words": lab.Texts(p.Lang()), "name": p.fileName()})
}
