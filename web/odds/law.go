package odds

import "norn/internal/lab"

// maxLaw limits the rows that the script gets; more would make the page heavy.
const maxLaw = 2000

// law returns the data for the script's statistics and plots, as JSON; "" if there is nothing to
// draw, or too much.
func (p *asked) law() string {
	laws := make([]lab.Law, len(p.report.Sides))
	total := 0
	for i, side := range p.report.Sides {
		if total += len(side.Odds.Rows); total > maxLaw {
			return ""
		}
		laws[i] = lab.LawOf(side)
	}
	return encodeJSON(map[string]any{"sides": laws, "words": lab.Texts(p.Lang()), "name": p.fileName(), "title": p.now().Title})
}
