package rule

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"

	"norn/dice"
	"norn/distribution"
)

// Outcome is how a move came out: a stable id and, where the id counts
// something, how many.
type Outcome struct {
	ID string `json:"outcome"`
	N  int    `json:"n"`
}

// Run is what a rule runs over. It's either concrete, with faces and a trail,
// or one branch of an exact walk; the rule can't tell.
type Run struct {
	walk *walker
	play *play

	part       string // place of this run's stretch of the trail
	by         string // who throws, "" for who acts
	segment    *segment
	parts      int // how many Togethers this part has opened
	eventCount int // how many events this part has told
}

// SetRoller says who throws from here on in this part: whoever types faces in by hand
// is asked for them as playing who. It begins as who acts, or as the part around
// it had it, and changes no law.
func (r *Run) SetRoller(who string) { r.by = who }

// Count throws p and tells how many dice show one of the faces.
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

// Classes throws p and tells how many dice fall into each class of faces.
// Classes must not overlap; there may be at most distribution.MaxClasses.
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

// Sum throws p and tells the total.
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
	for _, face := range r.faces(p) {
		total += face
	}
	return total
}

// Keep throws p and tells the total of the n highest dice, or of the n lowest.
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

// manyDice are so many that counting them by their faces is quicker than sorting them.
const manyDice = 50

// sumKept is the total of the n highest or lowest of many dice.
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

// keepWork reckons the steps on machine words of the law of n dice kept: for
// each lowest face that is kept and each number of dice above it, the totals
// of those above and the ways of all others.
func keepWork(p dice.Pool, n int) int {
	return p.Sides * n * (n*p.Sides/2 + 2*p.N) * words(p.N*bits.Len(uint(p.Sides)))
}

// Throw throws p and shows each die by itself, highest first: the rule may
// look at every face but not at the order in which they fell.
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

// Fold throws p and shows step the dice as (face, how many), highest face
// first, leaving out faces that didn't turn up. It returns the state that the
// last step left. A small state keeps odds quick.
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

// FoldBy is Fold for a rule that sees faces only through a grade: dice of one
// grade are shown together, the highest grade first, that is the one with the
// highest face. The fewer the grades, the quicker the odds.
func FoldBy[G, S comparable](r *Run, p dice.Pool, grade func(face int) G, start S, step func(state S, grade G, n int) S) S {
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
		at := len(piles) - 1 // as a rule faces of a grade follow each other
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

// openFold opens a branch with the law of a fold.
func openFold[G, S comparable](w *walker, b *branch, p dice.Pool, grades distribution.Grades[G], start S, step func(state S, grade G, n int) S) {
	law, err := distribution.FoldWithin(p, grades, start, step, w.checkWork)
	if err != nil {
		w.stop(err)
	}
	w.open(b, law, law.Weights, law.Total)
}

// openDie opens a branch with the law of a fold of one die.
func openDie[S comparable](w *walker, b *branch, sides int, read func(face int) S) {
	law := distribution.Die(sides, read)
	w.open(b, law, law.Weights, law.Total)
}

// Part runs a piece of a rule that the rest sees only through its result. In
// an exact walk equal results are merged before the rest goes on.
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

// PartOf is Part for a piece of a rule that depends on nothing but key and what
// doesn't change while the rule runs: an exact walk works it out once for each
// key. The key's type should be one of the caller's own, so that no other
// piece has the same.
func PartOf[K, T comparable](r *Run, key K, f func(*Run) T) T {
	if r.walk == nil || r.walk.ahead != nil { // who looks ahead may decide differently each time
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

// Together runs independent parts side by side and returns their results in
// order, which are the rule's until its run ends. Live, their questions stand
// open at the same time and may be answered in any order. Exact, each part is
// walked once.
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
				if i == 0 { // parts don't see each other, so each is walked once for all
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
	return results
}

// together is the place of the next parts that run together, without their
// number.
func (r *Run) together() string {
	place := r.part + strconv.Itoa(r.parts) + "."
	if r.part != "" {
		place = r.part + "." + strconv.Itoa(r.parts) + "."
	}
	r.parts++
	return place
}

// Against sets two independent parts against each other, and tells how the
// first's result compares with the second's: −1, 0 or +1. Live it's Together.
// Exact, only the three ways are walked on.
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

// Discard says that p isn't thrown after all. Its faces that were typed in with those of other throws, as people throw
// attack and damage at once, are laid aside; it changes no law and leaves nothing on the trail.
func (r *Run) Discard(p dice.Pool) {
	if r.play == nil {
		return
	}
	if h, ok := r.play.source.(*hand); ok && p.N > 0 && h.Left() >= p.N {
		_, _ = h.Take(p) // what can't be its faces stays, and is one too many
	}
}

// Record reports what changed or what is so. Told events are kept in the order
// in which each part tells them; an exact walk drops them.
func (r *Run) Record(events ...Event) {
	if r.walk != nil {
		r.walk.observe(events)
		return
	}
	if !r.play.keep {
		return
	}
	for _, e := range events {
		r.play.events = append(r.play.events, PlacedEvent{Part: r.part, N: r.eventCount, Event: e})
		r.eventCount++
	}
}

// Release says that the rule won't change these characters any more, whatever is
// thrown and answered from here on, in any part of it: others may act on them
// while its questions are open. It changes nothing in the rule itself.
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

// Fail ends the run with an error, that of whoever walks or plays the rule: for a rule that isn't part of norn and may be wrong.
func (r *Run) Fail(err error) {
	if r.walk != nil {
		r.walk.stop(err)
	}
	r.play.fail(err)
}

// KeepsEvents tells whether what the rule tells is kept by anybody: who tells much of it may ask before.
func (r *Run) KeepsEvents() bool {
	if r.walk != nil {
		return r.walk.ahead != nil
	}
	return r.play.keep
}

// Work counts what a rule has cost beside its throws against an exact walk's limits, in steps on machine words.
func (r *Run) Work(steps int) {
	if r.walk != nil {
		r.walk.spendWork(steps)
	}
}

// stopped unwinds a rule that can't go on: it stands at a question, or its
// run has failed.
type stopped struct{}

// attempt runs f and tells whether it came to its end.
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
