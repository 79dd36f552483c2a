package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"unicode/utf8"

	"norn/bare"
	"norn/chat"
	"norn/form"
	"norn/games"
	"norn/lang"
	"norn/page"
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
	lang.Speaker
	words  *lang.Words
	args   []string
	in     io.Reader
	out    *screen
	err    *screen
	getenv func(string) string
}

// run does what args ask for and returns the exit status. It reads no other
// environment than env and writes to no other streams.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	words, err := spoken()
	if err != nil {
		fmt.Fprintf(stderr, "norn: error: %v\n", err) // no words to say it with
		return failed
	}
	p := &program{
		Speaker: words.In(language(args, getenv(env))), words: words, args: args,
		in: stdin, out: newScreen(stdout, env), err: newScreen(stderr, env), getenv: getenv(env),
	}
	if err := p.readable(args); err != nil {
		return p.report(err)
	}
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

// spoken are the words of all languages, read once however often run is called.
var spoken = sync.OnceValues(func() (*lang.Words, error) { return lang.Load(folders()...) })

// folders are the words of every package that can speak here.
func folders() []fs.FS {
	all := []fs.FS{Words, form.Words, page.Words, bare.Words, table.Words, chat.Words, web.Words, api.Words}
	for _, g := range games.All {
		all = append(all, g.Words)
	}
	return all
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
