package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"norn/game"
	"norn/lang"
	"norn/script"
	"norn/script/check"
	"norn/table/verify"
)

// A folder with a game.star is a game: it may be named wherever a game's id is.

// withFolder has the game of a folder among norn's own, where the line names one, and the line with its id in the folder's place.
func (w wired) withFolder(args []string) (wired, []string, error) {
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
			g, err := w.gameBeside(arg)
			if err != nil {
				return w, args, err
			}
			args = slices.Clone(args)
			args[i] = g.ID
			more, err := wire(append(slices.Clone(w.games), g))
			return more, args, err
		}
	}
	return w, args, nil
}

// gameBeside is the game of a folder, which has another id than those that there are.
func (w wired) gameBeside(folder string) (*game.Game, error) {
	g, err := gameIn(folder)
	if err != nil {
		return nil, err
	}
	return g, w.besides(g, folder)
}

// besides refuses a folder's game that has the id of another.
func (w wired) besides(g *game.Game, folder string) error {
	if _, known := game.Find(w.games, g.ID); known {
		return &script.Problem{File: filepath.Join(folder, "game.star"), Line: 1, Col: 1, What: fmt.Sprintf("there is a game with the id %s already; say another: id = \"…\"", g.ID)}
	}
	return nil
}

// installed has the games of one's own among norn's: those in the folder that --games or NORN_GAMES names.
//
// A folder is read again where its text has changed: tables that are opened from then on are played by it. complain hears of one that
// can't be read; the one before it stays then. A server starts without a game that can't be read, and without hears of it; any other
// command says what is wrong, and ends.
func (w wired) installed(args []string, getenv func(string) string, complain, without func(error)) (wired, error) {
	folder := getenv("NORN_GAMES")
	for i, arg := range args {
		if value, given := strings.CutPrefix(arg, "--games="); given {
			folder = value
		} else if arg == "--games" && i+1 < len(args) {
			folder = args[i+1]
		}
	}
	if folder == "" {
		return w, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return w, &script.Problem{File: folder, What: err.Error()}
	}
	var found []string
	for _, e := range entries {
		if at := filepath.Join(folder, e.Name()); isFolder(at) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return w, &script.Problem{File: folder, What: "it holds no game: each is a folder of its own, with a game.star"}
	}
	with, folders := w, []string(nil)
	for i, r := range readAll(found) {
		g, err := r.game, r.err
		if err == nil {
			err = with.besides(g, found[i])
		}
		switch {
		case err == nil:
			with.games, folders = append(slices.Clone(with.games), g), append(folders, found[i])
		case slices.Contains(args, "serve"):
			without(err)
		default:
			return w, err
		}
	}
	if with, err = wire(with.games); err != nil {
		return w, err
	}
	for i, g := range with.games[len(w.games):] {
		folder, last, looked := folders[i], stamp(folders[i]), time.Now()
		game.Install(g, compiled, func() *game.Game {
			if time.Since(looked) < lookAgain {
				return nil
			}
			looked = time.Now()
			now := stamp(folder)
			if now == last {
				return nil
			}
			last = now
			newer, err := gameIn(folder)
			if err == nil && newer.ID != g.ID {
				err = &script.Problem{File: filepath.Join(folder, "game.star"), Line: 1, Col: 1, What: fmt.Sprintf("its id was %s and is %s now; norn takes it for another game when it starts again", g.ID, newer.ID)}
			}
			if err != nil {
				complain(err)
				return nil
			}
			return newer
		})
	}
	return with, nil
}

// reading is what became of a folder that was read.
type reading struct {
	game *game.Game
	err  error
}

// readAll reads folders, as many at once as there are processors.
func readAll(folders []string) []reading {
	all := make([]reading, len(folders))
	var next atomic.Int64
	var done sync.WaitGroup
	for range min(len(folders), runtime.GOMAXPROCS(0)) {
		done.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(folders); i = next.Add(1) - 1 {
				all[i].game, all[i].err = gameIn(folders[i])
			}
		})
	}
	done.Wait()
	return all
}

// lookAgain is how long a folder is taken for what it was.
const lookAgain = time.Second

// stamp changes with the files of a game.
func stamp(folder string) string {
	var all strings.Builder
	for _, name := range script.Files {
		if about, err := os.Stat(filepath.Join(folder, name)); err == nil {
			fmt.Fprintln(&all, name, about.Size(), about.ModTime().UnixNano())
		}
	}
	return all.String()
}

// compiled is the game of a text as a table keeps it.
func compiled(source []byte) (*game.Game, error) {
	text, err := script.Parse(source)
	if err != nil {
		return nil, err
	}
	return script.Compile(text)
}

