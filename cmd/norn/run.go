package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
)

// run does what args ask for and returns the exit status. It reads no other
// environment than env and writes to no other streams.
func run(ctx context.Context, w cli.Wired, args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	p := &cli.Program{
		Wired: w, Speaker: w.Words.In(cli.Language(args, cli.Getenv(env))), Args: args,
		In: stdin, Out: cli.NewScreen(stdout, env), Err: cli.NewScreen(stderr, env), Getenv: cli.Getenv(env),
	}
	if err := p.Readable(args); err != nil {
		return p.Report(err)
	}
	with, err := owngames.Installed(w, args, p.Getenv, time.Now, func(err error) { fmt.Fprintln(p.Err, "norn: "+err.Error()) }, func(err error) {
		fmt.Fprintln(p.Err, "norn: "+p.Say("norn.serve.without", "Problem", err.Error()))
	})
	if err != nil {
		return p.Report(err)
	}
	with, args, err = owngames.WithFolder(with, args)
	if err != nil {
		return p.Report(err)
	}
	p.Wired, p.Speaker = with, with.Words.In(p.Lang())
	root := root(p)
	p.Args = cli.Joined(root, args)
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
