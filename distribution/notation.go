package distribution

import (
	"math/bits"
	"slices"

	"norn/dice"
)

// Node returns the law of the value of a notation's expression, lowest first. It reports to spend
// in advance how many steps on machine words it will take, and stops with the error of spend.
func Node(n dice.Node, spend func(steps int) error) (*Law[int], error) {
	switch n := n.(type) {
	case dice.Number:
		return Sure(int(n)), nil
	case *dice.Operation:
		return operation(n, spend)
	case *dice.Dice:
		return handfuls(n, spend)
	case *dice.Group:
		return group(n, spend)
	}
	return Sure(0), nil
}

func operation(o *dice.Operation, spend func(int) error) (*Law[int], error) {
	left := Sure(0)
	if o.Left != nil {
		var err error
		if left, err = Node(o.Left, spend); err != nil {
			return nil, err
		}
	}
	right, err := Node(o.Right, spend)
	if err != nil {
		return nil, err
	}
	if o.Op == '-' {
		right = inOrder(Map(right, func(n int) int { return -n }))
	}
	if o.Op == '+' || o.Op == '-' {
		return Plus(left, right, spend)
	}
	return Combine(left, right, o.Combine, spend)
}

// Hits counts dice, and records whether more than half of them glitch.
type Hits struct {
	N      int
	Glitch bool
}

// Glitches returns the law of dice of which some count and some may glitch.
func Glitches(d *dice.Dice, spend func(steps int) error) (*Law[Hits], error) {
	n, _ := d.Count.(dice.Number)
	base := int(n) + 1
	die := Map(rerollLaw(Worth(d.Die.Worths()), d.Mods), func(value int) int {
		code := base * adds(d.Mods, value)
		if d.Mods.Glitch.Has(value) {
			code++
		}
		return code
	})
	law, err := Times(inOrder(die), int(n), spend)
	if err != nil {
		return nil, err
	}
	return Map(law, func(code int) Hits { return Hits{code / base, 2*(code%base) > int(n)} }), nil
}

// handfuls returns the law of dice whose number may itself be thrown.
func handfuls(d *dice.Dice, spend func(int) error) (*Law[int], error) {
	if n, fixed := d.Count.(dice.Number); fixed {
		return handful(d, int(n), spend)
	}
	counts, err := Node(d.Count, spend)
	if err != nil {
		return nil, err
	}
	var mix Mix[int]
	laws := make([]*Law[int], len(counts.Values))
	for i, n := range counts.Values {
		if laws[i], err = handful(d, max(0, n), spend); err != nil {
			return nil, err
		}
		if err := spend(stepsInAdding * len(laws[i].Values) * (1 +
			(laws[i].Total.BitLen()+counts.Total.BitLen())/bits.UintSize)); err != nil {
			return nil, err
		}
	}
	for i, law := range laws {
		over := law.Total.Times(counts.Total)
		for k, value := range law.Values {
			mix.AddTimes(value, law.Weights[k], counts.Weights[i], over)
		}
	}
	return inOrder(mix.Law()), nil
}

// handful returns the law of n dice with their modifiers.
func handful(d *dice.Dice, n int, spend func(int) error) (*Law[int], error) {
	m, p := d.Mods, dice.Pool{N: n, Sides: d.Die.Sides}
	if n == 0 {
		return Sure(0), nil
	}
	from, to := m.Ranks(n)
	if from >= to && (m.Explode == nil || m.Compound) { // none is kept, and none is added
		return Sure(0), nil
	}
	whole := from == 0 && to == n
	words := 1 + n*bits.Len(uint(p.Sides))/64
	switch {
	case m.Reading == dice.Digits:
		return digits(d, n, spend)
	case m.Unique:
		return unlike(d, n, spend)
	}
	if d.Die.Plain() && !m.Again() && m.Reading == dice.Sum && m.Fail == nil && m.Swaps == nil { // closed forms
		switch {
		case !m.Counted && whole:
			if err := spend(n * p.Sides * words); err != nil {
				return nil, err
			}
			return Sum(p), nil
		case !m.Counted && from == 0:
			return keepWithin(p, to, false, words, spend)
		case !m.Counted && to == n:
			return keepWithin(p, n-from, true, words, spend)
		case whole && len(m.Count) == 1:
			if err := spend(4 * n * words); err != nil {
				return nil, err
			}
			return Count(p, m.Count[0]), nil
		}
	}
	die := Worth(d.Die.Worths())
	switch {
	case m.Explode == nil:
		return combineHandfuls(m, []Handful{{n, rerollLaw(die, m)}}, n, spend)
	case m.Compound || whole && len(m.Keeps) == 0 && m.Reading == dice.Sum:
		one, err := exploding(die, m, spend)
		if err != nil {
			return nil, err
		}
		if m.Compound {
			return combineHandfuls(m, []Handful{{n, one}}, n, spend)
		}
		return Times(one, n, spend)
	}
	return apart(die, m, n, spend)
}

