package act

import (
	"bytes"

	"norn/game"
	"norn/odds"
	"norn/rule"
	"norn/table/internal/state"
)

// standingBranches bounds the walk by which a live move learns where it stands.
// Whoever verifies a log has more time, so what was kept can be found again.
const (
	standingBranches = 2_000
	VerifiedBranches = 100 * standingBranches
	SurelyBranches   = standingBranches / 4 // by a law of so many it was told, even if it took more branches then than it takes now
)

// standing is where a move stands that a run brought to its outcome; false for one whose outcome isn't known or was known before, that has no
// chance in it, or whose law takes more than so many branches.
//
// The law is that of the move's odds, with the scene as it stood when the move
// was opened. A question in the middle has the answer that was given, everywhere
// it's asked; its standard answer where it was answered in two ways.
func Standing(m *state.Underway, result rule.Result[rule.Outcome], branches int) (odds.Standing, bool) {
	if m.Def.Price == nil || m.Def == &game.Plain || m.Resolved != nil {
		return odds.Standing{}, false
	}
	came, known := cameOf(m.Move, result)
	if !known {
		return odds.Standing{}, false
	}
	law, err := rule.Walk(m.Def.Price(m.Scene, m.Args), answersOf(result.Trail), rule.Limits{Branches: branches})
	if err != nil { // too large, or it hangs on what only people can say
		return odds.Standing{}, false
	}
	return odds.Stand(law, came, m.Def.Better)
}

// came is the outcome that a run told of its actor, or ended with.
func cameOf(m *state.Move, result rule.Result[rule.Outcome]) (rule.Outcome, bool) {
	for _, t := range result.Told {
		if told, ok := t.Event.(game.Resolved); ok && t.Part == "" && told.Who == m.Actor {
			return told.Outcome, true
		}
	}
	return result.Value, result.Done
}

// answersOf are the answers of a trail as a policy: those of questions that were
// answered in one way.
func answersOf(trail rule.Trail) rule.Policy {
	policy := rule.Policy{}
	for _, step := range trail {
		if step.Answer == nil {
			continue
		}
		id, value := step.Answer.Question, step.Answer.Value
		given, again := policy[id]
		switch {
		case !again:
			policy[id] = rule.Given{JSON: value}
		case given != nil && !bytes.Equal(given.(rule.Given).JSON, value):
			policy[id] = nil
		}
	}
	for id, given := range policy {
		if given == nil {
			delete(policy, id)
		}
	}
	return policy
}
