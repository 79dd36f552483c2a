package dice

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Node is one construct of notation: a [Number], an [Operation], [Dice] or a [Group]. Nodes are
// made by Parse and are read-only. The dice of different nodes are independent, so a node's law
// follows from the laws of its parts.
type Node interface {
	// Range returns the least and the greatest value. With dice that are thrown again the range may
	// be too wide.
	Range() (least, greatest int)

	judge(j *judging) (int, error)
	write(b *strings.Builder)
	kind() kind
}

// kind classifies the value of a node.
type kind int

const (
	number kind = iota // without dice
	sum                // added faces
	count              // counted dice
	names              // symbols of one die
	mixed              // sums and counts together
)

// Number is a non-negative constant.
type Number int

// Operation combines Left and Right by Op: +, -, * or /. Left is nil in "-3". Divisions round down
// unless Round says otherwise.
type Operation struct {
	Op          byte
	Left, Right Node
	Round       Round
	tight       bool // a minus that belongs to its factor alone, as from edition 3 on
}

// Round is a way to round a division.
type Round string

// Round constants. The zero Round rounds down.
const (
	Down    Round = ""
	Up      Round = "ceil"
	Nearest Round = "round" // halves up
)

// Dice is a number of equal dice with their modifiers. Count may throw dice itself.
type Dice struct {
	Count Node
	Die   Die
	Mods  Mods
}

// Group is a list of expressions, each treated as one die: "{d6, 2d8}kh1". With Apart it is a list
// of handfuls whose dice are treated as one handful: "{2d6+d8}kh2".
type Group struct {
	Of    []Node
	Apart bool
	Mods  Mods
}

// Die is one die of an expression. Its faces are thrown as 1…Sides; Worth returns the value of
// each.
type Die struct {
	Sides int
	Fate  bool
	Faces []int    // values of listed faces, from the first on; nil for 1…Sides
	Names []string // names of listed faces, whose values count from 1; nil for numbers

	Least, Most Bound // lower and higher faces are worth this much
}

// Bound is a value that no face goes beyond, if it's given.
type Bound struct {
	Given bool
	At    int
}

// Worth returns the value of a face.
func (d Die) Worth(face int) int {
	worth := d.shown(face)
	if d.Least.Given {
		worth = max(worth, d.Least.At)
	}
	if d.Most.Given {
		worth = min(worth, d.Most.At)
	}
	return worth
}

// shown returns the value that a face shows, before it's bounded.
func (d Die) shown(face int) int {
	switch {
	case d.Fate:
		return face - 2
	case d.Faces != nil:
		return d.Faces[face-1]
	}
	return face
}

// Worths returns the values of all faces, first to last.
func (d Die) Worths() []int {
	worths := make([]int, d.Sides)
	for i := range worths {
		worths[i] = d.Worth(i + 1)
	}
	return worths
}

// Plain reports whether the faces are worth 1…Sides.
func (d Die) Plain() bool { return !d.Fate && d.Faces == nil && !d.Least.Given && !d.Most.Given }

// ends returns the least and the greatest value of a face.
func (d Die) ends() (least, greatest int) {
	if !d.Fate && d.Faces == nil {
		return d.Worth(1), d.Worth(d.Sides)
	}
	worths := d.Worths()
	return slices.Min(worths), slices.Max(worths)
}

// purpose returns the pool purpose under which the die is thrown.
func (d Die) purpose() string {
	switch {
	case d.Fate:
		return FateDice
	case d.Faces != nil:
		return d.String()[1:]
	}
	return PlainDice
}

// Purposes of the pools that notation throws. The purpose of listed faces is their list, such as
// "{0,1,1,2}", so that a recorded throw can be read without the notation.
const (
	PlainDice = "dice"
	FateDice  = "fate"  // faces 1, 2 and 3 are worth −1, 0 and +1
	AgainDice = "again" // dice that are thrown once more
)

// String returns the die in notation: "d6", "dF" or "d{0,1,1,2}".
func (d Die) String() string {
	switch {
	case d.Fate:
		return "dF"
	case d.Faces == nil:
		return "d" + strconv.Itoa(d.Sides)
	}
	texts := make([]string, len(d.Faces))
	for i := range texts {
		texts[i] = d.Show(i + 1)
	}
	return "d{" + strings.Join(texts, ",") + "}"
}

