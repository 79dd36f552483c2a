package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/pack"
	"norn/table/view"
)

// listCommand brings lists of a table's own, by the link to a game master's seat.
func listCommand(p *cli.Program) *cobra.Command {
	c := p.Group("list "+p.Say("norn.metavar.command"), "norn.about.list", "norn.error.missing-command",
		"norn.error.unknown-command")
	c.Long = p.Say("norn.about.list") + "\n\n" + p.Say("norn.about.character-more", "Variable", linkVariable)
	c.AddCommand(importList(p))
	return c
}

// maxListFile bounds the bytes of a list's file, as the API takes it.
const maxListFile = 6 << 20

func importList(p *cli.Program) *cobra.Command {
	c := p.Command("import "+p.Say("norn.metavar.file")+" "+p.Say("norn.metavar.flags"), "norn.about.list-import")
	c.Long = p.Say("norn.about.list-import") + "\n\n" + p.Say("norn.about.list-more")
	c.Example = "norn list import foes.xlsx --kind foe --link seat.txt\nnorn list import packs/gifts --sheet Gifts --link seat.txt"
	p.Argument(c, "norn.error.missing-file")
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	link := linkFlag(p, c)
	name := cli.TextFlag{Metavar: p.Say("norn.metavar.name")}
	c.Flags().Var(&name, "name", p.Say("norn.flag.list-name"))
	kind := c.Flags().String("kind", "", p.Say("norn.flag.list-kind"))
	field := c.Flags().String("field", "", p.Say("norn.flag.list-field"))
	sheet := c.Flags().String("sheet", "", p.Say("norn.flag.list-sheet"))
	fitting := c.Flags().Bool("fitting", false, p.Say("norn.flag.fitting"))
	hidden := c.Flags().Bool("hidden", false, p.Say("norn.flag.list-hidden"))
	c.RunE = func(c *cobra.Command, args []string) error {
		seat, err := seatOf(p, *link, c.CommandPath())
		if err != nil {
			return err
		}
		sent, err := listFile(p, args[0])
		if err != nil {
			return err
		}
		if !name.Given {
			name.Value = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		}
		answer, err := askTable(c.Context(), p, seat, http.MethodPost, "/lists", map[string]any{
			"name": name.Value, "kind": *kind, "field": *field, "sheet": *sheet, "fitting": *fitting, "hidden": *hidden,
			"rows": sent,
		})
		if err != nil {
			return err
		}
		var made view.Entry
		if err := json.Unmarshal(answer, &made); err != nil {
			return err
		}
		for _, line := range made.Lines {
			fmt.Fprintln(p.Out, cli.Plain(line.Text))
		}
		return nil
	}
	return c
}

// listFile returns a file as the API takes it: a text, or bytes as a data URL. A folder is a pack.
func listFile(p *cli.Program, path string) (string, error) {
	at, err := os.Stat(path)
	if err != nil {
		return "", p.FileProblem(path, err)
	}
	var file []byte
	if at.IsDir() {
		file, err = pack.Read(path)
		if errors.Is(err, pack.ErrNone) || errors.Is(err, pack.ErrDamaged) || errors.Is(err, pack.ErrLarge) {
			return "", p.Fails("norn.error.no-pack", "Folder", path)
		}
	} else {
		file, err = readFile(path)
	}
	if err != nil {
		return "", p.FileProblem(path, err)
	}
	if len(file) > maxListFile {
		return "", p.Fails("norn.error.large-list", "File", path, "N", maxListFile)
	}
	if utf8.Valid(file) {
		return string(file), nil
	}
	return "data:;base64," + base64.StdEncoding.EncodeToString(file), nil
}

func readFile(path string) ([]byte, error) {
	from, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	return io.ReadAll(io.LimitReader(from, maxListFile+1))
}
