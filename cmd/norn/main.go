// Command norn plays tabletop role-playing games by their rules: it rolls dice and computes exact
// odds in the terminal, and serves live tables.
//
// It contains commands, configuration and wiring, and no rules: the moves that can be rolled and
// priced, and their flags, follow from the registry of games. Nothing imports it. The exit status
// is 0 if the command succeeded, 1 if it failed, and 2 for wrong usage. Errors are printed to the
// error stream as "norn: error: …" and "norn: hint: …", in the user's language.
//
// Only serve starts goroutines; they end before the command does.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // the zones of browsers, which Windows and small containers lack

	"github.com/inconshreveable/mousetrap"
	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/system"
	"norn/games"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends norn at once
	args := os.Args[1:]
	cobra.MousetrapHelpText = "" // cobra would stop users who double-click the program
	// only Windows has this; elsewhere a clicked file passes --open
	clicked := len(args) == 0 && mousetrap.StartedByExplorer()
	if clicked {
		args = []string{"serve", "--open", "--demo"}
	}
	collectLater()
	status := run(ctx, cli.Open(games.All()), args, os.Stdin, os.Stdout, os.Stderr, system.Environ())
	if clicked && status != cli.Done {
		fmt.Scanln() // otherwise the window would close over the error
	}
	stop()
	os.Exit(status)
}

// collectLater delays the first garbage collection until the heap has 32 MB: most commands end
// before. Later collections are as usual.
func collectLater() {
	usual := debug.SetGCPercent(800)
	if usual != 100 { // GOGC is set
		debug.SetGCPercent(usual)
		return
	}
	first := new([16]byte)
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
