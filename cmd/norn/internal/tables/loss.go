package tables

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/journal"
	"norn/journal/sqlite"
)

// AcceptLossCommand accepts the loss of entries and continues with what is left of a damaged
// folder.
func AcceptLossCommand(p *cli.Program) *cobra.Command {
	c := p.Command("accept-loss "+p.Say("norn.metavar.flags"), "norn.about.accept-loss")
	c.Long = p.Say("norn.about.accept-loss") + "\n\n" + p.Say("norn.about.accept-loss-more")
	c.Example = "norn accept-loss\nnorn accept-loss --data ~/tables"
	kept := storage.KeptFlags(p, c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := storage.Fill(p, kept); err != nil {
			return err
		}
		if kept.Journal.Address != "" {
			return p.Fails("norn.error.loss-postgres", "Place", storage.Redact(kept.Journal.Address))
		}
		dir, err := storage.Folder(p, kept)
		if err != nil {
			return err
		}
		given, log, err := sqlite.Accept(c.Context(), dir)
		if _, damaged := errors.AsType[*journal.CorruptError](err); damaged {
			return acceptDamage(c.Context(), p, dir)
		}
		none, isNone := errors.AsType[*sqlite.NoneError](err)
		switch {
		case isNone:
			return p.Fails("norn.error.no-tables", "Path",
				filepath.Dir(none.Path)).Hinting(p.Say("norn.hint.no-tables"))
		case err != nil:
			return storage.StoreProblem(p, err)
		case given == nil:
			fmt.Fprintln(p.Out, p.Say("norn.loss.none"))
			return nil
		case given.Want == 0:
			fmt.Fprintln(p.Out, p.Say("norn.loss.unknown"))
		default:
			fmt.Fprintln(p.Out, p.Say("norn.loss.given", "N", int(given.Want-given.Have), "Left",
				p.Number(int(given.Have))))
		}
		if log != "" {
			fmt.Fprintln(p.Out, p.Say("norn.loss.log", "Path", log))
		}
		return nil
	}
	return c
}

// acceptDamage continues with the complete tables of a damaged folder.
func acceptDamage(ctx context.Context, p *cli.Program, dir string) error {
	found, err := sqlite.AcceptDamage(ctx, dir)
	if err != nil {
		return storage.StoreProblem(p, err)
	}
	fmt.Fprintln(p.Out, p.Say("norn.loss.salvaged", "N", found.Tables))
	for _, id := range found.Lost {
		fmt.Fprintln(p.Out, p.Say("norn.loss.lost", "Table", id))
	}
	fmt.Fprintln(p.Out, p.Say("norn.loss.damaged", "Path", found.Kept))
	return nil
}
