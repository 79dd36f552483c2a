// Package judge checks games: it plays cases and replays them, compares odds with throws and with
// all sequences of faces, and checks events, words, demo and stock. It reads cases and games and
// writes nothing. Tests and the command check-game use it. It imports what a game may import, and
// starts no goroutine.
package judge

import (
	"errors"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// policies returns random answers to a rule's questions. Each policy is drawn while the rule is
// played once, so a question gets the same answer everywhere. Policies whose answers some branch
// refuses are dropped, as are those that equal the standard.
func policies(t *report, f func(*rule.Run) rule.Outcome) []rule.Policy {
	var all []rule.Policy
	stream := dice.NewStream([32]byte{'a', 's', 'k'})
	for range 20 * policiesTried {
		policy, err := policyDrawn(f, stream)
		if err != nil {
			t.Fatal(err)
		}
		if len(policy) == 0 ||
			slices.ContainsFunc(all, func(p rule.Policy) bool { return reflect.DeepEqual(p, policy) }) {
			continue
		}
		var refused *rule.GivenError
		_, err = rule.Walk(f, policy, rule.Limits{Branches: branches})
		if errors.As(err, &refused) {
			continue
		}
		if all = append(all, policy); len(all) == policiesTried {
			break
		}
	}
	return all
}

func policyDrawn(f func(*rule.Run) rule.Outcome, stream *dice.Stream) (rule.Policy, error) {
	policy := rule.Policy{}
	var trail rule.Trail
	for {
		result, err := rule.Play(f, rule.Options{Trail: trail, Source: rule.RollerSource(stream)})
		if err != nil || result.Done {
			return policy, err
		}
		trail = slices.Clip(result.Trail)
		for _, open := range result.Open {
			step := standardStep(open)
			if steps := answersTo(open); len(steps) > 0 {
				step = steps[stream.Face(len(steps))-1]
			}
			trail = append(trail, step)
			policy[open.ID] = rule.Given{JSON: step.Answer.Value}
		}
	}
}

// answersTo returns the answers that best choices try, or none if there are too many.
func answersTo(open rule.Open) []rule.Step {
	const most = 64
	var steps []rule.Step
	for _, text := range open.Form.Every(open.Standard, open.Weigh, most) {
		if step, err := open.Step(text, ""); err == nil {
			steps = append(steps, step)
		}
	}
	return steps
}

func standardStep(open rule.Open) rule.Step {
	return rule.Step{Part: open.Part, Answer: &rule.Answer{Question: open.ID, Value: open.Form.JSON(open.Standard)}}
}

// bestBy compares a case's best choices with the best of all answers after all sequences of faces.
func bestBy(t *report, c small, aim game.Aim, plays int) {
	p := player{play: c.play, aim: aim, asking: map[string]bool{}, maxPlays: plays}
	want, err := p.best(nil)
	if len(p.asking) == 0 || errors.Is(err, errTooMany) {
		return
	}
	if err == nil && (len(p.asking) > 1 || !p.asking[""]) { // again, now that the parts with questions are known
		p.plays = 0
		want, err = p.best(nil)
	}
	if err != nil {
		t.Errorf("%s: all answers for %s: %v", c.title, aim.ID, err)
		return
	}
	got, err := rule.Lookahead[rule.Outcome]{Aim: aim.Value}.Walk(c.play)
	var together *rule.TogetherError
	switch {
	case errors.As(err, &together):
		if !p.blind() {
			t.Errorf("%s: only parts %v ask, and the walk says: %v", c.title, slices.Sorted(maps.Keys(p.asking)), err)
		}
		return
	case err != nil:
		t.Errorf("%s: best choices for %s: %v", c.title, aim.ID, err)
	case got.Worth.Cmp(want) != 0:
		t.Errorf("%s: best choices for %s are worth %v, by all sequences %v", c.title, aim.ID, got.Worth, want)
	}
}

// player plays a rule as people would, step by step over its trail. It tries every sequence of
// faces and every answer.
type player struct {
	play   func(*rule.Run) rule.Outcome
	aim    game.Aim
	asking map[string]bool // parts that contain choices
	plays  int

	maxPlays int
}

var errTooMany = errors.New("too many plays")

// noDice is a source that leaves every throw open.
type noDice struct{}

func (noDice) Throw(string, dice.Pool, []int) ([]int, error) { return nil, rule.ErrNoDice }

// best returns the worth of the aim after a trail if every answer is the best.
func (p *player) best(trail rule.Trail) (*big.Rat, error) {
	if p.plays++; p.plays > p.maxPlays {
		return nil, errTooMany
	}
	result, err := rule.Play(p.play, rule.Options{Trail: trail, Source: noDice{}})
	if err != nil {
		return nil, err
	}
	if result.Done {
		return p.aim.Value(result.Value), nil
	}
	open := p.next(result.Open)
	if open.Dice != nil {
		return p.mean(trail, open)
	}
	steps := answersTo(open)
	if open.Rival || len(steps) == 0 {
		steps = []rule.Step{standardStep(open)}
	}
	if len(steps) > 1 {
		p.asking[open.Part] = true
	}
	var best *big.Rat
	for _, step := range steps {
		worth, err := p.best(append(slices.Clip(trail), step))
		if err != nil {
			return nil, err
		}
		if best == nil || worth.Cmp(best) > 0 {
			best = worth
		}
	}
	return best, nil
}

// mean returns the mean worth over all sequences of one throw.
func (p *player) mean(trail rule.Trail, open rule.Open) (*big.Rat, error) {
	sum, n := new(big.Rat), int64(0)
	var s sequence
	for more := true; more; more = s.next() {
		faces := make([]int, open.Dice.N)
		for i := range faces {
			faces[i] = s.Face(open.Dice.Sides)
		}
		step := rule.Step{Part: open.Part, Dice: &rule.Throw{For: open.Dice.For, Sides: open.Dice.Sides, Faces: faces}}
		worth, err := p.best(append(slices.Clip(trail), step))
		if err != nil {
			return nil, err
		}
		sum.Add(sum, worth)
		n++
	}
	return sum.Quo(sum, big.NewRat(n, 1)), nil
}

// next returns the question to answer first: one in the part with choices, so that they are made
// without knowing parallel parts.
func (p *player) next(open []rule.Open) rule.Open {
	for _, o := range open {
		for part := range p.asking {
			if o.Part == part || strings.HasPrefix(part, o.Part+".") {
				return o
			}
		}
	}
	return open[0]
}

// blind reports whether parallel parts both ask.
func (p *player) blind() bool {
	for a := range p.asking {
		for b := range p.asking {
			if len((rule.Trail{{Part: a}}).WithoutParallel(b)) == 0 {
				return true
			}
		}
	}
	return false
}
