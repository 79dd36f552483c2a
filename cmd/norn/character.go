package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"norn/agent"
	"norn/cmd/norn/internal/cli"
	"norn/lang"
	"norn/table/request"
	"norn/table/view"
)

// characterCommand takes a character from one table to another, by the links to seats there.
func characterCommand(p *cli.Program) *cobra.Command {
	c := p.Group("character "+p.Say("norn.metavar.command"), "norn.about.character", "norn.error.missing-command",
		"norn.error.unknown-command")
	c.Long = p.Say("norn.about.character") + "\n\n" + p.Say("norn.about.character-more", "Variable", linkVariable)
	c.AddCommand(exportCharacter(p), importCharacter(p))
	return c
}

func exportCharacter(p *cli.Program) *cobra.Command {
	c := p.Command("export "+p.Say("norn.metavar.name")+" "+p.Say("norn.metavar.flags"), "norn.about.character-export")
	c.Example = "norn character export Vex --link seat.txt --out vex.json"
	p.Argument(c, "norn.error.missing-character")
	link := linkFlag(p, c)
	out := cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	c.Flags().Var(&out, "out", p.Say("norn.flag.out"))
	c.RunE = func(c *cobra.Command, args []string) error {
		seat, err := seatOf(p, *link, c.CommandPath())
		if err != nil {
			return err
		}
		id, err := characterID(c.Context(), p, seat, args[0])
		if err != nil {
			return err
		}
		file, err := askTable(c.Context(), p, seat, http.MethodGet, "/characters/"+url.PathEscape(id)+"/file", nil)
		if err != nil {
			return err
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, file, "", "\t"); err != nil {
			return err
		}
		if !out.Given {
			fmt.Fprintln(p.Out, strings.TrimSpace(indented.String()))
			return nil
		}
		to, err := os.OpenFile(out.Value, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return p.FileProblem(out.Value, err)
		}
		_, err = to.Write(indented.Bytes())
		if err = errors.Join(err, to.Close()); err != nil {
			os.Remove(out.Value)
			return p.FileProblem(out.Value, err)
		}
		return nil
	}
	return c
}

