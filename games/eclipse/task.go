package eclipse

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Task is a task that takes time, with a sheet of its own. Times are in minutes, except the
// timeframe. EP-24
type Task struct {
	Timeframe int    `json:"timeframe" form:"min=1,max=999,default=1"`
	Unit      string `json:"unit" form:"choice=minutes|hours|days|weeks,default=hours"`
	State     string `json:"state" form:"choice=open|running|interrupted|done,set=task-state"`
	Needs     int    `json:"needs" form:"max=100000000"` // from the throw to the end
	Spent     int    `json:"spent" form:"max=100000000"` // the part of Needs that has passed
	Lost      int    `json:"lost" form:"max=100000000"`  // by failures
	Tries     int    `json:"tries" form:"max=12"`        // EP-19: failed ones
	Waived    int    `json:"waived" form:"max=12"`       // EP-19: of these, those that the GM has waived
	Notes     string `json:"notes" form:"prose"`
}

// maxTries is the largest number of failed tries that a task counts. More don't change the modifier,
// which is limited. EP-06
const maxTries = 12

// minutes maps units of time to their length.
var minutes = map[string]int{"minutes": 1, "hours": 60, "days": 24 * 60, "weeks": 7 * 24 * 60}

// Counted returns how many failed tries make the next one harder. EP-19
func (t Task) Counted() int { return max(0, t.Tries-t.Waived) }

// Remaining returns the time that a task still needs.
func (t Task) Remaining() int { return max(0, t.Needs-t.Spent) }

// Work holds the arguments of a test at a task. EP-24
type Work struct {
	Task form.Ref `json:"task" form:"of=task,required,table"`
	Plain
	Roll
	Pace
}

// Pace is the planned deviation from the timeframe, in quarters. EP-24
type Pace struct {
	Extra int `json:"extra" form:"max=6"`
	Rush  int `json:"rush" form:"max=3"` // at most 75 %
}

var taskMove = game.Define(game.MoveSpec[Work]{
	ID: "task", Bare: true, AtTable: true, Ends: offersEnd, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{
		{ID: "done", Counts: true, Less: true, Tone: game.Good},
		{ID: "failed", Counts: true, Less: true, Tone: game.Bad},
	},
	Headlines: []game.Headline{{ID: "succeed", Outcomes: []string{"done"}}},
	Cast:      func(_ game.Scene, a Work) []string { return append(a.cast(), string(a.Task)) },
	Fit:       fitRoll,
	Allow: func(s game.Scene, a Work) error {
		if a.Extra > 0 && a.Rush > 0 {
			return game.Refuse("EP-24", "eclipse.refusal.rush-and-extra")
		}
		if s.Actor == "" {
			return tens(a.Modifier)
		}
		if task, ok := game.Sheet[Task](s, string(a.Task)); !ok || task.State != "open" {
			return game.Refuse("EP-24", "eclipse.refusal.not-open")
		}
		return allowRoll(s, a.tried(s), a.pacing()...)
	},
	Price: func(r *rule.Run, s game.Scene, a Work) rule.Outcome {
		t := a.aim(s)
		x := throwResult(r, t.target, t.lesser())
		return a.pace(x, x.superiors())
	},
	Play: playTask,
	Mark: func(_ Work, t rule.Throw) []game.Mark { return markRoll(t) },

	Sources: taskSources,
	Strip: func(s game.Scene, a Work) Work {
		if s.Actor != "" {
			a.Plain = a.aim(s).plain(a.pacing()...)
		}
		return a
	},
})

// aim includes the modifier for time: +10 for each extra quarter, −20 for each quarter less. EP-24
func (a Work) aim(s game.Scene) aim {
	if s.Actor == "" {
		t, _ := aimPlain(a.Plain, a.pacing()...)
		return t
	}
	t, _ := aimOf(s, a.tried(s), a.pacing()...)
	return t
}

// tried returns the roll with the failed tries of its task. EP-19
func (a Work) tried(s game.Scene) Roll {
	task, _ := game.Sheet[Task](s, string(a.Task))
	a.Retries += task.Counted()
	return a.Roll
}

// pacing returns the modifiers for extra time and haste. EP-24
func (p Pace) pacing() []Part {
	return []Part{{Why: "extra", N: 10 * p.Extra}, {Why: "rush", N: -20 * p.Rush}}
}

// plannedShare returns the planned share of the timeframe, in percent.
func (p Pace) plannedShare() int { return 100 + 25*p.Extra - 25*p.Rush }

// shares returns the share of the planned time that a result takes, in percent. A success takes a
// quarter less for each superior effect that reduces time; a failure takes a quarter, and one more
// for each superior effect on time. EP-24
func shares(x result, time int) int {
	if x.isSuccess() {
		return 100 - 25*time
	}
	return 25 + 25*time
}

// takes returns the minutes that a result takes of a task. EP-24, EP-03
func (t Task) takes(p Pace, x result, time int) int {
	return divideUp(t.Timeframe*minutes[t.Unit]*p.plannedShare()*shares(x, time), 100*100)
}

// pace returns the outcome of a task, with the share of its timeframe. EP-24, EP-03
func (a Work) pace(x result, time int) rule.Outcome {
	n := divideUp(a.plannedShare()*shares(x, time), 100)
	if x.isSuccess() {
		return rule.Outcome{ID: "done", N: n}
	}
	return rule.Outcome{ID: "failed", N: n}
}

