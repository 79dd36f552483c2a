package dice

import "unicode"

// Bounds of notation; dice and sides have theirs in MaxDice and MaxSides.
const (
	MaxTerms    = 20
	MaxConstant = 1_000_000
	minSides    = 2 // d1 would be a constant in disguise

	MaxExplosions = 10 // how often one die is thrown again for its highest face
)

// Parse reads dice notation:
//
//	expression = [sign] term { sign term } [ goal ]
//	term       = number | [dice] "d" (sides | "%" | "F") [ choice ] | edge
//	choice     = ("kh" | "k" | "kl" | "dh" | "dl") [number]     keep or drop the highest or lowest
//	           | ["!"] [ (">=" | ">" | "<" | "<=" | "=") number ]  count the dice that compare so
//	           | edge                                           of a single die
//	edge       = "adv" | "dis"                                  the higher or lower of two d20
//	goal       = number ("+" | "-") | ("at least" | "at most") number
//	sign       = "+" | "-"
//
// A die with ! is thrown again and added each time it shows its highest face, at most
// MaxExplosions times. Dice with F are Fate's, of −1, 0 and +1. What edges and goals are
// called stands in edges and goals, in the languages of those who write them.
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
			goal, ok, err := p.goal()
			if err != nil {
				return Expr{}, err
			}
			if !ok || !p.end() {
				return Expr{}, p.want(WantSign)
			}
			e.goal = goal
			break
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
	if lowest, ok := p.edge(); ok {
		p.summed = true
		return Term{Pool: Pool{N: 2, Sides: 20, For: "dice"}, Keep: Keep{N: 1, Lowest: lowest}}, nil
	}
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
	p.space()
	if p.eat('f', 'ф') {
		return p.choice(Term{Pool: Pool{N: n, Sides: 3, For: FateDice}, Fate: true})
	}
	sides, err := p.sides()
	if err != nil {
		return Term{}, err
	}
	return p.choice(Term{Pool: Pool{N: n, Sides: sides, For: "dice"}})
}

// FateDice is what Fate's dice are for: their faces 1, 2 and 3 stand for −1, 0 and +1.
const FateDice = "fate"

// edges are the names of advantage and disadvantage.
var edges = []struct {
	lowest bool
	names  []string
}{
	{false, []string{"with advantage", "advantage", "adv", "с преимуществом", "преимущество", "преим", "з перевагою", "перевага"}},
	{true, []string{"with disadvantage", "disadvantage", "disadv", "dis", "с помехой", "помеха", "із завадою", "з завадою", "завада"}},
}

// edge reads advantage or disadvantage.
func (p *parser) edge() (lowest, ok bool) {
	for _, e := range edges {
		if p.eatWord(e.names...) {
			return e.lowest, true
		}
	}
	return false, false
}

// goals are the words that stand before or after what a total should come to.
var goals = []struct {
	most          bool
	before, after []string
}{
	{
		false,
		[]string{"at least", "не меньше", "не менее", "минимум", "хотя бы", "не менше", "щонайменше", "мінімум", ">=", "≥"},
		[]string{"or more", "or better", "or higher", "и больше", "и более", "или больше", "і більше", "або більше", "чи більше"},
	},
	{
		true,
		[]string{"at most", "не больше", "не более", "максимум", "не більше", "щонайбільше", "<=", "≤"},
		[]string{"or less", "or lower", "и меньше", "и менее", "или меньше", "і менше", "або менше", "чи менше"},
	},
}

// goal reads what the total should come to, up to the end.
func (p *parser) goal() (goal Goal, ok bool, err error) {
	from := p.at
	p.eat(',', ':')
	p.space()
	for _, g := range goals {
		if p.eatWord(g.before...) {
			n, err := p.numberIn(FieldConstant, 0, MaxConstant, WantNumber)
			p.space()
			return Goal{Given: true, N: n, Most: g.most}, true, err
		}
	}
	at := p.at
	n, ok := p.number()
	p.space()
	if ok {
		for i, sign := range [][]rune{{'+'}, {'-', '−', '–'}} {
			if p.eat(sign...) || p.eatWord(goals[i].after...) {
				p.space()
				return Goal{Given: true, N: n, Most: goals[i].most}, true, within(FieldConstant, n, 0, MaxConstant, at)
			}
		}
	}
	p.at = from
	if ok {
		p.at = at
	}
	return Goal{}, false, nil
}

func (p *parser) sides() (int, error) {
	p.space()
	if p.eat('%') {
		return 100, nil
	}
	return p.numberIn(FieldSides, minSides, MaxSides, WantSides)
}

func (p *parser) choice(t Term) (Term, error) {
	p.space()
	if !t.Fate && t.Pool.N == 1 {
		if lowest, ok := p.edge(); ok {
			p.summed = true
			t.Pool.N, t.Keep = 2, Keep{N: 1, Lowest: lowest}
			return t, nil
		}
	}
	if !t.Fate {
		t.Explodes = p.eat('!')
	}
	var (
		keep             Keep
		count            Faces
		chosen, compared bool
		err              error
	)
	if !t.Explodes {
		if keep, chosen, err = p.keep(t.Pool.N); err != nil {
			return Term{}, err
		}
	}
	p.space()
	at := p.at
	if !t.Fate { // whose totals are counted
		count, compared, err = p.compare(t.Pool.Sides)
	}
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

// eatWord goes over one of the names if it is next, in either case, with any space where it has one, and ends there.
func (p *parser) eatWord(names ...string) bool {
	from := p.at
	for _, name := range names {
		fits, last := true, rune(0)
		for _, c := range name {
			last = c
			if c == ' ' && p.space() {
				continue
			}
			if fits = p.eat(c); !fits {
				break
			}
		}
		if fits && !(unicode.IsLetter(last) && !p.end() && unicode.IsLetter(p.runes[p.at])) {
			return true
		}
		p.at = from
	}
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
