package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"norn/bare"
	"norn/chat"
	"norn/chat/bridge"
	"norn/chat/discord"
	"norn/chat/telegram"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/page"
	"norn/script"
	"norn/table"
	"norn/web"
	"norn/web/api"
)

// Words are the command's own texts, by language.
//
//go:embed words/*.toml
var Words embed.FS

// Exit statuses.
const (
	done       = 0
	failed     = 1
	wrongUsage = 2
)

// program is one call of norn: its streams, its surroundings and the language
// it answers in.
type program struct {
	wired
	lang.Speaker
	args   []string
	in     io.Reader
	out    *screen
	err    *screen
	getenv func(string) string
}

// wired is what every call has: the games that norn plays, and the words of all who speak here.
type wired struct {
	games []*game.Game
	words *lang.Words
}

// wire puts norn together with its games.
func wire(games []*game.Game) (wired, error) {
	all := []fs.FS{Words, form.Words, page.Words, bare.Words, table.Words, chat.Words, bridge.Words, discord.Words, telegram.Words, web.Words, api.Words, script.Words}
	for _, g := range games {
		all = append(all, g.Words)
	}
	words, err := lang.Load(all...)
	return wired{games, words}, err
}

// run does what args ask for and returns the exit status. It reads no other
// environment than env and writes to no other streams.
func (w wired) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	p := &program{
		wired: w, Speaker: w.words.In(language(args, getenv(env))), args: args,
		in: stdin, out: newScreen(stdout, env), err: newScreen(stderr, env), getenv: getenv(env),
	}
	if err := p.readable(args); err != nil {
		return p.report(err)
	}
	with, err := w.installed(args, p.getenv, func(err error) { fmt.Fprintln(p.err, "norn: "+err.Error()) }, func(err error) {
		fmt.Fprintln(p.err, "norn: "+p.Say("norn.serve.without", "Problem", err.Error()))
	})
	if err != nil {
		return p.report(err)
	}
	with, args, err = with.withFolder(args)
	if err != nil {
		return p.report(err)
	}
	p.wired, p.Speaker = with, with.words.In(p.Lang())
	root := p.root()
	p.args = joined(root, args)
	root.SetArgs(p.args)
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	if err := root.ExecuteContext(ctx); err != nil {
		return p.report(err)
	}
	if err := p.out.failure; err != nil {
		return p.report(err)
	}
	return done
}

// getenv looks variables up in env, of which the last of a name holds.
func getenv(env []string) func(string) string {
	values := make(map[string]string, len(env))
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return func(name string) string { return values[name] }
}

// language is what --lang says, before anything else is read, so that help and
// complaints about the rest of the line are in it; without it, or with one that
// isn't ours, that of the environment.
func language(args []string, getenv func(string) string) lang.Lang {
	chosen := lang.FromEnv(getenv)
	for i, arg := range args {
		value, given := strings.CutPrefix(arg, "--lang=")
		switch {
		case arg == "--":
			return chosen
		case arg == "--lang" && i+1 < len(args):
			value, given = args[i+1], true
		}
		if l, ok := lang.Parse(value); given && ok {
			chosen = l
		}
	}
	return chosen
}

// readable refuses a line that isn't UTF-8, naming the flag or the argument.
func (p *program) readable(args []string) error {
	for i, arg := range args {
		if utf8.ValidString(arg) {
			continue
		}
		name, _, flag := strings.Cut(arg, "=")
		switch {
		case flag && strings.HasPrefix(name, "--") && utf8.ValidString(name):
		case i > 0 && len(args[i-1]) > 2 && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "="):
			name = args[i-1]
		default:
			return p.wrong("norn.error.utf8", "N", i+1)
		}
		return p.wrong("norn.error.utf8-flag", "Flag", name)
	}
	return nil
}
