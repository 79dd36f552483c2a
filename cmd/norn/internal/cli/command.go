package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// Command returns a new command. use is its usage line, and about the id of its description.
func (p *Program) Command(use, about string) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: p.Say(about), DisableFlagsInUseLine: true, ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return p.Extra(c, args[0])
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	return c
}

// Argument gives a command one argument. missing is the id of the error when there is none, "" if
// it is optional.
func (p *Program) Argument(c *cobra.Command, missing string) {
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 && missing != "":
			return p.Wrong(missing).Hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
		case len(args) > 1:
			return p.Extra(c, args[1])
		}
		return nil
	}
}

// Group returns a command that only has subcommands. Unlike others it reports a missing or unknown
// name before it checks flags.
func (p *Program) Group(use, about, missing, unknown string) *cobra.Command {
	c := p.Command(use, about)
	c.Args = cobra.ArbitraryArgs
	c.FParseErrWhitelist.UnknownFlags = true
	c.RunE = func(c *cobra.Command, _ []string) error { return p.Choose(c, missing, unknown) }
	return c
}

// Choose returns the error that a group needs one of its commands.
func (p *Program) Choose(c *cobra.Command, missing, unknown string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	switch stray := p.Stray(c); {
	case stray == "":
		return p.Wrong(missing).Hinting(p.Say("norn.hint.names", "Names", strings.Join(names, ", ")))
	case strings.HasPrefix(stray, "-"):
		return p.UnknownFlag(c, stray).Hinting(p.Say("norn.hint.flags-last", "Command", c.UseLine()))
	default:
		return p.Wrong(unknown, "Name", stray).Hinting(p.Suggest(stray, names))
	}
}

// Stray returns the first argument that isn't part of the path to a group, nor one of its flags.
func (p *Program) Stray(c *cobra.Command) string {
	var way []*cobra.Command
	for on := c; on.HasParent(); on = on.Parent() {
		way = append([]*cobra.Command{on}, way...)
	}
	for i := 0; i < len(p.Args); i++ {
		arg := p.Args[i]
		if len(arg) < 2 || arg[0] != '-' {
			if len(way) == 0 || arg != way[0].Name() {
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

// Extra refuses an unexpected argument.
func (p *Program) Extra(c *cobra.Command, arg string) *Failure {
	f := p.Wrong("norn.error.extra", "Arg", arg)
	if flag := p.FlagOf(c, arg); flag != "" {
		return f.Hinting(p.Say("norn.hint.equals", "Flag", flag+"="+arg))
	}
	return f.Hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
}

// FlagOf returns the flag right before an argument if its value is optional: the argument probably
// belongs to it. It returns "" for none.
func (p *Program) FlagOf(c *cobra.Command, arg string) string {
	for i, a := range p.Args {
		if a != arg || i == 0 {
			continue
		}
		name, dashes := strings.CutPrefix(p.Args[i-1], "--")
		if flag := c.Flags().Lookup(name); dashes && flag != nil && flag.NoOptDefVal != "" &&
			flag.Value.Type() != "bool" {
			return p.Args[i-1]
		}
	}
	return ""
}

// Examples returns the examples of the games for a command, followed by more.
func (p *Program) Examples(verb string, more ...string) string {
	var lines []string
	for _, g := range p.Games {
		for _, line := range g.Examples {
			if strings.HasPrefix(line, verb+" ") {
				lines = append(lines, "norn "+line)
			}
		}
	}
	return strings.Join(append(lines, more...), "\n")
}
