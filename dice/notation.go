package dice

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of notation. MaxDice and MaxSides limit dice and sides.
const (
	MaxTerms    = 20 // numbers and handfuls
	MaxConstant = 1_000_000
	MaxTimes    = 50 // throws of one expression
	MaxBands    = 8
	MaxText     = 500 // characters

	MaxExplosions = 10 // how often one die that explodes is thrown again
	MaxRerolls    = 10 // how often one die is rerolled before one of the faces that may stay is drawn

	minSides  = 1
	maxDepth  = 10
	maxFaces  = 100 // faces written in a list
	maxThrown = 22_000
	maxTotal  = 1_000_000_000
)

// Newest is the reading of new notation: norn's own, in its third edition. What was recorded without
// a reading was read by an edition before it.
const (
	Newest = "norn-3"
	Second = "norn-2"
)

// Parse parses dice notation as new notation is read:
//
//	text       = [label] roll { ";" roll } [label]
//	roll       = [number "x"] sum [ goal | bands ]
//	sum        = product { ("+" | "-") product }
//	product    = factor { ("*" | "/") factor }
//	factor     = number | "-" factor | "(" sum ")" [keeps] | "{" sum { "," sum } "}" mods | dice | edge |
//	             function "(" sum { "," sum } ")"
//	dice       = [factor] "d" (sides | "%" | "F" | "{" face { "," face } "}") mods [edge]
//	mods       = { ("mi" | "ma") number                              bounds of each die
//	             | ("r" | "rr" | "ro") [values] | "u"                reroll until none shows, once, or until all differ
//	             | ("!" | "x" | "e") ["!"] ["p"] ["o"] [comparison]  explode, into one die, penetrating, once
//	             | keeps
//	             | comparison | "even" | "odd" | "f" values          count, and subtract
//	             | ("p" | "df" | "sf") values                        add nothing, −1 or minus the value for these
//	             | ("cs" | "cf") [values]                            mark
//	             | "set" | "straight" | "s" | "sa" | "sd" }          read, and sort what is shown
//	keeps      = { ("kh" | "k" | "kl" | "km" | "dh" | "dl" | "d") [number] }
//	comparison = (">=" | ">" | "<" | "<=" | "=" | "<>") value | "={" value { "," value } "}"
//	values     = comparison | value
//	goal       = number ("+" | "-") | ("at least" | "at most" | "vs") number | comparison | (comparison sign | "vs") sum
//	bands      = [":"] name span "," name span { "," name span }
//	edge       = "adv" | "dis"
//
// The guide's page on notation explains each construct. The words of three languages are in
// words.tsv, from which they are rewritten to these signs. Letters may be in either case, and spaces
// may separate all these; д and к also mean d. Typographic signs that phones insert are read as the
// plain ones.
//
// Errors are *SyntaxError, *RangeError and *MeantError, with rune offsets.
func Parse(text string) (Expr, error) { return ParseAs(text, Newest) }

// ParseAs parses notation by a reading: norn's own in an edition, or that of another program, as
// Dialects lists them. "" means the editions before Newest. An unknown reading is a
// *DialectError.
func ParseAs(text, as string) (Expr, error) {
	e, err := ParseRecorded(text, as)
	if err == nil {
		err = e.vain
	}
	if meant, ok := err.(*MeantError); ok {
		meant.Try = slices.DeleteFunc(meant.Try, func(try string) bool { return !accepts(as, try) })
	}
	if err != nil && as == Newest {
		err = offer(text, err)
	}
	if err != nil {
		return Expr{}, err
	}
	return e, nil
}

// accepts reports whether a text that a reading suggests is one that people can write. What another
// program's reading suggests is norn's own.
func accepts(as, try string) bool {
	if as != "" && !strings.HasPrefix(as, "norn-") {
		as = Newest
	}
	e, err := ParseRecorded(try, as)
	return err == nil && e.vain == nil
}

// ParseRecorded parses notation from a log. It also accepts what version 0.1.0 accepted and ParseAs
// now refuses as a probable mistake, such as a throw without dice.
func ParseRecorded(text, as string) (Expr, error) {
	g, known := grammars[as]
	if !known {
		return Expr{}, &DialectError{As: as}
	}
	if n := utf8.RuneCountInString(text); n > MaxText {
		return Expr{}, &RangeError{Field: FieldLength, Min: 1, Max: MaxText, Given: n}
	}
	p := &parser{reader: newReader(text), grammar: g}
	for i, r := range p.runes {
		p.runes[i] = plain(r)
	}
	if p.remark {
		if err := p.cutRemark(); err != nil {
			return Expr{}, err
		}
	}
	if err := p.translate(); err != nil {
		return Expr{}, err
	}
	e, err := p.expr()
	if err != nil {
		return Expr{}, p.place(err)
	}
	if e.vain != nil {
		e.vain = p.place(e.vain)
	}
	return e, nil
}

