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

	"norn/games"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/table"
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
		return p.move(c.Context(), from, to, one)
	}
	return c
}

// move carries tables from one journal to another.
func (p *program) move(ctx context.Context, from, to journalFlag, one textFlag) (err error) {
	source, err := p.openEnd(ctx, from, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := p.openEnd(ctx, to, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	heads, err := source.Tables(ctx)
	if err != nil {
		return p.storeProblem(err)
	}
	if one.given {
		heads = slices.DeleteFunc(heads, func(h journal.Head) bool { return h.Table != one.value })
		if len(heads) == 0 {
			return p.fails("norn.error.move-unknown", "Table", one.value, "Place", source.place)
		}
	}
	failure := &failure{status: failed}
	for _, h := range heads {
		if err := p.moveTable(ctx, source, target, h.Table); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			failure.texts = append(failure.texts, p.explain(err).texts...)
		}
	}
	if len(failure.texts) > 0 {
		return failure.hinting(p.Say("norn.hint.move"))
	}
	fmt.Fprintln(p.out, p.Say("norn.move.done", "N", len(heads)))
	return nil
}

// openEnd opens one of two journals. SQLite would make one that isn't there,
// and to move tables from a folder that was mistyped must not.
func (p *program) openEnd(ctx context.Context, where journalFlag, mustBe bool) (*store, error) {
	dir, err := p.dataDir(textFlag{})
	if where.address == "" && where.folder == "" && err != nil {
		return nil, err
	}
	if where.folder != "" {
		dir = where.folder
	}
	if where.address == "" && mustBe {
		if _, err := os.Stat(filepath.Join(dir, sqlite.File)); errors.Is(err, fs.ErrNotExist) {
			return nil, p.fails("norn.error.move-empty", "Path", dir)
		}
	}
	return p.openStore(ctx, where, p.getenv("NORN_JOURNAL_PASSWORD"), dir)
}

// moveTable carries one table over and checks what has arrived, by its entries
// and by what they fold to.
func (p *program) moveTable(ctx context.Context, source, target *store, id string) error {
	whole, state, err := p.sums(ctx, source, id)
	if err != nil {
		return err
	}
	written, err := journal.Copy(ctx, source, target, id)
	var different *journal.DifferentError
	switch {
	case errors.As(err, &different):
		return p.fails("norn.error.move-different", "Table", id, "Place", target.place, "Seq", different.Seq)
	case err != nil:
		return p.fails("norn.error.move-broke", "Table", id, "N", written, "Text", serverCause(err))
	}
	arrived, folded, err := p.sums(ctx, target, id)
	if err != nil {
		return err
	}
	if arrived != whole || folded != state {
		return p.fails("norn.error.move-sum", "Table", id)
	}
	fmt.Fprintln(p.out, p.Say("norn.move.table", "Table", id, "N", written, "Sum", hex.EncodeToString(state[:8])))
	return nil
}

// sums are those of a table's entries and of the state they fold to.
func (p *program) sums(ctx context.Context, from *store, id string) (entries, state [32]byte, err error) {
	all, err := from.Read(ctx, id, 0, 0)
	if err != nil {
		return entries, state, p.storeProblem(err)
	}
	state, err = table.Sum(games.All, id, all)
	var unreadable *table.UnreadableError
	if errors.As(err, &unreadable) {
		return entries, state, p.fails("norn.error.move-unreadable", "Table", id, "Seq", unreadable.Seq, "Text", unreadable.Err.Error())
	}
	return journal.Sum(all), state, err
}
