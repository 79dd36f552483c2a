package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// Command begins a command: use is its line of usage, about the id of what it
// does.
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

// Argument has a command take one argument, and refuse its lack in these words, "" where it may be left out.
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

// Group is a command that only leads to others; unlike them it complains about
// a missing or unknown name before it looks at flags.
func (p *Program) Group(use, about, missing, unknown string) *cobra.Command {
	c := p.Command(use, about)
	c.Args = cobra.ArbitraryArgs
	c.FParseErrWhitelist.UnknownFlags = true
	c.RunE = func(c *cobra.Command, _ []string) error { return p.Choose(c, missing, unknown) }
	return c
}

// Choose says that a group needs one of its commands.
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

// Stray is the first argument that means nothing to a group of commands: no
// name on the way to it and none of its flags.
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

// Extra refuses an argument too many.
func (p *Program) Extra(c *cobra.Command, arg string) *Failure {
	f := p.Wrong("norn.error.extra", "Arg", arg)
	if flag := p.FlagOf(c, arg); flag != "" {
		return f.Hinting(p.Say("norn.hint.equals", "Flag", flag+"="+arg))
	}
	return f.Hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
}

// FlagOf is the flag that may stand alone and of which an argument was probably meant to be the value, since it stands
// right after it; "" for none.
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

// Examples are what games give to be tried with a command, and then what is no game's.
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
