package main

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

	"norn/journal"
	"norn/journal/sqlite"
	"norn/table"
	"norn/table/refusal"
)

func (p *program) carryCommand() *cobra.Command {
	c := p.command("move --from "+p.Say("norn.metavar.journal")+" --to "+p.Say("norn.metavar.journal")+" "+p.Say("norn.metavar.flags"), "norn.about.move")
	c.Long = p.Say("norn.about.move") + "\n\n" + p.Say("norn.about.move-more")
	c.Example = "norn move --from sqlite:/var/lib/norn --to postgres://norn@db.example/norn --all"
	from, to := journalFlag{p: p}, journalFlag{p: p}
	c.Flags().Var(&from, "from", p.Say("norn.flag.from"))
	c.Flags().Var(&to, "to", p.Say("norn.flag.to"))
	one := textFlag{metavar: p.Say("norn.metavar.table")}
	c.Flags().Var(&one, "table", p.Say("norn.flag.table"))
	all := c.Flags().Bool("all", false, p.Say("norn.flag.all"))
	for _, name := range []string{"from", "to", "table"} {
		complete(c, name, func() []cobra.Completion { return nil })
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		for _, needed := range []struct {
			name string
			text string
		}{{"--from", from.text}, {"--to", to.text}} {
			if needed.text == "" {
				return p.wrong("norn.error.move-where", "Flag", needed.name).hinting(p.Say("norn.hint.help", "Command", "norn move --help"))
			}
		}
		if one.given == *all {
			return p.wrong("norn.error.move-which")
		}
		if here, err := p.endDir(from); err == nil && from.address == to.address {
			if there, err := p.endDir(to); err == nil && here == there {
				return p.wrong("norn.error.move-same")
			}
		}
		return p.move(c.Context(), from, to, one)
	}
	return c
}

// end is one of the two journals of a move.
type end struct {
	readable
	place string
}

// move carries tables from one journal to another.
func (p *program) move(ctx context.Context, from, to journalFlag, one textFlag) (err error) {
	source, err := p.openSource(ctx, from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	heads, err := source.Tables(ctx)
	if err != nil {
		return p.storeProblem(err)
	}
	if len(heads) == 0 {
		return p.fails("norn.error.no-tables", "Path", source.place)
	}
	if one.given {
		heads = slices.DeleteFunc(heads, func(h journal.Head) bool { return h.Table != one.value })
		if len(heads) == 0 {
			return p.fails("norn.error.move-unknown", "Table", one.value, "Place", source.place)
		}
	}
	dir, err := p.endDir(to)
	if err != nil {
		return err
	}
	target, err := p.openStore(ctx, to, p.getenv("NORN_JOURNAL_PASSWORD"), dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	problems := p.moveTables(ctx, source, target, heads, !one.given)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(problems) > 0 {
		return (&failure{status: failed, texts: problems}).hinting(p.Say("norn.hint.move"))
	}
	fmt.Fprintln(p.out, p.Say("norn.move.done", "N", len(heads)))
	return nil
}

// moveTables carries tables over, each by itself, and says what is wrong with
// which. Where one of the journals is gone it stops. all tells whether heads are
// all that the source had.
func (p *program) moveTables(ctx context.Context, source *end, target *store, heads []journal.Head, all bool) (problems []string) {
	for i, h := range heads {
		written, state, err := p.moveTable(ctx, source, target, h.Table)
		var gone *journal.UnavailableError
		switch {
		case ctx.Err() != nil:
			return problems
		case errors.As(err, &gone):
			return append(problems, p.Say("norn.error.move-broke", "Table", h.Table, "Text", serverCause(err), "N", len(heads)-i-1))
		case err != nil:
			problems = append(problems, p.explain(err).texts...)
			continue
		}
		fmt.Fprintln(p.out, p.Say("norn.move.table", "At", i+1, "Of", len(heads), "Table", h.Table, "N", written, "Sum", hex.EncodeToString(state[:8])))
	}
	now, err := source.Tables(ctx)
	if err != nil {
		return append(problems, p.explain(p.storeProblem(err)).texts...)
	}
	before := map[string]uint64{}
	for _, h := range heads {
		before[h.Table] = h.Seq
	}
	for _, h := range now { // a table isn't moved while somebody writes on in the old place
		if seq, asked := before[h.Table]; (asked || all) && h.Seq != seq {
			problems = append(problems, p.Say("norn.error.move-written", "Table", h.Table, "Place", source.place))
		}
	}
	return problems
}

// openSource opens what is to be read. Nobody else may have a folder open
// meanwhile; SQLite would make one that isn't there, and a mistyped one must not be.
func (p *program) openSource(ctx context.Context, from journalFlag) (*end, error) {
	if from.address != "" {
		store, err := p.lookAt(ctx, from)
		return &end{store, redacted(from.address)}, err
	}
	dir, err := p.endDir(from)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, sqlite.File)); errors.Is(err, fs.ErrNotExist) {
		return nil, p.fails("norn.error.no-tables", "Path", dir)
	}
	store, err := p.openStore(ctx, from, "", dir)
	if err != nil {
		return nil, err
	}
	return &end{store, dir}, nil
}

// endDir is the folder of a journal, "" for one in PostgreSQL.
func (p *program) endDir(where journalFlag) (string, error) {
	switch {
	case where.address != "":
		return "", nil
	case where.folder != "":
		return filepath.Abs(where.folder)
	}
	return p.dataDir(textFlag{})
}

// moveTable carries one table over and checks what has arrived, by its entries
// and by what they fold to.
func (p *program) moveTable(ctx context.Context, source *end, target *store, id string) (written int, state [32]byte, err error) {
	entries, state, err := p.folded(ctx, source, id)
	if err != nil {
		return 0, state, err
	}
	written, err = journal.Copy(ctx, target, id, entries)
	var different *journal.DifferentError
	switch {
	case errors.As(err, &different) && different.More:
		return 0, state, p.fails("norn.error.move-further", "Table", id, "Place", target.place, "Seq", different.Seq)
	case errors.As(err, &different):
		return 0, state, p.fails("norn.error.move-different", "Table", id, "Place", target.place, "Seq", different.Seq)
	case err != nil:
		return 0, state, err
	}
	arrived, sum, err := p.folded(ctx, target, id)
	if err != nil {
		return written, state, err
	}
	if journal.Sum(arrived) != journal.Sum(entries) || sum != state {
		return written, state, p.fails("norn.error.move-sum", "Table", id)
	}
	return written, state, nil
}

// folded are a table's entries, and a checksum of the state they fold to.
func (p *program) folded(ctx context.Context, from readable, id string) (entries []journal.Entry, state [32]byte, err error) {
	if entries, err = from.Read(ctx, id, 0, 0); err != nil {
		return nil, state, err
	}
	state, err = table.Sum(p.games, id, entries)
	var unreadable *refusal.UnreadableError
	if errors.As(err, &unreadable) {
		return nil, state, p.fails("norn.error.move-unreadable", "Table", id, "Seq", unreadable.Seq, "Text", unreadable.Err.Error())
	}
	return entries, state, err
}
