package dice

import (
	"slices"
	"strings"
)

// edge returns the modifier of advantage or disadvantage.
func edge(lowest bool) Keep {
	if lowest {
		return Keep{N: 1, Of: Lowest}
	}
	return Keep{N: 1, Of: Highest}
}

// edgeMods returns the modifiers of two dice with advantage or disadvantage.
func (p *parser) edgeMods(lowest bool) Mods {
	return Mods{Keeps: []Keep{edge(lowest)}, old: p.edition < 3}
}

// edgeWord parses the name of advantage or disadvantage.
func (p *parser) edgeWord() (lowest, ok bool) {
	for _, e := range edges {
		if p.word(e.names...) {
			return e.lowest, true
		}
	}
	return false, false
}

// give applies advantage or disadvantage, written anywhere in a roll, to its single die.
func (p *parser) give(r *Roll) error {
	keep := edge(*p.edge)
	var found []*Dice
	collect(r.Of, &found)
	if len(found) == 0 {
		r.Of = &Operation{
			Op: '+', Left: &Dice{Count: Number(2), Die: Die{Sides: 20}, Mods: p.edgeMods(*p.edge)},
			Right: r.Of,
		}
		return nil
	}
	if i := slices.IndexFunc(found, func(d *Dice) bool { return d.Die.Sides == 20 && d.Count == Number(1) }); i > 0 {
		found[0], found[i] = found[i], found[0]
	}
	for _, d := range found {
		if d.Count == Number(1) && len(d.Mods.Keeps) == 0 && d.Mods.Reading == Sum {
			d.Count, d.Mods.Keeps = Number(2), []Keep{keep}
			if d.Mods.Counted {
				return p.meantAt(OneDie, OfEdge)
			}
			return nil
		}
	}
	var try []string
	if n, ok := found[0].Count.(Number); ok && len(found) == 1 && len(found[0].Mods.Keeps) == 0 {
		try = []string{(&Dice{Count: n, Die: found[0].Die, Mods: p.edgeMods(*p.edge)}).String()}
	}
	return p.meantAt(OneDie, OfEdge, try...)
}

func (p *parser) meantAt(reason string, of Construct, try ...string) error {
	return &MeantError{
		Reason: reason, Of: of, At: p.edgeAt, Given: strings.TrimSpace(string(p.runes[p.edgeAt:p.at])),
		Try: try,
	}
}
