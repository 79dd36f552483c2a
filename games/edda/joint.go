package edda

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Joint holds the arguments of one task to which several heroes contribute. It has a complexity or
// an opponent. ED-09
type Joint struct {
	With    []form.Ref `json:"with" form:"of=hero,min=1,max=11,required,table"`
	Against form.Ref   `json:"against" form:"of=hero|fated,table"`
	Deed
	Complexity int `json:"complexity" form:"max=99,default=1,fixed"`
	Action
	Pool          int        `json:"pool" form:"min=-99,max=99,default=5,bare"`
	Others        form.Faces `json:"others" form:"max=11,bare"` // the pools of the others
	Opposed       bool       `json:"opposed" form:"bare"`       // there is an opponent
	AgainstPool   int        `json:"against-pool" form:"min=-99,max=99,default=5,assumed"`
	Each          int        `json:"each" form:"min=1,max=9,default=1,fixed"` // ED-04: fewer successes are a hero's own fiasco
	Effort        string     `json:"effort" form:"choice=never|fiasco|always,rare"`
	AgainstEffort string     `json:"against-effort" form:"choice=never|always,set=effort,rare,assumed"`
}

var jointMove = game.Define(acting(game.MoveSpec[Joint]{
	ID: "joint", Bare: true, AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{
		{ID: "success", Counts: true, Tone: game.Good},
		{ID: "win", Counts: true, Tone: game.Good},
		{ID: "draw", Tone: game.Mixed},
		{ID: "fiasco", Counts: true, Tone: game.Bad},
		{ID: "lose", Counts: true, Less: true, Tone: game.Bad},
		{ID: "declined", Tone: game.Neutral},
	},
	Headlines: []game.Headline{{ID: "succeed", Outcomes: []string{"success", "win"}}},
	Aims: []game.Aim{{ID: "successes", Worth: func(o rule.Outcome) int64 {
		if o.ID == "lose" {
			return -int64(o.N)
		}
		return int64(o.N)
	}}},
	Allow: func(s game.Scene, a Joint) error {
		for i, pool := range a.Others {
			if pool > maxOthers {
				return form.Problems{
					{Path: "others." + strconv.Itoa(i), Code: form.Range, Max: maxOthers, Given: strconv.Itoa(pool)},
				}
			}
		}
		if err := allowAction(s, s.Actor, a.Action); err != nil {
			return err
		}
		for _, who := range append(form.IDs(a.With...), form.IDs(a.Against)...) {
			if err := allowActing(s, who); err != nil {
				return err
			}
		}
		if a.Against != "" && (slices.Contains(a.With, a.Against) || string(a.Against) == s.Actor) {
			return &game.Refusal{
				Rule: "ED-09",
				Word: "edda.refusal.both-sides",
				Data: data{"Name": s.Cast[string(a.Against)].Name},
			}
		}
		return nil
	},
	Price: func(r *rule.Run, s game.Scene, a Joint) rule.Outcome {
		together := sum(r, s, a.parties(s), a.Each)
		if !a.hasOpponent() {
			return outcomeOf(together, a.Complexity)
		}
		theirs := a.theirs(s).toss(s)
		return cancel(together, rule.Part(r, func(r *rule.Run) int { return theirs.throw(r).hits }))
	},
	Play: playJoint,
	Strip: func(s game.Scene, a Joint) Joint {
		all, theirs := a.parties(s), a.theirs(s)
		a.Others, a.Opposed = nil, a.hasOpponent()
		for _, p := range all[1:] {
			pool, _ := p.plain(s)
			a.Others = append(a.Others, pool)
		}
		a.Pool, a.Action = all[0].plain(s)
		a.AgainstPool, _ = theirs.plain(s)
		return a
	},
}, func(a *Joint) (*Action, *string) { return &a.Action, &a.Effort }))

const (
	maxOthers  = 99 // dice of each of the others
	fiascoCost = 3  // ED-09
)

// parties returns all participants: the acting hero, then the others, whose players are asked for
// their plans.
func (a Joint) parties(s game.Scene) []party {
	all := []party{{who: s.Actor, bare: a.Pool, plan: a.Action, label: "pool", assume: a.Effort, need: a.Each}}
	for _, pool := range a.Others {
		all = append(all, party{bare: pool, label: "pool", assume: a.Effort, need: a.Each})
	}
	for _, who := range form.IDs(a.With...) {
		hero, _ := game.Sheet[Hero](s, who)
		all = append(
			all,
			party{who: who, plan: hero.usual(), asked: true, label: "pool", assume: a.Effort, need: a.Each},
		)
	}
	return all
}

