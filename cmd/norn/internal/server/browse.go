package server

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/cli/browser"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/operator"
)

// What a browser says to a terminal is no business of who plays.
func init() { browser.Stdout, browser.Stderr = io.Discard, io.Discard }

// browse shows a page to whoever sits at this machine. Where there is no browser, its link has been printed.
func browse(p *cli.Program, link string) {
	if browser.OpenURL(link) != nil {
		fmt.Fprintln(p.Out, p.Say("norn.serve.no-browser", "Link", link))
	}
}

// openRunning shows the page of a norn that holds the tables already, and tells whether there is one.
func openRunning(ctx context.Context, p *cli.Program, s serving, dir string) bool {
	if s.journal.Folder != "" {
		dir = s.journal.Folder
	}
	at, err := operator.AtServer(ctx, dir, http.MethodGet, "/at", nil)
	if err != nil || len(at) == 0 {
		return false // then nobody holds them, or opening them says who
	}
	fmt.Fprintln(p.Out, p.Say("norn.serve.running", "Link", string(at)))
	browse(p, string(at))
	return true
}
