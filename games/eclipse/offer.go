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
	On     string   `json:"on" form:"choice,required"` // what was tested
	Result string   `json:"result" form:"choice=critical-success|superior-success-2|superior-success|superior-failure|superior-failure-2|critical-failure,set=outcome,said"`
	Task   form.Ref `json:"task" form:"of=task"` // whose time the superiors have gone into
	Pace
}

var effectsMove = game.Define(game.MoveSpec[Effects]{
	ID: "effects", AtTable: true, ByOffer: true, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "chosen", Tone: game.Neutral}},
	Allow:    allowEffects,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		return f.With("on", hero.testOptions()...)
	},
	Play: func(r *rule.Run, s game.Scene, a Effects) rule.Outcome {
		x := resultOf(a.Result)
		time := choose(r, s, s.Actor, a.On, x, a.Task != "")
		if a.Task != "" {
			retime(r, s, a, x, time)
		}
		return game.RecordOutcome(r, s, rule.Outcome{ID: "chosen"})
	},
})

// offersEnd are the moves of which offers end with a test: those to who throws. EP-13
var offersEnd = []string{"effects"}

// offerEffects offers to choose what a result brings: a superior success to its player,
// all else to the GM. EP-13, EP-14
func offerEffects(r *rule.Run, s game.Scene, who string, of Effects, x result) {
	if !x.critical() && x.superiors() == 0 {
		return
	}
	to := game.GM
	if x.isSuccess() && !x.critical() {
		to = who
	}
	if unseen(s, who) { // what an NPC has tested is the GM's
		of.On = ""
	}
	if x.critical() { // EP-12: no superior has gone into time
		of.Task, of.Pace = "", Pace{}
	}
	of.Result = x.id()
	game.Offer(r, to, "effects", who, of)
}

// allowEffects refuses to choose what a task's superiors bring once the task has gone on. EP-13,
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

// retime corrects the time of a task whose superiors had all gone into time, where something else
// was chosen. EP-13, EP-24
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

// resultOf finds a result by its id.
func resultOf(id string) result {
	for x, kind := range testOutcomes {
		if kind.ID == id {
			return result(x)
		}
	}
	return failure
}
