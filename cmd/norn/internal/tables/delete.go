package tables

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/demos"
	"norn/cmd/norn/internal/operator"
	"norn/cmd/norn/internal/storage"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/table"
	"norn/table/refusal"
)

func DeleteCommand(p *cli.Program) *cobra.Command {
	c := p.Command("delete "+p.Say("norn.metavar.table")+" --yes "+p.Say("norn.metavar.flags"), "norn.about.delete")
	c.Long = p.Say("norn.about.delete") + "\n\n" + p.Say("norn.about.delete-more")
	c.Example = "norn export --table abcdefghijklmnop --out tuesday.jsonl\nnorn delete abcdefghijklmnop --yes"
	yes := c.Flags().Bool("yes", false, p.Say("norn.flag.yes"))
	kept := storage.KeptFlags(p, c)
	p.Argument(c, "norn.error.missing-table")
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
		cobra.ShellCompDirective,
	) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return shelfNames(p, kept), cobra.ShellCompDirectiveNoFileComp
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		return deleteTable(c.Context(), p, kept, args[0], *yes)
	}
	return c
}

func deleteTable(ctx context.Context, p *cli.Program, k *storage.Kept, id string, yes bool) (err error) {
	name, err := nameOf(ctx, p, k, id)
	if err != nil {
		return err
	}
	if !yes {
		return p.Wrong("norn.error.delete-sure", "Name",
			name).Hinting(p.Say("norn.hint.delete-copy", "Table", id))
	}
	d, err := openDeleter(ctx, p, k)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.delete(ctx, operator.Deleting{Table: id}); err != nil {
		return err
	}
	fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.delete.done", "Name", cli.Plain(name), "Table", id)))
	d.sayLeft()
	return nil
}

// nameOf returns a table's name, or its id if it can't be read, which is no reason to keep it.
func nameOf(ctx context.Context, p *cli.Program, k *storage.Kept, id string) (string, error) {
	store, err := storage.Look(ctx, p, k)
	if err != nil {
		return "", err
	}
	defer store.Close()
	name, _, err := table.Title(ctx, p.Games, store, id)
	if _, missing := errors.AsType[*refusal.NotFoundError](err); missing {
		return "", p.Fails("norn.error.no-table", "Table", id).Hinting(p.Say("norn.hint.list"))
	}
	if _, unreadable := errors.AsType[*refusal.UnreadableError](err); unreadable {
		return id, nil
	}
	if err != nil {
		return "", tableProblem(p, err)
	}
	return name, nil
}

// deleter deletes tables: from the journal that it has open, or through the server that has.
type deleter struct {
	p      *cli.Program
	dir    string       // of a journal in SQLite
	server bool         // a server has it open
	host   *table.Host  // nil beside a server
	close  func() error // releases the journal
}

// openDeleter opens the journal to write to it, unless a server has it open.
func openDeleter(ctx context.Context, p *cli.Program, k *storage.Kept) (*deleter, error) {
	d := &deleter{p: p, close: func() error { return nil }}
	var store journal.Journal
	var shared *storage.Store
	var err error
	if k.Journal.Address != "" {
		shared, err = storage.OpenStore(ctx, p, k.Journal, p.Getenv("NORN_JOURNAL_PASSWORD"), "")
		store = shared
	} else {
		store, err = openFolder(ctx, p, k)
	}
	if locked, ok := errors.AsType[*journal.LockedError](err); ok {
		d.dir, d.server = filepath.Dir(locked.Path), true
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	if shared == nil {
		if d.dir, err = storage.Folder(p, k); err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	host, closeHost := storage.OpenHost(p, store, func(id string) {
		if err := storage.EraseCalls(ctx, d.dir, k.Journal, p.Getenv("NORN_JOURNAL_PASSWORD"), id); err != nil {
			p.Warn(p.Say("norn.warning.calls-left", "Table", id, "Text", cli.Cause(err)))
		}
	})
	d.host, d.close = host, func() error {
		closeHost()
		return store.Close()
	}
	return d, nil
}

// delete deletes one table.
func (d *deleter) delete(ctx context.Context, asked operator.Deleting) error {
	var done operator.Deleted
	if d.server {
		var err error
		if done, err = operator.AskToDelete(ctx, d.dir, asked); err != nil { // another command, or an older norn
			return storage.StoreProblem(d.p, &journal.LockedError{Path: filepath.Join(d.dir, sqlite.File)})
		}
	} else {
		done = operator.Delete(ctx, d.host, asked)
	}
	switch done.Code {
	case "":
	case refusal.CodeNotFound:
		return d.p.Fails("norn.error.no-table", "Table", asked.Table).Hinting(d.p.Say("norn.hint.list"))
	default:
		return d.p.Fails("norn.error.delete", "Table", asked.Table, "Text", done.Text)
	}
	if d.dir != "" && !d.server { // the server forgets its own
		return demos.Forget(d.dir, asked.Table)
	}
	return nil
}

// sayLeft says where deleted tables still are.
func (d *deleter) sayLeft() {
	if d.dir == "" {
		fmt.Fprintln(d.p.Out, d.p.Say("norn.delete.postgres"))
		return
	}
	fmt.Fprintln(d.p.Out, d.p.Say("norn.delete.backups"))
	for _, folder := range sqlite.Copies(d.dir) {
		fmt.Fprintln(d.p.Out, d.p.Say("norn.delete.copy", "Path", folder))
	}
}
