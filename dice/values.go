package dice

import (
	"math"
	"strings"
)

// values parses a comparison. It returns nil if there is none, or if dice are on its right side.
// With bare, a number without a sign is accepted, and the values are required.
func (p *parser) values(die Die, of Construct, bare bool) (Values, error) {
	from := p.at
	p.space()
	unequal := bare && p.edition >= 3 && p.eatText("!=")
	op := p.comparison()
	if unequal {
		op = "<>"
	}
	if op == "" && !bare {
		if _, top := die.ends(); of != OfExplode || top < 1 || p.at > from || p.next() < '0' || p.next() > '9' {
			p.at = from
			return nil, nil
		}
	}
	p.space()
	if op == "" || op == "=" || op == "<>" {
		if list, ok, err := p.valueList(die, of); ok || err != nil {
			if op == "<>" && err == nil && len(list) == 1 && list[0].Lo == list[0].Hi {
				list = Values{{Lo: math.MinInt, Hi: list[0].Lo - 1}, {Lo: list[0].Lo + 1, Hi: math.MaxInt}}
			}
			return list, err
		}
	}
	at := p.at
	n, ok := p.value(die)
	if !ok && op != "" && !bare && (p.startsDice() || strings.ContainsRune("({", p.next()) || p.isWord()) {
		p.at = from // it compares dice with dice
		return nil, nil
	}
	if !ok {
		return nil, p.wants(WantNumber, of)
	}
	if p.flat && p.startsDie() && !p.keepsWord() {
		return nil, p.meantError(Elsewhere, of, from)
	}
	if op != "" && !bare {
		if after := p.at; p.startsDie() && !p.keepsWord() {
			p.at = from
			return nil, nil
		} else if p.space(); (p.next() == '*' || p.next() == '/') && (of != OfExplode && !p.count || p.edition < 3) {
			p.at = from
			return nil, nil
		} else {
			p.at = after
		}
	}
	if err := within(FieldFace, n, -MaxConstant, MaxConstant, at); err != nil {
		return nil, err
	}
	return valuesComparing(op, n), nil
}

// keepsWord reports whether the next word drops dice.
func (p *parser) keepsWord() bool {
	word := p.letters()
	after := rune(0)
	if to := p.at + len(word); to < len(p.runes) {
		after = p.runes[to]
	}
	if p.drops && word == "d" && '0' <= after && after <= '9' {
		return true
	}
	compared := p.edition >= 3 && strings.ContainsRune("<>=", after)
	return word == "dl" || word == "dh" || compared && (word == "d" || word == "df")
}

// valuesComparing returns the values that compare with n in this way.
func valuesComparing(op string, n int) Values {
	switch op {
	case ">=":
		return Values{{Lo: n, Hi: math.MaxInt}}
	case ">":
		return Values{{Lo: n + 1, Hi: math.MaxInt}}
	case "<=":
		return Values{{Lo: math.MinInt, Hi: n}}
	case "<":
		return Values{{Lo: math.MinInt, Hi: n - 1}}
	case "<>":
		return Values{{Lo: math.MinInt, Hi: n - 1}, {Lo: n + 1, Hi: math.MaxInt}}
	}
	return Values{Exactly(n)}
}

// comparison parses a comparison operator, or returns "".
func (p *parser) comparison() string {
	switch {
	case p.eat('≥'):
		return ">="
	case p.eat('≤'):
		return "<="
	case p.eat('≠'):
		return "<>"
	case p.eat('>'):
		if p.eat('=') {
			return ">="
		}
		return ">"
	case p.eat('<'):
		if p.eat('=') {
			return "<="
		}
		if p.eat('>') {
			return "<>"
		}
		return "<"
	case p.eat('='):
		switch {
		case p.eat('>'):
			return ">="
		case p.eat('<'):
			return "<="
		}
		p.eat('=')
		return "="
	}
	return ""
}

// value parses a number, or a symbol of the die.
func (p *parser) value(die Die) (int, bool) {
	if die.Names == nil {
		return p.readSigned()
	}
	for i, name := range die.Names {
		if p.word(strings.ToLower(name)) {
			return i + 1, true
		}
	}
	return 0, false
}

// valueList parses "{1, 3..5}".
func (p *parser) valueList(die Die, of Construct) (Values, bool, error) {
	from := p.at
	if !p.eat('{') {
		return nil, false, nil
	}
	var all Values
	for {
		p.space()
		if p.startsDice() {
			p.at = from
			return nil, false, nil
		}
		lo, ok := p.value(die)
		if !ok {
			return nil, true, p.wants(WantNumber, of)
		}
		hi := lo
		if p.space(); p.eat('.') {
			for p.eat('.') {
			}
			p.space()
			if hi, ok = p.value(die); !ok {
				return nil, true, p.wants(WantNumber, of)
			}
		}
		switch {
		case lo < -MaxConstant || lo > MaxConstant:
			return nil, true, &RangeError{Field: FieldFace, Min: -MaxConstant, Max: MaxConstant, Given: lo, At: from}
		case hi < lo || hi > MaxConstant: // "{5..3}" ends before it begins
			return nil, true, &RangeError{Field: FieldFace, Min: lo, Max: MaxConstant, Given: hi, At: from}
		case len(all) == maxFaces:
			return nil, true, &RangeError{Field: FieldSides, Min: 1, Max: maxFaces, Given: maxFaces + 1, At: from}
		}
		span := Faces{Lo: lo, Hi: hi}
		if p.edition >= 3 && hi == MaxConstant { // "={4..1000000}" is ">=4"
			span.Hi = math.MaxInt
		}
		if p.edition >= 3 && lo == -MaxConstant {
			span.Lo = math.MinInt
		}
		all = append(all, span)
		if p.space(); p.eat('}') {
			return all, true, nil
		}
		if !p.eat(',', ';') {
			return nil, true, p.wants(WantClose, of)
		}
	}
}
