package rule

import (
	"fmt"
	"slices"
	"sync"

	"norn/dice"
)

// Source gives a run its faces. part is the part of the rule that rolls, so that parallel parts can
// have separate dice. Throw appends the faces to buf in the order in which they fall. ErrNoDice
// turns the roll into an open question; any other error ends the run.
type Source interface {
	Throw(part string, p dice.Pool, buf []int) ([]int, error)
}

// Options configure where a run gets dice and answers.
type Options struct {
	Trail  Trail  // the steps so far
	Source Source // new dice; nil when the trail must hold them all
	Policy Policy // answers every question at once; nil leaves questions open
	// names the person who is asked for faces typed in by hand, given the roller set by
	// Run.SetRoller; nil: nobody by name
	Roller func(p dice.Pool, by string) string
}

// Result describes a run of a rule that was played.
type Result[T any] struct {
	Done     bool // false while questions are open
	Value    T    // once done
	Trail    Trail
	New      Trail // the end of Trail: what this run added
	Events   []PlacedEvent
	Open     []Open
	Released []string // characters that Run.Release has unlocked
}

// Play runs a rule over a trail and continues from its end. It returns a *TrailError if the trail
// doesn't fit, errors of the source, and a *FreeError under a policy.
func Play[T any](f func(*Run) T, o Options) (Result[T], error) {
	p := newPlay(o.Source, o.Policy)
	defer p.release()
	p.roller, p.keep, p.trail = o.Roller, true, slices.Clip(o.Trail)
	p.follow(o.Trail)
	var result Result[T]
	result.Done = p.main.attempt(func() { result.Value = f(&p.main) })
	if p.err != nil {
		return Result[T]{}, p.err
	}
	if err := p.leftover(); err != nil {
		return Result[T]{}, err
	}
	result.Trail, result.New = p.trail, p.trail[len(o.Trail):]
	result.Events, result.Open, result.Released = p.events, p.open, p.released
	return result, nil
}

// Simulate runs a rule once with the roller's dice and keeps only the result.
func Simulate[T any](f func(*Run) T, roller dice.Roller, policy Policy) (T, error) {
	if policy == nil {
		policy = standards
	}
	p := newPlay(nil, policy)
	defer p.release()
	p.bare = roller
	var value T
	p.main.attempt(func() { value = f(&p.main) })
	return value, p.err
}

// play is the state that all parts of one run share.
type play struct {
	source   Source
	bare     dice.Roller // throws instead of a source, in a simulation
	policy   Policy
	roller   func(dice.Pool, string) string
	keep     bool // trail and events are recorded
	trail    Trail
	events   []PlacedEvent
	open     []Open
	released []string // characters that Run.Release has unlocked
	err      error

	main   Run
	first  segment // the segment of the main line
	others map[string]*segment
	buf    []int
}

// plays pools plays, since a live roll and a simulation need many and a rule never keeps its Run.
var plays = sync.Pool{New: func() any { return new(play) }}

func newPlay(source Source, policy Policy) *play {
	p := plays.Get().(*play)
	p.source, p.policy = source, policy
	if p.main.play == nil {
		p.main.play, p.main.segment = p, &p.first
	}
	return p
}

// release clears p and returns it to the pool.
func (p *play) release() {
	p.source, p.bare, p.policy, p.roller, p.keep = nil, nil, nil, nil, false
	p.trail, p.events, p.open, p.released, p.err, p.others = nil, nil, nil, nil, nil, nil
	p.first, p.main.by, p.main.lent, p.main.adopt = segment{}, "", nil, nil
	p.main.parts, p.main.eventCount, p.main.asideCount, p.main.throwCount = 0, 0, 0, 0
	plays.Put(p)
}

// standards is the policy that gives every question its standard answer.
var standards = Policy{}

// segment is the part of the trail that belongs to one part of the rule.
type segment struct {
	steps []Step // steps of the trail before this run
	at    int    // how many steps the rule has passed, including new ones
	met   []met  // what others changed
	taken int    // how many of those the rule has taken in
}