// hasOpponent reports whether the work has an opponent. ED-09
func (a Joint) hasOpponent() bool { return a.Against != "" || a.Opposed }

// theirs returns the opponent. ED-09
func (a Joint) theirs(s game.Scene) party {
	return Contest{Against: a.Against, AgainstPool: a.AgainstPool, AgainstEffort: a.AgainstEffort}.theirs(s)
}

// addedSuccesses returns what one hero's successes add; after a fiasco they count minus three.
// ED-09
func addedSuccesses(hits, each int) int {
	if verdictOf(hits, each) == bad {
		return hits - fiascoCost
	}
	return hits
}

// sum returns the sum of everybody's throws, made one after the other, so that odds branch only by
// the sum so far. ED-09
func sum(r *rule.Run, s game.Scene, all []party, each int) int {
	if len(all) == 0 {
		return 0
	}
	last := len(all) - 1
	before := rule.Part(r, func(r *rule.Run) int { return sum(r, s, all[:last], each) })
	return before + rule.Part(r, func(r *rule.Run) int { return addedSuccesses(all[last].toss(s).throw(r).hits, each) })
}

// playJoint throws for everybody in parallel after all plans are made, and records the results once
// all are done. ED-01, ED-09, ED-15
func playJoint(r *rule.Run, s game.Scene, a Joint) rule.Outcome {
	s = game.Lend(r, s)
	set := staked{complexity: &a.Complexity, each: &a.Each}
	if a.hasOpponent() {
		set.complexity = nil
	}
	if !fateAgrees(r, s, s.Actor, a.Deed.Text, &a.Action, set, beside) {
		return decline(r, s)
	}
	all := a.parties(s)
	working := len(all)
	if a.hasOpponent() {
		all = append(all, a.theirs(s))
	}
	all = askPlans(r, s, a.Deed.Text, all...)
	var ends []func(*rule.Run) share
	shares := rule.Together(r, joining(s, all)...)
	together := 0
	for i, got := range shares[:working] {
		n := addedSuccesses(got.hits, a.Each)
		together += n
		r.Record(Shared{Who: all[i].who, Hits: got.hits, Added: n})
	}
	result := outcomeOf(together, a.Complexity)
	if a.hasOpponent() {
		theirs := shares[working].hits
		result = cancel(together, theirs)
		r.Record(Opposed{Who: s.Actor, Hits: max(0, together), Against: string(a.Against), AgainstHits: theirs})
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	} else {
		set.tell(r, s.Actor)
		resolve(r, s, result, a.Complexity)
	}
	var work *ruled
	switch result.ID {
	case "fiasco":
		work = fail(r, s, all[:working], shares)
	case "lose":
		work = lose(r, s, all[:working], shares, lostTo(result, "lose", string(a.Against)))
	}
	for i, got := range shares {
		how, loss := verdictOf(got.hits, a.Each), lost{drawn: result.ID == "draw", work: work}
		if loss.drawn && how == good { // ED-05: nobody wins
			how = even
		}
		if work != nil { // ED-09
			if how = even; slices.Contains(work.failed, form.Ref(all[i].who)) {
				how = bad
			}
		}
		if i == working {
			how = map[string]verdict{"win": bad, "draw": even, "lose": good}[result.ID]
			loss = lostTo(result, "win", s.Actor)
		}
		ends = append(ends, func(r *rule.Run) share {
			settle(r, s, all[i].who, got, how, loss)
			if i > 0 || result.ID != "win" { // the opponent's part may still give the winner an advantage
				r.Release(all[i].who)
			}
			return got
		})
	}
	rule.Together(r, ends...)
	return result
}

// Failure is Fate's answer about failed joint work: whether there is a condition, who gets it, and
// whose weakness failed. ED-09, ED-10, ED-18
type Failure struct {
	Write     bool       `json:"write"`
	Who       []form.Ref `json:"who" form:"max=12,for=write"`
	Condition form.Trait `json:"condition" form:"choice=fatigue,open,required,default=fatigue,for=write"`
	Kind      string     `json:"kind" form:"choice=body|mind,set=nature"`
	Size      int        `json:"size" form:"min=1,max=6,default=1"`
	Failed    []form.Ref `json:"failed" form:"max=12"`
}

var failureForm = form.Of[Failure]()