// parser parses the parts of an expression. Each method skips the spaces before its part.
type parser struct {
	*reader
	*grammar
	origin       []int // the offsets of runes in the text, if they were translated
	terms, depth int
	label        []string // of the roll
	doubt        []doubt  // labels of the roll that may be more than that
	vain         error
	edge         *bool // advantage or disadvantage whose die isn't read yet; true if it's the lower
	edgeAt       int
	notes        []string
	rounds       int // functions that round, around what is being read
}

// offset returns the place in the text of a rune.
func (p *parser) offset(at int) int {
	if p.origin == nil {
		return at
	}
	return p.origin[min(at, len(p.origin)-1)]
}

// source returns the text between two runes, as it was written.
func (p *parser) source(from, to int) string {
	if p.origin == nil {
		return string(p.runes[from:to])
	}
	for to > from && p.offset(to) == p.offset(to-1) && to < len(p.runes) { // the rest of what was rewritten
		to++
	}
	return string([]rune(p.text)[p.offset(from):p.offset(to)])
}

// place changes the offset of an error to that in the text.
func (p *parser) place(err error) error {
	switch err := err.(type) {
	case *SyntaxError:
		if err.At = p.offset(err.At); err.Of == "" {
			err.Of = OfSum
		}
	case *RangeError:
		err.At = p.offset(err.At)
	case *MeantError:
		err.At = p.offset(err.At)
	}
	return err
}

// meantError returns a MeantError about the text from at to here.
func (p *parser) meantError(reason string, of Construct, at int, try ...string) error {
	return &MeantError{Reason: reason, Of: of, At: at, Given: strings.TrimSpace(p.source(at, p.at)), Try: try}
}

// object records the first reason for Parse to refuse a readable text.
func (p *parser) object(err error) {
	if p.vain == nil {
		p.vain = err
	}
}

func (p *parser) wants(what string, of Construct) error {
	return &SyntaxError{At: p.at, Want: what, Text: p.text, Of: of}
}

func (p *parser) expr() (Expr, error) {
	var e Expr
	for {
		p.space()
		r, err := p.roll()
		if err != nil {
			return e, err
		}
		e.rolls = append(e.rolls, r)
		if p.space(); p.eat(';') || p.throwFollows() && p.eat(',') {
			if p.space(); !p.end() {
				continue
			}
		}
		break
	}
	if !p.end() {
		return e, p.want(WantSign)
	}
	err := p.check(&e)
	e.vain, e.notes = p.vain, p.notes
	return e, err
}

// throwFollows reports whether a comma and the dice of another throw follow.
func (p *parser) throwFollows() bool {
	from := p.at
	defer func() { p.at = from }()
	if p.edition < 3 || !p.eat(',') {
		return false
	}
	p.space()
	p.number()
	return p.startsDice()
}

func (p *parser) roll() (Roll, error) {
	r := Roll{Times: 1}
	start := p.at
	p.label = nil
	p.before()
	if p.end() && len(p.label) > 0 {
		return r, p.meantError(NoDice, OfDice, start)
	}
	times, err := p.times()
	if err != nil {
		return r, err
	}
	r.Times, p.edge = times, nil
	from := p.at
	if r.Of, err = p.sum(); err != nil {
		return r, err
	}
	if err := p.after(&r); err != nil {
		return r, err
	}
	if p.edition >= 3 {
		p.aimLast(&r)
	}
	if p.edge != nil {
		if err := p.give(&r); err != nil {
			return r, err
		}
	}
	if err := p.sure(r); err != nil {
		return r, err
	}
	r.Label = strings.Join(p.label, " ")
	return r, p.alike(r, from)
}

// isWord reports whether a word of notation follows.
func (p *parser) isWord() bool {
	from := p.at
	defer func() { p.at = from }()
	if _, ok := p.edgeWord(); ok {
		return true
	}
	for _, f := range functions {
		if p.word(f.names...) && (p.space() || true) && p.next() == '(' {
			return true
		}
		p.at = from
	}
	return false
}

