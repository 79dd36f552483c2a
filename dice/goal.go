package dice

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// after parses what follows an expression: goals, bands, advantage and a label.
func (p *parser) after(r *Roll) error {
	for {
		p.space()
		here := p.at
		if p.end() || p.next() == ';' || p.throwFollows() {
			return nil
		}
		if p.next() == '.' && p.at == len(p.runes)-1 { // the full stop that a phone adds
			p.at++
			return nil
		}
		if lowest, ok := p.edgeWord(); ok {
			if p.edge != nil {
				return p.meantError(Twice, OfEdge, here)
			}
			p.edge, p.edgeAt = &lowest, here
			continue
		}
		asked := r.Goal.Given || r.Against != nil || len(r.Bands) > 0
		if bands, err := p.bands(); err != nil {
			return err
		} else if len(bands) > 0 {
			if asked {
				return p.meantError(Twice, OfBands, here)
			}
			r.Bands = bands
			continue
		}
		done, err := p.aim(r)
		switch {
		case err != nil:
			return err
		case done && asked:
			return p.meantError(Twice, OfGoal, here)
		case done:
			continue
		}
		if p.readLabel() {
			continue
		}
		if word := p.letters(); word == "x" || word == "х" {
			p.at++
			p.space()
			if n, ok := p.number(); ok && n > 1 && n <= MaxTimes && r.Times == 1 && !asked {
				var b strings.Builder
				r.Of.write(&b)
				once := *r
				once.Times = n
				return p.meantError(Repeated, OfTimes, here, once.String(),
					(Roll{Times: 1, Of: &Operation{Op: '*', Left: r.Of, Right: Number(n)}}).String())
			}
			p.at = here
		}
		return p.wants(WantSign, OfSum)
	}
}

// aim parses the goal of a roll, or the dice that it's compared with.
func (p *parser) aim(r *Roll) (done bool, err error) {
	from := p.at
	goal, ok, err := p.goal()
	if ok || err != nil {
		r.Goal = goal
		return ok, err
	}
	p.at = from
	if r.Of.kind() == names {
		return false, nil
	}
	op := p.comparison()
	if op == "" && p.word(against...) {
		op = "vs"
		if p.space(); p.edition >= 3 {
			op = cmp.Or(p.comparison(), op)
		}
	}
	if op == "" || op == "<>" && p.edition < 3 {
		p.at = from
		return false, nil
	}
	of, err := p.sum()
	if err != nil {
		return true, err
	}
	switch d, ok := r.Of.(*Dice); {
	case ok && p.count:
		return true, p.meantError(Elsewhere, OfCompare, from, "("+d.String()+") "+op+" "+show(of))
	case p.count && (r.Of.kind() == count || endsInCount(r.Of)):
		return true, p.meantError(Twice, OfCompare, from)
	}
	if of.kind() == number && op != "<>" {
		if n, hi := of.Range(); n == hi {
			if op == "vs" {
				op = ">="
			}
			v := valuesComparing(op, n)
			r.Goal = Goal{Given: true, Lo: v[0].Lo, Hi: v[0].Hi}
			return true, nil
		}
	}
	r.Against = &Against{Op: op, Of: of}
	return true, nil
}

// endsInCount reports whether the last dice of an expression are counted.
func endsInCount(n Node) bool {
	if o, ok := n.(*Operation); ok {
		return endsInCount(o.Right)
	}
	return n.kind() == count
}

// goal parses a goal that is a number.
func (p *parser) goal() (goal Goal, ok bool, err error) {
	from := p.at
	p.eat(',', ':')
	p.space()
	end := func(n int, most bool) Goal {
		if most {
			return Goal{Given: true, Lo: math.MinInt, Hi: n}
		}
		return Goal{Given: true, Lo: n, Hi: math.MaxInt}
	}
	for _, g := range goals {
		if p.word(g.before...) {
			p.space()
			at := p.at
			n, ok := p.readSigned()
			if !ok {
				return Goal{}, false, p.wants(WantNumber, OfGoal)
			}
			return end(n, g.most), true, within(FieldConstant, n, -MaxConstant, MaxConstant, at)
		}
	}
	at := p.at
	n, ok := p.readSigned()
	if ok && at < len(p.runes) && p.runes[at] != '+' {
		p.space()
		for i, sign := range []rune{'+', '-'} {
			if p.eat(sign) || p.word(goals[i].after...) {
				if p.space(); '0' <= p.next() && p.next() <= '9' || p.startsDice() {
					break
				}
				return end(n, goals[i].most), true, within(FieldConstant, n, -MaxConstant, MaxConstant, at)
			}
		}
	}
	p.at = from
	return Goal{}, false, nil
}

// bands parses names for values: "miss 6-, weak 7-9, strong 10+". It takes none if there are fewer
// than two.
func (p *parser) bands() (bands []Band, err error) {
	from := p.at
	p.eat(':', ',')
	for {
		p.space()
		at := p.at
		b := Band{Name: p.bandName()}
		p.eat(':')
		p.space()
		var ok bool
		if b.Lo, b.Hi, ok = p.span(); !ok {
			p.at = from
			return nil, nil
		}
		if b.Name == "" {
			p.eat(':')
			p.space()
			b.Name = p.bandName()
		}
		if dice := p.edition >= 3 && strings.ContainsAny(b.Name[max(0, len(b.Name)-1):], "dDдДкК") &&
			len([]rune(b.Name)) == 1; dice || b.Name == "" || strings.HasPrefix(b.Name, "-") || slices.Contains(against, strings.ToLower(b.Name)) {
			p.at = from
			return nil, nil
		}
		for _, other := range bands {
			if b.Lo <= other.Hi && other.Lo <= b.Hi {
				return nil, p.meantError(Overlap, OfBands, at)
			}
		}
		bands = append(bands, b)
		p.space()
		if !p.eat(',', '|') {
			break
		}
	}
	if len(bands) < 2 {
		p.at = from
		return nil, nil
	}
	return bands, within(FieldBands, len(bands), 2, MaxBands, from)
}

// bandName parses words up to a number or a sign.
func (p *parser) bandName() string {
	from := p.at
	for !p.end() && !strings.ContainsRune("0123456789<>=≥≤,;:|#+*/(){}", p.runes[p.at]) {
		if p.runes[p.at] == '-' && p.at+1 < len(p.runes) && '0' <= p.runes[p.at+1] && p.runes[p.at+1] <= '9' {
			break
		}
		p.at++
	}
	return strings.TrimSpace(string(p.runes[from:p.at]))
}

// span parses "6-", "7-9", "10+", "7", ">=10".
func (p *parser) span() (lo, hi int, ok bool) {
	if op := p.comparison(); op != "" && op != "<>" {
		p.space()
		n, ok := p.readSigned()
		v := valuesComparing(op, n)
		return v[0].Lo, v[0].Hi, ok
	}
	n, ok := p.readSigned()
	if !ok || n > MaxConstant || n < -MaxConstant {
		return 0, 0, false
	}
	lo, hi = n, n
	switch {
	case p.eat('+'):
		hi = math.MaxInt
	case p.eat('-') || p.eat('.'):
		for p.eat('.') {
		}
		if to, ok := p.readSigned(); ok {
			hi = to
		} else {
			lo, hi = math.MinInt, n
		}
	}
	return lo, hi, lo <= hi
}
