package tables

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/demos"
	"norn/cmd/norn/internal/operator"
	"norn/cmd/norn/internal/storage"
	"norn/table"
	"norn/table/refusal"
)

// Bounds of prune's --idle, in days.
const (
	fewestIdle = 1
	mostIdle   = 36_500
)

// idleFlag is a time in days, such as 365d.
type idleFlag struct {
	text string
	days int
}

var days = regexp.MustCompile(`^(\d{1,6})d$`)

func (f *idleFlag) String() string { return f.text }
func (f *idleFlag) Type() string   { return "365d" }
func (f *idleFlag) Set(text string) error {
	if m := days.FindStringSubmatch(text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n >= fewestIdle && n <= mostIdle {
			f.text, f.days = text, n
			return nil
		}
	}
	return cli.Unfit("norn.error.idle", "Given", text, "Min", fewestIdle, "Max", mostIdle)
}

// pruning holds the settings of prune.
type pruning struct {
	kept   *storage.Kept
	idle   idleFlag
	demos  bool
	dry    bool
	asJSON bool
}

func PruneCommand(p *cli.Program) *cobra.Command {
	c := p.Command("prune --idle 365d "+p.Say("norn.metavar.flags"), "norn.about.prune")
	c.Long = p.Say("norn.about.prune") + "\n\n" + p.Say("norn.about.prune-more")
	c.Example = "norn prune --demos --idle 30d --dry-run\nnorn prune --demos --idle 30d\nnorn prune --idle 730d --dry-run"
	var s pruning
	c.Flags().Var(&s.idle, "idle", p.Say("norn.flag.idle"))
	c.Flags().BoolVar(&s.demos, "demos", false, p.Say("norn.flag.demos"))
	c.Flags().BoolVar(&s.dry, "dry-run", false, p.Say("norn.flag.dry-run"))
	c.Flags().BoolVar(&s.asJSON, "json", false, p.Say("norn.flag.json"))
	s.kept = storage.KeptFlags(p, c)
	cli.Complete(c, "idle", func() []cobra.Completion { return nil })
	c.RunE = func(c *cobra.Command, _ []string) error {
		if s.idle.days == 0 {
			return p.Wrong("norn.error.prune-idle").Hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
		}
		return prune(c.Context(), p, s)
	}
	return c
}

// prune deletes the tables at which nobody has played for long.
func prune(ctx context.Context, p *cli.Program, s pruning) (err error) {
	found, err := idleTables(ctx, p, s, time.Now())
	if err != nil {
		return err
	}
	if s.asJSON {
		if err := p.JSON(found); err != nil {
			return err
		}
	}
	say := func(text string) {
		if !s.asJSON {
			fmt.Fprintln(p.Out, text)
		}
	}
	if s.dry || len(found) == 0 {
		for _, t := range found {
			say(tableLine(p, t))
		}
		say(p.Say("norn.prune.would", "N", len(found)))
		return nil
	}
	d, err := openDeleter(ctx, p, s.kept)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	for _, t := range found {
		if err := d.delete(ctx, operator.Deleting{Table: t.Table, Last: t.Entries}); err != nil {
			return err
		}
		say(tableLine(p, t))
	}
	say(p.Say("norn.prune.done", "N", len(found)))
	if !s.asJSON {
		d.sayLeft()
	}
	return nil
}

// idleTables returns the tables that prune deletes. It leaves out those that it can't read: nobody
// can say what they are.
func idleTables(ctx context.Context, p *cli.Program, s pruning, now time.Time) ([]shelved, error) {
	store, err := storage.Look(ctx, p, s.kept)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	heads, err := store.Tables(ctx)
	if err != nil {
		return nil, storage.StoreProblem(p, err)
	}
	found := []shelved{}
	for _, h := range heads {
		if now.Sub(h.Time) < time.Duration(s.idle.days)*24*time.Hour {
			continue
		}
		began, err := table.ReadOpening(ctx, p.Games, store, h.Table)
		if _, unreadable := errors.AsType[*refusal.UnreadableError](err); unreadable {
			continue
		}
		if err != nil {
			return nil, tableProblem(p, err)
		}
		if s.demos && !demos.IsDemo(p.Words, began) {
			continue
		}
		found = append(found, shelved{
			Table: h.Table, Game: began.Game.ID, Name: began.Name, Entries: h.Seq, Last: h.Time,
		})
	}
	return found, nil
}
