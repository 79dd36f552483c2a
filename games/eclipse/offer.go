package eclipse

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Effects is what is made of a superior or critical result that nobody waited for: the
// card of its test offers it until its roller tests again, or a new day begins. EP-13,
// EP-14
type Effects struct {
	On     string `json:"on" form:"choice,required"` // what was tested
	Result string `json:"result" form:"choice=critical-success|superior-success-2|superior-success|superior-failure|superior-failure-2|critical-failure,set=outcome,said"`
}

var effectsMove = game.Define(game.Of[Effects]{
	ID: "effects", AtTable: true, ByOffer: true, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "chosen", Tone: game.Neutral}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		return f.With("on", hero.tested()...)
	},
	Play: func(r *rule.Run, s game.Scene, a Effects) rule.Outcome {
		choose(r, s, s.Actor, a.On, resultOf(a.Result), false)
		return game.Came(r, s, rule.Outcome{ID: "chosen"})
	},
})

// offersEnd are the moves of which offers end with a test: those to who throws. EP-13
var offersEnd = []string{"effects"}

// offerEffects offers to choose what a result brings: a superior success to its player,
// all else to the GM. EP-13, EP-14
func offerEffects(r *rule.Run, s game.Scene, who, on string, x result) {
	if !x.critical() && x.superiors() == 0 {
		return
	}
	to := game.GM
	if x.succeeded() && !x.critical() {
		to = who
	}
	if unseen(s, who) { // what an NPC has tested is the GM's
		on = ""
	}
	game.Offer(r, to, "effects", who, Effects{On: on, Result: x.id()})
}

// resultOf finds a result by its id.
func resultOf(id string) result {
	for x, kind := range testOutcomes {
		if kind.ID == id {
			return result(x)
		}
	}
	return failure
}
