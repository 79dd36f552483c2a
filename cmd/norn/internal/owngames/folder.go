// Package owngames adds the user's own games: a folder with a game.star is a game, and its path may
// be used instead of a game's id.
package owngames

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/system"
	"norn/game"
	"norn/lang"
	"norn/script"
	"norn/script/check"
	"norn/table/verify"
)

// WithFolder adds the game of a folder that the line names. It returns the line with the game's id
// instead of the path.
func WithFolder(w cli.Wired, args []string) (cli.Wired, []string, error) {
	verb := -1
	for i, arg := range args {
		switch {
		case strings.HasPrefix(arg, "-"):
		case verb < 0 && slices.Contains([]string{"odds", "roll", "rules"}, arg):
			verb = i
		case verb < 0: // --lang's value, or another command
		case !isFolder(arg):
			return w, args, nil
		default:
			g, err := gameIn(arg)
			if err == nil {
				err = besides(w, g, arg)
			}
			if err != nil {
				return w, args, err
			}
			args = slices.Clone(args)
			args[i] = g.ID
			w.Games, w.Words = append(slices.Clone(w.Games), g), w.Words.Apart()
			w.Words.Take(g.Words.(*lang.Own))
			return w, args, nil
		}
	}
	return w, args, nil
}

// besides refuses a folder's game with an id that another game or norn's own words already use.
func besides(w cli.Wired, g *game.Game, folder string) error {
	if _, known := game.Find(w.Games, g.ID); known || w.Words.Speaks(g.ID) {
		return &script.Problem{
			File: filepath.Join(folder, "game.star"), Line: 1, Col: 1,
			What: &script.Mistake{Word: "id-taken", Data: []any{"ID", g.ID}},
		}
	}
	return nil
}

// FolderOf returns the folder of games that the line or the environment names, and whether the line
// does; "" for none.
func FolderOf(args []string, getenv func(string) string) (folder string, given bool) {
	for i, arg := range args {
		if value, is := strings.CutPrefix(arg, "--games="); is {
			folder, given = value, true
		} else if arg == "--games" && i+1 < len(args) {
			folder, given = args[i+1], true
		}
	}
	if given {
		return folder, true
	}
	return getenv("NORN_GAMES"), false
}

// Install adds the own games in a folder to norn's.
//
// Folders are read again when their text has changed, and new ones are found; tables created later
// use them. When a folder disappears, no more tables of its game can be created. complain is called
// for a game that can't be read; its previous version stays. without is called for a game that
// can't be read at first, which is left out. The error reports a problem of the folder as a whole:
// if the result isn't empty, games may still appear later.
func Install(w cli.Wired, folder string, now func() time.Time, complain, without func(error)) (cli.Wired, error) {
	var wrong []error
	s := &shelf{own: w.Games, words: w.Words.Apart(), folder: folder, now: now, complain: func(err error) {
		wrong = append(wrong, err)
	}}
	games := s.Games()
	if s.read == nil {
		return cli.Wired{}, wrong[0]
	}
	for _, err := range wrong {
		without(err)
	}
	s.complain = complain
	with := cli.Wired{Games: games, Library: s, Words: s.words}
	if len(s.read) == 0 {
		return with, &script.Problem{File: folder, What: &script.Mistake{Word: "no-games"}}
	}
	return with, nil
}

// compile returns the game of a text as a table records it.
func compile(source []byte) (*game.Game, error) {
	text, err := script.Parse(source)
	if err != nil {
		return nil, err
	}
	return script.CompileKept(text)
}

// isFolder reports whether an argument is a game's folder.
func isFolder(arg string) bool {
	_, err := os.Stat(filepath.Join(arg, "game.star"))
	return err == nil
}

func gameIn(folder string) (*game.Game, error) {
	text, err := script.Read(os.DirFS(folder))
	if err == nil {
		var g *game.Game
		if g, err = script.Compile(text); err == nil {
			return g, nil
		}
	}
	if p, ok := errors.AsType[*script.Problem](err); ok { // which of the folders
		return nil, p.Within(folder)
	}
	return nil, err
}

// WithTexts returns the games and, in addition, those of the texts in a table's file, together with
// the file from its beginning. Texts that aren't installed here are run only if they are trusted;
// otherwise it returns untrusted's error for the game's id and the text's. For a damaged file of a
// game that isn't installed it returns the errors of verify.Texts.
func WithTexts(p *cli.Program, file io.Reader, trust bool, untrusted func(id, text string) error) ([]*game.Game,
	io.Reader, error,
) {
	var read bytes.Buffer // only up to the first fault: an endless file isn't read to its end
	id, texts, err := verify.Texts(io.TeeReader(file, &read))
	again := io.MultiReader(&read, file)
	texts = excludeInstalled(p, texts)
	own, known := game.Find(p.Games, id)
	if err != nil && !known { // no text of a damaged file is run
		return nil, nil, err
	}
	if err != nil || len(texts) == 0 { // verifying the file explains what is wrong with it
		return p.Games, again, nil
	}
	newest := texts[len(texts)-1]
	switch {
	case known && own.Text == "":
		return nil, nil, p.Fails("norn.error.text-id", "Name", id)
	case !trust:
		return nil, nil, untrusted(id, game.TextOf(newest))
	}
	games, err := withText(p, newest)
	return games, again, err
}