// askLeave returns the work with the parts that the GM allows. EP-05, EP-16
func (a Work) askLeave(r *rule.Run, s game.Scene) Work {
	var ok bool
	extra := 0
	if isLoose(s, "extra") { // EP-24
		extra = a.Extra
	}
	if a.Roll, ok = a.Roll.askLeave(r, s, AboutLeave{Modifier: 10 * extra}); !ok {
		a.Extra -= extra
	}
	paid := a.tried(s).withoutIdlePoint(s, a.pacing()...)
	a.Boost, a.Ignore = paid.Boost, paid.Ignore
	return a
}

// playTask throws for a task. A success sets the time that it still needs; a failure costs time and
// leaves the task open. EP-24
func playTask(r *rule.Run, s game.Scene, a Work) rule.Outcome {
	// what is built on the task's earlier tries must not change any more, so the task isn't lent
	s = game.Lend(r, s, append(a.cast(), s.Actor)...)
	a = a.askLeave(r, s)
	t := attemptOf(s, a.Roll, a.aim(s))
	done, asked := perform(r, s, t)
	r.Record(CameOut{Who: s.Actor, Roll: done.roll, Outcome: done.result.id()})
	time := follow(r, s, s.Actor, Effects{On: a.On, Task: a.Task, Pace: a.Pace}, done.result)
	task, _ := game.Sheet[Task](s, string(a.Task))
	took := task.takes(a.Pace, done.result, time)
	result := a.pace(done.result, time)
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	if s.Secret { // EP-09: everybody sees the task, so the GM changes it
		return result
	}
	if done.result.isSuccess() {
		r.Record(TaskBegun{Who: string(a.Task), By: s.Actor, Needs: took})
	} else {
		r.Record(TaskFailed{Who: string(a.Task), By: s.Actor, Lost: took})
		task.Tries = min(task.Tries+1, maxTries)
		offerWaiver(r, s.Actor, a.Task) // EP-19
	}
	if !asked {
		offerTurns(r, s, t, done, t.turns(done, rulesOf(s)), Later{
			On: a.On, Task: a.Task, Tries: task.Tries, Waived: task.Waived, Pace: a.Pace,
		})
	}
	return result
}

// Interrupt holds the arguments of the move that interrupts a task, which retains its progress. EP-24
type Interrupt struct {
	Spent int    `json:"worked" form:"max=999"`
	Unit  string `json:"unit" form:"choice=minutes|hours|days|weeks,default=hours"`
}

var interruptMove = game.Define(game.MoveSpec[Interrupt]{
	ID: "interrupt", AtTable: true, Kinds: []string{"task"},
	Outcomes: []game.OutcomeKind{{ID: "interrupted", Tone: game.Neutral}},
	Allow: func(s game.Scene, a Interrupt) error {
		task, err := inState(s, "running")
		if err == nil && a.Spent*minutes[a.Unit] >= task.Remaining() {
			return game.Refuse("EP-24", "eclipse.refusal.finished")
		}
		return err
	},
	Play: func(r *rule.Run, s game.Scene, a Interrupt) rule.Outcome {
		r.Record(TaskInterrupted{Who: s.Actor, Spent: a.Spent * minutes[a.Unit]})
		return rule.Outcome{ID: "interrupted"}
	},
})

// Resume holds the arguments of the move that continues a task; there are none. EP-24
type Resume struct{}

var resumeMove = game.Define(game.MoveSpec[Resume]{
	ID: "resume", AtTable: true, Kinds: []string{"task"},
	Outcomes: []game.OutcomeKind{{ID: "resumed", Tone: game.Neutral}},
	Allow: func(s game.Scene, _ Resume) error {
		_, err := inState(s, "interrupted")
		return err
	},
	Play: func(r *rule.Run, s game.Scene, _ Resume) rule.Outcome {
		task, _ := game.Sheet[Task](s, s.Actor)
		r.Record(TaskResumed{Who: s.Actor, Remaining: task.Remaining()})
		return rule.Outcome{ID: "resumed"}
	},
})

// Finish holds the arguments of the move that records that a task's time has passed; there are
// none. EP-24
type Finish struct{}

var finishMove = game.Define(game.MoveSpec[Finish]{
	ID: "finish", AtTable: true, Kinds: []string{"task"},
	Outcomes: []game.OutcomeKind{{ID: "finished", Tone: game.Good}},
	Allow: func(s game.Scene, _ Finish) error {
		_, err := inState(s, "running")
		return err
	},
	Play: func(r *rule.Run, s game.Scene, _ Finish) rule.Outcome {
		task, _ := game.Sheet[Task](s, s.Actor)
		r.Record(TaskFinished{Who: s.Actor, Took: task.Lost + task.Needs})
		return rule.Outcome{ID: "finished"}
	},
})

// inState returns the acting task, or a refusal if it isn't in that state.
func inState(s game.Scene, state string) (Task, error) {
	task, ok := game.Sheet[Task](s, s.Actor)
	if !ok || task.State != state {
		return task, &game.Refusal{Rule: "EP-24", Word: "eclipse.refusal.task-state", Data: data{
			"State": game.Word("eclipse.task-state." + task.State), "Wanted": game.Word("eclipse.task-state." + state),
		}}
	}
	return task, nil
}
