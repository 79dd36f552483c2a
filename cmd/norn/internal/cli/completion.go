package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// shells lists the supported shells of completion.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// CompletionCommand writes a shell's completion script.
func (p *Program) CompletionCommand() *cobra.Command {
	c := p.Command("completion "+strings.Join(shells, "|"), "norn.about.completion")
	c.Long = p.Say("norn.about.completion") + "\n\n" + p.Say("norn.about.completion-use")
	c.Example = "source <(norn completion bash)\nnorn completion zsh > \"${fpath[1]}/_norn\"\nnorn completion fish > ~/.config/fish/completions/norn.fish\nnorn completion powershell | Out-String | Invoke-Expression"
	c.Args = cobra.ArbitraryArgs
	c.ValidArgs, c.ValidArgsFunction = shells, nil
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return p.Wrong("norn.error.missing-shell").Hinting(p.Say("norn.hint.names", "Names",
				strings.Join(shells, ", ")))
		case len(args) > 1:
			return p.Extra(c, args[1])
		}
		switch root := c.Root(); args[0] {
		case "bash":
			return root.GenBashCompletionV2(p.Out, true)
		case "zsh":
			return root.GenZshCompletion(p.Out)
		case "fish":
			return root.GenFishCompletion(p.Out, true)
		case "powershell":
			return root.GenPowerShellCompletionWithDesc(p.Out)
		}
		return p.Wrong("norn.error.unknown-shell", "Name", args[0]).Hinting(p.Suggest(args[0], shells))
	}
	return c
}