func keepWithin(p dice.Pool, n int, lowest bool, words int, spend func(int) error) (*Law[int], error) {
	if err := spend(p.Sides * n * (n*p.Sides/2 + 2*p.N) * words); err != nil {
		return nil, err
	}
	return Keep(p, n, lowest), nil
}

// rerollLaw returns the law of one die that is thrown again for some of its values.
func rerollLaw(die *Law[int], m dice.Mods) *Law[int] {
	if m.Reroll == nil {
		return die
	}
	var mix Mix[int]
	stay := W(0)
	for i, value := range die.Values {
		if !m.Reroll.Has(value) {
			stay = stay.Plus(die.Weights[i])
		}
	}
	again := die.Total.Minus(stay)
	total := die.Total.Times(die.Total)
	for i, value := range die.Values {
		switch kept := !m.Reroll.Has(value); {
		case m.Once && kept:
			mix.AddTimes(value, die.Weights[i], die.Total.Plus(again), total)
		case m.Once:
			mix.AddTimes(value, die.Weights[i], again, total)
		case kept:
			mix.Add(value, die.Weights[i], stay)
		}
	}
	return inOrder(mix.Law())
}

// stepsInAdding is the cost of adding a weight to a Mix, in steps on machine words.
const stepsInAdding = 4

// throwLaws returns the laws of the first throw of a die that explodes, and of the later ones, before
// any die is rerolled at last.
func throwLaws(die *Law[int], m dice.Mods) (first, later *Law[int]) {
	rerolled := rerollLaw(die, m)
	switch m.At {
	case dice.FirstThrow:
		return rerolled, die
	case dice.LastThrow:
		return die, die
	}
	return rerolled, rerolled
}

// rerollLast returns a law of values of which some are rerolled when no die explodes any more.
func rerollLast(of, die *Law[int], m dice.Mods) *Law[int] {
	if m.At != dice.LastThrow {
		return of
	}
	fresh := rerolledTo(die, m)
	var mix Mix[int]
	total := of.Total.Times(fresh.Total)
	for i, value := range of.Values {
		if !m.Reroll.Has(value) {
			mix.AddTimes(value, of.Weights[i], fresh.Total, total)
			continue
		}
		for k, other := range fresh.Values {
			mix.AddTimes(other, of.Weights[i], fresh.Weights[k], total)
		}
	}
	return inOrder(mix.Law())
}

// rerolledTo returns the law of what a die shows that was rerolled.
func rerolledTo(die *Law[int], m dice.Mods) *Law[int] {
	if m.Once {
		return die
	}
	return rerollLaw(die, m)
}

// exploding returns the law of one die with all its explosions: their sum, or how many of its dice
// count where each is counted by itself.
func exploding(die *Law[int], m dice.Mods, spend func(steps int) error) (*Law[int], error) {
	worth := func(value int) int {
		switch {
		case m.Compound:
			return value
		case !m.Counted:
			return m.Value(value)
		}
		return adds(m, value)
	}
	first, later := throwLaws(die, m)
	alone := m.At == dice.LastThrow && !m.Compound // each die of a chain is rerolled by itself
	fresh := Sure(0)
	if alone {
		fresh = rerolledTo(die, m)
	}
	var mix Mix[int]
	going, total := Sure(0), W(1) // the law of chains of dice that explode further
	for throw := range m.Explosions() + 1 {
		thrown := later
		if throw == 0 {
			thrown = first
		}
		total = total.Times(thrown.Total).Times(fresh.Total)
		if err := spend(stepsInAdding * len(going.Values) * len(thrown.Values) * len(fresh.Values) * (1 +
			total.BitLen()/bits.UintSize)); err != nil {
			return nil, err
		}
		var next Mix[int]
		for k, face := range thrown.Values {
			to := &mix
			if throw < m.Explosions() && m.Explode.Has(face) {
				to = &next
			}
			value := face
			if throw > 0 && m.Penetrate {
				value--
			}
			shown := &Law[int]{Values: []int{value}, Weights: []Weight{fresh.Total}}
			if alone && m.Reroll.Has(value) {
				shown = fresh
			}
			for j, other := range shown.Values {
				weight := thrown.Weights[k].Times(shown.Weights[j])
				for i, sum := range going.Values {
					to.AddTimes(sum+worth(other), going.Weights[i], weight, total)
				}
			}
		}
		going = next.Law()
		going.Total = total
	}
	law := inOrder(mix.Law())
	if m.Compound {
		law = rerollLast(law, die, m)
	}
	return law, nil
}

