package rule

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/distribution"
)

// Outcome is the result of a move: a stable id, and a number if the id counts something.
type Outcome struct {
	ID string `json:"outcome"`
	N  int    `json:"n"`
}

// Run executes a rule, either with dice and a trail or as one branch of an exact walk. The rule
// doesn't know which.
type Run struct {
	walk *walker
	play *play

	part       string // place of this run's segment of the trail
	by         string // the roller's character; "" for the acting one
	segment    *segment
	parts      int // how many Togethers this part has begun
	eventCount int // how many events this part has recorded, without asides
	asideCount int // how many asides it has recorded
	throwCount int // how many throws it has made

	lent  []string    // whom others may change while a question of this part is open
	adopt func(Event) // takes in what they changed
}

// SetRoller sets the character who rolls in this part from here on. If people type the faces, its
// player is asked. The default is the actor, or the roller of the enclosing part. It does not
// change the distribution.
func (r *Run) SetRoller(who string) { r.by = who }

// Roller returns the character set by SetRoller, "" for the actor.
func (r *Run) Roller() string { return r.by }

// ThrowCount returns the number of throws that this part has made so far.
func (r *Run) ThrowCount() int { return r.throwCount }

// Count rolls p and returns how many dice show one of the faces.
func (r *Run) Count(p dice.Pool, hit dice.Faces) int {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			law := r.walk.countOf(p, hit)
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return b.law.(*distribution.Law[int]).Values[b.at]
	}
	count := 0
	for _, face := range r.faces(p) {
		if hit.Has(face) {
			count++
		}
	}
	return count
}

// Classes rolls p and returns how many dice fall into each class of faces. Classes must not
// overlap, and there may be at most distribution.MaxClasses.
func (r *Run) Classes(p dice.Pool, classes ...dice.Faces) distribution.Tally {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			law := r.walk.classesOf(p, classes)
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return b.law.(*distribution.Law[distribution.Tally]).Values[b.at]
	}
	var tally distribution.Tally
	for _, face := range r.faces(p) {
		for i, class := range classes {
			if class.Has(face) {
				tally[i]++
				break
			}
		}
	}
	return tally
}

// Sum rolls p and returns the total.
func (r *Run) Sum(p dice.Pool) int {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			law := r.walk.sumOf(p)
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return b.law.(*distribution.Law[int]).Values[b.at]
	}
	total := 0
	for _, face := range r.facesOrTotal(p) {
		total += face
	}
	return total
}

// Keep rolls p and returns the total of the n highest dice, or of the n lowest.
func (r *Run) Keep(p dice.Pool, n int, lowest bool) int {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			r.walk.spendWork(keepWork(p, n))
			law := distribution.Keep(p, n, lowest)
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return b.law.(*distribution.Law[int]).Values[b.at]
	}
	hand := r.faces(p)
	n = min(max(0, n), len(hand))
	if len(hand) > manyDice && p.Sides <= dice.MaxSides {
		return sumKept(hand, p.Sides, n, lowest)
	}
	hand = slices.Clone(hand)
	slices.Sort(hand)
	if !lowest {
		hand = hand[len(hand)-n:]
	}
	total := 0
	for _, face := range hand[:n] {
		total += face
	}
	return total
}

// manyDice is the number of dice from which counting faces is faster than sorting them.
const manyDice = 50

// sumKept returns the total of the n highest or lowest of many dice.
func sumKept(faces []int, sides, n int, lowest bool) (total int) {
	var counts [dice.MaxSides + 1]uint16
	for _, face := range faces {
		counts[face]++
	}
	face, by := sides, -1
	if lowest {
		face, by = 1, 1
	}
	for ; n > 0; face += by {
		took := min(n, int(counts[face]))
		total += took * face
		n -= took
	}
	return total
}

// keepWork estimates the number of machine words in the distribution of the n best dice: for each
// lowest face among them and each number of dice above it, the totals of those above and the ways
// of all others.
func keepWork(p dice.Pool, n int) int {
	return p.Sides * n * (n*p.Sides/2 + 2*p.N) * words(p.N*bits.Len(uint(p.Sides)))
}

