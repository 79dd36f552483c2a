package dice

import (
	"errors"
	"slices"
	"strings"
	"unicode"
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

// Parse parses dice notation:
//
//	text       = [label] roll { ";" roll } [label]
//	roll       = [number "x"] sum [ goal | bands ]
//	sum        = ["-"] product { ("+" | "-") product }
//	product    = factor { ("*" | "/") factor }
//	factor     = number | "(" sum ")" | "{" sum { "," sum } "}" mods | function "(" sum { "," sum } ")" | dice | edge
//	dice       = [factor] "d" (sides | "%" | "F" | "{" face { "," face } "}") mods [edge]
//	mods       = { "r" values | "ro" values                          reroll until none shows, or once
//	             | "!" ["!"] ["p"] [comparison]                      explode, into one die, penetrating
//	             | ("kh" | "k" | "kl" | "km" | "dh" | "dl" | "d") [number]   keep or drop
//	             | ["cs"] comparison | "f" values                    count, and subtract
//	             | "set" | "straight" | "s" | "sa" | "sd" }          read, and sort what is shown
//	comparison = (">=" | ">" | "<" | "<=" | "=" | "<>") value | "={" value { "," value } "}"
//	values     = comparison | value
//	goal       = number ("+" | "-") | ("at least" | "at most" | "vs") number | comparison | (comparison sign | "vs") sum
//	bands      = [":"] name span "," name span { "," name span }
//	edge       = "adv" | "dis"
//
// The guide's page on notation explains each construct. The words in three languages are in
// names.go. Letters may be in either case, and spaces may separate all these; д and к also mean d.
// Typographic signs that phones insert are read as the plain ones.
//
// Errors are *SyntaxError, *RangeError and *MeantError, with rune offsets.
func Parse(text string) (Expr, error) {
	e, err := ParseRecorded(text)
	if err == nil {
		err = e.vain
	}
	if err != nil {
		return Expr{}, err
	}
	return e, nil
}

// ParseRecorded parses notation from a log. It also accepts what version 0.1.0 accepted and Parse
// now refuses as a probable mistake, such as a throw without dice.
func ParseRecorded(text string) (Expr, error) {
	p := &parser{reader: newReader(text)}
	for i, r := range p.runes {
		p.runes[i] = plain(r)
	}
	if len(p.runes) > MaxText {
		return Expr{}, &RangeError{Field: FieldLength, Min: 1, Max: MaxText, Given: len(p.runes)}
	}
	e, err := p.expr()
	if syntax, ok := errors.AsType[*SyntaxError](err); ok && syntax.Of == "" {
		syntax.Of = OfSum
	}
	if err != nil {
		return Expr{}, err
	}
	return e, nil
}

// plain returns the plain form of a typographic sign that phones and editors insert.
func plain(r rune) rune {
	switch r {
	case '−', '–', '—', '‐', '‑', '‒', '﹣', '－':
		return '-'
	case '＋':
		return '+'
	case '×', '✕', '✖', '∗', '·', '⋅', '＊':
		return '*'
	case '÷', '∕', '⁄', '／':
		return '/'
	case '！':
		return '!'
	case '（':
		return '('
	case '）':
		return ')'
	case '，', '、':
		return ','
	case '；':
		return ';'
	case '：':
		return ':'
	case '＝':
		return '='
	case '＞', '›':
		return '>'
	case '＜', '‹':
		return '<'
	case '％':
		return '%'
	case '＃':
		return '#'
	}
	if '０' <= r && r <= '９' {
		return r - '０' + '0'
	}
	return r
}

// parser parses the parts of an expression. Each method skips the spaces before its part.
type parser struct {
	*reader
	terms, depth int
	label        []string // of the roll
	vain         error
	edge         *bool // advantage or disadvantage whose die isn't read yet; true if it's the lower
	edgeAt       int
}

// meantError returns a MeantError about the text from at to here.
func (p *parser) meantError(reason string, of Construct, at int, try ...string) error {
	return &MeantError{Reason: reason, Of: of, At: at, Given: strings.TrimSpace(string(p.runes[at:p.at])), Try: try}
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
		if p.space(); p.eat(';') {
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
	e.vain = p.vain
	return e, err
}

// check checks the expression as a whole.
func (p *parser) check(e *Expr) error {
	thrown := 0
	for _, r := range e.rolls {
		for _, n := range r.sides() {
			if lo, hi := n.Range(); lo < -maxTotal || hi > maxTotal {
				return &RangeError{Field: FieldTotal, Min: -maxTotal, Max: maxTotal, Given: max(hi, -lo)}
			}
		}
	}
	for _, r := range e.rolls {
		for _, d := range (Expr{rolls: []Roll{r}}).pools() {
			_, n := d.Count.Range()
			if d.Mods.Explode != nil {
				n *= 1 + MaxExplosions
			}
			if d.Mods.Reroll != nil && !d.Mods.Once {
				n *= 2
			}
			thrown += n * r.Times
		}
	}
	if thrown > maxThrown {
		return &RangeError{Field: FieldDice, Min: 1, Max: maxThrown, Given: thrown}
	}
	if !e.HasDice() {
		p.object(&MeantError{Reason: NoDice, Of: OfDice, Given: strings.TrimSpace(p.text)})
	}
	if e.Several() {
		asked := e.rolls[0]
		for _, r := range e.rolls {
			if len(r.bands()) > 0 || r.Against != nil && r.Against.Op == "vs" || r.hasGoal() != asked.hasGoal() ||
				r.Counts() != asked.Counts() {
				var try []string
				for _, each := range e.rolls {
					each.Times = 1
					try = append(try, each.String())
				}
				return &MeantError{
					Reason: Different, Of: OfTimes, Given: strings.TrimSpace(p.text),
					Try: slices.Compact(try),
				}
			}
		}
	}
	return nil
}

// sides returns the roll's expressions.
func (r Roll) sides() []Node {
	if r.Against != nil {
		return []Node{r.Of, r.Against.Of}
	}
	return []Node{r.Of}
}

// hasGoal reports whether the roll can succeed or fail.
func (r Roll) hasGoal() bool { return r.Goal.Given || r.Against != nil }

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
	if p.edge != nil {
		if err := p.give(&r); err != nil {
			return r, err
		}
	}
	r.Label = strings.Join(p.label, " ")
	return r, p.alike(r, from)
}

// before parses the label before the dice: "attack:", "(attack)", "Fire bolt".
func (p *parser) before() {
	for {
		from := p.at
		closed := p.eat('(')
		if !unicode.IsLetter(p.next()) || p.startsDice() || p.isWord() {
			p.at = from
			return
		}
		word := p.labelWord()
		for closed && !p.end() && p.next() != ')' && !strings.ContainsRune("0123456789(", p.next()) {
			p.at++
		}
		if closed && !p.eat(')') {
			p.at = from
			return
		}
		if closed {
			word = string(p.runes[from+1 : p.at-1])
		}
		ends := p.eat(':', ',')
		if spaced := p.space(); !spaced && !ends && !p.end() {
			p.at = from
			return
		}
		p.label = append(p.label, word)
	}
}

// labelWord parses a word of a label.
func (p *parser) labelWord() string {
	from := p.at
	for !p.end() && !unicode.IsSpace(p.runes[p.at]) && !strings.ContainsRune(";:,()", p.runes[p.at]) {
		p.at++
	}
	return string(p.runes[from:p.at])
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
		return !unicode.IsLetter(p.next()) || p.next() == 'k' || p.next() == 'd'
	}
	p.space()
	c := p.next()
	return '0' <= c && c <= '9' || c == '%' || c == '{'
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

func (p *parser) sum() (Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, &RangeError{Field: FieldDepth, Min: 0, Max: maxDepth - 1, Given: p.depth - 1, At: p.at}
	}
	defer func() { p.depth-- }()
	sign := p.sign()
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

func (p *parser) product() (Node, error) {
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
			return left, nil
		}
		var right Node
		if right, err = p.factor(); err != nil {
			break
		}
		if lo, hi := right.Range(); op == '/' && lo <= 0 && hi >= 0 {
			return nil, p.meantError(ByZero, OfDivide, at)
		}
		left = &Operation{Op: op, Left: left, Right: right}
	}
	return nil, err
}

