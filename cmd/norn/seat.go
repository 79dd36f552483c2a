package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"norn/journal"
	"norn/journal/sqlite"
	"norn/relay/local"
	"norn/table"
	"norn/table/refusal"
)

func (p *program) seatCommand() *cobra.Command {
	c := p.command("seat "+p.Say("norn.metavar.table")+" --gm "+p.Say("norn.metavar.flags"), "norn.about.seat")
	c.Long = p.Say("norn.about.seat") + "\n\n" + p.Say("norn.about.seat-more")
	c.Example = "norn seat abcdefghijklmnop --gm\nnorn seat abcdefghijklmnop --gm --seat s4 --data ~/tables"
	gm := c.Flags().Bool("gm", false, p.Say("norn.flag.gm"))
	seat := textFlag{metavar: p.Say("norn.metavar.seat")}
	c.Flags().Var(&seat, "seat", p.Say("norn.flag.seat"))
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	kept := p.keptFlags(c)
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return p.extra(c, args[1])
		}
		return nil
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return p.shelfNames(kept), cobra.ShellCompDirectiveNoFileComp
	}
	complete(c, "seat", func() []cobra.Completion { return nil })
	c.RunE = func(c *cobra.Command, args []string) error {
		if !*gm {
			return p.wrong("norn.error.seat-gm").hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
		}
		asked := restoring{Seat: seat.value}
		if len(args) > 0 {
			asked.Table = args[0]
		}
		return p.restore(c.Context(), kept, asked, *asJSON)
	}
	return c
}

// restore makes a new link for a game master, where the tables are kept. What
// isn't there is found out before a store is opened to be written, for that makes one.
func (p *program) restore(ctx context.Context, k *kept, asked restoring, asJSON bool) error {
	about, err := p.aboutTable(ctx, k, &asked)
	if err != nil {
		return err
	}
	made, err := p.restoreIn(ctx, k, asked)
	switch {
	case err != nil:
		return err
	case made.Code == refusal.CodeNotFound:
		return p.fails("norn.error.no-table", "Table", asked.Table).hinting(p.Say("norn.hint.list"))
	case len(made.Problems) > 0:
		return p.problems(made.Problems)
	case made.Code != "":
		return p.fails("norn.error.seat", "Text", made.Text)
	}
	link := made.At + "/t/" + asked.Table + "/" + made.Secret
	if asJSON {
		return p.json(map[string]string{"table": asked.Table, "seat": made.Seat, "name": made.Name, "secret": made.Secret, "link": link})
	}
	fmt.Fprintln(p.out, strong.Render(p.Say("norn.seat.done", "Seat", plain(made.Name), "Table", plain(about))))
	fmt.Fprintln(p.out, link)
	if made.At == "" {
		fmt.Fprintln(p.out, p.Say("norn.seat.address"))
	}
	fmt.Fprintln(p.out, p.Say("norn.seat.old"))
	return nil
}

// aboutTable says what the table is called, and which it is where none was named.
func (p *program) aboutTable(ctx context.Context, k *kept, asked *restoring) (string, error) {
	store, err := p.look(ctx, k)
	if err != nil {
		return "", err
	}
	defer store.Close()
	if asked.Table == "" {
		if asked.Table, err = p.onlyTable(ctx, store); err != nil {
			return "", err
		}
	}
	name, _, err := table.Title(ctx, p.games, store, asked.Table)
	if _, missing := errors.AsType[*refusal.NotFoundError](err); missing {
		return "", p.fails("norn.error.no-table", "Table", asked.Table).hinting(p.Say("norn.hint.list"))
	}
	if err != nil {
		return "", p.tableProblem(err)
	}
	return name, nil
}

// restoreIn writes to the journal, or has the server write that holds it.
func (p *program) restoreIn(ctx context.Context, k *kept, asked restoring) (made restored, err error) {
	var store journal.Journal
	if k.journal.address != "" {
		store, err = p.openStore(ctx, k.journal, p.getenv("NORN_JOURNAL_PASSWORD"), "")
	} else {
		store, err = p.openFolder(ctx, k)
	}
	if locked, ok := errors.AsType[*journal.LockedError](err); ok {
		if made, err = askServer(ctx, filepath.Dir(locked.Path), asked); err != nil { // it has no socket: an older norn, or another command
			return made, p.storeProblem(locked)
		}
		return made, nil
	}
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	wire := local.New()
	defer wire.Close()
	host := p.host(store, wire)
	defer host.Close()
	return restore(ctx, host, asked), nil
}

// openFolder opens a folder of tables to be written; that a server holds it is a *journal.LockedError.
func (p *program) openFolder(ctx context.Context, k *kept) (journal.Journal, error) {
	dir, err := p.folder(k)
	if err != nil {
		return nil, err
	}
	j, err := sqlite.Open(ctx, dir, p.indexing())
	if _, locked := errors.AsType[*journal.LockedError](err); locked {
		return nil, err
	}
	if err != nil {
		return nil, p.storeProblem(err)
	}
	return j, nil
}
