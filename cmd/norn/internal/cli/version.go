package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/version"
)

func (p *Program) VersionCommand() *cobra.Command {
	c := p.Command("version "+p.Say("norn.metavar.flags"), "norn.about.version")
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	c.RunE = func(*cobra.Command, []string) error { return p.PrintVersion(*asJSON) }
	return c
}

// PrintVersion prints the version of norn, as JSON if asked to.
func (p *Program) PrintVersion(asJSON bool) error {
	if asJSON {
		return p.JSON(version.Built())
	}
	fmt.Fprintln(p.Out, version.Built())
	return nil
}
