package dice

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Result is the result of throwing an expression.
type Result struct {
	Rolls []Rolled
	Text  string // each roll with its faces, those that don't count in parentheses: "4d6kh3 [6 (1) 5 4] + 2 = 17"
}

// Rolled is the result of one roll. Other is the value it was compared with.
type Rolled struct {
	Roll         Roll
	Value, Other int
	Glitch       bool
}

// Total returns the value of all rolls together.
func (r Result) Total() int {
	total := 0
	for _, each := range r.Rolls {
		total += each.Value
	}
	return total
}

// String returns the result as notation, without words.
func (r Result) String() string { return r.Text }

// Throw throws the expression's dice, first to last.
func (e Expr) Throw(r Roller) Result {
	result, _ := e.Judge(func(p Pool) ([]int, error) { return Throw(r, p), nil })
	return result
}

// Judge computes the result from faces that come from elsewhere, such as Hand.Take or a run of
// rules. It calls take once for each handful, in order, and once more for each handful that is
// thrown again; take must return a face for each die of the pool. The first error of take is
// returned.
func (e Expr) Judge(take func(Pool) ([]int, error)) (Result, error) {
	return e.judge(&judging{take: take, text: new(strings.Builder)})
}

// Value computes the result like Judge but without the explanation, which is faster.
func (e Expr) Value(take func(Pool) ([]int, error)) (Result, error) {
	return e.judge(&judging{take: take})
}

// First returns the value of the first roll, thrown once.
func (e Expr) First(take func(Pool) ([]int, error)) (int, error) {
	return e.Node().judge(&judging{take: take})
}

// judging is the working state of Judge.
type judging struct {
	take func(Pool) ([]int, error)
	text *strings.Builder // nil if no explanation is wanted

	several bool // whether rolls need labels to distinguish them
	glitch  bool // whether the dice thrown last glitch
}

func (e Expr) judge(j *judging) (Result, error) {
	var result Result
	j.several = e.Several()
	if len(e.rolls) == 0 {
		result.Text = "0 = 0"
	}
	for i, r := range e.rolls {
		for nth := range r.Times {
			if j.text != nil && i+nth > 0 {
				j.text.WriteString("; ")
			}
			rolled, err := r.judge(j)
			if err != nil {
				return Result{}, err
			}
			result.Rolls = append(result.Rolls, rolled)
		}
	}
	if j.text != nil && len(e.rolls) > 0 {
		result.Text = j.text.String()
	}
	return result, nil
}

func (r Roll) judge(j *judging) (rolled Rolled, err error) {
	rolled.Roll = r
	if j.text != nil && r.Label != "" && j.several {
		j.text.WriteString(r.Label + ": ")
	}
	if rolled.Value, err = r.Of.judge(j); err != nil {
		return rolled, err
	}
	if j.text != nil {
		value := strconv.Itoa(rolled.Value)
		if r.Of.kind() == names {
			value = r.Of.(*Dice).Die.Names[rolled.Value-1]
		}
		j.text.WriteString(" = " + value)
	}
	if rolled.Glitch = r.Glitches() && j.glitch; rolled.Glitch && j.text != nil {
		j.text.WriteString(" ‼")
	}
	switch {
	case r.Against != nil:
		if j.text != nil {
			j.text.WriteString(" " + r.Against.Op + " ")
		}
		if rolled.Other, err = r.Against.Of.judge(j); err == nil && j.text != nil {
			j.text.WriteString(" = " + strconv.Itoa(rolled.Other))
		}
	case r.Goal.Given && j.text != nil:
		mark := " ✗ "
		if r.Goal.Met(rolled.Value) {
			mark = " ✓ "
		}
		j.text.WriteString(mark + r.Goal.String())
	case len(r.Bands) > 0 && j.text != nil:
		if i := r.Band(rolled.Value); i >= 0 {
			j.text.WriteString(": " + r.Bands[i].Name)
		}
	}
	return rolled, err
}

// Band returns the index of the band that contains a value, or −1.
func (r Roll) Band(value int) int {
	return slices.IndexFunc(r.bands(), func(b Band) bool { return b.Lo <= value && value <= b.Hi })
}

func (n Number) judge(j *judging) (int, error) {
	if j.text != nil {
		n.write(j.text)
	}
	return int(n), nil
}

