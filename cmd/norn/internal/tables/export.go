// Package tables holds the commands on stored tables: export, import, verify, backup, move, seat
// and accept-loss.
package tables

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/storage"
	"norn/cmd/norn/internal/version"
	"norn/form"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
)

// exporting holds the settings of export.
type exporting struct {
	kept     *storage.Kept
	table    cli.TextFlag
	out      cli.TextFlag
	session  cli.TextFlag
	list     bool
	asJSON   bool
	markdown bool
}

func ExportCommand(p *cli.Program) *cobra.Command {
	c := p.Command("export "+p.Say("norn.metavar.flags"), "norn.about.export")
	c.Long = p.Say("norn.about.export") + "\n\n" + p.Say("norn.about.export-more")
	c.Example = "norn export --list\nnorn export --table abcdefghijklmnop --out tuesday.jsonl\nnorn export --table abcdefghijklmnop --markdown --session 2"
	e := exporting{
		table: cli.TextFlag{Metavar: "ID"}, out: cli.TextFlag{Metavar: p.Say("norn.metavar.file")},
		session: cli.TextFlag{Metavar: p.Say("norn.metavar.number")},
	}
	c.Flags().BoolVar(&e.list, "list", false, p.Say("norn.flag.list"))
	c.Flags().Var(&e.table, "table", p.Say("norn.flag.which-table"))
	c.Flags().Var(&e.out, "out", p.Say("norn.flag.out"))
	c.Flags().BoolVar(&e.markdown, "markdown", false, p.Say("norn.flag.markdown"))
	c.Flags().Var(&e.session, "session", p.Say("norn.flag.session"))
	c.Flags().BoolVar(&e.asJSON, "json", false, p.Say("norn.flag.json"))
	e.kept = storage.KeptFlags(p, c)
	cli.Complete(c, "table", func() []cobra.Completion { return shelfNames(p, e.kept) })
	cli.Complete(c, "session", func() []cobra.Completion { return nil })
	c.RunE = func(c *cobra.Command, _ []string) error { return export(c.Context(), p, e) }
	return c
}

func export(ctx context.Context, p *cli.Program, e exporting) error {
	session := 0
	switch n, err := strconv.Atoi(e.session.Value); {
	case e.list && (e.table.Given || e.out.Given || e.markdown || e.session.Given):
		return p.Wrong("norn.error.list-alone")
	case e.asJSON && !e.list:
		return p.Wrong("norn.error.needs", "Flag", "--json", "Needs", "--list")
	case e.session.Given && !e.markdown:
		return p.Wrong("norn.error.needs", "Flag", "--session", "Needs", "--markdown")
	case e.session.Given && (err != nil || n < 1):
		return form.Problems{{
			Path: "session", Code: form.Type, Given: e.session.Value,
			Allowed: []string{string(form.KindInt)},
		}}
	case e.session.Given:
		session = n
	}
	store, err := storage.Look(ctx, p, e.kept)
	if err != nil {
		return err
	}
	defer store.Close()
	storage.WarnMissing(p, store)
	if e.list {
		return listTables(ctx, p, store, e.asJSON)
	}
	if !e.table.Given {
		if e.table.Value, err = onlyTable(ctx, p, store); err != nil {
			return err
		}
	}
	games, err := owngames.AddStoredGame(ctx, p, store, e.table.Value)
	if err != nil {
		return err
	}
	past, err := table.ReadHistory(ctx, games, store, e.table.Value, p.Speaker)
	if _, missing := errors.AsType[*refusal.NotFoundError](err); missing {
		return p.Fails("norn.error.no-table", "Table", e.table.Value).Hinting(p.Say("norn.hint.list"))
	}
	if err != nil {
		return tableProblem(p, err)
	}
	return writeTo(p, e.out, func(w io.Writer) error {
		if e.markdown {
			return tableProblem(p, past.Story(ctx, w, request.Telling{Session: session, Zone: time.Local}))
		}
		return tableProblem(p, past.Export(ctx, w, time.Now(), version.Built().Version))
	})
}
