package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/server"
	"norn/cmd/norn/internal/throw"
)

// run executes the command of args and returns its exit status. It reads no other environment than
// env and writes to no other streams.
func run(ctx context.Context, w cli.Wired, args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	p := &cli.Program{
		Wired: w, Speaker: w.Words.In(cli.Language(args, cli.Getenv(env))), Args: args,
		In: stdin, Out: cli.NewScreen(stdout, env), Err: cli.NewScreen(stderr, env), Getenv: cli.Getenv(env), Env: env,
	}
	if err := p.Readable(args); err != nil {
		return p.Report(err)
	}
	with, err := installGames(p, w, args)
	if err != nil {
		return p.Report(err)
	}
	with, args, err = owngames.WithFolder(with, args)
	if err != nil {
		return p.Report(err)
	}
	p.Wired, p.Speaker = with, with.Words.In(p.Lang())
	root := root(p)
	p.Args = throw.NameDice(root, p.JoinNames(root, args))
	root.SetArgs(p.Args)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	if err := root.ExecuteContext(ctx); err != nil {
		return p.Report(err)
	}
	if err := p.Out.Failure; err != nil {
		return p.Report(err)
	}
	return cli.Done
}

// installGames adds the games of the folder that the line, the environment or the server's
// configuration names. A game with a mistake stops only check-config. A missing folder stops a
// command that names it, and the server.
func installGames(p *cli.Program, w cli.Wired, args []string) (cli.Wired, error) {
	folder, given := owngames.FolderOf(args, p.Getenv)
	serves, checks := slices.Contains(args, "serve"), slices.Contains(args, "check-config")
	if folder == "" && (serves || checks) {
		folder = server.GamesFolder(p, args)
	}
	if folder == "" {
		return w, nil
	}
	warn := func(err error) {
		fmt.Fprintln(p.Err, "norn: "+p.Say("norn.serve.without", "Problem", p.Explain(err).Error()))
	}
	var broken error
	with, err := owngames.Install(w, folder, time.Now, func(err error) {
		fmt.Fprintln(p.Err, "norn: "+p.Explain(err).Error())
	}, func(err error) {
		if broken = cmp.Or(broken, err); !checks {
			warn(err)
		}
	})
	switch {
	case checks && broken != nil:
		return w, broken
	case err == nil || serves && with.Library != nil: // games may appear later
		return with, nil
	case serves || checks || given:
		return w, err
	}
	warn(err)
	return w, nil
}