// Show returns a face as the die shows it: "5", "−" for Fate dice, "sword" for listed faces.
func (d Die) Show(face int) string {
	switch worth := d.shown(face); {
	case d.Fate:
		return FateFace(face)
	case d.Names != nil:
		return d.Names[worth-1]
	default:
		return strconv.Itoa(worth)
	}
}

// FateFace returns the sign of face 1, 2 or 3 of a Fate die: −, 0, +.
func FateFace(face int) string {
	switch face {
	case 1:
		return "−"
	case 2:
		return "0"
	}
	return "+"
}

// ShownFace returns a recorded face as its die shows it; purpose is that of its pool.
func ShownFace(purpose string, face int) string {
	if purpose == FateDice && face >= 1 && face <= 3 {
		return FateFace(face)
	}
	if list, own := strings.CutPrefix(purpose, "{"); own {
		texts := strings.Split(strings.TrimSuffix(list, "}"), ",")
		if face >= 1 && face <= len(texts) {
			return texts[face-1]
		}
	}
	return strconv.Itoa(face)
}

// Values is a list of ranges of values, as a comparison names them; nil names none.
type Values []Faces

// Has reports whether a value is in one of the ranges.
func (v Values) Has(value int) bool {
	return slices.ContainsFunc(v, func(f Faces) bool { return f.Has(value) })
}

// of returns the number of faces of the die with such a value.
func (v Values) of(d Die) int {
	n := 0
	for _, worth := range d.Worths() {
		if v.Has(worth) {
			n++
		}
	}
	return n
}

// show returns the values as a comparison, with names if the die has some.
func (v Values) show(d Die) string {
	write := d.name
	if len(v) == 1 {
		switch f := v[0]; {
		case f.Hi == math.MaxInt:
			return ">=" + write(f.Lo)
		case f.Lo == math.MinInt && f.Hi == 1 && d.Sides > 0 && d.Plain():
			return "=1"
		case f.Lo == math.MinInt:
			return "<=" + write(f.Hi)
		case f.Lo == f.Hi:
			return "=" + write(f.Lo)
		}
	}
	if len(v) == 2 && v[0].Lo == math.MinInt && v[1].Hi == math.MaxInt && v[0].Hi+2 == v[1].Lo {
		return "<>" + write(v[0].Hi+1)
	}
	return "={" + v.list(d) + "}"
}

// list returns the values as a list, without braces. An open end is that of the die.
func (v Values) list(d Die) string {
	lo, hi := d.ends()
	texts := make([]string, len(v))
	for i, f := range v {
		if f.Lo == math.MinInt {
			f.Lo = min(lo, f.Hi)
		}
		if f.Hi == math.MaxInt {
			f.Hi = max(hi, f.Lo)
		}
		if texts[i] = d.name(f.Lo); f.Hi > f.Lo {
			texts[i] += ".." + d.name(f.Hi)
		}
	}
	return strings.Join(texts, ",")
}

// name returns a value as the die shows it.
func (d Die) name(n int) string {
	if d.Names != nil && n >= 1 && n <= len(d.Names) {
		return d.Names[n-1]
	}
	return strconv.Itoa(n)
}

// Mods are the modifiers of a handful. Dice are rerolled first, then exploded, then chosen, then
// read.
type Mods struct {
	Reroll Values
	Once   bool // a rerolled die keeps its second face; else it's rerolled until none of the faces shows
	At     Rerolled
	Unique bool // dice that repeat the face of another die are rerolled until all differ

	Explode   Values
	Compound  bool // an explosion is added to its die
	Penetrate bool // an explosion is worth one less
	Single    bool // what an explosion throws doesn't explode again

	Keeps   []Keep
	Whole   bool // each step of Keeps chooses among all dice, instead of those that the one before left
	Counted bool // dice that show one of Count add one, those that show one of Fail subtract one
	Count   Values
	Fail    Values
	Glitch  Values // a throw in which more than half of the dice show these glitches; see Roll.Glitches
	Swaps   []Swap // faces that are added as another value; with no Keeps, Count or Reading
	Marks   Values // faces that an explanation marks
	Reading Reading
	Sorted  Sort // how an explanation orders the dice

	old bool // it was read by an edition before 3, in whose form it's printed
}

// Rerolled says which throws of dice that explode are rerolled.
type Rerolled string

