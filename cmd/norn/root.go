package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/form"
	"norn/lang"
)

// root is the tree of all commands.
func (p *program) root() *cobra.Command {
	cobra.EnableCommandSorting = false // commands stand in the order in which they're needed
	root := p.command("norn "+p.Say("norn.metavar.command")+" "+p.Say("norn.metavar.flags"), "norn.about.norn")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.Args = cobra.ArbitraryArgs
	root.FParseErrWhitelist.UnknownFlags = true
	root.RunE = func(c *cobra.Command, _ []string) error {
		if p.stray(c) == "" {
			return c.Help()
		}
		return p.choose(c, "", "norn.error.unknown-command")
	}
	root.SetHelpFunc(p.help)
	root.SetFlagErrorFunc(p.flagProblem)
	languages := &choiceFlag{metavar: "LANG", allowed: []string{string(lang.En), string(lang.Ru), string(lang.Uk)}}
	root.PersistentFlags().Var(languages, "lang", p.Say("norn.flag.lang"))
	root.PersistentFlags().Var(&textFlag{metavar: p.Say("norn.metavar.folder")}, "games", p.Say("norn.flag.games"))
	root.PersistentFlags().BoolP("help", "h", false, p.Say("norn.flag.help"))
	complete(root, "lang", func() []cobra.Completion {
		var names []cobra.Completion
		for _, l := range lang.All {
			names = append(names, cobra.CompletionWithDesc(string(l), p.words.Name(l)))
		}
		return names
	})
	root.AddCommand(
		p.serveCommand(), p.checkConfigCommand(), p.exportCommand(), p.importCommand(), p.verifyCommand(), p.backupCommand(), p.acceptLossCommand(), p.seatCommand(),
		p.carryCommand(), p.mcpCommand(), p.rollCommand(), p.oddsCommand(), p.gamesCommand(), p.rulesCommand(), p.newGameCommand(), p.checkGameCommand(), p.versionCommand(),
		p.noticesCommand(),
		p.completionCommand(), p.manCommand(),
	)
	root.SetHelpCommand(p.helpCommand())
	return root
}

// command begins a command: use is its line of usage, about the id of what it
// does.
func (p *program) command(use, about string) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: p.Say(about), DisableFlagsInUseLine: true, ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return p.extra(c, args[0])
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	return c
}

// group is a command that only leads to others; unlike them it complains about
// a missing or unknown name before it looks at flags.
func (p *program) group(use, about, missing, unknown string) *cobra.Command {
	c := p.command(use, about)
	c.Args = cobra.ArbitraryArgs
	c.FParseErrWhitelist.UnknownFlags = true
	c.RunE = func(c *cobra.Command, _ []string) error { return p.choose(c, missing, unknown) }
	return c
}

// choose says that a group needs one of its commands.
func (p *program) choose(c *cobra.Command, missing, unknown string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	switch stray := p.stray(c); {
	case stray == "":
		return p.wrong(missing).hinting(p.Say("norn.hint.names", "Names", strings.Join(names, ", ")))
	case strings.HasPrefix(stray, "-"):
		return p.unknownFlag(c, stray).hinting(p.Say("norn.hint.flags-last", "Command", c.UseLine()))
	default:
		return p.wrong(unknown, "Name", stray).hinting(p.meant(stray, names))
	}
}

// stray is the first argument that means nothing to a group of commands: no
// name on the way to it and none of its flags.
func (p *program) stray(c *cobra.Command) string {
	var way []*cobra.Command
	for on := c; on.HasParent(); on = on.Parent() {
		way = append([]*cobra.Command{on}, way...)
	}
	for i := 0; i < len(p.args); i++ {
		arg := p.args[i]
		if len(arg) < 2 || arg[0] != '-' {
			if len(way) == 0 || arg != way[0].Name() && !way[0].HasAlias(arg) {
				return arg
			}
			way = way[1:]
			continue
		}
		name, _, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		flag := c.Flags().Lookup(name)
		switch {
		case arg == "--":
			continue
		case flag == nil && arg == "-h":
			continue
		case flag == nil:
			name, _, _ := strings.Cut(arg, "=")
			return name
		case !has && flag.NoOptDefVal == "":
			i++
		}
	}
	return ""
}

// extra refuses an argument too many.
func (p *program) extra(c *cobra.Command, arg string) *failure {
	f := p.wrong("norn.error.extra", "Arg", arg)
	if flag := p.valued(c, arg); flag != "" {
		return f.hinting(p.Say("norn.hint.equals", "Flag", flag+"="+arg))
	}
	return f.hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
}

