package script

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"norn/lang"
)

// Reference returns the guide's page of all that a text can call, in Markdown.
func Reference(s lang.Speaker) string {
	var b strings.Builder
	said := func(id string, data ...any) string { return s.Say("script."+id, data...) }
	fmt.Fprintf(&b, "# %s\n\n%s\n", said("reference.title"), said("reference.about"))
	table := func(args []argument) {
		if len(args) == 0 {
			return
		}
		b.WriteString("\n")
		for _, column := range []string{"argument", "sort", "otherwise", "for"} {
			b.WriteString("| " + said("reference."+column) + " ")
		}
		b.WriteString("|\n|---|---|---|---|\n")
		for _, a := range args {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", a.heading(), a.may(said), a.without(said),
				said("argument."+idOf(cmp.Or(a.about, a.name))))
		}
	}
	isCommon := func(a argument) bool { return a.common }
	for _, c := range chapters {
		fmt.Fprintf(&b, "\n## %s\n", said("reference."+c.id))
		for _, f := range c.functions {
			fmt.Fprintf(&b, "\n### %s\n\n`%s`: %s.\n", f.name, f.line(), said("function."+idOf(f.name)))
			table(slices.DeleteFunc(slices.Clone(f.args), isCommon))
		}
		if c.id == "fields" {
			fmt.Fprintf(&b, "\n### %s\n", said("reference.every"))
			every := slices.Clone(functionOf("number").args)
			table(slices.DeleteFunc(every, func(a argument) bool { return !a.common }))
		}
	}
	return b.String()
}

// line returns how the function is written, without what every field takes.
func (f *function) line() string {
	own := *f
	own.args = slices.DeleteFunc(slices.Clone(f.args), func(a argument) bool { return a.common })
	line := own.usage(true)
	if len(own.args) < len(f.args) {
		line = andMore(strings.TrimSuffix(line, ")"))
	}
	return line
}

// heading returns an argument's name, or how it's written if it has none.
func (a argument) heading() string {
	if a.named {
		return a.name
	}
	return a.shown
}

// may returns what an argument may be.
func (a argument) may(said func(id string, data ...any) string) string {
	if len(a.among) > 0 {
		quoted := make([]string, len(a.among))
		for i, text := range a.among {
			quoted[i] = "`" + strconv.Quote(text) + "`"
		}
		return strings.Join(quoted, ", ")
	}
	may := said("sort."+a.sort.id, "Code", "`"+a.shown+"`")
	if a.low < a.high {
		may += ", " + said("reference.range", "Min", a.low, "Max", a.high)
	}
	return may
}

// without returns a text about an argument that isn't given: that it's needed, or its default.
func (a argument) without(said func(id string, data ...any) string) string {
	switch {
	case a.needed:
		return said("reference.needed")
	case a.otherwise != nil:
		return "`" + a.otherwise.String() + "`"
	case a.sort.id == aFlag.id:
		return "`False`"
	}
	return "—"
}
