package dice

func (p *parser) group() (Node, error) {
	from := p.at
	p.at++
	of, err := p.list('}', OfGroup)
	if err != nil {
		return nil, err
	}
	if p.edition >= 3 && len(of) == 1 && of[0].kind() == sum {
		return p.apart(of[0], from)
	}
	if p.idle && len(of) == 1 && (p.keepsNext() || p.comparisonFollows()) {
		return nil, p.meantError(Elsewhere, OfGroup, from)
	}
	g := &Group{Of: of}
	g.Mods.old, g.Mods.Whole = p.edition < 3, p.all
	err = p.mods(&g.Mods, g, len(of), from)
	return g, err
}

// apart parses the modifiers of one expression whose dice are one handful: "(4d6)kh3",
// "{2d6+d8+d10}kh2".
func (p *parser) apart(n Node, at int) (Node, error) {
	if p.idle && !plainSum(n) && (p.keepsNext() || p.comparisonFollows()) {
		return nil, p.meantError(Elsewhere, OfGroup, at)
	}
	if d, ok := n.(*Dice); ok {
		few := -1
		if fixed, ok := d.Count.(Number); ok {
			few = int(fixed)
		}
		if d.Mods.Reading == Digits && p.keepsNext() { // "(d66)k": each die is a digit
			p.object(p.meantError(Unlike, OfGroup, at))
		}
		return d, p.mods(&d.Mods, d, few, at)
	}
	g := &Group{Apart: true, Mods: Mods{Whole: p.all}}
	if g.gather(n); g.Apart {
		return g, p.mods(&g.Mods, g, g.size(), at)
	}
	if p.keepsNext() {
		return nil, p.meantError(Unlike, OfGroup, at)
	}
	g = &Group{Of: []Node{n}, Mods: Mods{Whole: p.all}}
	return g, p.mods(&g.Mods, g, 1, at)
}

// plainSum reports whether an expression adds dice without modifiers.
func plainSum(n Node) bool {
	switch n := n.(type) {
	case *Operation:
		return n.Op == '+' && n.Left != nil && plainSum(n.Left) && plainSum(n.Right)
	case *Dice:
		_, fixed := n.Count.(Number)
		return fixed && n.Mods.show(n.Die, -1) == ""
	}
	return false
}

// gather adds the handfuls of a sum to a group. It clears Apart if there is anything else in it.
func (g *Group) gather(n Node) {
	switch n := n.(type) {
	case *Operation:
		if n.Op == '+' && n.Left != nil {
			g.gather(n.Left)
			g.gather(n.Right)
			return
		}
	case *Dice:
		_, fixed := n.Count.(Number)
		m := n.Mods
		if fixed && len(m.Keeps) == 0 && !m.Counted && m.Reading == Sum && m.Swaps == nil && !m.Unique &&
			(m.Explode == nil || m.Compound) {
			g.Of = append(g.Of, n)
			return
		}
	}
	g.Apart = false
}
