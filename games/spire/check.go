package spire

import (
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Check is a throw to get something done while something is at stake.
type Check struct {
	Skill      form.Trait `json:"skill" form:"choice=compel|deceive|fight|fix|investigate|pursue|resist|sneak|steal,open"`
	Domain     form.Trait `json:"domain" form:"choice=academia|crime|commerce|high-society|low-society|occult|order|religion|technology,open"`
	Mastery    bool       `json:"mastery"`
	Helpers    int        `json:"helpers" form:"max=9,bare"`
	With       []form.Ref `json:"with" form:"max=9,table"` // SP-08: helpers at the table
	Difficulty int        `json:"difficulty" form:"max=2"`
	Partial    bool       `json:"partial"`
	Against    form.Ref   `json:"against" form:"table"`
	Assumed    int        `json:"against-difficulty" form:"max=2,table,assumed"`
	Harm       string     `json:"harm" form:"choice=|d3|d6|d8,set=die,table"`
	Risk       string     `json:"risk" form:"choice=|d3|d6|d8,set=die,table"`
	Resistance string     `json:"resistance" form:"choice=|blood|mind|silver|shadow|reputation,table"`
	Enemies    int        `json:"enemies" form:"min=1,max=20,default=1,table"`
}

// Outcomes of a check, worst first: lowering a result walks to the left.
const (
	criticalFailure = iota
	failure
	successAtCost
	success
	criticalSuccess
)

var results = []string{
	criticalFailure: "critical-failure", failure: "failure",
	successAtCost: "success-at-cost", success: "success", criticalSuccess: "critical-success",
}

var checkMove = game.Define(game.Of[Check]{
	ID: "check", Bare: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: checkOutcomes, Headlines: checkHeadlines,
	Cast:  func(_ game.Scene, a Check) []string { return castOf(a.With, a.Against) },
	Fit:   fitCheck,
	Allow: allowCheck,
	Ready: func(s game.Scene, a Check) func(*rule.Run) rule.Outcome {
		pool, difficulty := poolOf(s, a), difficultyOf(s, a)
		return func(r *rule.Run) rule.Outcome { return throw(r, pool, difficulty) }
	},
	Play: playCheck,
	Mark: func(_ Check, t rule.Thrown) []game.Mark { return markHighest(t) },
})

var (
	checkOutcomes = []game.OutcomeKind{
		{ID: "critical-success", Counts: true, Tone: game.Triumph},
		{ID: "success", Tone: game.Good},
		{ID: "success-at-cost", Tone: game.Mixed},
		{ID: "failure", Tone: game.Bad},
		{ID: "critical-failure", Tone: game.Disaster},
	}
	checkHeadlines = []game.Headline{
		{ID: "succeed", Outcomes: []string{"success-at-cost", "success", "critical-success"}},
		{ID: "no-stress", Outcomes: []string{"success", "critical-success"}},
	}
)

// poolOf counts the dice of a check. SP-01, SP-08
func poolOf(s game.Scene, a Check) int {
	hero, _ := game.Sheet[Character](s, s.Actor)
	_, skillMastery := hero.skill(a.Skill)
	_, domainMastery := hero.domain(a.Domain)
	pool := 1
	if a.Skill.Has() {
		pool++
	}
	if a.Domain.Has() {
		pool++
	}
	if a.Mastery || skillMastery || domainMastery { // SP-01: once, however many sources
		pool++
	}
	return pool + a.Helpers + len(a.With)
}

// difficultyOf is the dice taken away: the task's own and the opponent's
// skill. SP-04
func difficultyOf(s game.Scene, a Check) int {
	if npc, seen := game.Sheet[NPC](s, string(a.Against)); seen {
		return a.Difficulty + npc.Difficulty
	}
	if a.Against != "" {
		return a.Difficulty + a.Assumed
	}
	return a.Difficulty
}

// throw throws a check's dice and reads the result. n counts the tens of a
// critical success: the stress added for somebody else.
func throw(r *rule.Run, pool, difficulty int) rule.Outcome {
	type hand struct{ best, tens int }                                                                  // best is a result, from 1
	seen := rule.FoldBy(r, dice.Pool{N: max(1, pool-difficulty), Sides: 10, For: "pool"}, read, hand{}, // SP-05: one die at least
		func(h hand, result, n int) hand {
			if h.best == 0 {
				h.best = result + 1
			}
			if result == criticalSuccess {
				h.tens = n
			}
			return h
		})
	steps := max(0, 1-(pool-difficulty)) // SP-05
	result := max(criticalFailure, seen.best-1-steps)
	if result < criticalSuccess {
		return rule.Outcome{ID: results[result]}
	}
	return rule.Outcome{ID: results[result], N: seen.tens} // SP-03
}

// read tells what the highest die comes to. SP-02
func read(best int) int {
	switch {
	case best == 1:
		return criticalFailure
	case best <= 5:
		return failure
	case best <= 7:
		return successAtCost
	case best <= 9:
		return success
	}
	return criticalSuccess
}

// succeeded tells whether a result gets what was wanted. SP-02
func succeeded(result rule.Outcome) bool {
	switch result.ID {
	case "success-at-cost", "success", "critical-success":
		return true
	}
	return false
}

// costs tells whether a result brings stress. SP-02
func costs(result rule.Outcome) bool {
	switch result.ID {
	case "critical-failure", "failure", "success-at-cost":
		return true
	}
	return false
}

// playCheck is the whole of a check at the table: the throw, what it does to
// an opponent, and the stress that it brings the hero and the helpers.
func playCheck(r *rule.Run, s game.Scene, a Check) rule.Outcome {
	result := throw(r, poolOf(s, a), difficultyOf(s, a))
	r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
	follow(r, s, a, result)
	return result
}

// follow brings a check's result home: stress to the hero and the helpers,
// harm to the opponent, side by side.
func follow(r *rule.Run, s game.Scene, a Check, result rule.Outcome) {
	parts := []func(*rule.Run) suffered{func(r *rule.Run) suffered { return strike(r, s, a, result) }}
	if costs(result) {
		amount, kind := stressOf(r, s, a, result)
		for _, who := range append([]string{s.Actor}, form.IDs(a.With...)...) { // SP-08: helpers take the same
			parts = append(parts, func(r *rule.Run) suffered {
				r.By(who)
				return suffer(r, s, who, kind, amount)
			})
		}
	}
	rule.Together(r, parts...)
}

// strike brings a success down on the opponent. n of a critical success is
// stress that the action adds. SP-03
func strike(r *rule.Run, s game.Scene, a Check, result rule.Outcome) suffered {
	switch armed := a.Against != "" && a.Harm != ""; {
	case armed && succeeded(result):
		return harm(r, s, string(a.Against), r.Sum(die(a.Harm, "harm"))+result.N)
	case !armed && result.N > 0:
		r.Tell(BonusStress{Who: s.Actor, Amount: result.N})
	}
	return suffered{}
}

// allowCheck refuses a check that the rules don't allow. SP-01, SP-08, SP-26
func allowCheck(s game.Scene, a Check) error {
	if err := allowTraits(s, a); err != nil {
		return err
	}
	if a.Harm != "" {
		if err := allowHarm(s, string(a.Against)); err != nil {
			return err
		}
	}
	return allowHelpers(s, a)
}

// allowTraits refuses a skill or a domain that isn't on the sheet. SP-01
func allowTraits(s game.Scene, a Check) error {
	hero, ok := game.Sheet[Character](s, s.Actor)
	if !ok {
		return nil
	}
	if has, _ := hero.skill(a.Skill); a.Skill != "" && !has {
		return &game.Refusal{Rule: "SP-01", Word: "spire.refusal.no-skill", Data: map[string]any{"Name": traitWord("skill", a.Skill)}}
	}
	if has, _ := hero.domain(a.Domain); a.Domain != "" && !has {
		return &game.Refusal{Rule: "SP-01", Word: "spire.refusal.no-domain", Data: map[string]any{"Name": traitWord("domain", a.Domain)}}
	}
	return nil
}

// fitCheck offers the skills and domains of the sheet, the other characters
// as helpers and the NPCs as opponents.
func fitCheck(s game.Scene, f *form.Form) *form.Form {
	hero, ok := game.Sheet[Character](s, s.Actor)
	if !ok {
		return f
	}
	var skills, domains []form.Option
	for _, skill := range hero.Skills {
		skills = append(skills, traitOption("skill", skill.Name, skill.Mastery))
	}
	for _, domain := range hero.Domains {
		domains = append(domains, traitOption("domain", domain.Name, domain.Mastery))
	}
	npcs := s.Others("npc")
	if len(npcs) == 0 {
		f = f.Without("against-difficulty") // nobody's to be guessed
	}
	return f.Offering(form.Choices{
		"skill": skills, "domain": domains, "with": s.Others("character"), "against": npcs,
	})
}

// markHighest shows which dice decided: the highest one, and the tens that
// add stress. SP-02, SP-03
func markHighest(t rule.Thrown) []game.Mark {
	marks := make([]game.Mark, len(t.Faces))
	if t.For != "pool" {
		return marks
	}
	best := 0
	for i, face := range t.Faces {
		if face > t.Faces[best] {
			best = i
		}
	}
	for i, face := range t.Faces {
		if i == best || face == 10 {
			marks[i] = game.Deciding
		}
	}
	return marks
}

// NoRoll records something that happens without dice, since nothing is at
// stake. SP-07
type NoRoll struct {
	Text string `json:"text" form:"prose,required"`
}

var noRollMove = game.Define(game.Of[NoRoll]{
	ID: "no-roll", AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{{ID: "happens", Tone: game.Neutral}},
	Play: func(r *rule.Run, s game.Scene, a NoRoll) rule.Outcome { // SP-07
		r.Tell(Happened{Who: s.Actor, Text: a.Text})
		return rule.Outcome{ID: "happens"}
	},
})