// met is a change by others before a step of a segment.
type met struct {
	before int
	*Meanwhile
}

// follow puts the steps of a trail into the segments of their parts.
func (p *play) follow(trail Trail) {
	for _, step := range trail {
		s := p.segment(step.Part)
		if step.Meanwhile != nil {
			s.met = append(s.met, met{len(s.steps), step.Meanwhile})
			continue
		}
		s.steps = append(s.steps, step)
	}
}

func (p *play) segment(part string) *segment {
	if part == "" {
		return &p.first
	}
	if s, ok := p.others[part]; ok {
		return s
	}
	if p.others == nil {
		p.others = make(map[string]*segment)
	}
	s := &segment{}
	p.others[part] = s
	return s
}

func (p *play) run(part string) *Run { return &Run{play: p, part: part, segment: p.segment(part)} }

// fail ends the run with an error.
func (p *play) fail(err error) {
	if p.err == nil {
		p.err = err
	}
	panic(stopped{})
}

// leftover returns an error if the trail has steps that the rule did not ask for.
func (p *play) leftover() error {
	if err := requireEnd("", &p.first); err != nil {
		return err
	}
	for part, s := range p.others {
		if err := requireEnd(part, s); err != nil {
			return err
		}
	}
	return nil
}

// requireEnd returns an error if the rule did not ask for every step of a segment.
func requireEnd(part string, s *segment) error {
	if s.taken < len(s.met) && s.met[s.taken].before > s.at {
		return &TrailError{Part: part, At: s.at, Want: "nothing more", Have: "a change by others"}
	}
	if s.at < len(s.steps) {
		return &TrailError{Part: part, At: s.at, Want: "nothing more", Have: describe(s.steps[s.at])}
	}
	return nil
}

// next returns the next step of the run's segment, if the trail has one.
func (r *Run) next() (Step, bool) {
	if s := r.segment; s.at < len(s.steps) {
		s.at++
		return s.steps[s.at-1], true
	}
	return Step{}, false
}

// record adds a step to the trail.
func (r *Run) record(s Step) {
	r.play.trail = append(r.play.trail, s)
	r.segment.at++
}

// recordThrow adds a roll to the trail. A few dice share one piece of memory with the roll and the
// beginning of the trail.
func (r *Run) recordThrow(p dice.Pool, faces []int, byHand bool) {
	const few = 8
	if len(faces) > few {
		r.record(Step{Part: r.part, Dice: &Throw{For: p.For, Sides: p.Sides, Faces: slices.Clone(faces), Hand: byHand}})
		return
	}
	kept := &struct {
		thrown Throw
		faces  [few]int
		step   [1]Step
	}{thrown: Throw{For: p.For, Sides: p.Sides, Hand: byHand}}
	n := copy(kept.faces[:], faces)
	kept.thrown.Faces = kept.faces[:n:n]
	if cap(r.play.trail) == 0 {
		r.play.trail = kept.step[:0]
	}
	r.record(Step{Part: r.part, Dice: &kept.thrown})
}

func (r *Run) failMismatch(want string, have Step) {
	r.play.fail(&TrailError{Part: r.part, At: r.segment.at - 1, Want: want, Have: describe(have)})
}

// faces returns the faces of p, from the trail or newly rolled. The caller must not keep or change
// them.
func (r *Run) faces(p dice.Pool) []int { return r.fallen(p, false) }

// facesOrTotal is faces for a rule that needs only their total: people may type that instead, and
// the faces only add up to it.
func (r *Run) facesOrTotal(p dice.Pool) []int { return r.fallen(p, true) }

