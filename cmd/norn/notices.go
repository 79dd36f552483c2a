package main

import (
	"embed"
	"io/fs"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/web"
)

// gathered holds the output of `make notices`; without it there is only a placeholder.
//
//go:embed notices
var gathered embed.FS

// noticesCommand prints the licences of everything in this binary, which must be distributed with
// it.
func noticesCommand(p *cli.Program) *cobra.Command {
	c := p.Command("notices "+p.Say("norn.metavar.flags"), "norn.about.notices")
	c.RunE = func(*cobra.Command, []string) error {
		modules, err := fs.ReadFile(gathered, "notices/modules.txt")
		if err != nil {
			return p.Fails("norn.error.no-notices").Hinting(p.Say("norn.hint.no-notices"))
		}
		// a binary without the bundle has no notices of the web
		for _, text := range [][]byte{modules, web.Notices()} {
			if _, err := p.Out.Write(text); err != nil {
				return err
			}
		}
		return nil
	}
	return c
}
