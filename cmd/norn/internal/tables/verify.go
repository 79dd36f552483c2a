package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/version"
	"norn/internal/rescue"
	"norn/table/refusal"
	"norn/table/verify"
)

func VerifyCommand(p *cli.Program) *cobra.Command {
	c := fileCommand(p, "verify", "norn.about.verify")
	c.Long = p.Say("norn.about.verify") + "\n\n" + p.Say("norn.about.verify-more")
	c.Example = "norn verify tuesday.jsonl\nnorn verify - < tuesday.jsonl"
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	trust := c.Flags().Bool("trust", false, p.Say("norn.flag.trust"))
	most := timeFlag(p, c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return withFile(p, args, func(file io.Reader) error {
			found, err := within(c.Context(), p, *trust, *most, func() (verify.Result, error) {
				games, file, err := owngames.WithTexts(p, file, *trust, func(string, string) error {
					return p.Fails("norn.error.untrusted").Hinting(p.Say("norn.hint.trust"))
				})
				if err != nil {
					return verify.Result{}, err
				}
				return verify.File(games, p.Words, file)
			})
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

// timeFlag limits the time of a file's own rules.
func timeFlag(p *cli.Program, c *cobra.Command) *time.Duration {
	return c.Flags().Duration("time-limit", 10*time.Minute, p.Say("norn.flag.time-limit"))
}

// within runs a check of a file until the context ends or, if it runs rules from the file, until
// the time is over. A check that is still running then writes nothing and ends with norn.
func within[T any](ctx context.Context, p *cli.Program, trust bool, most time.Duration,
	check func() (T, error),
) (result T, err error) {
	if trust && most > 0 {
		limited, cancel := context.WithTimeout(ctx, most)
		defer cancel()
		ctx = limited
	}
	done := make(chan struct{})
	var checked T
	var wrong error
	go func() {
		defer close(done)
		wrong = rescue.Run(nil, "check", func() (err error) {
			checked, err = check()
			return err
		})
	}()
	select {
	case <-done:
		return checked, wrong
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return result, p.Fails("norn.error.check-late", "Limit", most.String())
		}
		return result, ctx.Err()
	}
}

// borneOut prints what was checked and what nobody can check.
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

// wontFit explains the first entry that doesn't fit.
func wontFit(p *cli.Program, misfit *refusal.MisfitError) *cli.Failure {
	f := &cli.Failure{Status: cli.Failed, Texts: []string{refusal.Say(p.Voice(), misfit)}}
	if here := version.Built().Version; misfit.Rules != "" && misfit.Rules != here {
		return f.Hinting(p.Say("norn.hint.other-rules", "There", misfit.Rules, "Here", here))
	}
	return f
}
