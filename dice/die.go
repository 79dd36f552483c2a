package dice

import (
	"slices"
	"strings"
)

// dice parses a die and its modifiers; n is the number of dice, one if none is written.
func (p *parser) dice(n Node, at int, one bool) (Node, error) {
	p.at++ // the d
	d := &Dice{Count: n}
	d.Mods.old, d.Mods.Whole = p.edition < 3, p.all
	var err error
	if d.Die, err = p.die(); err != nil {
		return nil, err
	}
	if digits, ok := sameDigits(d.Die.Sides); ok && d.Die.Faces == nil && p.digits && one { // d66
		d.Count, d.Die.Sides, d.Mods.Reading = Number(digits), d.Die.Sides%10, Digits
		for _, sorted := range []Sort{Ascending, Falling} {
			if p.word(string(sorted)) {
				d.Mods.Sorted = sorted
			}
		}
		return p.term(d, at)
	}
	few, many := n.Range()
	if _, fixed := n.(Number); !fixed {
		if err := within(FieldDice, many, 0, MaxDice, at); err != nil {
			return nil, err
		}
		if n.kind() == names {
			return nil, p.meantError(Unlike, OfFaces, at)
		}
		few = -1
	}
	if err := p.mods(&d.Mods, d, few, at); err != nil {
		return nil, err
	}
	return p.term(d, at)
}

func (p *parser) die() (Die, error) {
	if p.space(); p.eat('f', 'ф') {
		if from := p.at; p.eat('.') {
			switch {
			case p.eat('2'):
			case p.eat('1'):
				return Die{Sides: 6, Faces: []int{-1, 0, 0, 0, 0, 1}}, nil
			default:
				p.at = from
			}
		}
		return Die{Sides: 3, Fate: true}, nil
	}
	if p.eat('%') {
		return Die{Sides: 100}, nil
	}
	if p.eat('{') {
		return p.faces()
	}
	at := p.at
	sides, ok := p.number()
	if !ok && p.edition >= 3 && p.eat('(') { // "d(2*3)"
		n, err := p.sum()
		if err != nil {
			return Die{}, err
		}
		lo, hi := n.Range()
		sides, ok = lo, lo == hi && n.kind() == number && p.eat(')')
	}
	if !ok {
		return Die{}, p.wants(WantSides, OfDice)
	}
	return Die{Sides: sides}, within(FieldSides, sides, minSides, MaxSides, at)
}

// faces parses a list of faces up to the closing brace: numbers, ranges "1..3", or names.
func (p *parser) faces() (Die, error) {
	at := p.at - 1
	var texts []string
	var worths []int
	named := false
	for {
		p.space()
		from := p.at
		if n, ok := p.readSigned(); ok {
			last := n
			if p.space(); p.eat('.', '…') {
				for p.eat('.') {
				}
				p.space()
				if last, ok = p.readSigned(); !ok {
					return Die{}, p.wants(WantNumber, OfFaces)
				}
			}
			if ends := max(n, last, -n, -last); ends > MaxConstant {
				return Die{}, &RangeError{
					Field: FieldConstant, Min: -MaxConstant, Max: MaxConstant, Given: ends,
					At: from,
				}
			}
			if last < n || last-n >= maxFaces {
				return Die{}, &RangeError{Field: FieldSides, Min: 1, Max: maxFaces, Given: last - n + 1, At: from}
			}
			for ; n <= last; n++ {
				worths, texts = append(worths, n), append(texts, Die{Faces: []int{n}}.Show(1))
			}
		} else {
			name := p.faceName()
			if name == "" {
				return Die{}, p.wants(WantFace, OfFaces)
			}
			worths, texts, named = append(worths, 0), append(texts, name), true
		}
		p.space()
		if p.eat('}') {
			break
		}
		if !p.eat(',', ';') {
			return Die{}, p.wants(WantSeparator, OfFaces)
		}
	}
	if err := within(FieldSides, len(texts), 1, maxFaces, at); err != nil {
		return Die{}, err
	}
	d := Die{Sides: len(texts), Faces: worths}
	for i, text := range texts {
		if !named {
			break
		}
		if d.Faces[i] = slices.Index(d.Names, text) + 1; d.Faces[i] == 0 {
			d.Names = append(d.Names, text)
			d.Faces[i] = len(d.Names)
		}
	}
	return d, within(FieldBands, len(d.Names), 0, MaxBands, at)
}

// faceName parses a symbol: letters, pictures and any other characters that aren't signs of
// notation.
func (p *parser) faceName() string {
	from := p.at
	for !p.end() && !strings.ContainsRune(",;{}()<>=!#:", p.runes[p.at]) {
		p.at++
	}
	return strings.TrimSpace(string(p.runes[from:p.at]))
}

// readSigned parses a number with or without a minus.
func (p *parser) readSigned() (int, bool) {
	from := p.at
	minus := p.eat('-')
	if !minus {
		p.eat('+')
	}
	n, ok := p.number()
	if !ok {
		p.at = from
		return 0, false
	}
	if minus {
		return -n, true
	}
	return n, true
}
