package dice

import "unicode"

func (p *parser) sum() (Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, &RangeError{Field: FieldDepth, Min: 0, Max: maxDepth - 1, Given: p.depth - 1, At: p.at}
	}
	defer func() { p.depth-- }()
	sign := 0
	if p.edition < 3 {
		sign = p.sign()
	} else {
		p.space()
		p.eat('+')
	}
	left, err := p.product()
	if err != nil {
		return nil, err
	}
	if sign < 0 {
		left = &Operation{Op: '-', Right: left}
	}
	for {
		from := p.at
		spaced := p.space()
		sign := p.sign()
		if sign == 0 {
			p.at = from
			return left, nil
		}
		// "1d20 – attack"
		if p.space(); sign < 0 && spaced && unicode.IsLetter(p.next()) && !p.startsDice() && !p.isWord() {
			p.at = from
			return left, nil
		}
		right, err := p.product()
		if err != nil {
			return nil, err
		}
		op := byte('+')
		if sign < 0 {
			op = '-'
		}
		left = &Operation{Op: op, Left: left, Right: right}
	}
}

// sign parses a sign and returns +1, -1, or 0 if there is none.
func (p *parser) sign() int {
	p.space()
	switch {
	case p.eat('+'):
		return 1
	case p.eat('-'):
		return -1
	}
	return 0
}

func (p *parser) product() (Node, error) {
	start := p.at
	left, err := p.factor()
	for err == nil {
		from := p.at
		p.space()
		at := p.at
		op := byte('*')
		switch {
		case p.eat('*'):
		case p.eat('/') && p.next() != '/':
			op = '/'
		default:
			p.at = from
			return left, p.whole(left, start)
		}
		var right Node
		if right, err = p.factor(); err != nil {
			break
		}
		if product := timesDecimal(op, left, right); product != nil {
			if left = product; p.exact && p.rounds == 0 {
				return nil, p.meantError(Fraction, OfDivide, start)
			}
			continue
		}
		if lo, hi := right.Range(); op == '/' && lo <= 0 && hi >= 0 {
			return nil, p.meantError(ByZero, OfDivide, at)
		}
		o := &Operation{Op: op, Left: left, Right: right}
		rounded := p.edition >= 3 && op == '/' && p.rounding(o)
		if left = o; p.exact && p.rounds == 0 && op == '/' && !rounded && !o.even() {
			return nil, p.meantError(Fraction, OfDivide, start, "floor("+show(o)+")", "ceil("+show(o)+")")
		}
	}
	return nil, err
}

// rounding parses how a division is rounded: "/2U" up, "/2R" to the nearest, "/2F" down.
func (p *parser) rounding(o *Operation) bool {
	from := p.at
	p.space()
	how, known := map[string]Round{"u": Up, "c": Up, "r": Nearest, "f": Down}[p.letters()]
	if !known {
		p.at = from
		return false
	}
	p.at++
	o.Round = how
	return true
}

// even reports whether a division of numbers has no remainder.
func (o *Operation) even() bool {
	left, one := o.Left.(Number)
	right, other := o.Right.(Number)
	return one && other && left%right == 0
}

// whole refuses a number with decimals that multiplies nothing.
func (p *parser) whole(n Node, at int) error {
	if o, ok := n.(*Operation); ok && o.Op == '/' && o.tight {
		return p.meantError(Fraction, OfDivide, at)
	}
	return nil
}

// timesDecimal returns a product with a number with decimals as a division, or nil for any other
// operation. A tight division is such a number.
func timesDecimal(op byte, left, right Node) Node {
	decimal := func(n Node) *Operation {
		if o, ok := n.(*Operation); ok && o.Op == '/' && o.tight {
			return o
		}
		return nil
	}
	if op != '*' {
		return nil
	}
	of, by := left, decimal(right)
	if by == nil {
		if of, by = right, decimal(left); by == nil {
			return nil
		}
	}
	if by.Left != Node(Number(1)) {
		of = &Operation{Op: '*', Left: of, Right: by.Left}
	}
	if by.Right == Node(Number(1)) {
		return of
	}
	return &Operation{Op: '/', Left: of, Right: by.Right}
}

// decimals parses the digits behind a decimal point and returns the number as a tight division.
func (p *parser) decimals(whole int) Node {
	from := p.at
	if p.edition < 3 || !p.eat('.') {
		return nil
	}
	over := 1
	for c := p.next(); '0' <= c && c <= '9' && over < MaxConstant; c = p.next() {
		p.at++
		whole, over = whole*10+int(c-'0'), over*10
	}
	if over == 1 || whole > MaxConstant {
		p.at = from
		return nil
	}
	for _, by := range []int{2, 5} {
		for whole%by == 0 && over%by == 0 {
			whole, over = whole/by, over/by
		}
	}
	return &Operation{Op: '/', Left: Number(whole), Right: Number(over), tight: true}
}

// function parses "max(d20, 2d8)", "ceil(d6/2)".
func (p *parser) function() (Node, bool, error) {
	from := p.at
	for _, f := range functions {
		if !p.word(f.names...) {
			continue
		}
		p.space()
		if p.next() != '(' {
			p.at = from
			continue
		}
		p.at++
		p.rounds++
		of, err := p.list(')', OfGroup)
		p.rounds--
		if err != nil {
			return nil, true, err
		}
		d, isDice := of[0].(*Dice)
		switch alone := len(of) == 1 && (isDice && d.kind() == sum || plainSum(of[0])); {
		case alone && p.edition >= 3 && (f.name == "max" || f.name == "min"): // there is nothing to choose from
			return of[0], true, nil
		case f.name == "max":
			return &Group{Of: of, Mods: Mods{Keeps: []Keep{{N: 1, Of: Highest}}}}, true, nil
		case f.name == "min":
			return &Group{Of: of, Mods: Mods{Keeps: []Keep{{N: 1, Of: Lowest}}}}, true, nil
		}
		division, ok := of[0].(*Operation)
		if len(of) > 1 || !ok || division.Op != '/' {
			return nil, true, &SyntaxError{At: from, Want: WantTerm, Text: p.text, Of: OfDivide}
		}
		rounded := *division
		rounded.Round = map[string]Round{"ceil": Up, "round": Nearest}[f.name]
		return &rounded, true, nil
	}
	return nil, false, nil
}

// list parses expressions up to a closing bracket.
func (p *parser) list(end rune, of Construct) ([]Node, error) {
	var all []Node
	for {
		n, err := p.sum()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
		p.space()
		if p.eat(end) {
			return all, nil
		}
		if !p.eat(',', ';') {
			return nil, p.wants(WantClose, of)
		}
	}
}