func (r *Run) fallen(p dice.Pool, total bool) []int {
	if p.N <= 0 {
		return nil
	}
	r.throwCount++
	if step, ok := r.next(); ok {
		d := step.Dice
		if d == nil || len(d.Faces) != p.N || d.Sides != p.Sides || d.For != p.For || d.Total && !total {
			r.failMismatch(describeThrow(p), step)
		}
		return d.Faces
	}
	if r.play.bare != nil {
		r.play.buf = fall(r.play.bare, p, r.play.buf[:0])
		return r.play.buf
	}
	if r.play.source == nil {
		r.play.fail(&TrailError{Part: r.part, At: r.segment.at, Want: describeThrow(p), Have: "nothing"})
	}
	h, byHand := r.play.source.(*hand)
	if byHand && h.keep != nil && h.keep(p, r.by) {
		r.askDice(p, total)
	}
	var faces []int
	var err error
	typed := false
	if byHand && total {
		faces, typed, err = h.throwTotal(p, r.play.buf[:0])
	} else {
		faces, err = r.play.source.Throw(r.part, p, r.play.buf[:0])
	}
	if err == ErrNoDice {
		r.askDice(p, total)
	}
	if err != nil {
		r.play.fail(err)
	}
	r.play.buf = faces
	if r.play.keep {
		r.recordThrow(p, faces, byHand)
		r.play.trail[len(r.play.trail)-1].Dice.Total = typed
	}
	return faces
}

// fall rolls a pool die by die.
func fall(roller dice.Roller, p dice.Pool, buf []int) []int {
	for range p.N {
		buf = append(buf, roller.Face(p.Sides))
	}
	return buf
}

// RollerSource returns a source that takes every face from one roller.
func RollerSource(roller dice.Roller) Source { return free{roller} }

type free struct{ roller dice.Roller }

func (f free) Throw(_ string, p dice.Pool, buf []int) ([]int, error) {
	return fall(f.roller, p, buf), nil
}

// PartSource returns a source with separate dice for each part. roller makes them from the part's
// place and the number of its rolls so far, so the order of answers can't change a face.
func PartSource(trail Trail, roller func(part string, throw int) dice.Roller) Source {
	a := &apart{roller: roller, thrown: make(map[string]int)}
	for _, step := range trail {
		if step.Dice != nil {
			a.thrown[step.Part]++
		}
	}
	return a
}

type apart struct {
	roller func(part string, throw int) dice.Roller
	thrown map[string]int
}

func (a *apart) Throw(part string, p dice.Pool, buf []int) ([]int, error) {
	roller := a.roller(part, a.thrown[part])
	a.thrown[part]++
	return fall(roller, p, buf), nil
}

// HandSource returns a source of faces typed in from a real table, in the order in which the rule
// asks for them. When they run out, the roll becomes an open question if ask is set; otherwise a
// *dice.TooFewError ends the run.
func HandSource(h *dice.Hand, ask bool) Source { return &hand{h, ask, nil} }

type hand struct {
	*dice.Hand
	ask  bool
	keep func(p dice.Pool, by string) bool
}

// HandSourceExcept is HandSource with ask, but rolls for which keep returns true don't use the
// typed faces. Those become open questions for the player who rolls them.
func HandSourceExcept(h *dice.Hand, keep func(p dice.Pool, by string) bool) Source {
	return &hand{h, true, keep}
}

func (h *hand) Throw(_ string, p dice.Pool, buf []int) ([]int, error) {
	if h.ask && h.Remaining() == 0 {
		return nil, ErrNoDice
	}
	faces, err := h.Take(p)
	if err != nil {
		return nil, fmt.Errorf("dice by hand: %w", err)
	}
	return append(buf, faces...), nil
}

// throwTotal is Throw for a rule that needs only the total, which may be what was typed.
func (h *hand) throwTotal(p dice.Pool, buf []int) (faces []int, typed bool, err error) {
	if h.ask && h.Remaining() == 0 {
		return nil, false, ErrNoDice
	}
	faces, typed, err = h.TakeTotal(p)
	if err != nil {
		return nil, false, fmt.Errorf("dice by hand: %w", err)
	}
	return append(buf, faces...), typed, nil
}
