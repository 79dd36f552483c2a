package rule

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"norn/distribution"
	"norn/form"
)

// Lookahead walks a rule exactly, from the end of its trail. Every question that Decides accepts
// gets its best answer.
//
// # Best choices
//
// The best choice is the answer that the form allows with the greatest expected value of the aim,
// given best choices at every later question: expectimax over the rule itself. It is made knowing
// only what the person who answers knows: the branch up to the question. If several answers are
// worth the same, the first in the form's order wins. A question with more than maxAnswers answers
// gets its standard answer and is named in Prospect.Assumed. All other questions are answered as in
// Walk.
//
// A Part that contains a choice can be walked only when the worth of its results is known. So it's
// walked twice: first with every answer open, to find its possible results; then the walk continues
// from each result; then the part is walked again with the worth of its result as the aim. This is
// exact, since the rest of the rule depends only on the part's result. Parts that run Together
// don't see each other: a choice in one is made without knowing the others. If several of them
// contain choices, the answers would have to be agreed on without knowing each other. That isn't a
// sequence of best choices, and the walk ends with a *TogetherError.
type Lookahead[T comparable] struct {
	Trail   Trail                 // the steps so far; see Trail.KnownTo
	Policy  Policy                // answers that are fixed
	Aim     func(T) *big.Rat      // what a result is worth; nil makes no choices
	Decides func(to string) bool  // whose questions are decided, except a Rival's; nil: everybody's
	End     func(Event) (T, bool) // an event of the main line after which the result is certain; may be nil
	Limits  Limits
}

// Prospect describes how a rule can go on from its trail.
type Prospect[T comparable] struct {
	Law     *distribution.Law[T]
	Worth   *big.Rat     // the aim's expected value; nil without an aim
	Choices []BestChoice // the best choices, as they may come up
	Assumed []string     // ids of questions with too many answers, which got their standard one
}

// BestChoice is the best answer to one question in one situation. Equal choices in different
// branches are one.
type BestChoice struct {
	Question string
	To       string
	About    any
	Form     *form.Form
	Weigh    []string // the fields whose values were tried
	Answer   any
	JSON     json.RawMessage // the answer
	P        *big.Rat        // the chance that the question comes up here
}

// maxAnswers bounds the answers to one question that are tried.
const maxAnswers = 64

// TogetherError reports best choices in several parts that run together.
type TogetherError struct{}

func (*TogetherError) Error() string {
	return "best choices in several parts that run together can't be made one by one"
}

// Walk looks ahead. Errors are those of the function Walk, *TrailError and
// *TogetherError, and for a Given the error of its question.
func (a Lookahead[T]) Walk(f func(*Run) T) (*Prospect[T], error) {
	if a.Limits.Branches == 0 {
		a.Limits.Branches = DefaultBranches
	}
	play := &play{trail: a.Trail}
	play.follow(a.Trail)
	all := &searchContext{best: a.Aim != nil, decides: a.Decides}
	s := search[T]{
		w: &walker{
			policy: a.Policy,
			shared: &allowance{limits: a.Limits},
			ahead:  &ahead{searchContext: all, play: play},
		},
		worth: a.Aim,
	}
	if a.End != nil {
		s.w.ahead.hear = func(e Event) (ended bool) {
			if s.value, ended = a.End(e); ended {
				s.ended = true
			}
			return ended
		}
	}
	var p Prospect[T]
	(&Run{}).attempt(func() {
		law, plan := s.all(f)
		p.Law, p.Assumed = law, all.assumed
		if a.Aim != nil {
			p.Worth = mean(law, a.Aim)
			p.Choices = plan.choices()
		}
	})
	s.w.shared.reportSpent()
	if err := s.w.shared.err; err != nil {
		return nil, err
	}
	if play.err != nil {
		return nil, play.err
	}
	return &p, nil
}

