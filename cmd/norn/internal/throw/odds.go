package throw

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/odds"
)

// answer computes the odds of throws, of which the line's own has the choices, exactly or with so many runs. What is too large to work out exactly
// is simulated as well, which the report says.
func answer(p *cli.Program, c *cobra.Command, t *throw, throws []bare.Throw, f *choosing, runs int) (*lab.Report, error) {
	q := lab.Question{Throws: throws, Rows: maxRows}
	if f.aim.Given {
		aim, err := aim(p, t, f.aim.Value)
		if err != nil {
			return nil, err
		}
		q.Aim = aim.ID
	}
	policy, unmet, err := policy(p, t, f.answers.Values)
	if err != nil {
		return nil, err
	}
	q.Given = policy
	report, err := lab.Answer(odds.Local(c.Context(), runs), p.Speaker, q)
	if err != nil {
		return nil, unchosen(p, t, err)
	}
	if names := unmet(); len(names) > 0 {
		return nil, p.Wrong("norn.error.unknown-question", "Name", names[0])
	}
	return report, nil
}

// maxRows limits the rows that are listed.
const maxRows = 20_000

// showOdds prints the odds: the most interesting ones in words, then the chart and the best answers.
func showOdds(p *cli.Program, t *throw, s *lab.Side) {
	heading(p, t)
	heads := make([]string, len(s.Heads))
	for i, head := range s.Heads {
		heads[i] = head.Text
	}
	said := write(p, strings.Join(heads, ", "), cli.Strong)
	said = write(p, s.Mean, lipgloss.NewStyle()) || said
	said = write(p, s.Granted, cli.Quiet) || said
	if said = write(p, s.Simulated, cli.Quiet) || said; said {
		fmt.Fprintln(p.Out)
	}
	chart(p, t, s)
	if s.Advice == nil {
		return
	}
	fmt.Fprintln(p.Out)
	head := cli.Strong
	if len(s.Advice.Answers) == 0 {
		head = cli.Quiet
	}
	write(p, s.Advice.Head, head)
	for _, b := range s.Advice.Answers {
		const indent = 10 // room for the chance
		chance := b.Fine
		for _, line := range cli.Wrap(b.Label, p.Out.Width-indent) {
			fmt.Fprintln(p.Out, cli.Quiet.Render(cli.PadLeft(chance, indent-2))+"  "+line)
			chance = ""
		}
	}
	for _, text := range s.Advice.Assumed {
		fmt.Fprintln(p.Out, cli.Quiet.Render(text))
	}
}