// Throw rolls p and returns the faces, highest first. The rule can look at every face but not at
// the order in which they fell.
func (r *Run) Throw(p dice.Pool) []int {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			r.walk.expect(p, p.Sides)
			law := distribution.Throw(p)
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return slices.Clone(b.law.(*distribution.Hands).Hand(b.at))
	}
	hand := slices.Clone(r.faces(p))
	slices.SortFunc(hand, func(a, b int) int { return b - a })
	return hand
}

// Fold rolls p and calls step for each face that turned up, with its count, highest face first. It
// returns the last state. A small state keeps odds fast.
func Fold[S comparable](r *Run, p dice.Pool, start S, step func(state S, face, n int) S) S {
	if r.walking() {
		b := r.walk.branch()
		switch {
		case b.law != nil:
		case p.N == 1:
			openDie(r.walk, b, p.Sides, func(face int) S { return step(start, face, 1) })
		default:
			openFold(r.walk, b, p, distribution.Faces(p.Sides), start, step)
		}
		return b.law.(*distribution.Law[S]).Values[b.at]
	}
	var few [64]int // how many dice show each face
	counts := few[:]
	if p.Sides >= len(few) {
		counts = make([]int, p.Sides+1)
	}
	for _, face := range r.faces(p) {
		counts[face]++
	}
	state := start
	for face := p.Sides; face >= 1; face-- {
		if counts[face] > 0 {
			state = step(state, face, counts[face])
		}
	}
	return state
}

// FoldBy is Fold for a rule that sees faces only through a grade. It calls step once for the dice
// of a grade, the grade with the highest face first. Fewer grades make odds faster.
func FoldBy[G, S comparable](
	r *Run,
	p dice.Pool,
	grade func(face int) G,
	start S,
	step func(state S, grade G, n int) S,
) S {
	if r.walking() {
		b := r.walk.branch()
		switch {
		case b.law != nil:
		case p.N == 1:
			openDie(r.walk, b, p.Sides, func(face int) S { return step(start, grade(face), 1) })
		default:
			openFold(r.walk, b, p, distribution.GradesOf(p.Sides, grade), start, step)
		}
		return b.law.(*distribution.Law[S]).Values[b.at]
	}
	faces := r.faces(p)
	if len(faces) == 1 {
		return step(start, grade(faces[0]), 1)
	}
	var few [64]int // how many dice show each face
	counts := few[:]
	if p.Sides >= len(few) {
		counts = make([]int, p.Sides+1)
	}
	for _, face := range faces {
		counts[face]++
	}
	type pile struct {
		grade G
		n     int
	}
	var room [16]pile
	piles := room[:0]
	for face := p.Sides; face >= 1; face-- {
		g := grade(face)
		at := len(piles) - 1 // faces of a grade usually follow each other
		if at < 0 || piles[at].grade != g {
			at = slices.IndexFunc(piles, func(p pile) bool { return p.grade == g })
		}
		if at < 0 {
			at = len(piles)
			piles = append(piles, pile{grade: g})
		}
		piles[at].n += counts[face]
	}
	state := start
	for _, p := range piles {
		if p.n > 0 {
			state = step(state, p.grade, p.n)
		}
	}
	return state
}

// openFold opens a branch with the distribution of a fold.
func openFold[G, S comparable](
	w *walker,
	b *branch,
	p dice.Pool,
	grades distribution.Grades[G],
	start S,
	step func(state S, grade G, n int) S,
) {
	law, err := distribution.FoldWithin(p, grades, start, step, w.checkWork)
	if err != nil {
		w.stop(err)
	}
	w.open(b, law, law.Weights, law.Total)
}

// MaxVector is the largest number of values that a Vector has.
const MaxVector = distribution.MaxVector

// Vector is what dice with symbols add up to: several whole numbers.
type Vector = distribution.Vector

// VectorPool is dice of one kind whose faces are worth vectors, that of face 1 first.
type VectorPool = distribution.VectorPool

// SumVectors rolls dice of several kinds whose faces are worth vectors, one pool after another, and
// returns the sum of all of them. The odds of large pools stay fast.
func SumVectors(r *Run, pools []VectorPool) (sum Vector) {
	if r.walking() {
		b := r.walk.branch()
		if b.law == nil {
			law, ok, err := distribution.Vectors(pools, r.walk.checkWork)
			if !ok {
				err = &LimitError{}
			}
			if err != nil {
				r.walk.stop(err)
			}
			r.walk.open(b, law, law.Weights, law.Total)
		}
		return b.law.(*distribution.Law[Vector]).Values[b.at]
	}
	for _, p := range pools {
		for _, face := range r.faces(p.Pool) {
			sum = sum.Plus(p.Faces[face-1])
		}
	}
	return sum
}

