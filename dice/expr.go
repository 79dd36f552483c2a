package dice

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Expr is a dice expression in plain notation, as parsed by Parse. The zero Expr throws no dice and
// is 0.
//
// Its String is the canonical form: without spaces, lower case, Latin letters, a single die without
// its 1, a percentile die as d100, dropped dice as the dice to keep ("4d6dl1" is 4d6kh3), strict
// comparisons as the inclusive ones (">5" is >=6). Parsing it returns an equal Expr.
type Expr struct {
	rolls []Roll
	vain  error // the error of ParseAs, which ParseRecorded ignores
	notes []string
}

// NoteAll is the note that more dice should be kept than there are, so all are.
const NoteAll = "all"

// Notes returns what a reader should know about how the text was read, as Note constants.
func (e Expr) Notes() []string { return slices.Compact(slices.Clone(e.notes)) }

// Roll is one expression and how its value is read. At most one of Goal, Against and Bands is
// given.
type Roll struct {
	Times   int // how often the expression is thrown
	Of      Node
	Goal    Goal
	Against *Against
	Bands   []Band
	Label   string // the purpose of the dice, as it was written
}

// Goal is a range that a value should reach, both ends included. The zero Goal means that there is
// none.
type Goal struct {
	Given  bool
	Lo, Hi int // math.MinInt and math.MaxInt mean that the range is open
}

// Met reports whether a value reaches the goal.
func (g Goal) Met(value int) bool { return g.Lo <= value && value <= g.Hi }

// String returns the goal in notation: "15+", "6-" or "=7"; negative ones as ">=-3".
func (g Goal) String() string {
	switch {
	case g.Hi == math.MaxInt && g.Lo >= 0:
		return strconv.Itoa(g.Lo) + "+"
	case g.Lo == math.MinInt && g.Hi >= 0:
		return strconv.Itoa(g.Hi) + "-"
	}
	return Values{{Lo: g.Lo, Hi: g.Hi}}.show(Die{})
}

// Against compares a value with other dice. Op is ">", ">=", "<", "<=", "=", or "vs", where the
// higher value wins.
type Against struct {
	Op string
	Of Node
}

// Met reports whether a value wins against another one.
func (a Against) Met(value, other int) bool {
	switch a.Op {
	case ">":
		return value > other
	case "<":
		return value < other
	case "<=":
		return value <= other
	case "=":
		return value == other
	case "<>":
		return value != other
	}
	return value >= other
}

// Band names the values from Lo to Hi, both included.
type Band struct {
	Name   string
	Lo, Hi int
}

// span returns the band's values in notation: "6-", "7-9", "10+", "7".
func (b Band) span() string {
	switch {
	case b.Lo == math.MinInt && b.Hi >= 0:
		return strconv.Itoa(b.Hi) + "-"
	case b.Hi == math.MaxInt && b.Lo >= 0:
		return strconv.Itoa(b.Lo) + "+"
	case b.Lo >= 0 && b.Hi > b.Lo:
		return strconv.Itoa(b.Lo) + "-" + strconv.Itoa(b.Hi)
	case b.Lo == b.Hi:
		return strconv.Itoa(b.Lo)
	case b.Lo == math.MinInt:
		return "<=" + strconv.Itoa(b.Hi)
	case b.Hi == math.MaxInt:
		return ">=" + strconv.Itoa(b.Lo)
	}
	return strconv.Itoa(b.Lo) + ".." + strconv.Itoa(b.Hi)
}

// Rolls returns a copy of the expression's rolls, in order.
func (e Expr) Rolls() []Roll { return slices.Clone(e.rolls) }

// Node returns the first roll's expression, or 0 if there is none.
func (e Expr) Node() Node {
	if len(e.rolls) == 0 {
		return Number(0)
	}
	return e.rolls[0].Of
}

// Label returns the labels of all rolls, separated by commas.
func (e Expr) Label() string {
	var labels []string
	for _, r := range e.rolls {
		if r.Label != "" {
			labels = append(labels, r.Label)
		}
	}
	return strings.Join(labels, ", ")
}

