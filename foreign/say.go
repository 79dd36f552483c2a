package foreign

import (
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// Say words a problem.
func (p *Problem) Say(s lang.Speaker) string {
	return s.Say("foreign.problem."+p.Code, "What", p.What, "Max", p.Max)
}

// Say words a doubt. Values have the names of the sheet's fields, where it has them.
func (d Doubt) Say(g *game.Game, s lang.Speaker) string {
	return s.Say("foreign.doubt."+d.Code,
		"Name", labelOf(g, s, d.Name), "Given", d.Given, "Used", d.Used, "From", d.From)
}

// labelOf returns the name of a value: the field's of the sheet that takes it, or its own.
func labelOf(g *game.Game, s lang.Speaker, name string) string {
	all, _ := allNames(g)
	for _, n := range all {
		for path, theirs := range n.Fields {
			if theirs == name {
				return g.Label(s, path[strings.LastIndex(path, ".")+1:])
			}
		}
	}
	if id := "foreign.value." + strings.ReplaceAll(name, " ", "-"); s.Has(id) {
		return s.Say(id)
	}
	last := name[strings.LastIndex(name, ".")+1:]
	if label := g.Label(s, last); label != last {
		return label
	}
	return name
}

// Say words a sum: "20 (points) + 2 × 15 (INT)".
func (sum Sum) Say(g *game.Game, s lang.Speaker) string {
	var b strings.Builder
	for i, t := range sum {
		n := t.N
		switch {
		case i > 0 && n < 0:
			b.WriteString(" − ")
			n = -n
		case i > 0:
			b.WriteString(" + ")
		case n < 0:
			b.WriteString("−")
			n = -n
		}
		if t.Times > 1 {
			b.WriteString(strconv.Itoa(t.Times) + " × ")
		}
		b.WriteString(strconv.Itoa(n) + " (" + t.name(g, s) + ")")
	}
	return b.String()
}

func (t Term) name(g *game.Game, s lang.Speaker) string {
	if t.Text {
		return t.Name
	}
	if id := "foreign.term." + t.Name; s.Has(id) {
		return s.Say(id)
	}
	return g.Label(s, t.Name)
}

// Place names a place of a sheet: "Guns: Value", "Insight: Max".
func Place(g *game.Game, f *form.Form, path string, item string, s lang.Speaker) string {
	var parts []string
	for _, name := range strings.Split(path, ".") {
		if _, err := strconv.Atoi(name); err == nil {
			if item != "" {
				parts = append(parts, item)
			}
			continue
		}
		parts = append(parts, g.Label(s, name))
	}
	if item != "" && len(parts) > 2 {
		parts = parts[1:] // the item says which list it is in
	}
	return strings.Join(parts, ": ")
}