func (o *Operation) judge(j *judging) (int, error) {
	if j.text == nil {
		left := 0
		if o.Left != nil {
			var err error
			if left, err = o.Left.judge(j); err != nil {
				return 0, err
			}
		}
		right, err := o.Right.judge(j)
		if err != nil {
			return 0, err
		}
		return o.Combine(left, right), nil
	}
	var values []int
	var failed error
	sign := map[byte]string{'+': " + ", '-': " - ", '*': " × ", '/': " ÷ "}[o.Op]
	o.around(j.text, func(n Node) {
		if failed == nil {
			var value int
			value, failed = n.judge(j)
			values = append(values, value)
		}
	}, sign)
	switch {
	case failed != nil:
		return 0, failed
	case o.Left == nil:
		return -values[0], nil
	}
	return o.Combine(values[0], values[1]), nil
}

// item is one die, or one expression of a group, that a modifier may keep or drop.
type item struct {
	worth int
	text  string
	kept  bool
}

func (d *Dice) judge(j *judging) (int, error) {
	n, err := d.number(j)
	if err != nil {
		return 0, err
	}
	if j.text == nil && !d.Mods.Again() && n > 0 { // the usual case in simulations
		faces, err := j.take(Pool{N: n, Sides: d.Die.Sides, For: d.Die.purpose()})
		if err != nil {
			return 0, err
		}
		worths := make([]int, len(faces))
		for i, face := range faces {
			worths[i] = d.Die.Worth(face)
		}
		j.glitch = d.Mods.glitches(worths)
		return d.Mods.value(worths), nil
	}
	items, err := d.fall(j, max(0, n))
	if err != nil {
		return 0, err
	}
	worths := make([]int, len(items))
	for i, one := range items {
		worths[i] = one.worth
	}
	j.glitch = d.Mods.glitches(worths)
	return d.Mods.settle(j, items), nil
}

// number returns how many dice to throw, and writes the dice.
func (d *Dice) number(j *judging) (n int, err error) {
	if j.text == nil {
		return d.Count.judge(j)
	}
	d.writeCount(j.text, func(count Node) { n, err = count.judge(j) })
	if count, one := d.Count.(Number); one {
		n = int(count)
	}
	j.text.WriteString(d.tail())
	return n, err
}

// settle returns the value of dice and writes which of them count.
func (m Mods) settle(j *judging, items []item) int {
	if j.text == nil {
		worths := make([]int, len(items))
		for i, one := range items {
			worths[i] = one.worth
		}
		return m.value(worths)
	}
	value := m.read(items)
	j.text.WriteString(" [" + m.list(items) + "]")
	return value
}

// fall throws n dice and rerolls and explodes them.
func (d *Dice) fall(j *judging, n int) ([]item, error) {
	pool := Pool{N: n, Sides: d.Die.Sides, For: d.Die.purpose()}
	var items []item
	var origins []int // the index of the item to which each die of the throw belongs
	for throws := 0; pool.N > 0; throws++ {
		fell, err := d.throw(j, pool, d.Mods.At == EachThrow || d.Mods.At == FirstThrow && throws == 0)
		if err != nil {
			return nil, err
		}
		var again []int
		for i, one := range fell {
			explodes := throws < d.Mods.Explosions() && d.Mods.Explode.Has(one.worth)
			if explodes && j.text != nil {
				one.text += "!"
			}
			if throws > 0 && d.Mods.Penetrate {
				if one.worth--; j.text != nil {
					one.text += "−1"
				}
			}
			at := len(items)
			if throws > 0 && d.Mods.Compound {
				at = origins[i]
				if items[at].worth += one.worth; j.text != nil {
					items[at].text += "+" + one.text
				}
			} else {
				items = append(items, one)
			}
			if explodes {
				again = append(again, at)
			}
		}
		origins = again
		pool.N, pool.For = len(again), d.again()
	}
	if d.Mods.At == LastThrow {
		return items, d.reroll(j, items)
	}
	return items, nil
}

// again returns the purpose of dice that are thrown once more.
func (d *Dice) again() string {
	if !d.Die.Fate && d.Die.Faces == nil {
		return AgainDice
	}
	return d.Die.purpose()
}

// throw throws a pool and, with reroll, rerolls its dice.
func (d *Dice) throw(j *judging, pool Pool, reroll bool) ([]item, error) {
	faces, err := j.take(pool)
	if err != nil {
		return nil, err
	}
	items := make([]item, len(faces))
	for i, face := range faces {
		items[i].worth = d.Die.Worth(face)
		if j.text != nil {
			items[i].text = d.Die.text(face)
		}
	}
	switch {
	case d.Mods.Unique:
		return items, d.differ(j, items, faces)
	case d.Mods.Reroll == nil || !reroll:
		return items, nil
	}
	return items, d.reroll(j, items)
}

