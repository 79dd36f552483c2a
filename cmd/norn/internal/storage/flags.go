package storage

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/journal/postgres"
)

// JournalFlag is the place of the tables: address for PostgreSQL, otherwise a folder, "" for the
// one of --data.
type JournalFlag struct {
	P               *cli.Program
	Text            string
	Address, Folder string
}

func (f *JournalFlag) String() string { return f.Text }
func (f *JournalFlag) Type() string   { return f.P.Say("norn.metavar.journal") }
func (f *JournalFlag) Set(text string) error {
	folder, isFolder := strings.CutPrefix(text, "sqlite:")
	switch {
	case text == "sqlite":
		f.Address, f.Folder = "", ""
	case isFolder && folder != "":
		f.Address, f.Folder = "", folder
	case strings.HasPrefix(text, "postgres://"), strings.HasPrefix(text, "postgresql://"):
		if postgres.Check(text) != nil { // its message may contain a part of the address
			return cli.Unfit("norn.error.journal-address", "Given", Redact(text))
		}
		f.Address, f.Folder = text, ""
	default:
		return cli.Unfit("norn.error.journal-syntax", "Given", Redact(text))
	}
	f.Text = text
	return nil
}

// DataDir returns the folder of the journal: the given one, or norn's own below the user's data.
func DataDir(p *cli.Program, given cli.TextFlag) (string, error) {
	if given.Given {
		if given.Value == "" {
			return "", p.Wrong("norn.error.flag-value", "Flag", "--data")
		}
		return filepath.Abs(given.Value)
	}
	if dir := p.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // a relative path is to be ignored
		return filepath.Join(dir, "norn"), nil
	}
	if dir := p.Getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "norn"), nil
	}
	home := p.Getenv("HOME")
	if home == "" {
		return "", p.Fails("norn.error.no-home").Hinting(p.Say("norn.hint.data"))
	}
	return filepath.Join(home, ".local", "share", "norn"), nil
}

// Kept is the place of the tables, with the same flags as serve.
type Kept struct {
	data    cli.TextFlag
	Journal JournalFlag
}

// KeptFlags adds --data and --journal to a command.
func KeptFlags(p *cli.Program, c *cobra.Command) *Kept {
	k := &Kept{data: cli.TextFlag{Metavar: p.Say("norn.metavar.folder")}, Journal: JournalFlag{P: p}}
	c.Flags().Var(&k.data, "data", p.Say("norn.flag.data"))
	c.Flags().Var(&k.Journal, "journal", p.Say("norn.flag.journal"))
	if err := c.MarkFlagDirname("data"); err != nil {
		panic(err) // can't happen: the flag was just added
	}
	cli.Complete(c, "journal", func() []cobra.Completion { return nil })
	return k
}

// Fill takes values from the environment for flags that weren't given. --data excludes
// NORN_JOURNAL.
func Fill(p *cli.Program, k *Kept) error {
	if name := "NORN_JOURNAL"; k.Journal.Text == "" && !k.data.Given && p.Getenv(name) != "" {
		if err := k.Journal.Set(p.Getenv(name)); err != nil {
			return &cli.Failure{Status: cli.WrongUsage, Texts: []string{p.Misfits(name, err)}}
		}
	}
	if dir := p.Getenv("NORN_DATA"); !k.data.Given && dir != "" {
		k.data.Value, k.data.Given = dir, true
	}
	return nil
}

// Folder returns the folder of a journal in SQLite.
func Folder(p *cli.Program, k *Kept) (string, error) {
	if k.Journal.Folder != "" {
		return k.Journal.Folder, nil
	}
	return DataDir(p, k.data)
}
