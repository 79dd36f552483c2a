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
// Dialects lists them. "" stands for the editions before Newest. An unknown reading is a
// *DialectError.
func ParseAs(text, as string) (Expr, error) {
	e, err := ParseRecorded(text, as)
	if err == nil {
		err = e.vain
	}
	if err != nil && as == Newest {
		err = offer(text, err)
	}
	if err != nil {
		return Expr{}, err
	}
	return e, nil
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
	if !e.HasDice() && !p.idle {
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

func within(field string, n, least, greatest, at int) error {
	if n < least || n > greatest {
		return &RangeError{Field: field, Min: least, Max: greatest, Given: n, At: at}
	}
	return nil
}