// KnownTo returns the part of the trail that a person who answers a question in a part knows. sees
// reports which rolls they see. From each parallel part it takes what led to the last visible roll;
// an answer without a later roll stays secret. It returns false if an unseen roll precedes a
// visible one, because then nobody could compute odds.
func (t Trail) KnownTo(part string, sees func(Throw) bool) (known Trail, ok bool) {
	last := map[string]int{} // the last visible throw, by parallel part
	for i, step := range t {
		at, aside := runsTogether(step.Part, part)
		switch {
		case step.Dice == nil:
		case sees(*step.Dice):
			last[at] = i
		case !aside:
			return nil, false
		}
	}
	for i, step := range t {
		at, aside := runsTogether(step.Part, part)
		seen, any := last[at]
		switch {
		case aside && (!any || i > seen):
			continue
		case step.Dice != nil && !sees(*step.Dice):
			return nil, false
		}
		known = append(known, step)
	}
	return known, true
}

// WithoutParallel returns the trail without the steps of parts that run parallel to one.
func (t Trail) WithoutParallel(part string) Trail {
	return slices.DeleteFunc(slices.Clone(t), func(s Step) bool {
		_, aside := runsTogether(s.Part, part)
		return aside
	})
}

// runsTogether reports whether two parts run in parallel, and the place in the other's path where
// they separate. Places are pairs: the number of a Together and that of a part in it.
func runsTogether(a, b string) (at string, aside bool) {
	if a == "" || b == "" {
		return "", false
	}
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i+1 < min(len(as), len(bs)); i += 2 {
		if as[i] != bs[i] {
			return "", false
		}
		if as[i+1] != bs[i+1] {
			return strings.Join(as[:i+2], "."), true
		}
	}
	return "", false
}

// ahead holds what a walker needs to look ahead from a trail or for best choices.
type ahead struct {
	*searchContext
	play    *play // the trail
	place   string
	hear    func(Event) (ended bool) // nil in parts
	decided bool                     // the walk contains a choice
}

// searchContext is shared by all walkers of one lookahead.
type searchContext struct {
	best    bool
	decides func(to string) bool
	assumed []string
}

// decisionNode is a branch that isn't pure chance: a question to decide, or a part that contains
// one.
type decisionNode struct {
	answers []BestChoice // to the question; nil for a part
	worth   []*big.Rat   // of each result of a part, once all were walked

	weights []distribution.Weight // of a part's results once it's settled
	total   distribution.Weight
	plan    *plan
}

// plan lists the choices that follow a branch.
type plan struct {
	choice  *BestChoice // the branch's own; nil for none
	next    []*plan
	chances []*big.Rat // of each of next
}

// and adds the choices that follow with some chance.
func (p *plan) and(next *plan, chance *big.Rat) *plan {
	if next == nil {
		return p
	}
	if p == nil {
		p = &plan{}
	}
	p.next, p.chances = append(p.next, next), append(p.chances, chance)
	return p
}

// choices returns the choices in the order in which they come up.
func (p *plan) choices() []BestChoice {
	var (
		all  []BestChoice
		list func(p *plan, chance *big.Rat)
	)
	known := map[string]int{}
	list = func(p *plan, chance *big.Rat) {
		if p == nil {
			return
		}
		if t := p.choice; t != nil {
			about, _ := json.Marshal(t.About) // choices that look the same are one
			key := t.Question + " " + string(about) + " " + string(t.JSON)
			i, met := known[key]
			if !met {
				i = len(all)
				known[key] = i
				all = append(all, *t)
				all[i].P = new(big.Rat)
			}
			all[i].P.Add(all[i].P, chance)
		}
		for i, next := range p.next {
			list(next, new(big.Rat).Mul(chance, p.chances[i]))
		}
	}
	list(p, one)
	return all
}

var one = big.NewRat(1, 1)

// start returns a new run from the walker's beginning.
func (w *walker) start() *Run {
	if w.ahead == nil {
		return &w.plain
	}
	return w.startAhead()
}

func (w *walker) startAhead() *Run {
	r := w.ahead.play.run(w.ahead.place)
	r.segment.at, r.segment.taken, r.walk = 0, 0, w
	return r
}

