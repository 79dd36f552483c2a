package eclipse

import (
	"norn/dice"
	"norn/game"
	"norn/rule"
)

// result is one of the eight results of a test, best first.
type result uint8

// The results. EP-10, EP-11
const (
	criticalSuccess result = iota
	superiorSuccess2
	superiorSuccess
	success
	failure
	superiorFailure
	superiorFailure2
	criticalFailure
)

var testOutcomes = []game.OutcomeKind{
	criticalSuccess:  {ID: "critical-success", Tone: game.Triumph},
	superiorSuccess2: {ID: "superior-success-2", Tone: game.Good},
	superiorSuccess:  {ID: "superior-success", Tone: game.Good},
	success:          {ID: "success", Tone: game.Good},
	failure:          {ID: "failure", Tone: game.Bad},
	superiorFailure:  {ID: "superior-failure", Tone: game.Bad},
	superiorFailure2: {ID: "superior-failure-2", Tone: game.Bad},
	criticalFailure:  {ID: "critical-failure", Tone: game.Disaster},
}

var testHeadlines = []game.Headline{
	{ID: "succeed", Outcomes: []string{"critical-success", "superior-success-2", "superior-success", "success"}},
	{ID: "superior", Outcomes: []string{"critical-success", "superior-success-2", "superior-success"}},
}

// bestResult is the aim for the best possible of the eight results.
var bestResult = game.Aim{ID: "best", Worth: func(o rule.Outcome) int64 {
	for x, kind := range testOutcomes {
		if kind.ID == o.ID {
			return int64(len(testOutcomes) - x)
		}
	}
	return 0
}}

func (x result) id() string            { return testOutcomes[x].ID }
func (x result) outcome() rule.Outcome { return rule.Outcome{ID: x.id()} }
func (x result) isSuccess() bool       { return x <= success }
func (x result) critical() bool        { return x == criticalSuccess || x == criticalFailure }

// superiors returns the number of superior effects of a result. EP-10; EP-12: a critical one has
// none.
func (x result) superiors() int {
	switch x {
	case superiorSuccess, superiorFailure:
		return 1
	case superiorSuccess2, superiorFailure2:
		return 2
	}
	return 0
}

// read returns the result of a roll.
func read(roll, target int, defaulted bool) result {
	won := roll <= target && roll != 99 || roll == 0 // EP-04, EP-11
	double := roll%11 == 0                           // EP-11
	switch {
	case double && !won:
		return criticalFailure
	case double && !defaulted: // EP-15: a default has no critical success; EP-12
		return criticalSuccess
	case won && roll >= 66: // EP-10
		return superiorSuccess2
	case won && roll >= 33:
		return superiorSuccess
	case won:
		return success
	case roll <= 33: // EP-10
		return superiorFailure2
	case roll <= 66:
		return superiorFailure
	}
	return failure
}

// d100 is the percentile throw, tens and units as one die, whose face 100 is the throw 00. EP-01
var d100 = dice.Pool{N: 1, Sides: 100, For: "d100"}

// rollOf returns the roll for a face of the d100. EP-01
func rollOf(face int) int { return face % 100 }

// faceOf returns the face of the d100 for a roll. EP-01
func faceOf(roll int) int {
	if roll == 0 {
		return d100.Sides
	}
	return roll
}

// throwRoll throws the d100 and returns the roll itself.
func throwRoll(r *rule.Run) int {
	return rule.Fold(r, d100, 0, func(_, face, _ int) int { return rollOf(face) })
}

// throwResult throws the d100 and returns only the result, so that odds walk eight branches instead
// of a hundred.
func throwResult(r *rule.Run, target int, defaulted bool) result {
	return rule.Fold(r, d100, success, func(_ result, face, _ int) result {
		return read(rollOf(face), target, defaulted)
	})
}

// throwBestResult is throwResult with a point spent if it helps. EP-20
func throwBestResult(r *rule.Run, t attempt, rules Settings) result {
	return rule.Fold(r, d100, success, func(_ result, face, _ int) result {
		roll := rollOf(face)
		return t.bestWithPoint(rolled{roll, read(roll, t.target, t.lesser())}, rules).result
	})
}

// flip swaps the digits of a roll: 83 becomes 38. EP-20
func flip(roll int) int { return roll%10*10 + roll/10 }

// markRoll marks the percentile die as deciding.
func markRoll(t rule.Throw) []game.Mark {
	marks := make([]game.Mark, len(t.Faces))
	if t.For == d100.For {
		for i := range marks {
			marks[i] = game.Deciding
		}
	}
	return marks
}
