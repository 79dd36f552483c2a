package odds

import (
	"encoding/csv"
	"io"
	"strconv"
)

// CSV writes a table that is the same in every language: the header
// "outcome,n,fraction,probability" and a line for each row. n is empty where it counts nothing.
// Simulated odds have a fifth column, "standard-error".
func (o *Odds) CSV(w io.Writer) error { return table(w, nil, o) }

// CSV writes the rows of all sides, one side after the other. A first column, "setting", holds the
// side's name.
func (c *Comparison) CSV(w io.Writer, names []string) error { return table(w, names, c.Sides...) }

func table(w io.Writer, names []string, all ...*Odds) error {
	lines := csv.NewWriter(w)
	head := []string{"outcome", "n", "fraction", "probability"}
	simulated := false
	for _, o := range all {
		simulated = simulated || o.Runs > 0
	}
	if simulated {
		head = append(head, "standard-error")
	}
	if names != nil {
		head = append([]string{"setting"}, head...)
	}
	_ = lines.Write(head) // Flush keeps the first error, which Error returns
	for i, o := range all {
		for _, row := range o.Rows {
			line := []string{row.Outcome, "", o.Text(row.P), decimal(Float(row.P))}
			if row.Counts {
				line[1] = strconv.Itoa(row.N)
			}
			if simulated {
				line = append(line, decimal(o.StandardError(row)))
			}
			if names != nil {
				line = append([]string{names[i]}, line...)
			}
			_ = lines.Write(line)
		}
	}
	lines.Flush()
	return lines.Error()
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
