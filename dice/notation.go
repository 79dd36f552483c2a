package dice

// Bounds of notation; dice and sides have theirs in MaxDice and MaxSides.
const (
	MaxTerms    = 20
	MaxConstant = 1_000_000
	minSides    = 2 // d1 would be a constant in disguise
)

// Parse reads dice notation:
//
//	expression = [sign] term { sign term }
//	term       = number | [dice] "d" (sides | "%") [ choice ]
//	choice     = ("kh" | "k" | "kl" | "dh" | "dl") [number]  keep or drop the highest or lowest
//	           | (">=" | ">" | "<" | "<=" | "=") number      count the dice that compare so
//	sign       = "+" | "-"
//
// Spaces may stand between all these, letters in either case. d is also д or к, as
// Russian and Ukrainian players write it; − and – are minus, ≥ and ≤ comparisons.
// d% is d100. Without a number, one die is thrown, kept or dropped.
//
// There are 1…MaxTerms terms, 1…MaxDice dice in a term, 2…MaxSides sides and
// constants 0…MaxConstant. A term keeps at least one die. A comparison is with a
// face that some die can satisfy. Terms with dice all count successes or none does,
// and a term that counts doesn't keep or drop.
//
// Errors are *SyntaxError, *RangeError and *MixError, with rune offsets.
func Parse(text string) (Expr, error) {
	p := parser{reader: newReader(text), comparedAt: -1}
	var e Expr
	p.space()
	for first := true; first || !p.end(); first = false {
		if len(e.terms) == MaxTerms {
			return Expr{}, &RangeError{Field: FieldTerms, Min: 1, Max: MaxTerms, Given: MaxTerms + 1, At: p.at}
		}
		sign := p.sign()
		if sign == 0 && !first {
			return Expr{}, p.want(WantSign)
		}
		t, err := p.term()
		if err != nil {
			return Expr{}, err
		}
		t.Sign = 1
		if sign < 0 {
			t.Sign = -1
		}
		e.terms = append(e.terms, t)
		p.space()
	}
	if p.comparedAt >= 0 && p.summed {
		return Expr{}, &MixError{At: p.comparedAt}
	}
	return e, nil
}

// parser reads the parts of an expression; each part goes over the spaces before it.
type parser struct {
	*reader
	comparedAt int  // offset of the first comparison; -1 before it
	summed     bool // some dice are added up
}

// sign is +1, -1, or 0 when there is none.
func (p *parser) sign() int {
	p.space()
	switch {
	case p.eat('+'):
		return 1
	case p.eat('-', '−', '–'):
		return -1
	}
	return 0
}

func (p *parser) term() (Term, error) {
	p.space()
	at := p.at
	n, given := p.number()
	p.space()
	if !p.eat('d', 'д', 'к') {
		if !given {
			return Term{}, p.want(WantTerm)
		}
		return Term{Constant: n}, within(FieldConstant, n, 0, MaxConstant, at)
	}
	if !given {
		n = 1
	}
	if err := within(FieldDice, n, 1, MaxDice, at); err != nil {
		return Term{}, err
	}
	sides, err := p.sides()
	if err != nil {
		return Term{}, err
	}
	return p.choice(Pool{N: n, Sides: sides, For: "dice"})
}

func (p *parser) sides() (int, error) {
	p.space()
	if p.eat('%') {
		return 100, nil
	}
	return p.numberIn(FieldSides, minSides, MaxSides, WantSides)
}

func (p *parser) choice(pool Pool) (Term, error) {
	t := Term{Pool: pool}
	keep, chosen, err := p.keep(pool.N)
	if err != nil {
		return Term{}, err
	}
	p.space()
	at := p.at
	count, compared, err := p.compare(pool.Sides)
	switch {
	case err != nil:
		return Term{}, err
	case compared && chosen:
		return Term{}, &MixError{At: at}
	case compared && p.comparedAt < 0:
		p.comparedAt = at
	case !compared:
		p.summed = true
	}
	t.Keep, t.Count = keep, count
	return t, nil
}

// keep reads what is kept or dropped of n dice, if anything is written about it.
func (p *parser) keep(n int) (keep Keep, chosen bool, err error) {
	p.space()
	switch {
	case p.eat('k'):
		if keep.Lowest = p.eat('l'); !keep.Lowest {
			p.eat('h')
		}
		keep.N, err = p.numberOrOne(FieldKeep, 1, n)
	case p.eat('d'):
		// To drop the highest is to keep the lowest.
		if keep.Lowest = p.eat('h'); !keep.Lowest && !p.eat('l') {
			return Keep{}, false, p.want(WantHighLow)
		}
		keep.N, err = p.numberOrOne(FieldDrop, 0, n-1)
		keep.N = n - keep.N
	default:
		return Keep{}, false, nil
	}
	if keep.N == n {
		keep = Keep{} // all dice
	}
	return keep, true, err
}

// compare reads which faces of a die count, if there is a comparison.
func (p *parser) compare(sides int) (faces Faces, compared bool, err error) {
	p.space()
	var n int
	switch {
	case p.eat('≥'), p.eatTwo('>', '='):
		n, err = p.face(1, sides)
		return AtLeast(n), true, err
	case p.eat('>'):
		n, err = p.face(0, sides-1)
		return AtLeast(n + 1), true, err
	case p.eat('≤'), p.eatTwo('<', '='):
		n, err = p.face(1, sides)
		return AtMost(n), true, err
	case p.eat('<'):
		n, err = p.face(2, sides+1)
		return AtMost(n - 1), true, err
	case p.eat('='):
		n, err = p.face(1, sides)
		return Exactly(n), true, err
	}
	return Faces{}, false, nil
}

func (p *parser) face(least, greatest int) (int, error) {
	return p.numberIn(FieldFace, least, greatest, WantNumber)
}

func (p *parser) eatTwo(a, b rune) bool {
	from := p.at
	if p.eat(a) && p.eat(b) {
		return true
	}
	p.at = from
	return false
}

// numberIn reads a number that must be there and within its bounds.
func (p *parser) numberIn(field string, least, greatest int, want string) (int, error) {
	p.space()
	at := p.at
	n, ok := p.number()
	if !ok {
		return 0, p.want(want)
	}
	return n, within(field, n, least, greatest, at)
}

// numberOrOne reads a number within its bounds that is 1 when it isn't written.
func (p *parser) numberOrOne(field string, least, greatest int) (int, error) {
	p.space()
	at := p.at
	n, ok := p.number()
	if !ok {
		n = 1
	}
	return n, within(field, n, least, greatest, at)
}

func within(field string, n, least, greatest, at int) error {
	if n < least || n > greatest {
		return &RangeError{Field: field, Min: least, Max: greatest, Given: n, At: at}
	}
	return nil
}