// AddStoredGame returns the games and, in addition, that of a stored table, if it isn't installed here.
// A store has only texts that were installed or trusted.
func AddStoredGame(ctx context.Context, p *cli.Program, entries verify.Entries, id string) ([]*game.Game, error) {
	texts, err := verify.StoredTexts(ctx, entries, id)
	if err != nil {
		return p.Games, nil // reading the table explains what is wrong with it
	}
	if texts = excludeInstalled(p, texts); len(texts) == 0 {
		return p.Games, nil
	}
	return withText(p, texts[len(texts)-1])
}

// excludeInstalled returns the texts of games that aren't installed here.
func excludeInstalled(p *cli.Program, texts [][]byte) [][]byte {
	return slices.DeleteFunc(texts, func(source []byte) bool {
		return slices.ContainsFunc(p.Games, func(g *game.Game) bool { return g.Text == game.TextOf(source) })
	})
}

// withText returns the games with that of a text, unless one is known that builds games from texts.
func withText(p *cli.Program, source []byte) ([]*game.Game, error) {
	system.BoundMemory()
	g, err := compile(source)
	if err != nil {
		return nil, err
	}
	if own, known := game.Find(p.Games, g.ID); known && own.Texts != nil {
		return p.Games, nil
	}
	game.Install(g, compile, nil)
	return append(slices.DeleteFunc(slices.Clone(p.Games), func(known *game.Game) bool {
		return known.ID == g.ID
	}), g), nil
}

// CheckCommand checks a game's folder.
func CheckCommand(p *cli.Program) *cobra.Command {
	c := p.Command("check-game "+p.Say("norn.metavar.folder")+" "+p.Say("norn.metavar.flags"), "norn.about.check-game")
	c.Long = p.Say("norn.about.check-game") + "\n\n" + p.Say("norn.about.check-game-more")
	update := c.Flags().Bool("update", false, p.Say("norn.flag.update"))
	p.Argument(c, "norn.error.missing-folder")
	c.RunE = func(_ *cobra.Command, args []string) error {
		dir := args[0]
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return &script.Problem{File: dir, What: &script.Mistake{Word: "missing-folder"}}
		} else if err != nil {
			return p.FileProblem(dir, err)
		}
		r, err := check.Folder(os.DirFS(dir))
		if err != nil {
			return err
		}
		if *update {
			for name, text := range r.Updated {
				if err := os.WriteFile(filepath.Join(dir, "cases", name), []byte(text), 0o644); err != nil {
					return p.FileProblem(filepath.Join(dir, "cases", name), err)
				}
			}
			if r, err = check.Folder(os.DirFS(dir)); err != nil {
				return err
			}
		}
		for _, l := range lang.All {
			if texts := r.Texts[l]; len(texts) > 0 {
				fmt.Fprintln(p.Out, p.Say("norn.check-game.missing", "Lang", p.Words.Name(l), "N", len(texts)))
				for _, text := range texts {
					fmt.Fprintf(p.Out, "  %q\n", text)
				}
			}
		}
		for _, fault := range r.Faults {
			fmt.Fprintln(p.Out, cli.Plain(script.Explain(p.Speaker, fault)))
		}
		if n := len(r.Faults); n > 0 {
			return p.Fails("norn.error.game-faults", "N", n, "Folder", dir)
		}
		words, err := lang.Load(r.Game.Words)
		if err != nil {
			return err
		}
		fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.check-game.plays", "Game",
			words.In(p.Lang()).Say(r.Game.Word("game", "name")), "N", r.Cases)))
		return nil
	}
	return c
}

// NewCommand writes a small working game.
func NewCommand(p *cli.Program) *cobra.Command {
	c := p.Command("new-game "+p.Say("norn.metavar.folder"), "norn.about.new-game")
	c.Long = p.Say("norn.about.new-game") + "\n\n" + p.Say("norn.about.new-game-more")
	p.Argument(c, "norn.error.missing-folder")
	c.RunE = func(_ *cobra.Command, args []string) error {
		dir := args[0]
		if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 || err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			return p.Fails("norn.error.folder-taken", "Folder", dir)
		}
		if err := os.CopyFS(dir, script.First()); err != nil {
			return p.FileProblem(dir, err)
		}
		fmt.Fprintln(p.Out, p.Say("norn.new-game.made", "Folder", dir))
		for _, line := range []string{
			"norn check-game " + dir, "norn odds " + dir + " dare --nerve 3",
			"norn roll " + dir + " dare",
		} {
			fmt.Fprintln(p.Out, "  "+cli.Strong.Render(line))
		}
		return nil
	}
	return c
}
