package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"norn/agent"
	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/pack"
	"norn/table/view"
)

// listCommand brings lists of a table's own, by the link to a game master's seat.
func listCommand(p *cli.Program) *cobra.Command {
	c := p.Group("list "+p.Say("norn.metavar.command"), "norn.about.list", "norn.error.missing-command",
		"norn.error.unknown-command")
	c.Long = p.Say("norn.about.list") + "\n\n" + p.Say("norn.about.character-more", "Variable", linkVariable)
	c.AddCommand(importList(p), copyList(p))
	return c
}

// Bounds of the bytes of a list's file, as the API takes it: of a text, and of what goes as Base64.
const (
	maxListFile = 9 << 20
	maxListBook = 6 << 20
)

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
		return printLines(p, answer)
	}
	return c
}

// printLines prints the lines of an entry that a table has answered.
func printLines(p *cli.Program, answer []byte) error {
	var made view.Entry
	if err := json.Unmarshal(answer, &made); err != nil {
		return err
	}
	for _, line := range made.Lines {
		fmt.Fprintln(p.Out, cli.Plain(line.Text))
	}
	return nil
}

// copyList copies a list to another table of the same game, by two links.
func copyList(p *cli.Program) *cobra.Command {
	c := p.Command("copy "+p.Say("norn.metavar.name")+" "+p.Say("norn.metavar.flags"), "norn.about.list-copy")
	c.Example = "norn list copy Gifts --link seat.txt --to other.txt"
	p.Argument(c, "norn.error.missing-list")
	link := linkFlag(p, c)
	to := cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	c.Flags().Var(&to, "to", p.Say("norn.flag.list-to"))
	if err := c.MarkFlagFilename("to"); err != nil {
		panic(err) // can't happen: the flag was just added
	}
	hidden := c.Flags().Bool("hidden", false, p.Say("norn.flag.list-hidden"))
	c.RunE = func(c *cobra.Command, args []string) error {
		from, err := seatOf(p, *link, c.CommandPath())
		if err != nil {
			return err
		}
		if !to.Given {
			return p.Wrong("norn.error.missing-to")
		}
		other, err := seatOf(p, to, c.CommandPath())
		if err != nil {
			return err
		}
		id, err := listID(c.Context(), p, from, args[0])
		if err != nil {
			return err
		}
		file, err := askTable(c.Context(), p, from, http.MethodGet, "/lists/"+url.PathEscape(id)+"/file", nil)
		if err != nil {
			return err
		}
		var list view.ListFile
		if err := json.Unmarshal(file, &list); err != nil {
			return err
		}
		answer, err := askTable(c.Context(), p, other, http.MethodPost, "/lists", map[string]any{
			"name": list.Name, "kind": list.Kind, "field": list.Field, "hidden": *hidden, "rows": string(file),
		})
		if err != nil {
			return err
		}
		return printLines(p, answer)
	}
	return c
}

// listID returns the id of the list with a name or an id that a seat sees.
func listID(ctx context.Context, p *cli.Program, seat *agent.Seat, name string) (string, error) {
	answer, err := askTable(ctx, p, seat, http.MethodGet, "", nil)
	if err != nil {
		return "", err
	}
	var seen struct{ Lists []view.ListShown }
	if err := json.Unmarshal(answer, &seen); err != nil {
		return "", err
	}
	var found []string
	for _, l := range seen.Lists {
		if l.ID == name {
			return l.ID, nil
		}
		if l.Name == name {
			found = append(found, l.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", p.Fails("norn.error.no-list", "Name", name)
	case 1:
		return found[0], nil
	}
	return "", p.Fails("norn.error.many-lists", "Name", name, "IDs", strings.Join(found, ", "))
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
	if len(file) > maxListBook {
		return "", p.Fails("norn.error.large-list", "File", path, "N", maxListBook)
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
