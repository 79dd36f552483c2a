// Command norn plays tabletop role-playing games by their rules: throws and
// exact odds in the terminal, and the server of live tables.
//
// It holds commands, configuration and wiring, and no rule: what can be thrown
// and priced, with which flags, follows from the registry of games. Nothing
// imports it. The exit status is 0 when the command did what it was asked for,
// 1 when that failed, 2 when it was asked for wrongly; what went wrong stands on
// the error stream as "norn: error: …" and "norn: hint: …", in the reader's
// language.
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
	_ "time/tzdata" // zones that browsers name: Windows and small containers have none

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
	cobra.MousetrapHelpText = "" // cobra would send them away who come with a mouse
	// Windows alone knows; elsewhere a file that is clicked says --open
	clicked := len(args) == 0 && mousetrap.StartedByExplorer()
	if clicked {
		args = []string{"serve", "--open", "--demo"}
	}
	collectLater()
	status := run(ctx, cli.Open(games.All()), args, os.Stdin, os.Stdout, os.Stderr, system.Environ())
	if clicked && status != cli.Done {
		fmt.Scanln() // the window would close over what went wrong
	}
	stop()
	os.Exit(status)
}

// collectLater puts off the first garbage collection until the heap has 32 MB: most commands end
// before. What comes after is as usual.
func collectLater() {
	usual := debug.SetGCPercent(800)
	if usual != 100 { // who runs norn has said something else
		debug.SetGCPercent(usual)
		return
	}
	first := new([16]byte)
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