// openDie opens a branch with the distribution of a fold of one die.
func openDie[S comparable](w *walker, b *branch, sides int, read func(face int) S) {
	law := distribution.Die(sides, read)
	w.open(b, law, law.Weights, law.Total)
}

// Part runs a piece of a rule whose result is all that the rest depends on. An exact walk merges
// equal results before it continues with the rest.
func Part[T comparable](r *Run, f func(*Run) T) T {
	if !r.walking() || r.onTrail() {
		return f(r)
	}
	b := r.walk.branch()
	if r.walk.ahead != nil {
		return partAhead(r.walk, b, "", f)
	}
	if b.law == nil {
		law := walkPart(r.walk, f)
		r.walk.open(b, law, law.Weights, law.Total)
	}
	return b.law.(*distribution.Law[T]).Values[b.at]
}

// PartOf is Part for a piece of a rule that depends only on key and on what doesn't change while
// the rule runs. An exact walk computes it once for each key. Use a key type of your own, so that
// no other piece has the same key.
func PartOf[K, T comparable](r *Run, key K, f func(*Run) T) T {
	if r.walk == nil || r.walk.ahead != nil { // a lookahead may decide differently each time
		return Part(r, f)
	}
	b := r.walk.branch()
	if b.law == nil {
		law, known := r.walk.shared.parts[key].(*distribution.Law[T])
		if !known {
			law = walkPart(r.walk, f)
			if r.walk.shared.parts == nil {
				r.walk.shared.parts = make(map[any]any)
			}
			r.walk.shared.parts[key] = law
		}
		r.walk.open(b, law, law.Weights, law.Total)
	}
	return b.law.(*distribution.Law[T]).Values[b.at]
}

// Together runs independent parts in parallel and returns their results in order. The slice is
// valid until the run ends. In a live run their questions are open at the same time and can be
// answered in any order. An exact walk runs each part once.
func Together[T comparable](r *Run, parts ...func(*Run) T) []T {
	if r.walk != nil && r.walk.ahead != nil {
		return togetherAhead(r, parts)
	}
	if r.walk != nil {
		var results []T
		first := r.walk.depth
		for i := range parts {
			b := r.walk.branch()
			if i == 0 {
				if b.results == nil {
					b.results = make([]T, len(parts))
				}
				results = b.results.([]T)
			}
			if b.law == nil {
				if i == 0 { // parts are independent, so each is walked once
					for _, f := range parts {
						b.together = append(b.together, walkPart(r.walk, f))
					}
				}
				law := r.walk.way[first].together[i].(*distribution.Law[T])
				r.walk.open(b, law, law.Weights, law.Total)
			}
			results[i] = b.law.(*distribution.Law[T]).Values[b.at]
		}
		return results
	}
	results := make([]T, len(parts))
	place := r.together()
	waiting := false
	for i, f := range parts {
		part := r.play.run(place + strconv.Itoa(i))
		part.by = r.by
		if !part.attempt(func() { results[i] = f(part) }) {
			waiting = true
		}
	}
	if waiting {
		panic(stopped{})
	}
	r.settleParts(place)
	return results
}

// together returns the place of the next parallel parts, without their numbers.
func (r *Run) together() string {
	place := r.part + strconv.Itoa(r.parts) + "."
	if r.part != "" {
		place = r.part + "." + strconv.Itoa(r.parts) + "."
	}
	r.parts++
	return place
}

// Against runs two independent parts and compares the first result with the second: −1, 0 or +1. A
// live run treats it as Together; an exact walk continues with just the three results.
func Against[T cmp.Ordered](r *Run, own, other func(*Run) T) int {
	if r.walk == nil || r.walk.ahead != nil {
		results := Together(r, own, other)
		return cmp.Compare(results[0], results[1])
	}
	b := r.walk.branch()
	if b.law == nil {
		law := distribution.Compare(walkPart(r.walk, own), walkPart(r.walk, other))
		r.walk.open(b, law, law.Weights, law.Total)
	}
	return b.law.(*distribution.Law[int]).Values[b.at]
}

