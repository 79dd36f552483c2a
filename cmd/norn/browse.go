package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/cli/browser"
)

// What a browser says to a terminal is no business of who plays.
func init() { browser.Stdout, browser.Stderr = io.Discard, io.Discard }

// browse shows a page to whoever sits at this machine. Where there is no browser, its link has been printed.
func (p *program) browse(link string) {
	if browser.OpenURL(link) != nil {
		fmt.Fprintln(p.out, p.Say("norn.serve.no-browser", "Link", link))
	}
}

// openRunning shows the page of a norn that holds the tables already, and tells whether there is one.
func (p *program) openRunning(ctx context.Context, s serving, dir string) bool {
	if s.journal.folder != "" {
		dir = s.journal.folder
	}
	at, err := atServer(ctx, dir, http.MethodGet, "/at", nil)
	if err != nil {
		return false // then nobody holds them, or opening them says who
	}
	fmt.Fprintln(p.out, p.Say("norn.serve.running", "Link", string(at)))
	p.browse(string(at))
	return true
}