// within returns a walker of the part at a place in the trail.
func (w *walker) within(place string) *walker {
	return &walker{
		policy: w.policy,
		shared: w.shared,
		ahead:  &ahead{searchContext: w.ahead.searchContext, play: w.ahead.play, place: place},
	}
}

// observe receives the events of a walk. It ends the run after the event that settles its result.
func (w *walker) observe(events []Event) {
	if w.ahead == nil || w.ahead.hear == nil {
		return
	}
	for _, e := range events {
		if w.ahead.hear(e) {
			panic(stopped{})
		}
	}
}

// walking reports whether the run is in a walk and past its trail. Every step of a rule begins with
// it, so it takes in what others changed before that step.
func (r *Run) walking() bool {
	r.settle()
	return r.walk != nil && (r.segment == nil || r.segment.at == len(r.segment.steps))
}

// onTrail reports whether the trail has steps of parallel parts that the run has not opened yet.
func (r *Run) onTrail() bool {
	if r.play == nil {
		return false
	}
	before := r.part
	if before != "" {
		before += "."
	}
	for part, s := range r.play.others {
		if len(s.steps) == 0 {
			continue
		}
		if rest, ok := strings.CutPrefix(part, before); ok {
			number, _, _ := strings.Cut(rest, ".")
			if n, err := strconv.Atoi(number); err == nil && n >= r.parts {
				return true
			}
		}
	}
	return false
}

// search visits the possible results of a rule or a part, running the rule again for each path. The
// rule f is passed along and not stored, so that plain walks need no memory for it.
type search[T comparable] struct {
	w     *walker
	worth func(T) *big.Rat
	value T
	ended bool // by an event
	fresh bool // the last run followed the current path
}

// all searches from the start.
func (s *search[T]) all(f func(*Run) T) (*distribution.Law[T], *plan) {
	var mix distribution.Mix[T]
	plan := s.from(f, 0, &mix, distribution.W(1), distribution.W(1))
	return mix.Law(), plan
}

// run runs the rule along the first branches of the path.
func (s *search[T]) run(f func(*Run) T, depth int) {
	s.w.way, s.w.depth, s.ended = s.w.way[:depth], 0, false
	s.w.spend()
	r := s.w.start()
	done := r.attempt(func() {
		if value := f(r); !s.ended {
			s.value = value
		}
	})
	if s.w.shared.err != nil || r.play.err != nil {
		panic(stopped{})
	}
	if !done && !s.ended {
		return // it stopped to settle a part
	}
	s.fresh = true
}

// from adds the results that follow the first branches of the path to a mix. It returns the choices
// made there, or nil.
func (s *search[T]) from(
	f func(*Run) T,
	depth int,
	into *distribution.Mix[T],
	weight, total distribution.Weight,
) *plan {
	if !s.fresh {
		s.run(f, depth)
	}
	if len(s.w.way) == depth {
		s.fresh = false
		into.Add(s.value, weight, total)
		return nil
	}
	b := s.w.way[depth]
	switch {
	case b.decision == nil:
		var next *plan
		s.each(depth, func(at int) {
			p := s.from(f, depth+1, into, weight.Times(b.weights[at]), total.Times(b.total))
			next = next.and(p, b.weights[at].Ratio(b.total))
		})
		return next
	case b.decision.answers != nil:
		return s.choose(f, depth, into, weight, total)
	}
	return s.settle(f, depth, into, weight, total)
}

// each visits the values of a branch. The first is the current one.
func (s *search[T]) each(depth int, visit func(at int)) {
	n := len(s.w.way[depth].weights)
	for i := range n {
		at := i
		if s.w.shared.limits.Reverse {
			at = n - 1 - i
		}
		s.w.way[depth].at = at
		visit(at)
	}
}