// adds returns 1 for a value that counts, −1 for one that counts against.
func adds(m dice.Mods, value int) int {
	switch {
	case m.Count.Has(value):
		return 1
	case m.Fail.Has(value):
		return -1
	}
	return 0
}

// combineHandfuls returns the law of handfuls with their modifiers; n is the number of all dice.
func combineHandfuls(m dice.Mods, hands []Handful, n int, spend func(int) error) (*Law[int], error) {
	from, to := m.Ranks(n)
	whole := from == 0 && to == n
	switch {
	case from >= to:
		return Sure(0), nil
	case m.Reading != dice.Sum && !whole:
		return rankedReading(m, hands, from, to, spend)
	case m.Reading == dice.Set:
		return Largest(hands, spend)
	case m.Reading == dice.Straight:
		return Straight(hands, spend)
	case m.Counted && !whole:
		return rankedReading(m, hands, from, to, spend)
	case !whole:
		return SumOfRanks(hands, from, to, spend)
	}
	all := Sure(0)
	for _, h := range hands {
		one := h.Die
		switch {
		case m.Counted:
			one = inOrder(Map(one, func(value int) int { return adds(m, value) }))
		case m.Swaps != nil:
			one = inOrder(Map(one, m.Value))
		}
		sum, err := Times(one, h.N, spend)
		if err != nil {
			return nil, err
		}
		if all, err = Plus(all, sum, spend); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// rankedReading returns the law of the reading of the dice between two ranks.
func rankedReading(m dice.Mods, hands []Handful, from, to int, spend func(int) error) (*Law[int], error) {
	type state struct{ seen, last, run, best int }
	law, err := Sorted(alike(hands), state{}, func(s state, value, n int) state {
		kept := max(0, min(s.seen+n, to)-max(s.seen, from))
		if s.seen = min(s.seen+n, to); kept == 0 {
			return s
		}
		switch {
		case m.Counted:
			s.best += kept * adds(m, value)
		case m.Reading == dice.Set:
			s.best = max(s.best, kept)
		default:
			if s.run > 0 && s.last == value+1 {
				s.run++
			} else {
				s.run = 1
			}
			s.last, s.best = value, max(s.best, s.run)
		}
		return s
	}, spend)
	if err != nil {
		return nil, err
	}
	return inOrder(Map(law, func(s state) int { return s.best })), nil
}

// apart returns the law of dice that explode into separate dice, of which only some are kept or
// read. The dice of a hand are those that exploded and those that didn't; given the number of each,
// they are independent.
func apart(die *Law[int], m dice.Mods, n int, spend func(int) error) (*Law[int], error) {
	firstThrow, laterThrow := throwLaws(die, m)
	first, later := split(firstThrow, die, m, 0), split(laterThrow, die, m, 0)
	differ := m.Penetrate || m.At == dice.FirstThrow // first and later throws
	if m.Penetrate {
		later = split(laterThrow, die, m, 1)
	}
	// A die makes a number of dice that exploded, and one that didn't unless all did. What n of
	// them make is encoded as a number of three digits: dice that exploded, first dice that
	// exploded, and dice whose last throw exploded.
	firsts := (m.Explosions()+1)*n + 1
	lasts := firsts * (n + 1)
	var chain Mix[int]
	going, total := W(1), W(1)
	for k := range m.Explosions() + 1 {
		code, of := k, first
		if k > 0 {
			of = later
			if differ {
				code += firsts
			}
		}
		total = total.Times(of.total)
		if !of.rest.IsZero() { // zero if each face explodes that a reroll leaves
			chain.AddTimes(code, going, of.rest, total)
		}
		if going = going.Times(of.some); going.IsZero() { // no face explodes that a reroll leaves
			break
		}
		if k == m.Explosions() {
			chain.AddTimes(code+1+lasts, going, W(1), total)
		}
	}
	chains, err := Times(inOrder(chain.Law()), n, spend)
	if err != nil {
		return nil, err
	}
	var mix Mix[int]
	for i, code := range chains.Values {
		all, exploded, last := code%firsts, code%lasts/firsts, code/lasts
		hands := []Handful{{all, first.exploded}, {n - last, first.ended}}
		if differ {
			hands = []Handful{
				{exploded, first.exploded},
				{all - exploded, later.exploded},
				{n - exploded, first.ended},
				{exploded - last, later.ended},
			}
		}
		hands = slices.DeleteFunc(hands, func(h Handful) bool { return h.N == 0 })
		law, err := combineHandfuls(m, hands, all+n-last, spend)
		if err != nil {
			return nil, err
		}
		over := law.Total.Times(chains.Total)
		for j, value := range law.Values {
			mix.AddTimes(value, law.Weights[j], chains.Weights[i], over)
		}
	}
	return inOrder(mix.Law()), nil
}

// halves are the dice of a throw that explode, with their weight, and the rest.
type halves struct {
	exploded, ended   *Law[int]
	some, rest, total Weight
}

// split returns the halves of a throw whose dice are worth less than they show.
func split(thrown, die *Law[int], m dice.Mods, less int) halves {
	h := halves{total: thrown.Total}
	for i, value := range thrown.Values {
		if m.Explode.Has(value) {
			h.some = h.some.Plus(thrown.Weights[i])
		}
	}
	h.rest = h.total.Minus(h.some)
	var high, low Mix[int]
	for i, value := range thrown.Values {
		if m.Explode.Has(value) {
			high.Add(value-less, thrown.Weights[i], h.some)
		} else {
			low.Add(value-less, thrown.Weights[i], h.rest)
		}
	}
	h.exploded = rerollLast(inOrder(high.Law()), die, m)
	h.ended = rerollLast(inOrder(low.Law()), die, m)
	return h
}

// digits returns the law of a few dice that are read as digits.
func digits(d *dice.Dice, n int, spend func(int) error) (*Law[int], error) {
	law := Sure(0)
	for range n {
		var err error
		if law, err = Combine(law, Sum(dice.Pool{N: 1, Sides: d.Die.Sides}), func(number, digit int) int {
			return number*10 + digit
		}, spend); err != nil {
			return nil, err
		}
	}
	if d.Mods.Sorted == dice.AsThrown {
		return law, nil
	}
	return inOrder(Map(law, func(number int) int {
		var shown []int
		for ; number > 0; number /= 10 {
			shown = append(shown, number%10)
		}
		slices.Sort(shown)
		if d.Mods.Sorted == dice.Falling {
			slices.Reverse(shown)
		}
		for _, digit := range shown {
			number = number*10 + digit
		}
		return number
	})), nil
}

// unlike returns the law of n dice with different faces: every set of n faces is as likely as any
// other.
func unlike(d *dice.Dice, n int, spend func(int) error) (*Law[int], error) {
	type state struct{ seen, value, last, run int }
	m, worths := d.Mods, slices.Clone(d.Die.Worths())
	slices.Sort(worths)
	slices.Reverse(worths)
	from, to := m.Ranks(n)
	here, order := map[state]Weight{{}: W(1)}, []state{{}}
	for _, worth := range worths {
		if err := spend(2 * stepsInAdding * len(order) * (1 + len(worths)/bits.UintSize)); err != nil {
			return nil, err
		}
		next := map[state]Weight{}
		var met []state
		add := func(to state, ways Weight) {
			sum, known := next[to]
			if !known {
				met = append(met, to)
			}
			next[to] = sum.Plus(ways)
		}
		for _, s := range order {
			add(s, here[s])
			if s.seen == n {
				continue
			}
			with := s
			with.seen++
			switch kept := from <= s.seen && s.seen < to; {
			case kept && m.Reading != dice.Sum:
				again := m.Reading == dice.Set && worth == s.last || m.Reading == dice.Straight && worth == s.last-1
				switch {
				case s.run > 0 && again:
					with.run++
				case s.run == 0 || worth != s.last:
					with.run = 1
				}
				with.last, with.value = worth, max(s.value, with.run)
			case kept && m.Counted:
				with.value += adds(m, worth)
			case kept:
				with.value += m.Value(worth)
			}
			add(with, here[s])
		}
		here, order = next, met
	}
	law, total := &Law[int]{}, W(0)
	for _, s := range order {
		if s.seen == n {
			law.Values, law.Weights = append(law.Values, s.value), append(law.Weights, here[s])
			total = total.Plus(here[s])
		}
	}
	law.Total = total
	return inOrder(Map(law, func(value int) int { return value })), nil
}

// group returns the law of a group of expressions.
func group(g *dice.Group, spend func(int) error) (*Law[int], error) {
	hands, size := make([]Handful, len(g.Of)), 0
	for i, n := range g.Of {
		if d, isDice := n.(*dice.Dice); g.Apart && isDice {
			many, _ := d.Count.(dice.Number)
			die := Worth(d.Die.Worths())
			if d.Mods.Explode == nil {
				die = rerollLaw(die, d.Mods)
			} else {
				var err error
				if die, err = exploding(die, d.Mods, spend); err != nil {
					return nil, err
				}
			}
			hands[i], size = Handful{int(many), die}, size+int(many)
			continue
		}
		law, err := Node(n, spend)
		if err != nil {
			return nil, err
		}
		hands[i], size = Handful{1, law}, size+1
	}
	return combineHandfuls(g.Mods, hands, size, spend)
}
