package odds

import (
	"cmp"
	"slices"
)

// Bar is a chance with its texts, as it's drawn or listed.
type Bar struct {
	ID     string  `json:"outcome"`          // id of the outcome, "" for none
	N      int     `json:"n"`                // the outcome's count
	Counts bool    `json:"counts,omitempty"` // N has a meaning
	Label  string  `json:"label"`            // "Success", "3"
	Tone   string  `json:"tone"`             // "" for none
	P      float64 `json:"p"`                // chance, 0 to 1, for drawing
	Shown  string  `json:"-"`                // the chance for people: "41 %"
	Fine   string  `json:"-"`                // the chance with a decimal: "40.7 %"
	Exact  string  `json:"-"`                // the chance as a fraction: "17,479/400,000"
	Plain  string  `json:"fraction"`         // the same for programs: "17479/400000"
}

// String returns a bar in words.
func (b Bar) String() string {
	if b.Exact == "" || b.Exact == "…" || b.Exact == b.Shown {
		return b.Label + ": " + b.Shown
	}
	return b.Label + ": " + b.Shown + " (" + b.Exact + ")"
}

// Likeliest returns so many of the rows, without the rarest, in the same order; none for 0 and less.
func Likeliest[R any](rows []R, most int, chance func(R) float64) []R {
	if most <= 0 {
		return nil
	}
	if len(rows) <= most {
		return rows
	}
	order, chances := make([]int, len(rows)), make([]float64, len(rows))
	for i, row := range rows {
		order[i], chances[i] = i, chance(row)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(chances[b], chances[a]) })
	order = order[:most]
	slices.Sort(order)
	likely := make([]R, most)
	for i, at := range order {
		likely[i] = rows[at]
	}
	return likely
}