// choose takes the best answer to a question.
func (s *search[T]) choose(
	f func(*Run) T,
	depth int,
	into *distribution.Mix[T],
	weight, total distribution.Weight,
) *plan {
	var (
		best  *distribution.Law[T]
		worth *big.Rat
		taken *plan
		first int
	)
	answers := s.w.way[depth].decision.answers
	s.each(depth, func(at int) {
		var mix distribution.Mix[T]
		next := s.from(f, depth+1, &mix, distribution.W(1), distribution.W(1))
		law := mix.Law()
		value := mean(law, s.worth)
		if best != nil {
			if d := value.Cmp(worth); d < 0 || d == 0 && at > first {
				return
			}
		}
		best, worth, first = law, value, at
		taken = (&plan{choice: &answers[at]}).and(next, one)
	})
	mixIn(into, best, weight, total)
	return taken
}

// settle walks what follows each result of a part, and then the part itself, aiming for the best of
// them.
func (s *search[T]) settle(
	f func(*Run) T,
	depth int,
	into *distribution.Mix[T],
	weight, total distribution.Weight,
) *plan {
	n := len(s.w.way[depth].weights)
	laws, plans, worth := make([]*distribution.Law[T], n), make([]*plan, n), make([]*big.Rat, n)
	s.each(depth, func(at int) {
		var mix distribution.Mix[T]
		plans[at] = s.from(f, depth+1, &mix, distribution.W(1), distribution.W(1))
		laws[at] = mix.Law()
		worth[at] = mean(laws[at], s.worth)
	})
	part := s.w.way[depth].decision
	part.worth = worth
	s.run(f, depth+1)
	all := (*plan)(nil).and(part.plan, one)
	for i, law := range laws {
		if !part.weights[i].IsZero() {
			mixIn(into, law, weight.Times(part.weights[i]), total.Times(part.total))
			all = all.and(plans[i], part.weights[i].Ratio(part.total))
		}
	}
	return all
}

// mixIn adds a distribution to a mix, weighted as a whole.
func mixIn[T comparable](into *distribution.Mix[T], law *distribution.Law[T], weight, total distribution.Weight) {
	total = total.Times(law.Total)
	for i, v := range law.Values {
		into.Add(v, weight.Times(law.Weights[i]), total)
	}
}

// mean returns the expected worth of a distribution's values.
func mean[T comparable](law *distribution.Law[T], worth func(T) *big.Rat) *big.Rat {
	mean := new(big.Rat)
	for i, v := range law.Values {
		if w := worth(v); w.Sign() != 0 {
			mean.Add(mean, new(big.Rat).Mul(w, law.Chance(i)))
		}
	}
	return mean
}

// partAhead returns the value of a part that the branch takes.
func partAhead[T comparable](w *walker, b *branch, place string, f func(*Run) T) T {
	if b.law == nil {
		law, decided := outline(w, place, f)
		w.open(b, law, law.Weights, law.Total)
		if decided {
			b.decision = &decisionNode{}
		}
	}
	return partValue(w, b, place, f)
}

// outline walks a part by itself. If choices are made in it, the distribution only lists the
// possible results.
func outline[T comparable](w *walker, place string, f func(*Run) T) (law *distribution.Law[T], decided bool) {
	part := w.within(place)
	law = walk(part, f)
	if part.ahead.decided {
		w.ahead.decided = true
	}
	return law, part.ahead.decided
}

// partValue returns the value that a part's branch takes. If the part is to be settled now, it ends
// the run.
func partValue[T comparable](w *walker, b *branch, place string, f func(*Run) T) T {
	law := b.law.(*distribution.Law[T])
	u := b.decision
	if u == nil || u.worth == nil {
		return law.Values[b.at]
	}
	at := make(map[T]int, len(law.Values))
	for i, v := range law.Values {
		at[v] = i
	}
	s := search[T]{w: w.within(place), worth: func(v T) *big.Rat { return u.worth[at[v]] }}
	settled, plan := s.all(f)
	u.weights, u.total, u.plan = make([]distribution.Weight, len(law.Values)), settled.Total, plan
	for i, v := range settled.Values {
		u.weights[at[v]] = settled.Weights[i]
	}
	panic(stopped{})
}

