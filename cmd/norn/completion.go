package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// shells are those that completion can be written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCommand writes a shell's completion script.
func (p *program) completionCommand() *cobra.Command {
	c := p.command("completion "+strings.Join(shells, "|"), "norn.about.completion")
	c.Long = p.Say("norn.about.completion") + "\n\n" + p.Say("norn.about.completion-use")
	c.Example = "source <(norn completion bash)\nnorn completion zsh > \"${fpath[1]}/_norn\"\nnorn completion fish > ~/.config/fish/completions/norn.fish\nnorn completion powershell | Out-String | Invoke-Expression"
	c.Args = cobra.ArbitraryArgs
	c.ValidArgs, c.ValidArgsFunction = shells, nil
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return p.wrong("norn.error.missing-shell").hinting(p.Say("norn.hint.names", "Names", strings.Join(shells, ", ")))
		case len(args) > 1:
			return p.extra(c, args[1])
		}
		switch root := c.Root(); args[0] {
		case "bash":
			return root.GenBashCompletionV2(p.out, true)
		case "zsh":
			return root.GenZshCompletion(p.out)
		case "fish":
			return root.GenFishCompletion(p.out, true)
		case "powershell":
			return root.GenPowerShellCompletionWithDesc(p.out)
		}
		return p.wrong("norn.error.unknown-shell", "Name", args[0]).hinting(p.meant(args[0], shells))
	}
	return c
}
