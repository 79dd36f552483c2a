package tables

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/operator"
	"norn/cmd/norn/internal/storage"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/table"
	"norn/table/refusal"
)

func SeatCommand(p *cli.Program) *cobra.Command {
	c := p.Command("seat "+p.Say("norn.metavar.table")+" --gm "+p.Say("norn.metavar.flags"), "norn.about.seat")
	c.Long = p.Say("norn.about.seat") + "\n\n" + p.Say("norn.about.seat-more")
	c.Example = "norn seat abcdefghijklmnop --gm\nnorn seat abcdefghijklmnop --gm --seat s4 --data ~/tables"
	gm := c.Flags().Bool("gm", false, p.Say("norn.flag.gm"))
	seat := cli.TextFlag{Metavar: p.Say("norn.metavar.seat")}
	c.Flags().Var(&seat, "seat", p.Say("norn.flag.seat"))
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	kept := storage.KeptFlags(p, c)
	p.Argument(c, "")
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
		cobra.ShellCompDirective,
	) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return shelfNames(p, kept), cobra.ShellCompDirectiveNoFileComp
	}
	cli.Complete(c, "seat", func() []cobra.Completion { return nil })
	c.RunE = func(c *cobra.Command, args []string) error {
		if !*gm {
			return p.Wrong("norn.error.seat-gm").Hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
		}
		asked := operator.Restoring{Seat: seat.Value}
		if len(args) > 0 {
			asked.Table = args[0]
		}
		return makeLink(c.Context(), p, kept, asked, *asJSON)
	}
	return c
}

// makeLink creates a new link for a game master where the tables are stored. It looks the table up
// before it opens the store to write, since that would create a missing one.
func makeLink(ctx context.Context, p *cli.Program, k *storage.Kept, asked operator.Restoring, asJSON bool) error {
	about, err := aboutTable(ctx, p, k, &asked)
	if err != nil {
		return err
	}
	made, err := restoreIn(ctx, p, k, asked)
	switch {
	case err != nil:
		return err
	case made.Code == refusal.CodeNotFound:
		return p.Fails("norn.error.no-table", "Table", asked.Table).Hinting(p.Say("norn.hint.list"))
	case len(made.Problems) > 0:
		return p.Problems(made.Problems)
	case made.Code != "":
		return p.Fails("norn.error.seat", "Text", made.Text)
	}
	link := made.At + "/t/" + asked.Table + "/" + made.Secret
	if asJSON {
		return p.JSON(map[string]string{
			"table": asked.Table, "seat": made.Seat, "name": made.Name,
			"secret": made.Secret, "link": link,
		})
	}
	fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.seat.done", "Seat", cli.Plain(made.Name), "Table",
		cli.Plain(about))))
	fmt.Fprintln(p.Out, link)
	if made.At == "" {
		fmt.Fprintln(p.Out, p.Say("norn.seat.address"))
	}
	fmt.Fprintln(p.Out, p.Say("norn.seat.old"))
	return nil
}

// aboutTable returns the table's name. If none was requested, it sets the only one.
func aboutTable(ctx context.Context, p *cli.Program, k *storage.Kept, asked *operator.Restoring) (string, error) {
	store, err := storage.Look(ctx, p, k)
	if err != nil {
		return "", err
	}
	defer store.Close()
	if asked.Table == "" {
		if asked.Table, err = onlyTable(ctx, p, store); err != nil {
			return "", err
		}
	}
	name, _, err := table.Title(ctx, p.Games, store, asked.Table)
	if _, missing := errors.AsType[*refusal.NotFoundError](err); missing {
		return "", p.Fails("norn.error.no-table", "Table", asked.Table).Hinting(p.Say("norn.hint.list"))
	}
	if err != nil {
		return "", tableProblem(p, err)
	}
	return name, nil
}

// restoreIn writes to the journal, or asks the server that has it open to do so.
func restoreIn(ctx context.Context, p *cli.Program, k *storage.Kept, asked operator.Restoring) (made operator.Restored,
	err error,
) {
	var store journal.Journal
	if k.Journal.Address != "" {
		store, err = storage.OpenStore(ctx, p, k.Journal, p.Getenv("NORN_JOURNAL_PASSWORD"), "")
	} else {
		store, err = openFolder(ctx, p, k)
	}
	if locked, ok := errors.AsType[*journal.LockedError](err); ok {
		// it has no socket: an older norn, or another command
		if made, err = operator.AskServer(ctx, filepath.Dir(locked.Path), asked); err != nil {
			return made, storage.StoreProblem(p, locked)
		}
		return made, nil
	}
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	host, closeIt := storage.OpenHost(p, store, nil)
	defer closeIt()
	return operator.Restore(ctx, host, asked), nil
}

// openFolder opens a folder of tables to write to it. It returns a *journal.LockedError if a server
// has it open.
func openFolder(ctx context.Context, p *cli.Program, k *storage.Kept) (journal.Journal, error) {
	dir, err := storage.Folder(p, k)
	if err != nil {
		return nil, err
	}
	j, err := sqlite.Open(ctx, dir, storage.Indexing(p))
	if _, locked := errors.AsType[*journal.LockedError](err); locked {
		return nil, err
	}
	if err != nil {
		return nil, storage.StoreProblem(p, err)
	}
	return j, nil
}
