package main

import (
	"embed"
	"io/fs"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/web"
)

// gathered is what `make notices` writes; without it there is only a placeholder.
//
//go:embed notices
var gathered embed.FS

// noticesCommand prints the licences of all that is in this binary: they travel with it.
func noticesCommand(p *cli.Program) *cobra.Command {
	c := p.Command("notices "+p.Say("norn.metavar.flags"), "norn.about.notices")
	c.RunE = func(*cobra.Command, []string) error {
		modules, err := fs.ReadFile(gathered, "notices/modules.txt")
		if err != nil {
			return p.Fails("norn.error.no-notices").Hinting(p.Say("norn.hint.no-notices"))
		}
		for _, text := range [][]byte{modules, web.Notices()} { // a binary without the bundle has nothing of the latter
			if _, err := p.Out.Write(text); err != nil {
				return err
			}
		}
		return nil
	}
	return c
}