// isFolder tells whether a word on the line is a game's folder.
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
	if p, ok := errors.AsType[*script.Problem](err); ok { // in which of the folders
		placed := *p
		placed.File = filepath.Join(folder, p.File)
		return nil, &placed
	}
	return nil, err
}

// withTexts are the games with the texts among them by which a table's file was played; and the file, from its beginning. Texts that
// aren't installed here are run only if they're trusted; untrusted words that they aren't, with the game's id and the text's.
func (p *program) withTexts(file io.Reader, trust bool, untrusted func(id, text string) error) ([]*game.Game, io.Reader, error) {
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, nil, err
	}
	again := bytes.NewReader(data)
	id, texts, err := verify.Texts(bytes.NewReader(data))
	texts = slices.DeleteFunc(texts, func(source []byte) bool {
		return slices.ContainsFunc(p.games, func(g *game.Game) bool { return g.Text == game.TextOf(source) })
	})
	if err != nil || len(texts) == 0 { // what is wrong with the file is said by who verifies it
		return p.games, again, nil
	}
	own, known := game.Find(p.games, id)
	newest := texts[len(texts)-1]
	switch {
	case known && own.Text == "":
		return nil, nil, p.fails("norn.error.text-id", "Name", id)
	case !trust:
		return nil, nil, untrusted(id, game.TextOf(newest))
	}
	boundMemory()
	if known && own.Texts != nil { // it makes games of the file's texts
		return p.games, again, nil
	}
	g, err := compiled(newest)
	if err != nil {
		return nil, nil, err
	}
	game.Install(g, compiled, nil)
	return append(slices.DeleteFunc(slices.Clone(p.games), func(known *game.Game) bool { return known.ID == g.ID }), g), again, nil
}

// checkGameCommand judges a game's folder.
func (p *program) checkGameCommand() *cobra.Command {
	c := p.command("check-game "+p.Say("norn.metavar.folder")+" "+p.Say("norn.metavar.flags"), "norn.about.check-game")
	c.Long = p.Say("norn.about.check-game") + "\n\n" + p.Say("norn.about.check-game-more")
	update := c.Flags().Bool("update", false, p.Say("norn.flag.update"))
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		dir, err := p.ownFolder(c, args)
		if err != nil {
			return err
		}
		r, err := check.Folder(os.DirFS(dir))
		if err != nil {
			return err
		}
		if *update {
			for name, text := range r.Updated {
				if err := os.WriteFile(filepath.Join(dir, "cases", name), []byte(text), 0o644); err != nil {
					return p.fileProblem(filepath.Join(dir, "cases", name), err)
				}
			}
			if r, err = check.Folder(os.DirFS(dir)); err != nil {
				return err
			}
		}
		for _, l := range lang.All {
			if texts := r.Texts[l]; len(texts) > 0 {
				fmt.Fprintln(p.out, p.Say("norn.check-game.missing", "Lang", p.words.Name(l), "N", len(texts)))
				for _, text := range texts {
					fmt.Fprintf(p.out, "  %q\n", text)
				}
			}
		}
		for _, fault := range r.Faults {
			fmt.Fprintln(p.out, plain(fault))
		}
		if n := len(r.Faults); n > 0 {
			return p.fails("norn.error.game-faults", "N", n, "Folder", dir)
		}
		words, err := lang.Load(r.Game.Words)
		if err != nil {
			return err
		}
		fmt.Fprintln(p.out, strong.Render(p.Say("norn.check-game.plays", "Game", words.In(p.Lang()).Say(r.Game.Word("game", "name")), "N", r.Cases)))
		return nil
	}
	return c
}

// ownFolder is the one folder that a command is given.
func (p *program) ownFolder(c *cobra.Command, args []string) (string, error) {
	switch len(args) {
	case 0:
		return "", p.wrong("norn.error.missing-folder").hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
	case 1:
		return args[0], nil
	}
	return "", p.extra(c, args[1])
}

// newGameCommand writes a small game that plays.
func (p *program) newGameCommand() *cobra.Command {
	c := p.command("new-game "+p.Say("norn.metavar.folder"), "norn.about.new-game")
	c.Long = p.Say("norn.about.new-game") + "\n\n" + p.Say("norn.about.new-game-more")
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		dir, err := p.ownFolder(c, args)
		if err != nil {
			return err
		}
		if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return p.fails("norn.error.folder-taken", "Folder", dir)
		}
		if err := os.CopyFS(dir, script.First()); err != nil {
			return p.fileProblem(dir, err)
		}
		fmt.Fprintln(p.out, p.Say("norn.new-game.made", "Folder", dir))
		for _, line := range []string{"norn check-game " + dir, "norn odds " + dir + " dare --nerve 3", "norn roll " + dir + " dare"} {
			fmt.Fprintln(p.out, "  "+strong.Render(line))
		}
		return nil
	}
	return c
}
