package distribution

import (
	"math"
	"math/big"
	"slices"

	"norn/dice"
)

// Fold returns the law of the state that a pool leads to. It calls step with each face and how many
// dice show it, highest face first; faces that no die shows are skipped. Equal states are merged
// immediately. The result of step must depend only on its arguments.
func Fold[S comparable](p dice.Pool, start S, step func(state S, face, n int) S) *Law[S] {
	law, _ := FoldWithin(p, Faces(p.Sides), start, step, func(int) error { return nil })
	return law
}

// FoldWithin is like Fold but sees faces only through their grade: it calls step with each grade
// and how many dice have it, highest grade first. It regularly reports to spend how many more steps
// on machine words it has taken or will take, and stops with the error of spend.
func FoldWithin[G, S comparable](p dice.Pool, grades Grades[G], start S, step func(state S, grade G, n int) S,
	spend func(steps int) error,
) (*Law[S], error) {
	if p.N <= 0 {
		return Sure(start), nil
	}
	sizes := grades.sizes
	total := pow(uint64(p.Sides), p.N)
	f := fold[G, S]{
		n: p.N, grades: grades, total: total, sums: columnOf(16, total), powers: columnOf(p.N+1, total),
		passing: columnOf(p.N+1, total),
	}
	words := total.width()
	if err := spend(p.N * p.N * words); err != nil { // for the binomials
		return nil, err
	}
	f.end.values = make([]S, 0, f.sums.len())
	f.choose, f.levels = binomials(p.N), make([]*pile[S], len(sizes))
	f.product = make([]big.Word, f.choose.width+words)
	f.level(len(sizes)-1).of(start).addTimes(p.N, W(1), W(1))
	for at := len(sizes) - 1; at > 0; at-- {
		here := f.levels[at]
		if here == nil {
			continue
		}
		f.powers.fill(sizes[at])
		for i, state := range here.values {
			f.show(step, at, state, here.row(i))
			if f.steps > often {
				if err := spend(f.steps * words); err != nil {
					return nil, err
				}
				f.steps = 0
			}
		}
		f.levels[at] = nil
		f.spent = append(f.spent, here)
	}
	return &Law[S]{Values: f.end.values, Weights: f.sums.turn(len(f.end.values)), Total: total}, nil
}

// Die returns the law of what one die is worth, which read computes from the face. Whole numbers
// are ordered from the lowest, other values from the highest face down.
func Die[S comparable](sides int, read func(face int) S) *Law[S] {
	law := &Law[S]{Total: W(uint64(sides))}
	var value S
	if number, ok := any(&value).(*int); ok && sides <= 2*few {
		var room [2 * few]int
		numbers, low, high := room[:sides], math.MaxInt, math.MinInt
		for i := range numbers {
			value = read(i + 1)
			numbers[i], low, high = *number, min(low, *number), max(high, *number)
		}
		if low >= -far && high <= far && high-low < wide/8 {
			values, weights := countValues(numbers, low, high)
			law.Values, law.Weights = any(values).([]S), weights
			return law
		}
	}
	var seen places[S]
	for face := sides; face >= 1; face-- {
		at := seen.of(read(face))
		if at == len(law.Weights) {
			law.Weights = append(law.Weights, Weight{})
		}
		law.Weights[at].lo++
	}
	law.Values = seen.values
	return law
}

// countValues returns the distinct numbers, lowest first, and how often each occurs. It takes at
// most 128 numbers, all between low and high.
func countValues(numbers []int, low, high int) (values []int, weights []Weight) {
	var room [wide / 8]uint8
	table, different := room[:high-low+1], 0
	for _, n := range numbers {
		if table[n-low] == 0 {
			different++
		}
		table[n-low]++
	}
	values, weights = make([]int, different), make([]Weight, different)
	at := 0
	for i, times := range table {
		if times > 0 {
			values[at], weights[at].lo = low+i, uint64(times)
			at++
		}
	}
	return values, weights
}

// Grades maps the faces of a die to what they mean, where several faces may mean the same. Grades
// are ordered by their highest face.
type Grades[G comparable] struct {
	all   []G      // lowest first, from 1
	sizes []uint64 // how many faces have each
}

// Faces returns the grades of a die whose faces all mean different things.
func Faces(sides int) Grades[int] {
	g := Grades[int]{make([]int, sides+1), make([]uint64, sides+1)}
	for face := 1; face <= sides; face++ {
		g.all[face], g.sizes[face] = face, 1
	}
	return g
}

// GradesOf returns the grades of a die whose faces mean what grade returns.
func GradesOf[G comparable](sides int, grade func(face int) G) Grades[G] {
	g := Grades[G]{make([]G, 0, 8), make([]uint64, 0, 8)}
	for face := sides; face >= 1; face-- {
		this := grade(face)
		at := len(g.all) - 1 // as a rule they follow each other
		if at < 0 || g.all[at] != this {
			at = slices.Index(g.all, this)
		}
		if at < 0 {
			at = len(g.all)
			g.all, g.sizes = append(g.all, this), append(g.sizes, 0)
		}
		g.sizes[at]++
	}
	var nothing G
	g.all, g.sizes = append(g.all, nothing), append(g.sizes, 0)
	slices.Reverse(g.all)
	slices.Reverse(g.sizes)
	return g
}

// often is the number of steps between two calls of spend.
const often = 1000