// valued is the flag that may stand alone and of which an argument was probably meant to be the value, since it stands
// right after it; "" for none.
func (p *program) valued(c *cobra.Command, arg string) string {
	for i, a := range p.args {
		if a != arg || i == 0 {
			continue
		}
		name, dashes := strings.CutPrefix(p.args[i-1], "--")
		if flag := c.Flags().Lookup(name); dashes && flag != nil && flag.NoOptDefVal != "" && flag.Value.Type() != "bool" {
			return p.args[i-1]
		}
	}
	return ""
}

// complete sets what a flag's value can be completed to.
func complete(c *cobra.Command, flag string, values func() []cobra.Completion) {
	err := c.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	})
	if err != nil {
		panic(err) // the flag was just made
	}
}

// choiceFlag is a flag with a few allowed values.
type choiceFlag struct {
	value   string
	metavar string
	allowed []string
}

func (f *choiceFlag) String() string { return f.value }
func (f *choiceFlag) Type() string   { return f.metavar }
func (f *choiceFlag) Set(text string) error {
	for _, allowed := range f.allowed {
		if text == allowed {
			f.value = text
			return nil
		}
	}
	return form.Problem{Code: form.NoChoice, Given: text, Allowed: f.allowed}
}

// textFlag is a flag that takes any text and remembers whether it was given.
type textFlag struct {
	value   string
	given   bool
	metavar string
}

func (f *textFlag) String() string { return f.value }
func (f *textFlag) Type() string   { return f.metavar }
func (f *textFlag) Set(text string) error {
	f.value, f.given = text, true
	return nil
}

// help prints what a command does and takes.
func (p *program) help(c *cobra.Command, _ []string) {
	w := p.out
	about := c.Long
	if about == "" {
		about = c.Short
	}
	for paragraph := range strings.SplitSeq(about, "\n") {
		for _, line := range wrap(paragraph, w.width) {
			fmt.Fprintln(w, line)
		}
	}
	p.section("norn.help.usage")
	fmt.Fprintln(w, "  "+c.UseLine())
	var commands []entry
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			commands = append(commands, entry{sub.Name(), sub.Short})
		}
	}
	if len(commands) > 0 {
		p.section("norn.help.commands")
		p.list(commands)
	}
	c.InitDefaultHelpFlag() // merges the flags of the commands above
	if own := flagsOf(c.LocalNonPersistentFlags()); len(own) > 0 {
		p.section("norn.help.flags")
		p.list(own)
	}
	p.section("norn.help.everywhere")
	p.list(flagsOf(c.Root().PersistentFlags()))
	if c.Example != "" {
		p.section("norn.help.examples")
		for line := range strings.SplitSeq(c.Example, "\n") {
			fmt.Fprintln(w, "  "+quiet.Render(line))
		}
	}
}

func (p *program) section(id string) {
	fmt.Fprintf(p.out, "\n%s\n", strong.Render(p.Say(id)))
}

// entry is a name and what stands behind it.
type entry struct{ name, about string }

// list prints entries in two columns; a long name has a line of its own.
func (p *program) list(entries []entry) {
	const most = 22
	column := 0
	for _, e := range entries {
		if w := len([]rune(e.name)); w <= most {
			column = max(column, w)
		}
	}
	for _, e := range entries {
		lines := wrap(e.about, p.out.width-column-4)
		if len([]rune(e.name)) > column {
			fmt.Fprintln(p.out, "  "+e.name)
		} else {
			fmt.Fprintln(p.out, "  "+pad(e.name, column)+"  "+lines[0])
			lines = lines[1:]
		}
		for _, line := range lines {
			fmt.Fprintln(p.out, pad("", column+4)+line)
		}
	}
}

// flagsOf lists flags as they're typed.
func flagsOf(set *pflag.FlagSet) []entry {
	var entries []entry
	set.SortFlags = false
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		switch {
		case f.Value.Type() == "bool":
		case f.NoOptDefVal != "":
			name += "[=" + f.Value.Type() + "]"
		default:
			name += " " + f.Value.Type()
		}
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		entries = append(entries, entry{name, f.Usage})
	})
	return entries
}

// helpCommand is "norn help COMMAND".
func (p *program) helpCommand() *cobra.Command {
	c := p.command("help ["+p.Say("norn.metavar.command")+"]", "norn.about.help")
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		about := c.Root()
		for _, name := range args {
			var names []string
			var next *cobra.Command
			for _, sub := range about.Commands() {
				names = append(names, sub.Name())
				if sub.Name() == name {
					next = sub
				}
			}
			if next == nil {
				return p.wrong("norn.error.unknown-command", "Name", name).hinting(p.meant(name, names))
			}
			about = next
		}
		return about.Help()
	}
	return c
}