// reroll rerolls the dice that show what is rerolled.
func (d *Dice) reroll(j *judging, items []item) error {
	var rest []int // faces that may stay
	for face := 1; face <= d.Die.Sides; face++ {
		if !d.Mods.Reroll.Has(d.Die.Worth(face)) {
			rest = append(rest, face)
		}
	}
	for round := 1; ; round++ {
		var again []int
		for i, one := range items {
			if d.Mods.Reroll.Has(one.worth) {
				again = append(again, i)
			}
		}
		if len(again) == 0 {
			return nil
		}
		last := round > MaxRerolls && !d.Mods.Once
		p := Pool{N: len(again), Sides: d.Die.Sides, For: d.again()}
		if last { // draw one of the faces that may stay, each equally likely: rerolling without end gives the same
			p.Sides, p.For = len(rest), AgainDice
		}
		faces, err := j.take(p)
		if err != nil {
			return err
		}
		for k, i := range again {
			face := faces[k]
			if last {
				face = rest[face-1]
			}
			items[i].worth = d.Die.Worth(face)
			if j.text != nil {
				items[i].text += "→" + d.Die.text(face)
			}
		}
		if d.Mods.Once || last {
			return nil
		}
	}
}

// differ rerolls dice that repeat a face until all differ. After MaxRerolls rounds a face is drawn
// that no other die shows. Faces are treated alike, so every set of faces is as likely as any other.
func (d *Dice) differ(j *judging, items []item, faces []int) error {
	faces = slices.Clone(faces)
	for round := 1; ; round++ {
		var again []int
		for i, face := range faces {
			if slices.Contains(faces[:i], face) {
				again = append(again, i)
			}
		}
		if len(again) == 0 {
			return nil
		}
		var rest []int
		p := Pool{N: len(again), Sides: d.Die.Sides, For: d.again()}
		if round > MaxRerolls {
			for face := 1; face <= d.Die.Sides; face++ {
				if !slices.Contains(faces, face) {
					rest = append(rest, face)
				}
			}
			again, p = again[:1], Pool{N: 1, Sides: len(rest), For: AgainDice}
		}
		fell, err := j.take(p)
		if err != nil {
			return err
		}
		for k, i := range again {
			if faces[i] = fell[k]; rest != nil {
				faces[i] = rest[fell[k]-1]
			}
			items[i].worth = d.Die.Worth(faces[i])
			if j.text != nil {
				items[i].text += "→" + d.Die.text(faces[i])
			}
		}
	}
}

// text returns a face as the die shows it, with its value if a bound changes that: "1↑3".
func (d Die) text(face int) string {
	worth, shown := d.Worth(face), d.shown(face)
	switch {
	case worth > shown:
		return d.Show(face) + "↑" + strconv.Itoa(worth)
	case worth < shown:
		return d.Show(face) + "↓" + strconv.Itoa(worth)
	}
	return d.Show(face)
}

func (g *Group) judge(j *judging) (int, error) {
	var items []item
	var failed error
	each := func(n Node) {
		switch d, isDice := n.(*Dice); {
		case failed != nil:
		case g.Apart && isDice:
			var many int
			if many, failed = d.number(j); failed == nil {
				var fell []item
				fell, failed = d.fall(j, many)
				items = append(items, fell...)
			}
		default:
			var value int
			value, failed = n.judge(j)
			items = append(items, item{worth: value, text: strconv.Itoa(value)})
		}
	}
	if j.text != nil {
		g.around(j.text, each)
	} else {
		for _, n := range g.Of {
			each(n)
		}
	}
	if failed != nil {
		return 0, failed
	}
	return g.Mods.settle(j, items), nil
}

// glitches reports whether more than half of the dice show a face that glitches.
func (m Mods) glitches(worths []int) bool {
	n := 0
	for _, worth := range worths {
		if m.Glitch.Has(worth) {
			n++
		}
	}
	return 2*n > len(worths)
}

// value chooses among dice, like read, and returns their value without marking them. It may sort
// worths.
func (m Mods) value(worths []int) int {
	if from, to := m.Ranks(len(worths)); from > 0 || to < len(worths) {
		slices.Sort(worths)
		worths = worths[len(worths)-to : len(worths)-from] // ranks count from the highest
	}
	return m.total(worths)
}

