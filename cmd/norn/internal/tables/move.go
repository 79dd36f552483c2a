package tables

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/table"
	"norn/table/refusal"
)

func MoveCommand(p *cli.Program) *cobra.Command {
	c := p.Command("move --from "+p.Say("norn.metavar.journal")+" --to "+p.Say("norn.metavar.journal")+" "+
		p.Say("norn.metavar.flags"), "norn.about.move")
	c.Long = p.Say("norn.about.move") + "\n\n" + p.Say("norn.about.move-more")
	c.Example = "norn move --from sqlite:/var/lib/norn --to postgres://norn@db.example/norn --all"
	from, to := storage.JournalFlag{P: p}, storage.JournalFlag{P: p}
	c.Flags().Var(&from, "from", p.Say("norn.flag.from"))
	c.Flags().Var(&to, "to", p.Say("norn.flag.to"))
	one := cli.TextFlag{Metavar: p.Say("norn.metavar.table")}
	c.Flags().Var(&one, "table", p.Say("norn.flag.table"))
	all := c.Flags().Bool("all", false, p.Say("norn.flag.all"))
	for _, name := range []string{"from", "to", "table"} {
		cli.Complete(c, name, func() []cobra.Completion { return nil })
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		for _, needed := range []struct {
			name string
			text string
		}{{"--from", from.Text}, {"--to", to.Text}} {
			if needed.text == "" {
				return p.Wrong("norn.error.move-where", "Flag",
					needed.name).Hinting(p.Say("norn.hint.help", "Command", "norn move --help"))
			}
		}
		if one.Given == *all {
			return p.Wrong("norn.error.move-which")
		}
		if here, err := endDir(p, from); err == nil && from.Address == to.Address {
			if there, err := endDir(p, to); err == nil && here == there {
				return p.Wrong("norn.error.move-same")
			}
		}
		return carry(c.Context(), p, from, to, one)
	}
	return c
}

// end is one of the two journals of a move.
type end struct {
	storage.Readable
	place string
}

// carry copies tables from one journal to another.
func carry(ctx context.Context, p *cli.Program, from, to storage.JournalFlag, one cli.TextFlag) (err error) {
	source, err := openSource(ctx, p, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	heads, err := source.Tables(ctx)
	if err != nil {
		return storage.StoreProblem(p, err)
	}
	if len(heads) == 0 {
		return p.Fails("norn.error.no-tables", "Path", source.place)
	}
	if one.Given {
		heads = slices.DeleteFunc(heads, func(h journal.Head) bool { return h.Table != one.Value })
		if len(heads) == 0 {
			return p.Fails("norn.error.move-unknown", "Table", one.Value, "Place", source.place)
		}
	}
	dir, err := endDir(p, to)
	if err != nil {
		return err
	}
	target, err := storage.OpenStore(ctx, p, to, p.Getenv("NORN_JOURNAL_PASSWORD"), dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	problems := moveTables(ctx, p, source, target, heads, !one.Given)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(problems) > 0 {
		return (&cli.Failure{Status: cli.Failed, Texts: problems}).Hinting(p.Say("norn.hint.move"))
	}
	fmt.Fprintln(p.Out, p.Say("norn.move.done", "N", len(heads)))
	return nil
}

// moveTables copies tables, each by itself, and explains what is wrong with which. It stops if one
// of the journals is unavailable. all says that heads are all tables of the source.
func moveTables(ctx context.Context, p *cli.Program, source *end, target *storage.Store, heads []journal.Head,
	all bool,
) (problems []string) {
	for i, h := range heads {
		written, state, err := moveTable(ctx, p, source, target, h.Table)
		var gone *journal.UnavailableError
		switch {
		case ctx.Err() != nil:
			return problems
		case errors.As(err, &gone):
			return append(problems, p.Say("norn.error.move-broke", "Table", h.Table, "Text", storage.ServerCause(err),
				"N", len(heads)-i-1))
		case err != nil:
			problems = append(problems, p.Explain(err).Texts...)
			continue
		}
		fmt.Fprintln(p.Out, p.Say("norn.move.table", "At", i+1, "Of", len(heads), "Table", h.Table, "N", written, "Sum",
			hex.EncodeToString(state[:8])))
	}
	now, err := source.Tables(ctx)
	if err != nil {
		return append(problems, p.Explain(storage.StoreProblem(p, err)).Texts...)
	}
	before := map[string]uint64{}
	for _, h := range heads {
		before[h.Table] = h.Seq
	}
	for _, h := range now { // a table isn't moved while somebody writes to its old place
		if seq, asked := before[h.Table]; (asked || all) && h.Seq != seq {
			problems = append(problems, p.Say("norn.error.move-written", "Table", h.Table, "Place", source.place))
		}
	}
	return problems
}

// openSource opens the source to read it. Nobody else may have a folder open meanwhile. It must
// exist, since SQLite would create a mistyped one.
func openSource(ctx context.Context, p *cli.Program, from storage.JournalFlag) (*end, error) {
	if from.Address != "" {
		store, err := storage.LookAt(ctx, p, from)
		return &end{store, storage.Redact(from.Address)}, err
	}
	dir, err := endDir(p, from)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, sqlite.File)); errors.Is(err, fs.ErrNotExist) {
		return nil, p.Fails("norn.error.no-tables", "Path", dir)
	}
	store, err := storage.OpenOrSalvage(ctx, p, dir)
	if err != nil {
		return nil, err
	}
	return &end{store, dir}, nil
}

// endDir returns the folder of a journal, "" for one in PostgreSQL.
func endDir(p *cli.Program, where storage.JournalFlag) (string, error) {
	switch {
	case where.Address != "":
		return "", nil
	case where.Folder != "":
		return filepath.Abs(where.Folder)
	}
	return storage.DataDir(p, cli.TextFlag{})
}

// moveTable copies one table and checks the copy, by its entries and by the state they fold to.
func moveTable(ctx context.Context, p *cli.Program, source *end, target *storage.Store, id string) (written int,
	state [32]byte, err error,
) {
	entries, state, err := foldEntries(ctx, p, source, id)
	if err != nil {
		return 0, state, err
	}
	written, err = journal.Copy(ctx, target, id, entries)
	var different *journal.DifferentError
	switch {
	case errors.As(err, &different) && different.More:
		return 0, state, p.Fails("norn.error.move-further", "Table", id, "Place", target.Place, "Seq", different.Seq)
	case errors.As(err, &different):
		return 0, state, p.Fails("norn.error.move-different", "Table", id, "Place", target.Place, "Seq", different.Seq)
	case err != nil:
		return 0, state, err
	}
	arrived, sum, err := foldEntries(ctx, p, target, id)
	if err != nil {
		return written, state, err
	}
	if journal.Sum(arrived) != journal.Sum(entries) || sum != state {
		return written, state, p.Fails("norn.error.move-sum", "Table", id)
	}
	return written, state, nil
}

// foldEntries returns a table's entries, and a checksum of the state they fold to.
func foldEntries(ctx context.Context, p *cli.Program, from storage.Readable, id string) (entries []journal.Entry,
	state [32]byte, err error,
) {
	if entries, err = from.Read(ctx, id, 0, 0); err != nil {
		return nil, state, err
	}
	state, err = table.Sum(p.Games, id, entries)
	var unreadable *refusal.UnreadableError
	if errors.As(err, &unreadable) {
		return nil, state, p.Fails("norn.error.move-unreadable", "Table", id, "Seq", unreadable.Seq, "Text",
			unreadable.Err.Error())
	}
	return entries, state, err
}
