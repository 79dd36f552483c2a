package dice

import "slices"

// aimLast makes a goal of a comparison behind a single die at the end of a roll: "1d100<=45",
// "d20+d4>=10".
func (p *parser) aimLast(r *Roll) {
	last, values := compares(r.Of)
	if last == nil || r.hasGoal() || len(r.Bands) > 0 || len(values) != 1 || last.kept() != 1 || values[0].between() ||
		last.Die.Names != nil || p.count && r.Of != Node(last) {
		return
	}
	if total := without(r.Of, last); total.kind() == sum {
		r.Of = total
		r.Goal, _ = goalOf(values)
	}
}

// kept returns how many dice are kept, -1 if that depends on other dice.
func (d *Dice) kept() int {
	n, fixed := d.Count.(Number)
	if !fixed {
		return -1
	}
	from, to := d.Mods.Ranks(int(n))
	return to - from
}

// alike returns an error for a roll that adds different kinds of values: totals, counts, symbols.
func (p *parser) alike(r Roll, from int) error {
	alone := r.Against == nil && (!r.hasGoal() && len(r.Bands) == 0 || p.edition < 3)
	for _, n := range r.sides() {
		if symbol := symbolsWithin(n, alone && n == r.Of); symbol != nil {
			counted := *symbol
			counted.Mods.Counted, counted.Mods.Count = true, Values{Exactly(1)}
			return p.meantError(Symbols, OfFaces, from, counted.String())
		}
	}
	if r.Of.kind() == mixed || r.Against != nil && r.Against.Of.kind() == mixed {
		var try []string
		var all []*Dice
		collect(r.Of, &all)
		i := slices.IndexFunc(all, (*Dice).onlyCompares)
		if i >= 0 && !r.hasGoal() {
			values := all[i].Mods.Count
			goal, ok := goalOf(values)
			if total := without(r.Of, all[i]); ok && total.kind() == sum {
				try = append(try, (Roll{Times: r.Times, Of: total, Goal: goal}).String())
			}
			if counted, ok := every(r.Of, values); ok {
				try = append(try, (Roll{Times: r.Times, Of: counted}).String())
			}
		}
		return p.meantError(Unlike, OfCompare, from, try...)
	}
	last, values := compares(r.Of)
	if o, ok := r.Of.(*Operation); ok && p.edition < 3 && last != nil && o.Right == Node(last) && o.Left != nil &&
		o.Left.kind() == number && !r.hasGoal() {
		count := &Operation{Op: '+', Left: last, Right: o.Left}
		try := []string{(Roll{Times: r.Times, Of: count}).String()}
		if goal, ok := goalOf(values); ok {
			try = append(try, (Roll{Times: r.Times, Of: without(r.Of, last), Goal: goal}).String())
		}
		p.object(p.meantError(Either, OfCompare, from, try...))
	}
	return nil
}

// symbolsWithin returns dice with symbols that are part of a larger result, or nil.
func symbolsWithin(n Node, top bool) *Dice {
	switch n := n.(type) {
	case *Operation:
		if n.Left != nil {
			if d := symbolsWithin(n.Left, false); d != nil {
				return d
			}
		}
		return symbolsWithin(n.Right, false)
	case *Group:
		for _, each := range n.Of {
			if d := symbolsWithin(each, false); d != nil {
				return d
			}
		}
	case *Dice:
		if n.kind() == names && (!top || n.Count != Number(1) || n.Mods.Explode != nil || n.Mods.Swaps != nil) {
			return n
		}
		return symbolsWithin(n.Count, false)
	}
	return nil
}

// onlyCompares reports whether a comparison is the only modifier that changes what is added up.
func (d *Dice) onlyCompares() bool {
	return d.Mods.Counted && d.Mods.Fail == nil && d.Mods.Glitch == nil && d.Mods.Explode == nil &&
		(len(d.Mods.Keeps) == 0 || !d.Mods.old && d.kept() == 1)
}

// compares returns the last dice of a sum and the values they're compared with, if they're counted.
func compares(n Node) (*Dice, Values) {
	switch n := n.(type) {
	case *Operation:
		if n.level() == 1 {
			return compares(n.Right)
		}
	case *Dice:
		if n.onlyCompares() {
			return n, n.Mods.Count
		}
	}
	return nil, nil
}

// without returns the expression with some dice added instead of counted.
func without(n Node, counted *Dice) Node {
	if o, ok := n.(*Operation); ok {
		other := *o
		if other.Left != nil {
			other.Left = without(o.Left, counted)
		}
		other.Right = without(o.Right, counted)
		return &other
	}
	if n == Node(counted) {
		bare := *counted
		bare.Mods.Counted, bare.Mods.Count = false, nil
		return &bare
	}
	return n
}

// every returns the sum with all dice counted in the same way, or false if some can't be.
func every(n Node, v Values) (Node, bool) {
	switch n := n.(type) {
	case *Operation:
		other := *n
		ok := n.level() == 1
		if n.Left != nil && ok {
			other.Left, ok = every(n.Left, v)
		}
		if ok {
			other.Right, ok = every(n.Right, v)
		}
		return &other, ok
	case *Dice:
		counted := *n
		counted.Mods.Counted, counted.Mods.Count = true, v
		hits := v.of(n.Die)
		return &counted, hits > 0 && hits < n.Die.Sides && !n.Mods.Again() && len(n.Mods.Keeps) == 0 &&
			n.Mods.Reading == Sum
	case Number:
		return n, true
	}
	return nil, false
}