// HasDice reports whether the expression throws any dice.
func (e Expr) HasDice() bool { return len(e.pools()) > 0 }

// Counts reports whether the first roll counts dice instead of adding faces.
func (e Expr) Counts() bool { return len(e.rolls) > 0 && e.rolls[0].Counts() }

// Counts reports whether the roll counts dice instead of adding faces.
func (r Roll) Counts() bool { return r.Of.kind() == count }

// Glitches reports whether the roll also says whether it glitches. Its expression is then *Dice that are
// counted.
func (r Roll) Glitches() bool {
	d, ok := r.Of.(*Dice)
	return ok && d.Mods.Glitch != nil
}

// Several reports whether there is more than one throw.
func (e Expr) Several() bool { return len(e.rolls) > 1 || len(e.rolls) == 1 && e.rolls[0].Times > 1 }

// Goal returns the goal of an expression with a single roll.
func (e Expr) Goal() Goal {
	if len(e.rolls) == 1 {
		return e.rolls[0].Goal
	}
	return Goal{}
}

// Bands returns the names of a single roll's values: the bands written, or the symbols of a die.
func (e Expr) Bands() []Band {
	if len(e.rolls) != 1 || e.Several() {
		return nil
	}
	return e.rolls[0].bands()
}

func (r Roll) bands() []Band {
	if r.Of.kind() != names {
		return r.Bands
	}
	var bands []Band
	for i, name := range r.Of.(*Dice).Die.Names {
		bands = append(bands, Band{Name: name, Lo: i + 1, Hi: i + 1})
	}
	return bands
}

// Range returns the least and the greatest total of all rolls.
func (e Expr) Range() (least, greatest int) {
	for _, r := range e.rolls {
		lo, hi := r.Of.Range()
		least, greatest = least+r.Times*lo, greatest+r.Times*hi
	}
	return least, greatest
}

// String returns the canonical form, described at Expr.
func (e Expr) String() string {
	if len(e.rolls) == 0 {
		return "0"
	}
	texts := make([]string, len(e.rolls))
	for i, r := range e.rolls {
		texts[i] = r.String()
	}
	return strings.Join(texts, "; ")
}

// String returns the roll's canonical form.
func (r Roll) String() string {
	var b strings.Builder
	if r.Times > 1 {
		b.WriteString(strconv.Itoa(r.Times) + "x")
	}
	if r.comparesTotal() {
		b.WriteByte('(')
		r.Of.write(&b)
		b.WriteByte(')')
	} else {
		r.Of.write(&b)
	}
	switch {
	case r.Goal.Given:
		b.WriteString(" " + r.Goal.String())
	case r.Against != nil:
		var of strings.Builder
		r.Against.Of.write(&of)
		b.WriteString(" " + r.Against.Op + " ")
		if strings.HasPrefix(of.String(), "-") { // a comparison takes no sign but that of a number
			b.WriteString("(" + of.String() + ")")
		} else {
			b.WriteString(of.String())
		}
	case len(r.Bands) > 0:
		b.WriteString(": ")
		for i, band := range r.Bands {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(band.Name + " " + band.span())
		}
	}
	if r.Label != "" {
		b.WriteString(" # " + r.Label)
	}
	return b.String()
}

// comparesTotal reports whether a comparison would be read as one of the last dice alone, unless the
// sum is in parentheses.
func (r Roll) comparesTotal() bool {
	last := r.Of
	for {
		o, ok := last.(*Operation)
		if !ok {
			break
		}
		last = o.Right
	}
	d, ok := last.(*Dice)
	if !ok || d.Mods.old || d.Mods.Counted {
		return false
	}
	if r.Against == nil {
		return r.Goal.Given && !strings.HasSuffix(r.Goal.String(), "+") && !strings.HasSuffix(r.Goal.String(), "-")
	}
	for of := r.Against.Of; ; {
		switch n := of.(type) {
		case Number:
			return r.Against.Op != "vs"
		case *Operation:
			if of = n.Left; of == nil {
				return false
			}
			continue
		}
		return false
	}
}