func importCharacter(p *cli.Program) *cobra.Command {
	c := p.Command("import "+p.Say("norn.metavar.file")+" "+p.Say("norn.metavar.flags"), "norn.about.character-import")
	c.Example = "norn character import vex.json --link seat.txt"
	p.Argument(c, "norn.error.missing-file")
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	link := linkFlag(p, c)
	fitting := c.Flags().Bool("fitting", false, p.Say("norn.flag.fitting"))
	look := c.Flags().Bool("look", false, p.Say("norn.flag.look"))
	c.RunE = func(c *cobra.Command, args []string) error {
		seat, err := seatOf(p, *link, c.CommandPath())
		if err != nil {
			return err
		}
		from, err := os.Open(args[0])
		if err != nil {
			return p.FileProblem(args[0], err)
		}
		defer from.Close()
		file, err := io.ReadAll(io.LimitReader(from, request.MaxCharacterFile+1))
		if err != nil {
			return p.FileProblem(args[0], err)
		}
		sent := json.RawMessage(file)
		switch {
		case len(file) > request.MaxCharacterFile:
			return p.Fails("foreign.problem.large", "Max", request.MaxCharacterFile)
		case json.Valid(file):
		case utf8.Valid(file): // CSV, or a file that isn't whole, of which norn says what is wrong
			sent, _ = json.Marshal(string(file)) // a text always encodes
		case bytes.HasPrefix(file, []byte("PK\x03\x04")): // XLSX
			sent, _ = json.Marshal("data:;base64," + base64.StdEncoding.EncodeToString(file))
		}
		if !json.Valid(sent) {
			return p.Fails("norn.error.no-character-file", "File", args[0])
		}
		if sent, err = readHero(c.Context(), p, seat, sent); err != nil || *look {
			return err
		}
		answer, err := askTable(c.Context(), p, seat, http.MethodPost, "/import-character",
			map[string]any{"file": sent, "fitting": *fitting})
		if err != nil {
			return err
		}
		var made view.Character
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

// readHero returns a character's file as it is. Of a hero from another program it prints what that
// becomes, and returns the file that is made of it.
func readHero(ctx context.Context, p *cli.Program, seat *agent.Seat, file json.RawMessage) (json.RawMessage, error) {
	var head struct {
		Format string `json:"format"`
	}
	if json.Unmarshal(file, &head) == nil && head.Format == view.CharacterFormat {
		return file, nil
	}
	answer, err := askTable(ctx, p, seat, http.MethodPost, "/read-hero", map[string]any{"file": file})
	if err != nil {
		return nil, err
	}
	var read view.HeroRead
	if err := json.Unmarshal(answer, &read); err != nil {
		return nil, err
	}
	fmt.Fprintln(p.Out, cli.Plain(p.Say("norn.hero.of", "Name", read.File.Name, "System", read.System)))
	for _, d := range read.Derived {
		fmt.Fprintln(p.Out, cli.Plain(fmt.Sprintf("%s: %d = %s", d.Label, d.Value, d.How)))
	}
	for _, m := range read.Misfits {
		fmt.Fprintln(p.Out, cli.Plain(fmt.Sprintf("! %s: %s – %s", m.Label, m.Given, m.Why)))
	}
	for _, text := range read.Doubts {
		fmt.Fprintln(p.Out, cli.Plain("? "+text))
	}
	if len(read.Ask) > 0 {
		fmt.Fprintln(p.Out, cli.Plain("? "+p.Say("norn.hero.ask", "What", strings.Join(read.Ask, ", "))))
	}
	if len(read.Kept) > 0 {
		fmt.Fprintln(p.Out, cli.Plain(p.Say("norn.hero.kept", "What", strings.Join(read.Kept, ", "))))
	}
	return json.Marshal(read.File)
}

// characterID finds a character by its id or its name, among those that the seat sees.
func characterID(ctx context.Context, p *cli.Program, seat *agent.Seat, name string) (string, error) {
	data, err := askTable(ctx, p, seat, http.MethodGet, "", nil)
	if err != nil {
		return "", err
	}
	var seen struct {
		Characters []struct{ ID, Name string }
	}
	if err := json.Unmarshal(data, &seen); err != nil {
		return "", err
	}
	var names, ids []string
	for _, c := range seen.Characters {
		if c.ID == name {
			return c.ID, nil
		}
		names = append(names, c.Name)
		if lang.Key(c.Name) == lang.Key(name) {
			ids = append(ids, c.ID)
		}
	}
	switch len(ids) {
	case 1:
		return ids[0], nil
	case 0:
		return "", p.Fails("norn.error.no-character", "Name", name).Hinting(
			p.Say("norn.hint.names", "Names", strings.Join(names, ", ")))
	}
	return "", p.Fails("norn.error.many-characters", "Name", name).Hinting(
		p.Say("norn.hint.names", "Names", strings.Join(ids, ", ")))
}

// askTable asks the API of the norn that has the seat's table. A refusal is reported in the API's own words.
func askTable(ctx context.Context, p *cli.Program, seat *agent.Seat, method, path string, body any) ([]byte, error) {
	seat.Person = true
	status, data, err := seat.Ask(ctx, method, path, body)
	if err != nil {
		return nil, p.Fails("norn.error.unreached", "Text", cli.Cause(err))
	}
	if status < http.StatusBadRequest {
		return data, nil
	}
	var problem struct {
		Detail string
		Errors []struct{ Message string }
	}
	if json.Unmarshal(data, &problem) != nil || problem.Detail == "" {
		return nil, p.Fails("norn.error.unreached", "Text", http.StatusText(status))
	}
	failed := &cli.Failure{Status: cli.Failed}
	for _, wrong := range problem.Errors {
		failed.Texts = append(failed.Texts, cli.Plain(wrong.Message))
	}
	if failed.Texts == nil {
		failed.Texts = []string{cli.Plain(problem.Detail)}
	}
	return nil, failed
}