// Discard drops the typed faces of p, which the rule doesn't roll after all: people roll attack and
// damage at once. It changes no distribution and leaves nothing on the trail.
func (r *Run) Discard(p dice.Pool) {
	if r.play == nil {
		return
	}
	if h, ok := r.play.source.(*hand); ok && p.N > 0 && h.Remaining() >= p.N {
		_, _ = h.Take(p) // faces that don't fit stay, and are reported as too many
	}
}

// Record records events in the order in which each part reports them. An exact walk drops them.
func (r *Run) Record(events ...Event) {
	if r.walk != nil {
		r.walk.observe(events)
		return
	}
	if !r.play.keep {
		return
	}
	for _, e := range events {
		n := r.eventCount
		if _, aside := e.(Aside); aside {
			r.asideCount++
			n = -r.asideCount
		} else {
			r.eventCount++
		}
		r.play.events = append(r.play.events, PlacedEvent{Part: r.part, N: n, Event: e})
	}
}

// Release unlocks characters that the rule will not change again in any part, whatever people roll
// and answer. Others can act with them while its questions are open.
func (r *Run) Release(who ...string) {
	if r.walk != nil || !r.play.keep {
		return
	}
	for _, id := range who {
		if id != "" && !slices.Contains(r.play.released, id) {
			r.play.released = append(r.play.released, id)
		}
	}
}

// Lend lets others act with characters while questions of this part are open, from here on; without
// names, with all characters that the rule holds. take takes in each change that they make, before the
// question is answered: whatever the rule uses afterwards must follow from it, not from what it read
// before. AskAnew asks by it, too. A part of Together lends by a call of its own, and the rule takes
// in what its parts met when they end.
func (r *Run) Lend(take func(Event), who ...string) {
	r.lent, r.adopt = nil, take
	for _, id := range who { // a rule may name somebody twice, such as a helper who is the actor
		if id != "" && !slices.Contains(r.lent, id) {
			r.lent = append(r.lent, id)
		}
	}
}

// settle takes in what others changed before the part's next step.
func (r *Run) settle() {
	s := r.segment
	if s == nil {
		return
	}
	for ; s.taken < len(s.met) && s.met[s.taken].before <= s.at; s.taken++ {
		r.takeIn(s.met[s.taken].Event)
	}
}

// settleParts takes in what others changed while parts at a place were open.
func (r *Run) settleParts(place string) {
	if r.play == nil {
		return
	}
	n := -1
	for _, step := range r.play.trail {
		if m := step.Meanwhile; m != nil && m.N > n && strings.HasPrefix(step.Part, place) {
			n = m.N
			r.takeIn(m.Event)
		}
	}
}

func (r *Run) takeIn(e Event) {
	if r.adopt == nil {
		r.play.fail(&TrailError{Part: r.part, At: r.segment.at, Want: "nobody else's change", Have: "a change by others"})
	}
	r.adopt(e)
}

// Fail ends the run with an error, which Play or Walk returns. It is for rules from outside norn,
// which may be wrong.
func (r *Run) Fail(err error) {
	if r.walk != nil {
		r.walk.stop(err)
	}
	r.play.fail(err)
}

// KeepsEvents reports whether somebody keeps recorded events. A rule that records many can ask
// before.
func (r *Run) KeepsEvents() bool {
	if r.walk != nil {
		return r.walk.ahead != nil
	}
	return r.play.keep
}

// Walks reports whether an exact walk runs the rule, which then runs its pieces many times.
func (r *Run) Walks() bool { return r.walk != nil }

// Work adds the cost of a rule's own computation, in steps on machine words, to the limited work of
// an exact walk.
func (r *Run) Work(steps int) {
	if r.walk != nil {
		r.walk.spendWork(steps)
	}
}

// stopped unwinds a rule that can't go on, because a question is open or the run has failed.
type stopped struct{}

// attempt runs f and reports whether it returned normally.
func (r *Run) attempt(f func()) (done bool) {
	defer func() {
		if err := recover(); err != nil {
			if _, ours := err.(stopped); !ours {
				panic(err)
			}
		}
	}()
	f()
	return true
}