// startsDice reports whether a die without a number before it follows: "d20", "к %", "dF".
func (p *parser) startsDice() bool {
	from := p.at
	defer func() { p.at = from }()
	if !p.eat('d', 'д', 'к') {
		return false
	}
	if c := p.next(); c == 'f' || c == 'ф' {
		p.at++
		return !unicode.IsLetter(p.next()) || p.next() == 'k' || p.next() == 'd' || p.edition >= 3 && firstMod(p.letters()) != ""
	}
	p.space()
	c := p.next()
	return '0' <= c && c <= '9' || c == '%' || c == '{' || p.edition >= 3 && c == '('
}

// times parses how often an expression is thrown: "6x".
func (p *parser) times() (int, error) {
	from := p.at
	n, ok := p.number()
	p.space()
	at := from
	if !ok || !p.eat('x', 'х') {
		p.at = from
		return 1, nil
	}
	if p.space(); unicode.IsLetter(p.next()) && !p.startsDice() && !p.isWord() || p.end() {
		p.at = from
		return 1, nil
	}
	return n, within(FieldTimes, n, 1, MaxTimes, at)
}

func show(n Node) string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (p *parser) factor() (Node, error) {
	p.space()
	at := p.at
	if p.edition >= 3 && p.eat('+') { // "2d6++1"
		p.space()
	}
	if p.eat('-') { // "2d6+-1"
		if p.depth++; p.depth > 2*maxDepth {
			return nil, p.wants(WantTerm, OfSum)
		}
		defer func() { p.depth-- }()
		n, err := p.factor()
		return &Operation{Op: '-', Right: n, tight: p.edition >= 3}, err
	}
	if lowest, ok := p.edgeWord(); ok {
		if p.space(); p.startsFactor() {
			p.edge, p.edgeAt = &lowest, at
		} else {
			return p.term(&Dice{Count: Number(2), Die: Die{Sides: 20}, Mods: p.edgeMods(lowest)}, at)
		}
		at = p.at
	}
	if p.next() == '{' {
		return p.group()
	}
	var n Node
	if p.eat('(') {
		inner, err := p.sum()
		if err != nil {
			return nil, err
		}
		if p.space(); !p.eat(')') {
			return nil, p.wants(WantClose, OfParens)
		}
		if p.edition >= 3 && p.keepsNext() {
			return p.apart(inner, at)
		}
		if !p.startsDice() {
			return inner, nil
		}
		n = inner
	} else if called, ok, err := p.function(); ok || err != nil {
		return called, err
	}
	if n == nil {
		given, ok := p.number()
		n = Number(given)
		if ok {
			if decimal := p.decimals(given); decimal != nil {
				return p.term(decimal, at)
			}
		}
		switch from := p.at; {
		case !ok && !p.startsDie():
			return nil, p.wants(WantTerm, OfSum)
		case !ok:
			n = Number(1)
		default:
			if p.space(); !p.startsDie() || p.at > from && !p.startsDice() { // "3 dragons"
				p.at = from
				if err := within(FieldConstant, given, 0, MaxConstant, at); err != nil {
					return nil, err
				}
				return p.term(n, at)
			}
			if err := within(FieldDice, given, 1, MaxDice, at); err != nil && (given > 0 || p.edition < 3) {
				return nil, err
			}
		}
	}
	for {
		p.space()
		d, err := p.dice(n, at, n == Node(Number(1)) && p.at == at)
		if err != nil {
			return nil, err
		}
		if !p.startsDice() { // dice of dice follow without a space
			return d, nil
		}
		if p.flat {
			return nil, p.meantError(Elsewhere, OfDice, at)
		}
		n = d
	}
}

// startsFactor reports whether dice, a number or parentheses follow.
func (p *parser) startsFactor() bool {
	c := p.next()
	if p.goalFollows() {
		return false
	}
	return '0' <= c && c <= '9' || c == '(' || c == '{' || p.startsDice()
}

// startsDie reports whether a d follows, with or without sides.
func (p *parser) startsDie() bool {
	c := p.next()
	return c == 'd' || c == 'д' || c == 'к'
}

// term counts the terms and returns an error if there are too many.
func (p *parser) term(n Node, at int) (Node, error) {
	if p.terms++; p.terms > MaxTerms {
		return nil, &RangeError{Field: FieldTerms, Min: 1, Max: MaxTerms, Given: p.terms, At: at}
	}
	from := p.at
	if p.edition >= 3 {
		p.space()
	}
	if p.next() != '[' || !p.readLabel() { // "2d6[fire]"
		p.at = from
	}
	return n, nil
}
