package chance

import (
	"math/bits"
	"slices"

	"norn/dice"
)

// Fold is the law of a state that a pool leaves when its dice are shown to
// step as (face, how many), highest face first; faces that don't turn up
// aren't shown. Equal states are merged as soon as they meet. step must depend
// on nothing but what it's given.
func Fold[S comparable](p dice.Pool, start S, step func(state S, face, n int) S) *Law[S] {
	law, _ := FoldWithin(p, Faces(p.Sides), start, step, func(int) error { return nil })
	return law
}

// FoldWithin is Fold for faces that are seen only through their grade: step is
// shown how many dice have each, the highest grade first. It tells spend now and then how many more steps on machine words it
// has made, or is about to, and ends with spend's error.
func FoldWithin[G, S comparable](p dice.Pool, grades Grades[G], start S, step func(state S, grade G, n int) S, spend func(steps int) error) (*Law[S], error) {
	if p.N <= 0 {
		return Sure(start), nil
	}
	sizes := grades.sizes
	f := fold[S]{n: p.N, sizes: sizes, step: func(state S, at, n int) S { return step(state, grades.all[at], n) }, end: newPile[S](1)}
	if p.N == 1 {
		for at := len(sizes) - 1; at > 0; at-- {
			f.end.at(step(start, grades.all[at], 1))[0].add(W(sizes[at]))
		}
		return f.law(p), nil
	}
	words := 1 + p.N*bits.Len(uint(p.Sides))/64
	if err := spend(p.N * p.N * words); err != nil { // for the binomials
		return nil, err
	}
	f.choose, f.levels = pascal(p.N), make([]*pile[S], len(sizes))
	f.level(len(sizes) - 1).at(start)[p.N].add(W(1))
	for at := len(sizes) - 1; at > 0; at-- {
		here := f.levels[at]
		if here == nil {
			continue
		}
		ways := powers(sizes[at], p.N)
		for i := range here.states {
			f.show(at, here.states[i], here.rows[i], ways)
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
	return f.law(p), nil
}

// Grades are what the faces of a die come to, where some come to the same. The
// order of grades is that of their highest faces.
type Grades[G comparable] struct {
	all   []G      // lowest first, from 1
	sizes []uint64 // how many faces have each
}

// Faces are the grades of a die each of whose faces counts by itself.
func Faces(sides int) Grades[int] {
	g := Grades[int]{make([]int, sides+1), make([]uint64, sides+1)}
	for face := 1; face <= sides; face++ {
		g.all[face], g.sizes[face] = face, 1
	}
	return g
}

// GradesOf reads the grades of a die.
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

// often is how many steps are made between two calls of spend.
const often = 1000

// fold is a fold in the making. At a level lie the states in which all dice
// of the grades above have been shown, each with the number of ways for each
// number of dice that are left.
//
// A state needn't be led through grades that don't change it: it's put down at
// the level where it next can change, the grades between taken as one. A state
// that nothing can change any more is done.
type fold[S comparable] struct {
	n      int
	sizes  []uint64 // of the grades, from 1
	step   func(state S, at, n int) S
	choose [][]Weight
	levels []*pile[S] // by grade; nil where no state lies
	end    *pile[S]
	spent  []*pile[S] // levels to use again
	steps  int
	room   scratch

	passed  uint64   // the number of faces that were passed last
	passing []Weight // and its powers
}

// law is the law of the states at the end.
func (f *fold[S]) law(p dice.Pool) *Law[S] {
	law := &Law[S]{Values: f.end.states, Weights: make([]Weight, len(f.end.states)), Total: pow(uint64(p.Sides), p.N)}
	for i := range law.Weights {
		law.Weights[i] = f.end.rows[i][0].weight()
	}
	return law
}

func (f *fold[S]) level(at int) *pile[S] {
	if f.levels[at] == nil {
		if last := len(f.spent) - 1; last >= 0 {
			f.levels[at], f.spent = f.spent[last], f.spent[:last]
			f.levels[at].clear()
		} else {
			f.levels[at] = newPile[S](f.n + 1)
		}
	}
	return f.levels[at]
}

// show leads a state through a grade, or past the grades that leave it alone.
// powers are those of the grade's size.
func (f *fold[S]) show(at int, state S, ways []sum, powers []Weight) {
	most := f.n
	for ways[most].isZero() {
		most--
	}
	wakes := f.wakes(at, state, most)
	if wakes < at {
		f.pass(at, wakes, state, ways[:most+1])
		return
	}
	if at == 1 { // all that are left
		for left := range most + 1 {
			if ways[left].isZero() {
				continue
			}
			next := state
			if left > 0 {
				next = f.step(state, 1, left)
			}
			f.end.at(next)[0].addTimes(ways[left].weight(), powers[left], &f.room)
			f.steps++
		}
		return
	}
	below := f.level(at - 1)
	for k := range most + 1 {
		next := state
		if k > 0 {
			next = f.step(state, at, k)
		}
		f.spread(below.at(next), ways, most, k, powers[k])
	}
}

// spread adds the ways in which k of the dice left have been shown, each in so
// many ways.
func (f *fold[S]) spread(to, ways []sum, most, k int, each Weight) {
	for left := k; left <= most; left++ {
		if !ways[left].isZero() {
			to[left-k].addTimes(ways[left].weight(), f.choose[left][k].Times(each), &f.room)
			f.steps++
		}
	}
}

// wakes is the next grade, from this one down, that can change a state when up
// to most dice are left; 0 if none can.
func (f *fold[S]) wakes(at int, state S, most int) int {
	for ; at > 0; at-- {
		for n := 1; n <= most; n++ {
			if f.step(state, at, n) != state {
				return at
			}
		}
	}
	return 0
}

// pass puts a state down at a lower level, with some dice showing the grades
// between.
func (f *fold[S]) pass(at, down int, state S, ways []sum) {
	size := uint64(0)
	for _, s := range f.sizes[down+1 : at+1] {
		size += s
	}
	if size != f.passed {
		f.passed, f.passing = size, powers(size, f.n)
	}
	between := f.passing
	if down == 0 {
		to := f.end.at(state)
		for left := range ways {
			to[0].addTimes(ways[left].weight(), between[left], &f.room)
		}
		f.steps += len(ways)
		return
	}
	to := f.level(down).at(state)
	for k := range ways {
		f.spread(to, ways, len(ways)-1, k, between[k])
	}
}

// pile is a handful of states, each with a row of sums. States are found by
// looking through them while they're few.
type pile[S comparable] struct {
	width  int
	states []S
	rows   [][]sum // as many as there were ever states
	free   []sum   // room for rows to come
	last   int     // where a state was found last; the next often follows
	index  map[S]int
}

const few = 64

func newPile[S comparable](width int) *pile[S] { return &pile[S]{width: width} }

// at returns the sums of a state.
func (p *pile[S]) at(state S) []sum {
	i := p.find(state)
	if i < 0 {
		i = len(p.states)
		p.states = append(p.states, state)
		if i == len(p.rows) {
			if len(p.free) == 0 {
				p.free = make([]sum, max(8, i/2)*p.width)
			}
			p.rows, p.free = append(p.rows, p.free[:p.width]), p.free[p.width:]
		}
		switch {
		case p.index != nil:
			p.index[state] = i
		case i == few:
			p.index = make(map[S]int, 4*few)
			for i, s := range p.states {
				p.index[s] = i
			}
		}
	}
	p.last = i
	return p.rows[i]
}

// find returns the place of a state, −1 for none.
func (p *pile[S]) find(state S) int {
	for i := p.last; i < min(p.last+2, len(p.states)); i++ {
		if p.states[i] == state {
			return i
		}
	}
	if p.index != nil {
		if i, ok := p.index[state]; ok {
			return i
		}
		return -1
	}
	for i, s := range p.states {
		if s == state {
			return i
		}
	}
	return -1
}

// clear empties the pile but for its room.
func (p *pile[S]) clear() {
	for i := range p.states {
		clear(p.rows[i])
	}
	p.states, p.last, p.index = p.states[:0], 0, nil
}
