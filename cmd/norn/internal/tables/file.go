package tables

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/journal/archive"
	"norn/table"
	"norn/table/refusal"
)

// writeTo calls write with a new file, or with the output if none is named. It doesn't overwrite an
// existing file, and removes one that couldn't be written completely.
func writeTo(p *cli.Program, out cli.TextFlag, write func(io.Writer) error) (err error) {
	if !out.Given {
		return write(p.Out)
	}
	f, err := os.OpenFile(out.Value, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return p.FileProblem(out.Value, err)
	}
	defer func() {
		if err != nil {
			os.Remove(out.Value)
		}
	}()
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), f.Sync(), f.Close()); err != nil {
		return p.FileProblem(out.Value, err)
	}
	return nil
}

// fileCommand returns a command on one file, "-" for the input.
func fileCommand(p *cli.Program, name, about string) *cobra.Command {
	c := p.Command(name+" "+p.Say("norn.metavar.file")+" "+p.Say("norn.metavar.flags"), about)
	p.Argument(c, "norn.error.missing-file")
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
		cobra.ShellCompDirective,
	) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
	return c
}

func withFile(p *cli.Program, args []string, use func(io.Reader) error) error {
	if args[0] == "-" {
		return use(p.In)
	}
	f, err := os.Open(args[0])
	if err != nil {
		return p.FileProblem(args[0], err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return p.Fails("norn.error.folder", "Path", args[0])
	}
	return use(f)
}

// faults holds the ids of texts about what is wrong with a file.
var faults = map[string]string{
	archive.Foreign:   "norn.fault.foreign",
	archive.Newer:     "norn.fault.newer",
	archive.Truncated: "norn.fault.truncated",
	archive.LongLine:  "norn.fault.long-line",
	archive.TooLarge:  "norn.fault.too-large",
	archive.TooMany:   "norn.fault.too-many",
	archive.UTF8:      "norn.fault.utf8",
	archive.Syntax:    "norn.fault.syntax",
	archive.Depth:     "norn.fault.depth",
	archive.Twice:     "norn.fault.twice",
	archive.Unknown:   "norn.fault.unknown",
	archive.Sum:       "norn.fault.sum",
	archive.Gap:       "norn.fault.gap",
	archive.KeyTwice:  "norn.fault.key",
	archive.Value:     "norn.fault.value",
	archive.Count:     "norn.fault.count",
	archive.Trailing:  "norn.fault.trailing",
	archive.OfSeat:    "norn.fault.seat",
}

// tableProblem explains errors of package table; nil stays nil.
func tableProblem(p *cli.Program, err error) error {
	var (
		fault   *archive.FaultError
		exists  *table.ExistsError
		invalid *refusal.InvalidError
		refused refusal.Error
		path    *os.PathError
	)
	switch {
	case errors.As(err, &fault):
		return p.Fails("norn.error.archive", "Line", fault.Line, "Text",
			p.Say(faults[fault.Code], "Detail", fault.Detail))
	case errors.As(err, &exists) && exists.Same:
		return p.Fails("norn.error.same-table", "Table", exists.Table)
	case errors.As(err, &exists):
		return p.Fails("norn.error.other-table", "Table", exists.Table).Hinting(p.Say("norn.hint.other-table"))
	case errors.As(err, &invalid):
		return p.Problems(invalid.Problems)
	case errors.As(err, &path):
		return p.FileProblem(path.Path, err)
	case errors.As(err, &refused):
		return &cli.Failure{Status: cli.Failed, Texts: []string{refusal.Say(p.Voice(), err)}}
	}
	return err
}