// fold is the working state of FoldWithin. Each level belongs to a grade and holds the states in
// which all dice of higher grades have been shown, and for each state the number of ways for each
// number of dice left.
//
// A state skips grades that can't change it: it moves directly to the level where it can next
// change, and the grades between are treated as one. A state that nothing can change any more is
// done.
//
// Methods take step as an argument instead of keeping it, so that a rule's step function needs no
// allocation.
type fold[G, S comparable] struct {
	n      int
	grades Grades[G]
	total  Weight
	choose column     // binomials
	levels []*pile[S] // by grade; nil where there is no state
	spent  []*pile[S] // empty levels to reuse
	end    places[S]  // states that are done
	sums   column     // number of ways to each of them
	steps  int

	powers  column // of the size of the grade that is shown
	passed  uint64 // the number of faces skipped last
	passing column // the powers of passed
	product []big.Word
}

func (f *fold[G, S]) level(at int) *pile[S] {
	if f.levels[at] == nil {
		if last := len(f.spent) - 1; last >= 0 {
			f.levels[at], f.spent = f.spent[last], f.spent[:last]
			f.levels[at].clear()
		} else {
			f.levels[at] = newPile[S](f.n+1, f.total)
		}
	}
	return f.levels[at]
}

// show applies a grade to a state, or skips the grades that don't change it.
func (f *fold[G, S]) show(step func(S, G, int) S, at int, state S, ways column) {
	most := f.n
	for len(trimZeros(ways.at(most))) == 0 {
		most--
	}
	wakes := f.wakes(step, at, state, most)
	if wakes < at {
		f.pass(at, wakes, state, ways, most)
		return
	}
	if at == 1 { // all that are left show this grade
		for left := range most + 1 {
			if n := trimZeros(ways.at(left)); len(n) > 0 {
				next := state
				if left > 0 {
					next = step(state, f.grades.all[1], left)
				}
				f.sums.addWords(f.absorb(next), n, f.powers.at(left))
				f.steps++
			}
		}
		return
	}
	below := f.level(at - 1)
	for k := range most + 1 {
		next := state
		if k > 0 {
			next = step(state, f.grades.all[at], k)
		}
		f.spread(below.of(next), ways, most, k, f.powers.at(k))
	}
}

// spread adds the ways in which k of the dice left are shown, each in so many ways.
func (f *fold[G, S]) spread(to, ways column, most, k int, each []big.Word) {
	f.steps += most - k + 1
	if ways.width == 1 {
		for left := k; left <= most; left++ {
			to.words[left-k] += ways.words[left] * f.choose.words[over(left, k)] * each[0]
		}
		return
	}
	each = trimZeros(each)
	for left := k; left <= most; left++ {
		if n := trimZeros(ways.at(left)); len(n) > 0 {
			choose := trimZeros(f.choose.at(over(left, k)))
			product := f.product[:len(choose)+len(each)]
			clear(product)
			addProduct(product, choose, each)
			addProduct(to.at(left-k), n, trimZeros(product))
		}
	}
}

// wakes returns the next grade, from this one down, that can change a state when at most most dice
// are left, or 0 if none can.
func (f *fold[G, S]) wakes(step func(S, G, int) S, at int, state S, most int) int {
	for ; at > 0; at-- {
		for n := 1; n <= most; n++ {
			if step(state, f.grades.all[at], n) != state {
				return at
			}
		}
	}
	return 0
}

// pass moves a state to a lower level; some dice show the grades between.
func (f *fold[G, S]) pass(at, down int, state S, ways column, most int) {
	size := uint64(0)
	for _, s := range f.grades.sizes[down+1 : at+1] {
		size += s
	}
	if size != f.passed {
		f.passed = size
		f.passing.fill(size)
	}
	if down == 0 {
		at := f.absorb(state)
		for left := range most + 1 {
			f.sums.addWords(at, trimZeros(ways.at(left)), f.passing.at(left))
		}
		f.steps += most + 1
		return
	}
	to := f.level(down).of(state)
	for k := range most + 1 {
		f.spread(to, ways, most, k, f.passing.at(k))
	}
}

// absorb returns the place of a state that nothing can change any more.
func (f *fold[G, S]) absorb(state S) int {
	at := f.end.of(state)
	if at >= f.sums.len() {
		f.sums.grow(2 * at)
	}
	return at
}

// pile is a set of states, each with a row of numbers of ways. Rows are allocated in blocks, so
// that a pile of long rows grows by no more than it needs.
type pile[S comparable] struct {
	places[S]
	wide   int // numbers in a row
	width  int // of a number
	each   int // rows in a block
	blocks [][]big.Word
}

func newPile[S comparable](wide int, total Weight) *pile[S] {
	p := &pile[S]{wide: wide, width: total.width()}
	p.each = max(1, min(16, 1<<12/(wide*p.width)))
	p.values = make([]S, 0, 16)
	return p
}

// of returns the row of a state, which it adds if it's new.
func (p *pile[S]) of(state S) column {
	at := p.places.of(state)
	if at == len(p.blocks)*p.each {
		p.blocks = append(p.blocks, make([]big.Word, p.each*p.wide*p.width))
	}
	return p.row(at)
}

// row returns the row of the i-th state.
func (p *pile[S]) row(i int) column {
	size := p.wide * p.width
	at := i % p.each * size
	return column{p.width, p.blocks[i/p.each][at : at+size]}
}

// clear removes all states and keeps the memory.
func (p *pile[S]) clear() {
	p.places.clear()
	for _, block := range p.blocks {
		clear(block)
	}
}
