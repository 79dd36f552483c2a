package eclipse

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Effects holds the arguments of a move to choose the effects of a superior or critical result
// afterwards. The test's log entry offers it until its roller tests again, or a new day begins.
// EP-13, EP-14
type Effects struct {
	On     string   `json:"on" form:"choice,required"` // what was tested
	Result string   `json:"result" form:"choice=critical-success|superior-success-2|superior-success|superior-failure|superior-failure-2|critical-failure,set=outcome,said"`
	Task   form.Ref `json:"task" form:"of=task"` // the task whose time the superior effects have reduced
	Pace
}

var effectsMove = game.Define(game.MoveSpec[Effects]{
	ID: "effects", AtTable: true, ByOffer: true, Ends: []string{"point"}, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "chosen", Tone: game.Neutral}},
	Instant:  func(game.Scene, Effects) bool { return true }, // of what has already happened
	Allow:    allowEffects,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		return f.With("on", hero.testOptions()...)
	},
	Play: func(r *rule.Run, s game.Scene, a Effects) rule.Outcome {
		s = game.Lend(r, s, s.Actor)
		x := resultOf(a.Result)
		time := choose(r, s, s.Actor, a.On, x, a.Task != "")
		if a.Task != "" {
			retime(r, s, a, x, time)
		}
		return game.RecordOutcome(r, s, rule.Outcome{ID: "chosen"})
	},
})

// offersEnd lists the moves whose offers to the roller end with a test. EP-13, EP-20
var offersEnd = []string{"effects", "point", "waive"}

// offerEffects offers to choose the effects of a result: of a superior success to its player, of
// all others to the GM. EP-13, EP-14
func offerEffects(r *rule.Run, s game.Scene, who string, of Effects, x result) {
	if !x.critical() && x.superiors() == 0 {
		return
	}
	to := game.GM
	if x.isSuccess() && !x.critical() {
		to = who
	}
	if unseen(s, who) { // for an NPC's test only the GM chooses
		of.On = ""
	}
	if x.critical() || s.Secret { // EP-12: no superior effect reduced the time; EP-09: the task hasn't changed
		of.Task, of.Pace = "", Pace{}
	}
	of.Result = x.id()
	game.Offer(r, to, "effects", who, of)
}

// allowEffects refuses to choose a task's superior effects once the task has progressed. EP-13,
// EP-24
func allowEffects(s game.Scene, a Effects) error {
	if a.Task == "" {
		return nil
	}
	s.Actor = string(a.Task)
	state := "open"
	if resultOf(a.Result).isSuccess() {
		state = "running"
	}
	_, err := inState(s, state)
	return err
}

// retime corrects the time of a task whose superior effects all reduced its time, if other effects
// are chosen. EP-13, EP-24
func retime(r *rule.Run, s game.Scene, a Effects, x result, time int) {
	task, ok := game.Sheet[Task](s, string(a.Task))
	more := task.takes(a.Pace, x, time) - task.takes(a.Pace, x, x.superiors())
	switch {
	case !ok || more == 0:
	case x.isSuccess():
		r.Record(TaskRetimed{Who: string(a.Task), By: s.Actor, Needs: max(0, task.Needs+more)})
	default:
		r.Record(TaskRegained{Who: string(a.Task), By: s.Actor, Regained: min(-more, task.Lost)})
	}
}

// resultOf returns the result with an id.
func resultOf(id string) result {
	for x, kind := range testOutcomes {
		if kind.ID == id {
			return result(x)
		}
	}
	return failure
}
