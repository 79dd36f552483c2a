package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/version"
)

// ManCommand writes norn's manual page, for packagers. Moves are described in their help and not
// here.
func (p *Program) ManCommand() *cobra.Command {
	c := p.Command("man", "norn.about.man")
	c.Hidden = true
	c.RunE = func(c *cobra.Command, _ []string) error {
		roff{p.Out}.page(c.Root(), p, version.Built())
		return nil
	}
	return c
}

// roff writes the source of a manual page.
type roff struct{ w io.Writer }

func (r roff) page(root *cobra.Command, p *Program, v version.Version) {
	r.macro("TH", "NORN", "1", v.Date.Format(time.DateOnly), "norn "+v.Version)
	r.macro("SH", p.Say("norn.man.name"))
	r.text("norn - " + root.Short)
	r.macro("SH", p.Say("norn.help.usage"))
	r.bold(root.UseLine())
	r.macro("SH", p.Say("norn.help.commands"))
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			r.command(c, p)
		}
	}
	r.macro("SH", p.Say("norn.help.everywhere"))
	r.list(flagsOf(root.PersistentFlags()))
	r.macro("SH", p.Say("norn.man.environment"))
	r.text(p.Say("norn.man.environment-about"))
	r.macro("SH", p.Say("norn.man.status"))
	r.list([]Entry{{"0", p.Say("norn.man.done")}, {"1", p.Say("norn.man.failed")}, {"2", p.Say("norn.man.wrong")}})
}

// command writes a command with its flags, and the names of its subcommands.
func (r roff) command(c *cobra.Command, p *Program) {
	r.macro("SS", c.UseLine())
	about := c.Long
	if about == "" {
		about = c.Short
	}
	for paragraph := range strings.SplitSeq(about, "\n\n") {
		r.macro("PP")
		r.text(paragraph)
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	if len(names) > 0 {
		slices.Sort(names)
		r.macro("PP")
		r.text(fmt.Sprintf("%s: %s.", p.Say("norn.help.commands"), strings.Join(names, ", ")))
	}
	c.InitDefaultHelpFlag()
	r.list(flagsOf(c.LocalNonPersistentFlags()))
	if c.Example != "" {
		r.macro("PP")
		r.macro("EX")
		for line := range strings.SplitSeq(c.Example, "\n") {
			r.text("  " + line)
		}
		r.macro("EE")
	}
}

func (r roff) list(entries []Entry) {
	for _, e := range entries {
		r.macro("TP")
		r.bold(e.Name)
		r.text(e.About)
	}
}

func (r roff) macro(name string, args ...string) {
	fmt.Fprint(r.w, "."+name)
	for _, arg := range args {
		fmt.Fprintf(r.w, ` "%s"`, strings.ReplaceAll(escaped.Replace(arg), `"`, `\(dq`))
	}
	fmt.Fprintln(r.w)
}

func (r roff) bold(text string) { r.macro("B", text) }

// text writes a line, escaped so that it is never read as a macro.
func (r roff) text(text string) { fmt.Fprintln(r.w, `\&`+escaped.Replace(text)) }

// Escapes keep hyphens and backslashes as people type them.
var escaped = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ")
