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

// The browser's own messages don't belong in norn's output.
func init() { browser.Stdout, browser.Stderr = io.Discard, io.Discard }

// browse opens a page in this machine's browser. Without a browser it prints the link.
func browse(p *cli.Program, link string) {
	if browser.OpenURL(link) != nil {
		fmt.Fprintln(p.Out, p.Say("norn.serve.no-browser", "Link", link))
	}
}

// openRunning opens the page of a norn that already has the tables open, and reports whether there
// is one.
func openRunning(ctx context.Context, p *cli.Program, s serving, dir string) bool {
	if s.journal.Folder != "" {
		dir = s.journal.Folder
	}
	at, err := operator.AtServer(ctx, dir, http.MethodGet, "/at", nil)
	if err != nil || len(at) == 0 {
		return false // nobody has them open, or opening them will report who has
	}
	fmt.Fprintln(p.Out, p.Say("norn.serve.running", "Link", string(at)))
	browse(p, string(at))
	return true
}
