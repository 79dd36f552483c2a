package eclipse

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Later holds the arguments of the move that spends a point on a roll that has fallen. The test's log
// entry offers it until its roller tests again, the scene ends, or something was built on the result.
// EP-20, EP-22
type Later struct {
	On     string   `json:"on" form:"choice,required"` // what was tested
	Was    int      `json:"was" form:"max=99,said"`    // the roll as it fell
	From   string   `json:"from" form:"choice=critical-success|superior-success-2|superior-success|success|failure|superior-failure|superior-failure-2|critical-failure,set=outcome,said"`
	Use    string   `json:"use" form:"choice=flip|raise|soften,said"`
	Pool   string   `json:"pool" form:"choice=insight|moxie|vigor|flex,said"`
	Roll   int      `json:"roll" form:"max=99,said"` // the roll that counts then
	Result string   `json:"result" form:"choice=critical-success|superior-success-2|superior-success|success|failure|superior-failure|superior-failure-2|critical-failure,set=outcome,said"`
	Task   form.Ref `json:"task" form:"of=task"`            // the task that the test was about
	Tries  int      `json:"tries" form:"max=12"`            // its failed tries after the test
	Waived int      `json:"waived,omitempty" form:"max=12"` // and those of them that were waived
	Pace
}

var pointMove = game.Define(game.MoveSpec[Later]{
	ID: "point", AtTable: true, ByOffer: true, InScene: true, Ends: offersEnd, Kinds: []string{"character", "npc"},
	Outcomes: testOutcomes,
	Instant:  func(game.Scene, Later) bool { return true },
	Allow:    allowLater,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := sheetOf(s, s.Actor)
		return f.With("on", hero.testOptions()...)
	},
	Play: playLater,
})

// asksPoint reports whether a test asks for a point before it goes on: if the table wants that, and
// where the offer would come too late. EP-09, EP-13, EP-20
func asksPoint(s game.Scene, x result) bool {
	rules := rulesOf(s)
	return rules.Points == "ask" || s.Secret || rules.Effects == "ask" && (x.critical() || x.superiors() > 0)
}

// offerTurns offers some ways to change a roll by a point, once for each use and pool. EP-20
func offerTurns(r *rule.Run, s game.Scene, t attempt, done rolled, turns []Turn, of Later) {
	for _, u := range turns {
		for _, pool := range t.pursesOf(s) {
			of.Was, of.From, of.Use, of.Pool, of.Roll, of.Result = done.roll, done.result.id(), u.Use, pool, u.Roll, u.Outcome
			game.Offer(r, t.who, "point", t.who, of)
		}
	}
}

// allowLater refuses a point that isn't there any more, and one for a task that has changed since.
// EP-20, EP-24
func allowLater(s game.Scene, a Later) error {
	hero, _ := sheetOf(s, s.Actor)
	if hero.Pools.Of(a.Pool).Points() < 1 {
		return &game.Refusal{Rule: "EP-20", Word: "eclipse.refusal.empty-pool", Data: data{"Pool": poolWord(a.Pool)}}
	}
	if a.Task == "" {
		return nil
	}
	task, ok := game.Sheet[Task](s, string(a.Task))
	from := resultOf(a.From)
	same := from.isSuccess() && task.State == "running" && task.Spent == 0 &&
		task.Needs == task.takes(a.Pace, from, from.superiors()) ||
		!from.isSuccess() && task.State == "open" && task.Tries == a.Tries
	if !ok || !same {
		return game.Refuse("EP-24", "eclipse.refusal.task-moved")
	}
	return nil
}

// playLater changes the roll and applies the new result instead of the old one. EP-13, EP-20, EP-24
func playLater(r *rule.Run, s game.Scene, a Later) rule.Outcome {
	s = game.Lend(r, s, s.Actor)
	hero, _ := sheetOf(s, s.Actor)
	x := resultOf(a.Result)
	hero.turns(r, s, s.Actor, Point{Use: a.Use, Pool: a.Pool}, a.Was, a.Result)
	r.Record(game.Resolved{Who: s.Actor, Outcome: x.outcome()})
	time := follow(r, s, s.Actor, Effects{On: a.On, Task: a.Task, Pace: a.Pace}, x)
	if task, ok := game.Sheet[Task](s, string(a.Task)); ok {
		a.retime(r, s, task, x, time)
		if !x.isSuccess() && !resultOf(a.From).isSuccess() && task.Waived == a.Waived { // EP-19
			offerWaiver(r, s.Actor, a.Task)
		}
	} else if !x.isSuccess() { // EP-19
		offerWaiver(r, s.Actor, "")
	}
	return x.outcome()
}

// retime corrects a task by the changed result. EP-24
func (a Later) retime(r *rule.Run, s game.Scene, task Task, x result, time int) {
	from, who := resultOf(a.From), string(a.Task)
	took := task.takes(a.Pace, x, time)
	if from.isSuccess() {
		r.Record(TaskRetimed{Who: who, By: s.Actor, Needs: took})
		return
	}
	lost := min(task.Lost, task.takes(a.Pace, from, from.superiors()))
	if x.isSuccess() {
		took = 0
	}
	if back := lost - took; back != 0 {
		r.Record(TaskRegained{Who: who, By: s.Actor, Regained: back})
	}
	if x.isSuccess() {
		r.Record(TaskBegun{Who: who, By: s.Actor, Needs: task.takes(a.Pace, x, time)})
	}
}

// Waive holds the arguments of the GM's move, offered by a failed test, that trying again isn't
// harder. EP-19
type Waive struct {
	Task form.Ref `json:"task,omitempty" form:"of=task"` // the task that counts the failure
}

var waiveMove = game.Define(game.MoveSpec[Waive]{
	ID: "waive", GMOnly: true, AtTable: true, ByOffer: true, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "waived", Tone: game.Good}},
	Allow: func(s game.Scene, a Waive) error {
		if a.Task == "" {
			return nil
		}
		s.Actor = string(a.Task)
		_, err := inState(s, "open")
		return err
	},
	Play: func(r *rule.Run, s game.Scene, a Waive) rule.Outcome {
		if a.Task != "" {
			r.Record(TryWaived{Who: string(a.Task), By: s.Actor})
		} else {
			r.Record(RetryWaived{Who: s.Actor})
		}
		return game.RecordOutcome(r, s, rule.Outcome{ID: "waived"})
	},
})

// retried returns the roll that comes after a failed one: harder, unless the GM has waived that. EP-19
func (a Roll) retried(f game.Failure) Roll {
	if !slices.Contains(f.Taken, waiveMove.ID) {
		a.Retries = min(a.Retries+1, maxRetries)
	}
	return a
}

// offerWaiver offers the GM of a failed test that making it again isn't harder. EP-19
func offerWaiver(r *rule.Run, who string, task form.Ref) {
	game.Offer(r, game.GM, "waive", who, Waive{Task: task})
}
