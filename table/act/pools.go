package act

import (
	"slices"

	"norn/dice"
	"norn/rule"
	"norn/table/refusal"
)

// Pools returns the actor's rolls before the outcome that happen in any case: those after both the
// lowest and the highest faces. KnownAttempt made the attempt.
func (a Attempt) Pools() ([]dice.Pool, error) {
	lowest, err := a.poolsAt(maxPools, func(dice.Pool) int { return 1 })
	if err != nil {
		return nil, err
	}
	highest, err := a.poolsAt(maxPools, func(p dice.Pool) int { return p.Sides })
	if err != nil {
		return nil, err
	}
	same := 0
	for same < min(len(lowest), len(highest)) && lowest[same] == highest[same] {
		same++
	}
	return lowest[:same], nil
}

// maxPools limits the rolls to look ahead for.
const maxPools = 10

// throws reports whether the actor rolls dice before the first question, whatever falls.
func (a Attempt) throws() bool {
	pools, err := a.poolsAt(1, func(dice.Pool) int { return 1 })
	return err == nil && len(pools) > 0
}

// poolsAt returns the actor's rolls up to the first question, at least most of them if there are as
// many, if each die shows the face that face
// returns.
func (a Attempt) poolsAt(most int, face func(dice.Pool) int) (pools []dice.Pool, err error) {
	who := func(_ dice.Pool, by string) string { return by }
	var trail rule.Trail
	for range maxPools {
		run, err := rule.Play(a.Def.Price(a.Known, a.Args),
			rule.Options{Source: rule.HandSource(dice.NewHand(nil), true), Trail: trail, Roller: who})
		switch {
		case err != nil && len(trail) == 0:
			return nil, &refusal.UnavailableError{Err: err}
		case err != nil: // these faces can't happen
			return pools, nil
		}
		before := len(trail)
		for i, open := range run.Open {
			if open.Dice == nil {
				return pools, nil
			}
			// among parallel rolls, those without a roller are the other side's
			if open.To == a.Scene.Actor || open.To == "" && i == 0 {
				pools = append(pools, *open.Dice)
			}
			trail = append(trail, rule.Step{Part: open.Part, Dice: &rule.Throw{
				For: open.Dice.For, Sides: open.Dice.Sides, Faces: slices.Repeat([]int{face(*open.Dice)}, open.Dice.N),
			}})
		}
		if len(trail) == before || len(pools) >= most {
			return pools, nil
		}
	}
	return pools, nil
}
