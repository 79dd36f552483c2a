package odds

import (
	"norn/game"
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
		side.Runs = o.Runs
		sides[i] = side
		total += len(o.Rows)
	}
	if total > maxLaw {
		return ""
	}
	return encodeJSON(map[string]any{"sides": sides, "words": lab.Texts(p.Lang()), "name": p.fileName(), "title": p.title()})
}

// title names what the fields are set to, for a comparison with a rule: "Check · Skill: yes", "3d6".
func (p *asked) title() string {
	if n, plain := p.throw.Args.(game.Notation); plain {
		return p.Notation(n.Notation)
	}
	return p.heading() + " · " + p.throw.Name(p.Speaker)
}
