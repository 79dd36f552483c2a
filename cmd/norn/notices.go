package main

import (
	"embed"
	"io/fs"

	"github.com/spf13/cobra"

	"norn/web"
)

// gathered is what `make notices` writes; without it there is only a placeholder.
//
//go:embed notices
var gathered embed.FS

// noticesCommand prints the licences of all that is in this binary: they travel with it.
func (p *program) noticesCommand() *cobra.Command {
	c := p.command("notices "+p.Say("norn.metavar.flags"), "norn.about.notices")
	c.RunE = func(*cobra.Command, []string) error {
		modules, err := fs.ReadFile(gathered, "notices/modules.txt")
		if err != nil {
			return p.fails("norn.error.no-notices").hinting(p.Say("norn.hint.no-notices"))
		}
		for _, text := range [][]byte{modules, web.Notices()} { // a binary without the bundle has nothing of the latter
			if _, err := p.out.Write(text); err != nil {
				return err
			}
		}
		return nil
	}
	return c
}
