package odds

import "norn/internal/lab"

// maxLaw limits the rows that the script gets; more would make the page heavy.
const maxLaw = 2000

// law returns the data for the script's statistics and plots, as JSON; "" if there is nothing to
// draw, or too much.
func (p *asked) law() string {
	total := 0
	for _, side := range p.report.Sides {
		total += len(side.Odds.Rows)
	}
	if total > maxLaw {
		return ""
	}
	return encodeJSON(map[string]any{"sides": p.report.Sides, "words": lab.Texts(p.Lang()), "name": p.fileName()})
}