// MarshalText returns the canonical form.
func (e Expr) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText parses any form, like Parse.
func (e *Expr) UnmarshalText(text []byte) error {
	read, err := Parse(string(text))
	if err != nil {
		return err
	}
	*e = read
	return nil
}

// pools returns all dice of the expression, in the order in which they are thrown.
func (e Expr) pools() []*Dice {
	var all []*Dice
	for _, r := range e.rolls {
		collect(r.Of, &all)
		if r.Against != nil {
			collect(r.Against.Of, &all)
		}
	}
	return all
}

func collect(n Node, all *[]*Dice) {
	switch n := n.(type) {
	case *Operation:
		if n.Left != nil {
			collect(n.Left, all)
		}
		collect(n.Right, all)
	case *Dice:
		collect(n.Count, all)
		*all = append(*all, n)
	case *Group:
		for _, each := range n.Of {
			collect(each, all)
		}
	}
}

// Familiar reports whether the faces alone explain the value: handfuls that are added, with nothing
// thrown twice. Other expressions need an explanation in the words of notation.
func (e Expr) Familiar() bool {
	if e.Several() || len(e.rolls) == 1 && (e.rolls[0].Against != nil || len(e.rolls[0].Bands) > 0) {
		return false
	}
	return len(e.rolls) == 0 || familiar(e.rolls[0].Of)
}

// NeedsTotals reports whether the totals of the dice are enough to know the value.
func (e Expr) NeedsTotals() bool {
	return e.Familiar() && (len(e.rolls) == 0 || needsTotals(e.rolls[0].Of))
}

func needsTotals(n Node) bool {
	switch n := n.(type) {
	case *Operation:
		return (n.Left == nil || needsTotals(n.Left)) && needsTotals(n.Right)
	case *Dice:
		return len(n.Mods.Keeps) == 0 && !n.Mods.Counted && n.Mods.Marks == nil
	}
	return true
}

func familiar(n Node) bool {
	switch n := n.(type) {
	case *Operation:
		return (n.Op == '+' || n.Op == '-') && (n.Left == nil || familiar(n.Left)) && familiar(n.Right)
	case *Dice:
		_, fixed := n.Count.(Number)
		return fixed && (n.Die.Plain() || n.Die.Fate) && len(n.Mods.Swaps) == 0 && !n.Mods.Again() && n.Mods.Fail == nil && n.Mods.Glitch == nil && n.Mods.Reading == Sum &&
			len(n.Mods.Keeps) < 2 &&
			!(n.Mods.Counted && len(n.Mods.Keeps) > 0)
	case *Group:
		return false
	}
	return true
}

// Simple returns the pool and the sum of the numbers of an expression that only adds plain dice and
// numbers. It returns false for any other.
func (e Expr) Simple() (pool Pool, plus int, ok bool) {
	if len(e.rolls) != 1 || e.Several() || e.rolls[0].Goal.Given || !e.Familiar() {
		return Pool{}, 0, false
	}
	pools := e.pools()
	if len(pools) != 1 || !pools[0].Die.Plain() || pools[0].Mods.show(pools[0].Die, -1) != "" {
		return Pool{}, 0, false
	}
	plus, signed := constants(e.rolls[0].Of)
	n, _ := pools[0].Count.(Number)
	return Pool{N: int(n), Sides: pools[0].Die.Sides, For: PlainDice}, plus, signed
}

// constants returns the sum of an expression's numbers, or false if dice are subtracted.
func constants(n Node) (plus int, ok bool) {
	switch n := n.(type) {
	case Number:
		return int(n), true
	case *Operation:
		left, fits := 0, true
		if n.Left != nil {
			left, fits = constants(n.Left)
		}
		right, also := constants(n.Right)
		if n.Op == '-' {
			return left - right, fits && also && n.Right.kind() == number
		}
		return left + right, fits && also
	}
	return 0, true
}