// Rerolled constants, as notation spells them behind r or ro.
const (
	EachThrow  Rerolled = ""  // each throw, before its dice explode
	FirstThrow Rerolled = "b" // the first throw alone, not what explosions throw
	LastThrow  Rerolled = "l" // all dice once none explodes any more; what is rerolled doesn't explode
)

// Swap replaces the value of dice that show one of the faces.
type Swap struct {
	Of Values
	To Swapped
}

// Swapped names the result of a Swap.
type Swapped string

// Swapped constants, as notation spells them.
const (
	Dropped  Swapped = "d"  // nothing
	Deducted Swapped = "df" // −1
	Negative Swapped = "sf" // minus the value
)

// Value returns what a die that shows worth adds to a sum.
func (m Mods) Value(worth int) int {
	for _, s := range m.Swaps {
		if s.Of.Has(worth) {
			switch s.To {
			case Deducted:
				return -1
			case Negative:
				return -worth
			}
			return 0
		}
	}
	return worth
}

// Explosions returns how often one die is thrown again at most.
func (m Mods) Explosions() int {
	if m.Single {
		return 1
	}
	return MaxExplosions
}

// Keep is a step that chooses among dice: it keeps the N highest, lowest or middle ones or, with
// Drop, drops them.
type Keep struct {
	N    int
	Of   End
	Drop bool
}

// End is a position among dice sorted by value.
type End byte

// End constants.
const (
	Highest End = 'h'
	Lowest  End = 'l'
	Middle  End = 'm'
)

// Reading is a pattern that is looked for in a handful instead of its sum.
type Reading string

// Reading constants.
const (
	Sum      Reading = ""
	Set      Reading = "set"      // how many dice show the most common face
	Straight Reading = "straight" // the length of the longest run of consecutive faces
	Digits   Reading = "digits"   // the faces as digits, first to last: d66; Sorted orders them
)

// Sort is an order of dice in an explanation.
type Sort string

// Sort constants.
const (
	AsThrown  Sort = ""
	Ascending Sort = "sa"
	Falling   Sort = "sd"
)

// Ranks returns which of n dice to keep, by rank from 0 for the highest: from…to−1.
func (m Mods) Ranks(n int) (from, to int) {
	to = n
	if m.Whole {
		for _, k := range m.Keeps {
			lo, hi := Mods{Keeps: []Keep{k}}.Ranks(n)
			from, to = max(from, lo), min(to, hi)
		}
		return from, max(from, to)
	}
	for _, k := range m.Keeps {
		all := to - from
		few := min(k.N, all)
		switch {
		case k.Of == Middle:
			from += (all - few) / 2
			to = from + few
		case k.Drop && k.Of == Highest:
			from += few
		case k.Drop:
			to -= few
		case k.Of == Highest:
			to = from + few
		default:
			from = to - few
		}
	}
	return from, to
}

// Again reports whether dice may be thrown again.
func (m Mods) Again() bool { return m.Reroll != nil || m.Explode != nil || m.Unique }

// Range returns the number twice.
func (n Number) Range() (least, greatest int) { return int(n), int(n) }

func (n Number) kind() kind               { return number }
func (n Number) write(b *strings.Builder) { b.WriteString(strconv.Itoa(int(n))) }

// Range combines the ranges of both sides.
func (o *Operation) Range() (least, greatest int) {
	lo, hi := o.Right.Range()
	from, to := 0, 0
	if o.Left != nil {
		from, to = o.Left.Range()
	}
	switch o.Op {
	case '+':
		return clampInt32(from + lo), clampInt32(to + hi)
	case '-':
		return clampInt32(from - hi), clampInt32(to - lo)
	}
	least, greatest = math.MaxInt, math.MinInt
	for _, a := range []int{from, to} {
		for _, b := range []int{lo, hi, max(lo, min(hi, -1)), max(lo, min(hi, 1))} {
			if o.Op == '/' && b == 0 {
				continue
			}
			n := o.Combine(a, b)
			least, greatest = min(least, n), max(greatest, n)
		}
	}
	if least > greatest { // only a division by zero, which Parse refuses
		return 0, 0
	}
	return clampInt32(least), clampInt32(greatest)
}

// clampInt32 limits numbers so that they can be multiplied without overflow.
func clampInt32(n int) int { return max(-math.MaxInt32, min(n, math.MaxInt32)) }

