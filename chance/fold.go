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
	law, _ := FoldWithin(p, start, step, func(int) error { return nil })
	return law
}

// FoldWithin is Fold that tells spend now and then how many more steps on
// machine words it has made, or is about to, and ends with spend's error.
func FoldWithin[S comparable](p dice.Pool, start S, step func(state S, face, n int) S, spend func(steps int) error) (*Law[S], error) {
	switch {
	case p.N <= 0:
		return Sure(start), nil
	case p.N == 1:
		return oneDie(p.Sides, start, step), nil
	}
	words := 1 + p.N*bits.Len(uint(p.Sides))/64
	if err := spend(p.N * p.N * words); err != nil { // for the binomials
		return nil, err
	}
	f := fold[S]{n: p.N, step: step, choose: pascal(p.N), end: newPile[S](1), levels: make([]*pile[S], p.Sides+1)}
	f.level(p.Sides).at(start)[p.N].add(W(1))
	for face := p.Sides; face >= 1; face-- {
		here := f.levels[face]
		if here == nil {
			continue
		}
		for i := range here.states {
			f.show(face, here.states[i], here.ways(i))
			if f.steps > often {
				if err := spend(f.steps * words); err != nil {
					return nil, err
				}
				f.steps = 0
			}
		}
		f.levels[face] = nil
		f.spent = append(f.spent, here)
	}
	law := &Law[S]{Values: f.end.states, Weights: make([]Weight, len(f.end.states)), Total: pow(uint64(p.Sides), p.N)}
	for i := range law.Weights {
		law.Weights[i] = f.end.sums[i].weight()
	}
	return law, nil
}

// often is how many steps are made between two calls of spend.
const often = 1000

// oneDie is the fold of a single die.
func oneDie[S comparable](sides int, start S, step func(state S, face, n int) S) *Law[S] {
	end := newPile[S](1)
	for face := sides; face >= 1; face-- {
		end.at(step(start, face, 1))[0].lo++
	}
	law := &Law[S]{Values: end.states, Weights: make([]Weight, len(end.states)), Total: W(uint64(sides))}
	for i := range law.Weights {
		law.Weights[i] = end.sums[i].weight()
	}
	return law
}

// fold is a fold in the making. At a level lie the states in which all dice
// above its face have been shown, each with the number of ways for each number
// of dice that are left.
//
// A state needn't be led through faces that don't change it: it's put down at
// the level where it next can change, the faces between taken as one. A state
// that nothing can change any more is done.
type fold[S comparable] struct {
	n      int
	step   func(state S, face, n int) S
	choose [][]Weight
	levels []*pile[S] // by face; nil where no state lies
	end    *pile[S]
	spent  []*pile[S] // levels to use again
	steps  int
	room   scratch
}

func (f *fold[S]) level(face int) *pile[S] {
	if f.levels[face] == nil {
		if last := len(f.spent) - 1; last >= 0 {
			f.levels[face], f.spent = f.spent[last], f.spent[:last]
			f.levels[face].clear()
		} else {
			f.levels[face] = newPile[S](f.n + 1)
		}
	}
	return f.levels[face]
}

// show leads a state through a face, or past the faces that leave it alone.
func (f *fold[S]) show(face int, state S, ways []sum) {
	most := f.n
	for ways[most].isZero() {
		most--
	}
	wakes := f.wakes(face, state, most)
	if wakes < face {
		f.pass(face, wakes, state, ways[:most+1])
		return
	}
	if face == 1 { // all that are left
		for left := range most + 1 {
			if ways[left].isZero() {
				continue
			}
			next := state
			if left > 0 {
				next = f.step(state, 1, left)
			}
			f.end.at(next)[0].add(ways[left].weight())
			f.steps++
		}
		return
	}
	below := f.level(face - 1)
	for k := range most + 1 {
		next := state
		if k > 0 {
			next = f.step(state, face, k)
		}
		to := below.at(next)
		for left := k; left <= most; left++ {
			if !ways[left].isZero() {
				to[left-k].addTimes(ways[left].weight(), f.choose[left][k], &f.room)
				f.steps++
			}
		}
	}
}

// wakes is the next face, from this one down, that can change a state when up
// to most dice are left; 0 if none can.
func (f *fold[S]) wakes(face int, state S, most int) int {
	for ; face > 0; face-- {
		for n := 1; n <= most; n++ {
			if f.step(state, face, n) != state {
				return face
			}
		}
	}
	return 0
}

// pass puts a state down at a lower level, with some dice showing the faces
// between.
func (f *fold[S]) pass(face, down int, state S, ways []sum) {
	between := powers(uint64(face-down), len(ways)-1)
	if down == 0 {
		to := f.end.at(state)
		for left := range ways {
			to[0].addTimes(ways[left].weight(), between[left], &f.room)
		}
		f.steps += len(ways)
		return
	}
	to := f.level(down).at(state)
	for left := range ways {
		if ways[left].isZero() {
			continue
		}
		for k := range left + 1 {
			to[left-k].addTimes(ways[left].weight(), f.choose[left][k].Times(between[k]), &f.room)
			f.steps++
		}
	}
}

// pile is a handful of states, each with some sums. States are found by
// looking through them while they're few.
type pile[S comparable] struct {
	width  int
	states []S
	sums   []sum // width for each state
	last   int   // where one was found last; the next often follows
	index  map[S]int
}

const few = 24

func newPile[S comparable](width int) *pile[S] {
	return &pile[S]{width: width, states: make([]S, 0, few/2), sums: make([]sum, 0, width*few/2)}
}

func (p *pile[S]) ways(i int) []sum { return p.sums[i*p.width : (i+1)*p.width] }

// at returns the sums of a state, which may move when another state comes.
func (p *pile[S]) at(state S) []sum {
	i := p.find(state)
	if i < 0 {
		i = len(p.states)
		p.states = append(p.states, state)
		p.sums = slices.Grow(p.sums, p.width)[:len(p.sums)+p.width] // what lies beyond is 0
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
	return p.ways(i)
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

func (p *pile[S]) clear() {
	clear(p.sums) // for at
	p.states, p.sums, p.last = p.states[:0], p.sums[:0], 0
	p.index = nil
}