// total returns the value of the dice that count. It may sort worths.
func (m Mods) total(worths []int) int {
	switch m.Reading {
	case Sum:
	case Digits:
		return m.digits(worths)
	default:
		return m.longest(worths)
	}
	value := 0
	for _, worth := range worths {
		switch {
		case !m.Counted:
			value += m.Value(worth)
		case m.Count.Has(worth):
			value++
		case m.Fail.Has(worth):
			value--
		}
	}
	return value
}

// read chooses among dice, marks those that count and returns their value. Among equal dice the
// earlier counts.
func (m Mods) read(items []item) int {
	from, to := m.Ranks(len(items))
	if from == 0 && to == len(items) {
		for i := range items {
			items[i].kept = true
		}
	} else {
		order := make([]int, len(items))
		for i := range order {
			order[i] = i
		}
		down := to < len(items) || from == 0
		slices.SortStableFunc(order, func(a, b int) int {
			if down {
				a, b = b, a
			}
			return cmp.Compare(items[a].worth, items[b].worth)
		})
		if !down {
			from, to = 0, to-from
		}
		for _, i := range order[from:to] {
			items[i].kept = true
		}
	}
	var worths []int
	for i := range items {
		one := &items[i]
		if one.kept {
			worths = append(worths, one.worth)
		}
		if m.Counted && m.Reading == Sum && !m.Count.Has(one.worth) && !m.Fail.Has(one.worth) {
			one.kept = false
		}
		for _, s := range m.Swaps {
			if s.Of.Has(one.worth) {
				one.kept = false
				if s.To != Dropped {
					one.text += "→" + strconv.Itoa(m.Value(one.worth))
				}
				break
			}
		}
		if m.Marks.Has(one.worth) || m.Glitch.Has(one.worth) {
			one.text += "*"
		}
	}
	return m.total(worths)
}

// digits returns the number that the dice write.
func (m Mods) digits(worths []int) int {
	switch m.Sorted {
	case Ascending:
		slices.Sort(worths)
	case Falling:
		slices.SortFunc(worths, func(a, b int) int { return b - a })
	}
	value := 0
	for _, worth := range worths {
		value = value*10 + worth
	}
	return value
}

// longest returns the size of the largest set, or the length of the longest straight.
func (m Mods) longest(worths []int) int {
	slices.Sort(worths)
	best, run := min(1, len(worths)), 1
	for i := 1; i < len(worths); i++ {
		switch step := worths[i] - worths[i-1]; {
		case step == 0 && m.Reading == Set || step == 1 && m.Reading == Straight:
			run++
		case step == 0:
		default:
			run = 1
		}
		best = max(best, run)
	}
	return best
}

// list writes dice; those that don't count are in parentheses.
func (m Mods) list(items []item) string {
	items = slices.Clone(items)
	if m.Sorted != AsThrown {
		slices.SortStableFunc(items, func(a, b item) int {
			if m.Sorted == Falling {
				a, b = b, a
			}
			return cmp.Compare(a.worth, b.worth)
		})
	}
	texts := make([]string, len(items))
	for i, one := range items {
		if texts[i] = one.text; !one.kept {
			texts[i] = "(" + one.text + ")"
		}
	}
	return strings.Join(texts, " ")
}

// Choice reports for each face of a throw whether it counts or is a success, as far as this throw
// alone shows it. counts means that successes are counted. chosen is nil if nothing is chosen, or
// if several dice of the expression have this pool but choose differently.
func (e Expr) Choice(p Pool, faces []int) (chosen []bool, counts bool) {
	var found *Dice
	for _, d := range e.pools() {
		n, fixed := d.Count.(Number)
		if fixed && int(n) == p.N && d.Die.Sides == p.Sides && d.Die.purpose() == p.For {
			if found != nil && found.tail() != d.tail() {
				return nil, false
			}
			found = d
		}
	}
	if found == nil || found.Mods.Again() || found.Mods.Reading != Sum ||
		len(found.Mods.Keeps) == 0 && !found.Mods.Counted && len(found.Mods.Swaps) == 0 {
		return nil, false
	}
	items := make([]item, len(faces))
	for i, face := range faces {
		items[i].worth = found.Die.Worth(face)
	}
	found.Mods.read(items)
	chosen = make([]bool, len(items))
	for i, one := range items {
		chosen[i] = one.kept
	}
	return chosen, found.Mods.Counted
}