// Combine computes the operation. The right side of a division must not be 0.
func (o *Operation) Combine(left, right int) int {
	switch o.Op {
	case '+':
		return left + right
	case '-':
		return left - right
	case '*':
		return left * right
	}
	switch o.Round {
	case Up:
		return -floorDiv(-left, right)
	case Nearest:
		if right < 0 {
			left, right = -left, -right
		}
		return floorDiv(2*left+right, 2*right)
	}
	return floorDiv(left, right)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func (o *Operation) kind() kind {
	right := o.Right.kind()
	if o.Left == nil {
		return right
	}
	left := o.Left.kind()
	switch {
	case left == number:
		return right
	case right == number || left == right:
		return left
	case o.Op == '*' || o.Op == '/': // a multiple of a sum
		return sum
	}
	return mixed
}

// level returns the precedence of an operation.
func (o *Operation) level() int {
	if o.Op == '*' || o.Op == '/' {
		return 2
	}
	return 1
}

func (o *Operation) write(b *strings.Builder) {
	o.around(b, func(n Node) { n.write(b) }, string(o.Op))
}

// around writes the operation, with parentheses where they are needed; each writes one side.
func (o *Operation) around(b *strings.Builder, each func(Node), op string) {
	if o.Op == '/' && o.Round != Down {
		b.WriteString(string(o.Round) + "(")
		defer b.WriteByte(')')
	}
	side := func(n Node, level int) {
		inner, ok := n.(*Operation)
		wrapped := ok && inner.level() < level && !(inner.Op == '/' && inner.Round != Down) || o.level() == 2 && endsInComparison(n)
		if wrapped {
			b.WriteByte('(')
		}
		each(n)
		if wrapped {
			b.WriteByte(')')
		}
	}
	if o.Left == nil {
		b.WriteByte('-')
		if o.tight {
			side(o.Right, 3)
			return
		}
		side(o.Right, 2)
		return
	}
	left := o.level()
	if first, ok := o.Left.(*Operation); ok && first.Left == nil && o.level() == 2 {
		left = 3
	}
	side(o.Left, left)
	b.WriteString(op)
	side(o.Right, o.level()+1)
}

// endsInComparison reports whether a factor behind the node would be read as one of the number that dice
// are compared with.
func endsInComparison(n Node) bool {
	switch n := n.(type) {
	case *Dice:
		return n.Mods.Counted && !n.Mods.old
	case *Group:
		return n.Mods.Counted && !n.Mods.old
	}
	return false
}

// Range computes the range from the ends of the die's faces.
func (d *Dice) Range() (least, greatest int) {
	few, many := d.Count.Range()
	few, many = max(0, few), max(0, many)
	lo, hi := d.Die.ends()
	if d.Mods.Reading == Digits {
		for range many {
			least, greatest = least*10+lo, greatest*10+hi
		}
		return least, greatest
	}
	if d.Die.Names != nil && !d.Mods.Counted && d.Mods.Reading == Sum {
		return 1, len(d.Die.Names)
	}
	every := d.Mods.Counted && d.Mods.Count.of(d.Die) == d.Die.Sides
	any, last := d.Mods.Count.of(d.Die) > 0, false
	for _, worth := range d.Die.Worths() {
		last = last || d.Mods.Count.Has(worth) && d.Mods.Explode.Has(worth)
	}
	fails := d.Mods.Fail.of(d.Die) > 0
	if d.Mods.changes() {
		any, every, fails, last = true, false, d.Mods.Fail != nil, !d.Mods.Compound
	}
	return d.Mods.span(few, many, lo, hi, any, every, fails, last)
}

// changes reports whether a die may be counted by another value than that of its face.
func (m Mods) changes() bool {
	return m.Explode != nil && (m.Compound || m.Penetrate) || len(m.Swaps) > 0
}

// Range computes the range from those of the group's expressions.
func (g *Group) Range() (least, greatest int) {
	if g.Apart {
		n, lo, hi := 0, math.MaxInt32, -math.MaxInt32
		for _, d := range g.dice() {
			_, many := d.Count.Range()
			from, to := d.Die.ends()
			n, lo, hi = n+many, min(lo, from), max(hi, to)
			if d.Mods.Explode != nil {
				hi = max(hi, hi*(1+d.Mods.Explosions()))
			}
		}
		return g.Mods.span(n, n, lo, hi, true, false, g.Mods.Fail != nil, false)
	}
	if len(g.Mods.Keeps) == 0 && !g.Mods.Counted && g.Mods.Reading == Sum {
		for _, n := range g.Of {
			lo, hi := n.Range()
			least, greatest = clampInt32(least+lo), clampInt32(greatest+hi)
		}
		return least, greatest
	}
	lo, hi := math.MaxInt32, -math.MaxInt32
	for _, n := range g.Of {
		from, to := n.Range()
		lo, hi = min(lo, from), max(hi, to)
	}
	return g.Mods.span(len(g.Of), len(g.Of), lo, hi, true, false, g.Mods.Fail != nil, false)
}

// span returns the range of few to many dice whose faces are worth lo to hi.
func (m Mods) span(few, many, lo, hi int, counts, every, fails, again bool) (least, greatest int) {
	throws := 1
	if m.Explode != nil {
		throws += m.Explosions()
	}
	if len(m.Swaps) > 0 {
		lo, hi = min(lo, 0, -hi, -1), max(hi, 0, -lo)
	}
	from, to := m.Ranks(many)
	kept, keptFew := to-from, 0
	if from, to := m.Ranks(few); to > from {
		keptFew = to - from
	}
	switch {
	case m.Reading != Sum:
		return min(1, keptFew), kept * throws
	case m.Counted:
		if every {
			least = keptFew
		}
		if fails {
			least = -kept * throws
		}
		if !again {
			throws = 1
		}
		if counts {
			greatest = kept * throws
		}
		return least, greatest
	}
	if len(m.Keeps) > 0 && !m.Compound && m.Explode != nil { // each explosion is a die of its own
		if !slices.ContainsFunc(m.Keeps, func(k Keep) bool { return k.Of == Middle }) {
			from, to := m.Ranks(many * throws)
			kept, throws = max(0, to-from), 1
		}
	}
	if m.Penetrate {
		lo--
	}
	least, greatest = keptFew*lo, kept*throws*hi
	if lo < 0 {
		least = kept * throws * lo
	}
	if hi < 0 {
		greatest = keptFew * hi
	}
	return clampInt32(least), clampInt32(greatest)
}

func (d *Dice) kind() kind {
	switch {
	case d.Mods.Reading == Digits:
		return sum
	case d.Mods.Counted || d.Mods.Reading != Sum:
		return count
	case d.Die.Names != nil:
		return names
	}
	return sum
}

func (g *Group) kind() kind {
	if g.Mods.Counted || g.Mods.Reading != Sum {
		return count
	}
	all := number
	for _, n := range g.Of {
		if k := n.kind(); k != number {
			if all != number && all != k {
				return mixed
			}
			all = k
		}
	}
	return all
}

func (d *Dice) write(b *strings.Builder) {
	d.writeCount(b, func(n Node) { n.write(b) })
	b.WriteString(d.tail())
}

// writeCount writes the number of dice; each writes an expression.
func (d *Dice) writeCount(b *strings.Builder, each func(Node)) {
	if n, plain := d.Count.(Number); plain {
		_, alike := sameDigits(d.Die.Sides)
		alike = alike && d.Die.Faces == nil && !d.Mods.old
		if d.Mods.Reading != Digits && (n != 1 || alike) { // d66 is read as digits, 1d66 isn't
			each(n)
		}
		return
	}
	b.WriteByte('(')
	each(d.Count)
	b.WriteByte(')')
}

// tail returns the notation of the die and its modifiers.
func (d *Dice) tail() string {
	n, fixed := d.Count.(Number)
	of := -1
	if fixed {
		of = int(n)
	}
	if d.Mods.Reading == Digits {
		return "d" + strings.Repeat(strconv.Itoa(d.Die.Sides), of) + string(d.Mods.Sorted)
	}
	return d.Die.String() + d.Mods.show(d.Die, of)
}

// sameDigits returns the number of equal digits, 4, 6 or 8, that sides is written with, if there are
// two or three of them: a d66 throws two d6.
func sameDigits(sides int) (n int, ok bool) {
	digit := sides % 10
	switch sides {
	case digit * 11:
		n = 2
	case digit * 111:
		n = 3
	}
	return n, n > 0 && (digit == 4 || digit == 6 || digit == 8)
}

// dice returns the handfuls of a group whose dice are apart.
func (g *Group) dice() []*Dice {
	all := make([]*Dice, len(g.Of))
	for i, n := range g.Of {
		all[i] = n.(*Dice)
	}
	return all
}

// size returns the number of dice, or of expressions, that the group chooses from.
func (g *Group) size() int {
	if !g.Apart {
		return len(g.Of)
	}
	n := 0
	for _, d := range g.dice() {
		many, _ := d.Count.(Number)
		n += int(many)
	}
	return n
}

func (g *Group) write(b *strings.Builder) {
	g.around(b, func(n Node) { n.write(b) })
}

func (g *Group) around(b *strings.Builder, each func(Node)) {
	b.WriteByte('{')
	for i, n := range g.Of {
		if i > 0 {
			b.WriteString(map[bool]string{false: ", ", true: "+"}[g.Apart])
		}
		each(n)
	}
	b.WriteString("}" + g.Mods.show(Die{}, g.size()))
}

// show returns the notation of the modifiers of n dice; n is negative if it isn't known.
func (m Mods) show(d Die, n int) string {
	var b strings.Builder
	if d.Least.Given {
		b.WriteString("mi" + strconv.Itoa(d.Least.At))
	}
	if d.Most.Given {
		b.WriteString("ma" + strconv.Itoa(d.Most.At))
	}
	if m.Reroll != nil {
		b.WriteByte('r')
		if m.Once {
			b.WriteByte('o')
		}
		b.WriteString(string(m.At) + strings.TrimPrefix(m.Reroll.show(d), "="))
	}
	if m.Unique {
		b.WriteByte('u')
	}
	if !m.old { // before a comparison, which would be about the dice that explode
		m.writeExplode(&b, d)
	}
	b.WriteString(m.keeps(n))
	switch {
	case !m.Counted:
	case len(m.Count) == 0: // only f
	case m.old:
		if len(m.Keeps) > 0 {
			b.WriteString("cs")
		}
		b.WriteString(m.Count.show(d))
	case d.Sides > 0 && m.Explode == nil && (m.Count.of(d) == 0 || m.Count.of(d) == d.Sides):
		b.WriteString("={" + m.Count.list(d) + "}") // otherwise it would be about the total
	default:
		b.WriteString(m.Count.show(d))
	}
	if m.Fail != nil {
		b.WriteString("f" + strings.TrimPrefix(m.Fail.show(d), "="))
	}
	if m.Glitch != nil {
		b.WriteString("gl" + strings.TrimPrefix(m.Glitch.show(d), "="))
	}
	if m.old {
		m.writeExplode(&b, d)
	}
	for _, s := range m.Swaps {
		b.WriteString(string(s.To) + s.Of.show(d))
	}
	if m.Marks != nil {
		b.WriteString("cs" + m.Marks.show(d))
	}
	if m.Reading != Sum {
		b.WriteString(" " + string(m.Reading))
	}
	if m.Sorted != AsThrown {
		b.WriteString(" " + string(m.Sorted))
	}
	return b.String()
}

func (m Mods) writeExplode(b *strings.Builder, d Die) {
	if m.Explode == nil {
		return
	}
	b.WriteByte('!')
	if m.Compound {
		b.WriteByte('!')
	}
	if m.Penetrate {
		b.WriteByte('p')
	}
	if m.Single {
		b.WriteByte('o')
	}
	if _, top := d.ends(); !slices.Equal(m.Explode, Values{Exactly(top)}) || m.Counted && !m.old {
		b.WriteString(m.Explode.show(d))
	}
}

// steps returns the steps that choose among n dice, as a single step where one is enough.
func (m Mods) steps(n int) []Keep {
	steps := m.Keeps
	if n >= 0 && (m.Explode == nil || m.Compound) {
		switch from, to := m.Ranks(n); {
		case from == to && n > 0 && !m.old:
			steps = []Keep{{N: 0, Of: Highest}}
		case from == 0 && to == n:
			steps = nil
		case from == 0:
			steps = []Keep{{N: to, Of: Highest}}
		case to == n:
			steps = []Keep{{N: n - from, Of: Lowest}}
		case from == n-to:
			steps = []Keep{{N: to - from, Of: Middle}}
		default:
			steps = []Keep{{N: to, Of: Highest}, {N: to - from, Of: Lowest}}
		}
	}
	return steps
}

// keeps returns the notation of the steps that choose among n dice.
func (m Mods) keeps(n int) string {
	var b strings.Builder
	for _, k := range m.steps(n) {
		b.WriteByte("kd"[map[bool]int{true: 1}[k.Drop]])
		b.WriteString(string(rune(k.Of)) + strconv.Itoa(k.N))
	}
	return b.String()
}