func (p *parser) factor() (Node, error) {
	p.space()
	at := p.at
	if p.eat('-') { // "2d6+-1"
		if p.depth++; p.depth > 2*maxDepth {
			return nil, p.wants(WantTerm, OfSum)
		}
		defer func() { p.depth-- }()
		n, err := p.factor()
		return &Operation{Op: '-', Right: n}, err
	}
	if lowest, ok := p.edgeWord(); ok {
		if p.space(); p.startsFactor() {
			p.edge, p.edgeAt = &lowest, at
		} else {
			return p.term(&Dice{Count: Number(2), Die: Die{Sides: 20}, Mods: Mods{Keeps: []Keep{edge(lowest)}}}, at)
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
			if err := within(FieldDice, given, 1, MaxDice, at); err != nil {
				return nil, err
			}
		}
	}
	for {
		p.space()
		d, err := p.dice(n, at)
		if err != nil {
			return nil, err
		}
		if !p.startsDice() { // dice of dice follow without a space
			return d, nil
		}
		n = d
	}
}

// startsFactor reports whether dice, a number or parentheses follow.
func (p *parser) startsFactor() bool {
	c := p.next()
	if _, goal, _ := (&parser{reader: &reader{text: p.text, runes: p.runes, at: p.at}}).goal(); goal {
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
	if p.next() == '[' { // "2d6[fire]"
		p.readLabel()
	}
	return n, nil
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
		of, err := p.list(')', OfGroup)
		if err != nil {
			return nil, true, err
		}
		switch f.name {
		case "max":
			return &Group{Of: of, Mods: Mods{Keeps: []Keep{{N: 1, Of: Highest}}}}, true, nil
		case "min":
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

func (p *parser) group() (Node, error) {
	from := p.at
	p.at++
	of, err := p.list('}', OfGroup)
	if err != nil {
		return nil, err
	}
	g := &Group{Of: of}
	err = p.mods(&g.Mods, g, len(of), from)
	return g, err
}

// dice parses a die and its modifiers; n is the number of dice.
func (p *parser) dice(n Node, at int) (Node, error) {
	p.at++ // the d
	d := &Dice{Count: n}
	var err error
	if d.Die, err = p.die(); err != nil {
		return nil, err
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

func within(field string, n, least, greatest, at int) error {
	if n < least || n > greatest {
		return &RangeError{Field: field, Min: least, Max: greatest, Given: n, At: at}
	}
	return nil
}