// ruled records Fate's ruling for all participants of work that failed or was lost. ED-09
type ruled struct {
	becomes    string     // "condition", "difficulty", or nothing for them
	who        []form.Ref // whom it hits
	condition  Condition
	difficulty Circumstance
	failed     []form.Ref // whose weakness has failed
}

// impose applies the ruling to a participant. ED-06, ED-10
func (w *ruled) impose(p *person) {
	if !slices.Contains(w.who, form.Ref(p.who)) {
		return
	}
	switch w.becomes {
	case "condition":
		p.record(take(p.who, p.sheet, w.condition, "fate"))
	case "difficulty":
		p.record(CircumstanceMade{Who: p.who, Sort: w.becomes, Circumstance: w.difficulty})
	}
}

// fail asks Fate one question about all whose work has failed. By default nobody gets a condition,
// and those whose weakness hindered have failed. ED-09
func fail(r *rule.Run, s game.Scene, all []party, shares []share) *ruled {
	f, everybody, failed := aboutAll(s, failureForm, all, shares)
	fate := rule.Ask(r, rule.Question[Failure]{
		ID: "edda.failure", To: game.GM, Form: f,
		Standard: Failure{Who: everybody, Condition: fatigue, Kind: "body", Size: 1, Failed: failed},
		About:    game.AboutWho{Who: s.Actor},
	})
	work := ruled{who: fate.Who, failed: fate.Failed, condition: newCondition(fate.Condition, fate.Kind, fate.Size)}
	if fate.Write {
		work.becomes = "condition"
	}
	return &work
}

// aboutAll returns a form that offers all participants, and those whose weakness hindered.
func aboutAll(s game.Scene, f *form.Form, all []party, shares []share) (fitted *form.Form, who, failed []form.Ref) {
	var there, weak []form.Option
	for i, p := range all {
		o := form.Option{Value: p.who, Text: s.Cast[p.who].Name}
		there, who = append(there, o), append(who, form.Ref(p.who))
		if shares[i].weak {
			weak, failed = append(weak, o), append(failed, form.Ref(p.who))
		}
	}
	f = f.Offering(form.Choices{"who": there, "failed": weak})
	if len(weak) == 0 {
		f = f.Without("failed")
	}
	return f, who, failed
}

// Loss is Fate's answer about joint work that was lost to an opponent: what the opponent's surplus of
// successes becomes, who gets it, and whose weakness failed. ED-05, ED-09, ED-10, ED-18
type Loss struct {
	Becomes   string     `json:"becomes" form:"choice=nothing|condition|difficulty|advantage"`
	Who       []form.Ref `json:"who" form:"max=12,for=becomes:condition|difficulty"`
	Condition form.Trait `json:"condition" form:"choice=fatigue,open,required,default=fatigue,for=becomes:condition"`
	Kind      string     `json:"kind" form:"choice=body|mind,set=nature"`
	Called    string     `json:"called" form:"text,for=becomes:difficulty|advantage"`
	Lasts     string     `json:"lasts" form:"choice=once|lasting"`
	Size      int        `json:"size" form:"min=1,max=99,default=1"`
	Failed    []form.Ref `json:"failed" form:"max=12"`
}

var lossForm = form.Of[Loss]()

// lose asks Fate one question about all who have lost. By default nothing becomes of the surplus,
// and those whose weakness hindered have failed. ED-05, ED-09
func lose(r *rule.Run, s game.Scene, all []party, shares []share, lost lost) *ruled {
	f, everybody, failed := aboutAll(s, lossForm, all, shares)
	fate := rule.Ask(r, rule.Question[Loss]{
		ID: "edda.loss", To: game.GM, Form: f,
		Standard: Loss{
			Becomes: "nothing", Who: everybody, Condition: fatigue, Kind: "body", Lasts: "once",
			Size: min(lost.by, largest), Failed: failed,
		},
		About: AboutLost{Who: s.Actor, By: lost.to, N: lost.by},
		Check: func(l Loss) error { return Yield{Becomes: l.Becomes, Called: l.Called}.check() },
	})
	made := Circumstance{Name: fate.Called, Size: fate.Size, Lasts: fate.Lasts}
	if fate.Becomes == "advantage" {
		r.Record(CircumstanceMade{Who: lost.to, Sort: fate.Becomes, Circumstance: made})
	}
	return &ruled{
		becomes: fate.Becomes, who: fate.Who, failed: fate.Failed, difficulty: made,
		condition: newCondition(fate.Condition, fate.Kind, fate.Size),
	}
}
