package edda

import (
	"norn/game"
	"norn/rule"
)

// Experience may be spent and a strength restored at any time, while one's own question is open, too.
// So a rule doesn't keep a sheet from before a question: it reads it from a scene, or from a person,
// that takes in what others have changed. ED-19, ED-23

// lendAll lends everybody while questions of r are open, after which it reads no sheet.
func lendAll(r *rule.Run) { r.Lend(func(rule.Event) {}) }

// person is a character whose sheet follows what the rule records and what others change.
type person struct {
	r     *rule.Run
	who   string
	sheet any
}

func personOf(r *rule.Run, who string, sheet any) *person {
	p := &person{r: r, who: who, sheet: sheet}
	r.Lend(p.take)
	return p
}

func (p *person) take(e rule.Event) {
	if change, ok := game.AsChange(e); ok && change.Whose() == p.who {
		p.sheet = change.Apply(p.sheet)
	}
}

// record records an event and applies it.
func (p *person) record(e rule.Event) {
	p.r.Record(e)
	p.take(e)
}

// hero returns the sheet, if it's a hero's.
func (p *person) hero() Hero {
	hero, _ := p.sheet.(Hero)
	return hero
}
