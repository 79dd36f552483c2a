package throw

import (
	"fmt"
	"math/big"
	"strings"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/internal/bare"
	"norn/odds"
)

// showOdds prints the odds: the most interesting ones in words, then the chart.
func showOdds(p *cli.Program, o *priced) {
	heading(p, o.throw)
	said := false
	if line := headlines(p, o); line != "" {
		for _, line := range cli.Wrap(line, p.Out.Width) {
			fmt.Fprintln(p.Out, cli.Strong.Render(line))
		}
		said = true
	}
	if only := o.only(); only != "" {
		fmt.Fprintln(p.Out, p.Say("norn.odds.expected", "Mean", mean(p, o.odds.Mean())))
		said = true
	}
	if g, ok := game.Find(p.Games, o.throw.Game); ok {
		voice := game.Voice{Speaker: g.Speak(p.Speaker), Game: g.ID, Name: func(id string) string { return id }}
		if text := bare.DescribeAssumptions(voice, g, o.odds); text != "" {
			for _, line := range cli.Wrap(text, p.Out.Width) {
				fmt.Fprintln(p.Out, cli.Quiet.Render(line))
			}
			said = true
		}
	}
	if o.odds.Runs > 0 {
		for _, line := range cli.Wrap(simulated(p, o.odds), p.Out.Width) {
			fmt.Fprintln(p.Out, cli.Quiet.Render(line))
		}
		said = true
	}
	if said {
		fmt.Fprintln(p.Out)
	}
	chart(p, bars(p, o), o.odds.Runs > 0)
}

// simulated says that odds are simulated, and how far their chances may be off.
func simulated(p *cli.Program, o *odds.Odds) string {
	most := 0.0
	for _, row := range o.Rows {
		most = max(most, o.StandardError(row))
	}
	return p.Say("norn.odds.simulated", "N", o.Runs) + ". " + p.Say("norn.odds.within", "Error", p.Decimal(196*most, 1))
}

// mean formats an average with two decimals, or fewer if those are exact.
func mean(p *cli.Program, mean *big.Rat) string {
	digits := 0
	for scaled := new(big.Rat).Set(mean); !scaled.IsInt() && digits < 2; digits++ {
		scaled.Mul(scaled, big.NewRat(10, 1))
	}
	return p.Decimal(odds.Float(mean), digits)
}

// headlines returns the most interesting chances in one line.
func headlines(p *cli.Program, o *priced) string {
	var texts []string
	one := big.NewRat(1, 1)
	for _, h := range o.headlines {
		chance := o.odds.Any(h.outcomes...)
		texts = append(texts, h.text(p.Chance(odds.Float(chance), chance.Sign() > 0, chance.Cmp(one) == 0)))
	}
	return strings.Join(texts, ", ")
}