// togetherAhead walks independent parts. The part with choices comes first, so that they are made
// without knowing the others.
func togetherAhead[T comparable](r *Run, parts []func(*Run) T) []T {
	w, place := r.walk, r.together()
	results := make([]T, len(parts))
	if len(parts) == 0 {
		return results
	}
	b := w.branch()
	if b.law == nil {
		b.decided = -1
		for i, f := range parts {
			law, decided := outline(w, place+strconv.Itoa(i), f)
			b.together = append(b.together, law)
			switch {
			case decided && b.decided >= 0:
				w.stop(&TogetherError{})
			case decided:
				b.decided = i
			}
		}
	}
	order := make([]int, 0, len(parts))
	if b.decided >= 0 {
		order = append(order, b.decided)
	}
	for i := range parts {
		if i != b.decided {
			order = append(order, i)
		}
	}
	laws, decided := b.together, b.decided
	for n, i := range order {
		if n > 0 {
			b = w.branch()
		}
		if b.law == nil {
			law := laws[i].(*distribution.Law[T])
			w.open(b, law, law.Weights, law.Total)
			if i == decided {
				b.decision = &decisionNode{}
			}
		}
		results[i] = partValue(w, b, place+strconv.Itoa(i), parts[i])
	}
	r.settleParts(place)
	return results
}

// answerAhead returns the answer in a walk: that of the branch, or the assumed one.
func answerAhead[A any](w *walker, q Question[A]) A {
	if !w.decides(q.ID, q.To, q.Rival) {
		if tell := w.shared.limits.AssumedAnswer; tell != nil && !q.Free {
			if _, given := w.policy[q.ID]; !given {
				if take := tell(q.ID); take != nil {
					take(q.WithForm().Form, q.Standard)
				}
			}
		}
		return assumeAnswer(w.policy, q, w.stop)
	}
	b := w.branch()
	if b.law == nil {
		q = q.WithForm()
		answers := q.answers()
		if len(answers) == 0 {
			answers = []A{assumeAnswer(w.policy, q, w.stop)}
			if !slices.Contains(w.ahead.assumed, q.ID) {
				w.ahead.assumed = append(w.ahead.assumed, q.ID)
			}
		}
		even := make([]distribution.Weight, len(answers))
		for i := range even {
			even[i] = distribution.W(1)
		}
		w.open(b, answers, even, distribution.W(uint64(len(answers))))
		if len(answers) > 1 {
			b.decision = &decisionNode{answers: q.bestChoices(answers)}
		}
	}
	if b.decision != nil {
		w.ahead.decided = true
	}
	return b.law.([]A)[b.at]
}

// decides reports whether a question gets its best answer.
func (w *walker) decides(id, to string, rival bool) bool {
	if w.ahead == nil || !w.ahead.best || rival {
		return false
	}
	_, settled := w.policy[id]
	return !settled && (w.ahead.decides == nil || w.ahead.decides(to))
}

// answers lists the answers that the form and the check allow, in the form's order. It returns none
// if there are too many.
func (q Question[A]) answers() []A {
	var answers []A
	for _, text := range q.Form.Every(q.Standard, q.Weigh, maxAnswers) {
		a, err := q.read(func(into any) error { return q.Form.Decode(text, into) })
		if err != nil || q.Check != nil && q.Check(a) != nil {
			continue
		}
		answers = append(answers, a)
	}
	return answers
}

// bestChoices describes answers as choices.
func (q Question[A]) bestChoices(answers []A) []BestChoice {
	all := make([]BestChoice, len(answers))
	for i, a := range answers {
		all[i] = BestChoice{
			Question: q.ID,
			To:       q.To,
			About:    q.About,
			Form:     q.Form,
			Weigh:    q.Weigh,
			Answer:   a,
			JSON:     q.Form.JSON(a),
		}
	}
	return all
}
