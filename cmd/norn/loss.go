package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"norn/journal"
	"norn/journal/sqlite"
)

// acceptLossCommand goes on with what is left of a damaged folder, on purpose.
func (p *program) acceptLossCommand() *cobra.Command {
	c := p.command("accept-loss "+p.Say("norn.metavar.flags"), "norn.about.accept-loss")
	c.Long = p.Say("norn.about.accept-loss") + "\n\n" + p.Say("norn.about.accept-loss-more")
	c.Example = "norn accept-loss\nnorn accept-loss --data ~/tables"
	kept := p.keptFlags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := p.fill(kept); err != nil {
			return err
		}
		if kept.journal.address != "" {
			return p.fails("norn.error.loss-postgres", "Place", redacted(kept.journal.address))
		}
		dir, err := p.folder(kept)
		if err != nil {
			return err
		}
		given, log, err := sqlite.Accept(c.Context(), dir)
		none, isNone := errors.AsType[*sqlite.NoneError](err)
		switch {
		case isNone:
			return p.fails("norn.error.no-tables", "Path", filepath.Dir(none.Path)).hinting(p.Say("norn.hint.no-tables"))
		case err != nil:
			return p.storeProblem(err)
		case given == nil:
			fmt.Fprintln(p.out, p.Say("norn.loss.none"))
			return nil
		case given.Want == 0:
			fmt.Fprintln(p.out, p.Say("norn.loss.unknown"))
		default:
			fmt.Fprintln(p.out, p.Say("norn.loss.given", "N", int(given.Want-given.Have), "Left", p.Number(int(given.Have))))
		}
		if log != "" {
			fmt.Fprintln(p.out, p.Say("norn.loss.log", "Path", log))
		}
		return nil
	}
	return c
}

// missing words what a database lacks.
func (p *program) missing(m *journal.MissingError) string {
	text := p.Say("norn.error.missing-log", "Path", m.Path, "Log", m.Log)
	if m.Want > 0 {
		text = p.Say("norn.error.missing", "Path", m.Path, "N", int(m.Want-m.Have),
			"Have", p.Number(int(m.Have)), "Want", p.Number(int(m.Want)), "Seq", p.Number(int(m.Seq)), "Table", m.Table)
	}
	return text
}

// warnMissing says that what is looked at isn't all.
func (p *program) warnMissing(store readable) {
	if only, ok := store.(*sqlite.ReadOnly); ok && only.Missing() != nil {
		p.warn(p.missing(only.Missing()))
	}
}

// warn says something that keeps nobody from going on.
func (p *program) warn(text string) {
	fmt.Fprintf(p.err, "norn: %s: %s\n", caution.Render("warning"), plain(text))
}

// warnOpened says what whoever runs norn should know about a folder that was opened.
func (p *program) warnOpened(j *sqlite.Journal, dir string) {
	switch past, entries := j.Past(); past {
	case sqlite.Whole:
	case sqlite.Another:
		p.warn(p.Say("norn.warning.another", "Path", filepath.Join(dir, sqlite.File), "N", int(entries)))
	case sqlite.Unknown:
		p.warn(p.Say("norn.warning.unknown", "Path", dir, "N", int(entries)))
	}
	if open := exposed(dir); len(open) > 0 {
		p.warn(p.Say("norn.warning.exposed", "Paths", strings.Join(open, " ")))
	}
}

// exposed are the folder of tables and the files in it, as far as others on this
// machine get at them. norn makes them for its user alone; whoever made them before, or
// opened them since, may have meant it.
func exposed(dir string) (open []string) {
	if runtime.GOOS == "windows" { // where modes say nothing
		return nil
	}
	for _, name := range []string{"", sqlite.File, sqlite.File + "-wal", demoFile} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
	}
	return open
}
