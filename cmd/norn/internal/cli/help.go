package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help prints a command's description, usage and flags.
func (p *Program) Help(c *cobra.Command, _ []string) {
	w := p.Out
	about := c.Long
	if about == "" {
		about = c.Short
	}
	for paragraph := range strings.SplitSeq(about, "\n") {
		for _, line := range Wrap(paragraph, w.Width) {
			fmt.Fprintln(w, line)
		}
	}
	p.section("norn.help.usage")
	fmt.Fprintln(w, "  "+c.UseLine())
	var commands []Entry
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			commands = append(commands, Entry{sub.Name(), sub.Short})
		}
	}
	if len(commands) > 0 {
		p.section("norn.help.commands")
		p.List(commands)
	}
	c.InitDefaultHelpFlag() // merges the flags of the parent commands
	if own := flagsOf(c.LocalNonPersistentFlags()); len(own) > 0 {
		p.section("norn.help.flags")
		p.List(own)
	}
	p.section("norn.help.everywhere")
	p.List(flagsOf(c.Root().PersistentFlags()))
	if c.Example != "" {
		p.section("norn.help.examples")
		for line := range strings.SplitSeq(c.Example, "\n") {
			fmt.Fprintln(w, "  "+Quiet.Render(line))
		}
	}
}

func (p *Program) section(id string) {
	fmt.Fprintf(p.Out, "\n%s\n", Strong.Render(p.Say(id)))
}

// Entry is a name with its description.
type Entry struct{ Name, About string }

// List prints entries in two columns. A long name has a line of its own.
func (p *Program) List(entries []Entry) {
	const most = 22
	column := 0
	for _, e := range entries {
		if w := len([]rune(e.Name)); w <= most {
			column = max(column, w)
		}
	}
	for _, e := range entries {
		lines := Wrap(e.About, p.Out.Width-column-4)
		if len([]rune(e.Name)) > column {
			fmt.Fprintln(p.Out, "  "+e.Name)
		} else {
			fmt.Fprintln(p.Out, "  "+Pad(e.Name, column)+"  "+lines[0])
			lines = lines[1:]
		}
		for _, line := range lines {
			fmt.Fprintln(p.Out, Pad("", column+4)+line)
		}
	}
}

// flagsOf lists flags as they are typed.
func flagsOf(set *pflag.FlagSet) []Entry {
	var entries []Entry
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
		entries = append(entries, Entry{name, f.Usage})
	})
	return entries
}

// HelpCommand is "norn help COMMAND".
func (p *Program) HelpCommand() *cobra.Command {
	c := p.Command("help ["+p.Say("norn.metavar.command")+"]", "norn.about.help")
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
				return p.Wrong("norn.error.unknown-command", "Name", name).Hinting(p.Suggest(name, names))
			}
			about = next
		}
		return about.Help()
	}
	return c
}
