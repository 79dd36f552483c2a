package tables

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/version"
	"norn/table/refusal"
	"norn/table/verify"
)

func VerifyCommand(p *cli.Program) *cobra.Command {
	c := fileCommand(p, "verify", "norn.about.verify")
	c.Long = p.Say("norn.about.verify") + "\n\n" + p.Say("norn.about.verify-more")
	c.Example = "norn verify tuesday.jsonl\nnorn verify - < tuesday.jsonl"
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	trust := c.Flags().Bool("trust", false, p.Say("norn.flag.trust"))
	c.RunE = func(_ *cobra.Command, args []string) error {
		return withFile(p, args, func(file io.Reader) error {
			games, file, err := owngames.WithTexts(p, file, *trust, func(string, string) error {
				return p.Fails("norn.error.untrusted").Hinting(p.Say("norn.hint.trust"))
			})
			if err != nil {
				return tableProblem(p, err)
			}
			found, err := verify.File(games, file)
			if misfit, ok := errors.AsType[*refusal.MisfitError](err); ok {
				return wontFit(p, misfit)
			}
			if err != nil {
				return tableProblem(p, err)
			}
			if *asJSON {
				return p.JSON(found)
			}
			borneOut(p, found)
			return nil
		})
	}
	return c
}

// borneOut says what was checked and what nobody can check.
func borneOut(p *cli.Program, found verify.Result) {
	fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.verify.fits", "Name", cli.Plain(found.Name))))
	if found.Seat != "" {
		fmt.Fprintln(p.Out, p.Say("norn.verify.seen", "Seat", cli.Plain(found.Seat)))
	}
	for _, line := range []struct {
		word string
		n    int
	}{
		{"norn.verify.entries", found.Entries},
		{"norn.verify.moves", found.Moves},
		{"norn.verify.unseen", found.Unseen},
		{"norn.verify.dice", found.Dice},
		{"norn.verify.hand", found.Hand},
		{"norn.verify.sealed", found.Sealed},
	} {
		if line.n > 0 {
			fmt.Fprintln(p.Out, "  "+p.Say(line.word, "N", line.n))
		}
	}
	for _, older := range found.Older {
		fmt.Fprintln(p.Out, "  "+p.Say("norn.verify.older", "N", older.Entries, "Edition", older.Edition))
	}
}

// wontFit words the first entry that doesn't fit.
func wontFit(p *cli.Program, misfit *refusal.MisfitError) *cli.Failure {
	f := &cli.Failure{Status: cli.Failed, Texts: []string{refusal.Say(p.Voice(), misfit)}}
	if here := version.Built().Version; misfit.Rules != "" && misfit.Rules != here {
		return f.Hinting(p.Say("norn.hint.other-rules", "There", misfit.Rules, "Here", here))
	}
	return f
}
