package main

import (
	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/server"
	"norn/cmd/norn/internal/tables"
	"norn/cmd/norn/internal/throw"
	"norn/lang"
)

// root builds the tree of all commands.
func root(p *cli.Program) *cobra.Command {
	cobra.EnableCommandSorting = false // help lists commands in the order in which people need them
	root := p.Command("norn "+p.Say("norn.metavar.command")+" "+p.Say("norn.metavar.flags"), "norn.about.norn")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.Args = cobra.ArbitraryArgs
	root.FParseErrWhitelist.UnknownFlags = true
	versionFlag := root.Flags().Bool("version", false, p.Say("norn.about.version"))
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *versionFlag {
			return p.PrintVersion(false)
		}
		if p.Stray(c) == "" {
			return c.Help()
		}
		return p.Choose(c, "", "norn.error.unknown-command")
	}
	root.SetHelpFunc(p.Help)
	root.SetFlagErrorFunc(p.FlagProblem)
	languages := &cli.ChoiceFlag{Metavar: "LANG", Allowed: []string{string(lang.En), string(lang.Ru), string(lang.Uk)}}
	root.PersistentFlags().Var(languages, "lang", p.Say("norn.flag.lang"))
	root.PersistentFlags().Var(&cli.TextFlag{Metavar: p.Say("norn.metavar.folder")}, "games", p.Say("norn.flag.games"))
	root.PersistentFlags().BoolP("help", "h", false, p.Say("norn.flag.help"))
	cli.Complete(root, "lang", func() []cobra.Completion {
		var names []cobra.Completion
		for _, l := range lang.All {
			names = append(names, cobra.CompletionWithDesc(string(l), p.Words.Name(l)))
		}
		return names
	})
	root.AddCommand(
		server.Command(p), server.CheckCommand(p), server.ReadyCommand(p), server.ServiceCommand(p),
		tables.ExportCommand(p), tables.ImportCommand(p), tables.VerifyCommand(p), tables.BackupCommand(p),
		tables.AcceptLossCommand(p), tables.SeatCommand(p), tables.MoveCommand(p), tables.DeleteCommand(p),
		tables.PruneCommand(p), characterCommand(p), listCommand(p),
		mcpCommand(p),
		throw.RollCommand(p), throw.OddsCommand(p), gamesCommand(p), rulesCommand(p),
		owngames.NewCommand(p), owngames.CheckCommand(p), p.VersionCommand(), noticesCommand(p),
		p.CompletionCommand(), p.ManCommand(),
	)
	root.SetHelpCommand(p.HelpCommand())
	return root
}
