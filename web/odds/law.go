package odds

import (
	"norn/lab"
	"norn/odds"
)

// maxLaw is of how many rows script draws other views; a page with more would be heavy.
const maxLaw = 2000

// law is what script draws statistics and other views of, as JSON; "" where there is nothing to draw, or too much.
func (p *asked) law() string {
	sides := make([]lab.Side, len(p.sides.Sides))
	total := 0
	for i, o := range p.sides.Sides {
		side := lab.Side{Name: p.settings[i].Name, Rows: make([]lab.Row, len(o.Rows))}
		for j, r := range o.Rows {
			row := lab.Row{
				Label: p.Outcome(r.Outcome, r.N, r.Counts), Outcome: r.Outcome,
				Tone: string(p.move.Outcome(r.Outcome).Tone),
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
