package spire

import (
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Check holds the arguments of a check: a roll with something at stake.
type Check struct {
	Skill      form.Trait `json:"skill" form:"choice=compel|deceive|fight|fix|investigate|pursue|resist|sneak|steal,open,at=skills.name"`
	Domain     form.Trait `json:"domain" form:"choice=academia|crime|commerce|high-society|low-society|occult|order|religion|technology,open,at=domains.name"`
	Mastery    bool       `json:"mastery"`
	Hindered   []form.Ref `json:"hindered" form:"max=50,table"` // SP-31: places of carried fallouts that count
	Helpers    int        `json:"helpers" form:"max=9,bare"`
	With       []form.Ref `json:"with" form:"max=9,table,rare"` // SP-08: helpers at the table
	Difficulty int        `json:"difficulty" form:"max=2"`
	Partial    bool       `json:"partial" form:"rare"`
	Against    form.Ref   `json:"against" form:"table,rare"`
	Assumed    int        `json:"against-difficulty" form:"max=2,table,rare,assumed"`
	Harm       string     `json:"harm" form:"choice=|d3|d6|d8,set=die,table,rare,at=gear.die"`
	Risk       string     `json:"risk" form:"choice=|d3|d6|d8,set=die,table,rare"`
	Resistance string     `json:"resistance" form:"choice=|blood|mind|silver|shadow|reputation,table,rare"` // or a bond's place: SP-27
	Enemies    int        `json:"enemies" form:"min=1,max=20,default=1,table,rare"`
	Means      string     `json:"means" form:"text,table,rare"` // SP-08: what NPCs help with
}

// Outcomes of a check, worst first: a step down in the result is a step to the left.
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

var checkMove = game.Define(game.MoveSpec[Check]{
	ID: "check", Bare: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: checkOutcomes, Headlines: checkHeadlines,
	Fit:   fitCheck,
	Allow: allowCheck,
	Ready: func(s game.Scene, a Check) func(*rule.Run) rule.Outcome {
		pool, difficulty := poolOf(s, a), difficultyOf(s, a)
		return func(r *rule.Run) rule.Outcome { return throw(r, pool, difficulty) }
	},
	Play: func(r *rule.Run, s game.Scene, a Check) rule.Outcome {
		before := s
		s = game.Lend(r, s)
		a = settleStakes(r, s, a)
		result := attempt(r, before, s, a)
		follow(r, s, a, result)
		return result
	},
	Mark:  func(_ Check, t rule.Throw) []game.Mark { return markHighest(t) },
	Strip: stripCheck,
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

// poolOf returns the number of dice of a check. SP-01, SP-08
func poolOf(s game.Scene, a Check) int {
	hero, seen := game.Sheet[Character](s, s.Actor)
	skill, skillMastery := hero.skill(a.Skill)
	domain, domainMastery := hero.domain(a.Domain)
	pool := 1
	if skill || !seen && a.Skill.Has() {
		pool++
	}
	if domain || !seen && a.Domain.Has() {
		pool++
	}
	if a.Mastery || skillMastery || domainMastery { // SP-01: counts once, from any number of sources
		pool++
	}
	return pool + a.Helpers + len(a.With)
}

// stripCheck copies what is on sheets into the check's own fields: the value of skills and domains,
// the helpers, and what makes it harder. SP-01, SP-04, SP-08, SP-31
func stripCheck(s game.Scene, a Check) Check {
	a.Helpers += len(a.With)
	a.Difficulty = difficultyOf(s, a)
	if hero, seen := game.Sheet[Character](s, s.Actor); seen {
		skill, skillMastery := hero.skill(a.Skill)
		domain, domainMastery := hero.domain(a.Domain)
		if !skill {
			a.Skill = ""
		}
		if !domain {
			a.Domain = ""
		}
		a.Mastery = a.Mastery || skillMastery || domainMastery
	}
	return a
}

// difficultyOf returns the number of dice to subtract: the task's own difficulty, the opponent's
// skill and the fallouts that make it harder, at most the table's maximum. SP-04, SP-31
func difficultyOf(s game.Scene, a Check) int {
	difficulty, most := a.Difficulty+len(a.Hindered), standard.Difficulty
	if rules, ok := s.Settings.(Settings); ok {
		most = rules.Difficulty
	}
	if npc, seen := game.Sheet[NPC](s, string(a.Against)); seen {
		difficulty += npc.Difficulty
	} else if a.Against != "" && s.Cast[string(a.Against)].Kind != "character" { // a hero's skills aren't a difficulty
		difficulty += a.Assumed
	}
	return min(difficulty, most)
}

// throw rolls a check's dice and returns the result. n counts the tens of a critical success: the
// stress added for somebody else.
func throw(r *rule.Run, pool, difficulty int) rule.Outcome {
	type hand struct{ best, tens int } // best is the result of the highest die, from 1
	seen := rule.FoldBy(
		r,
		dice.Pool{N: max(1, pool-difficulty), Sides: 10, For: "pool"},
		read,
		hand{}, // SP-05: at least one die
		func(h hand, result, n int) hand {
			if h.best == 0 {
				h.best = result + 1
			}
			if result == criticalSuccess {
				h.tens = n
			}
			return h
		},
	)
	steps := max(0, 1-(pool-difficulty)) // SP-05
	result := max(criticalFailure, seen.best-1-steps)
	if result < criticalSuccess {
		return rule.Outcome{ID: results[result]}
	}
	return rule.Outcome{ID: results[result], N: seen.tens} // SP-03
}

// read returns the result for the highest die. SP-02
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

// isSuccess reports whether a result achieves the goal. SP-02
func isSuccess(result rule.Outcome) bool {
	switch result.ID {
	case "success-at-cost", "success", "critical-success":
		return true
	}
	return false
}

// costs reports whether a result causes stress. SP-02
func costs(result rule.Outcome) bool {
	switch result.ID {
	case "critical-failure", "failure", "success-at-cost":
		return true
	}
	return false
}

// attempt rolls for the actor and records the result, and which fallouts made it harder: those that
// were named before the check and weren't healed since. SP-21, SP-31
func attempt(r *rule.Run, before, s game.Scene, a Check) rule.Outcome {
	named, hindered := a.Hindered, Hindered{Who: s.Actor}
	a.Hindered = nil
	for _, place := range form.IDs(named...) {
		at, f, ok := carriedStill(before, s, s.Actor+":"+place)
		if now := form.Ref(at.String()); ok && !containsRef(a.Hindered, now) {
			a.Hindered = append(a.Hindered, now)
			hindered.Fallouts = append(hindered.Fallouts, f)
		}
	}
	if len(a.Hindered) > 0 {
		r.Record(hindered)
	}
	return game.RecordOutcome(r, s, throw(r, poolOf(s, a), difficultyOf(s, a)))
}

// follow applies a check's result in parallel parts: harm to the opponent, and stress to the hero
// and the helpers.
func follow(r *rule.Run, s game.Scene, a Check, result rule.Outcome) {
	rule.Together(r,
		func(r *rule.Run) suffered { return strike(r, game.Lend(r, s), a, result, result.N) },
		func(r *rule.Run) suffered { return cost(r, game.Lend(r, s), a, result) },
	)
}

// cost applies a result's stress to the hero and the helpers. SP-08: helpers take the same.
func cost(r *rule.Run, s game.Scene, a Check, result rule.Outcome) suffered {
	if !costs(result) {
		r.Release(append(form.IDs(a.With...), s.Actor)...)
		return suffered{}
	}
	return costAt(r, s, a, result, Risk{a.Risk, a.Resistance}.ask(r, s, a, s.Actor))
}

// costAt is cost of a result with stress, whose risk is known.
func costAt(r *rule.Run, s game.Scene, a Check, result rule.Outcome, risk Risk) suffered {
	amount := stressOf(r, a, result, risk)
	var parts []func(*rule.Run) suffered
	for _, who := range append([]string{s.Actor}, form.IDs(a.With...)...) {
		parts = append(parts, func(r *rule.Run) suffered {
			r.SetRoller(who)
			share(r, game.Lend(r, s), who, risk.Resistance, amount)
			r.Release(who)
			return suffered{}
		})
	}
	rule.Together(r, parts...)
	return suffered{}
}

// share applies a helper's stress: to an NPC's own track, or to a hero or the hero's bond where the
// GM says. SP-08, SP-27
func share(r *rule.Run, s game.Scene, who, place string, amount int) {
	if _, ok := game.Sheet[NPC](s, who); ok {
		harm(r, s, NPCHarmed{Who: who, Amount: amount, Helped: true})
		return
	}
	if _, bond := bondAt(place); bond && who != s.Actor {
		place = askPlace(r, s, who, amount)
	}
	suffer(r, s, who, place, amount)
}

// strike applies a success to the opponent: the die of harm, and the stress that tens add. An
// action without a die of harm inflicts nothing; the stress that tens would add is offered to the
// GM, who may mark it. SP-03
func strike(r *rule.Run, s game.Scene, a Check, result rule.Outcome, tens int) suffered {
	who := string(a.Against)
	switch {
	case a.Harm != "" && isSuccess(result):
		inflict(r, s, who, r.Sum(die(a.Harm, "harm"))+tens)
	case tens > 0:
		r.Record(BonusStress{Who: s.Actor, Amount: tens})
		whom := a.Against
		if allowHarm(s, who) != nil { // it has left the conflict
			whom = ""
		}
		game.Offer(r, game.GM, "bonus", "", Bonus{Amount: tens, Whom: whom})
	}
	r.Release(who) // the hero's stress can't affect it
	return suffered{}
}

// inflict marks stress on somebody else: on an NPC's one track, or on another hero where the GM
// says. SP-03
func inflict(r *rule.Run, s game.Scene, who string, amount int) {
	if _, hero := game.Sheet[Character](s, who); hero {
		r.SetRoller(who)
		suffer(r, s, who, askPlace(r, s, who, amount), amount)
		return
	}
	harm(r, s, NPCHarmed{Who: who, Amount: amount})
}

// Bonus holds the arguments of the move that marks the stress added by tens if there is no target
// yet. SP-03
type Bonus struct {
	Amount int      `json:"amount" form:"min=1,max=99,default=1,said"`
	Whom   form.Ref `json:"whom" form:"of=npc|character"`
}

// Whom is the GM's answer: the target of bonus stress. SP-03
type Whom struct {
	Whom form.Ref `json:"whom" form:"of=npc|character,required"`
}

// bonusMove marks bonus stress. A critical success offers it. SP-03
var bonusMove = game.Define(game.MoveSpec[Bonus]{
	ID: "bonus", GMOnly: true, AtTable: true, ByOffer: true, Throws: true,
	Outcomes: []game.OutcomeKind{{ID: "stress", Counts: true, Tone: game.Good}},
	Joins:    map[string]any{"spire.bonus": Whom{}},
	Allow:    func(s game.Scene, a Bonus) error { return allowHarm(s, string(a.Whom)) },
	Play: func(r *rule.Run, s game.Scene, a Bonus) rule.Outcome {
		if a.Whom == "" {
			var said Whom
			said, s = game.Name(r, s, rule.Question[Whom]{
				ID: "spire.bonus", To: game.GM, Free: true, About: AboutBonus{Amount: a.Amount},
			})
			a.Whom = said.Whom
		}
		inflict(r, game.Lend(r, s), string(a.Whom), a.Amount)
		return rule.Outcome{ID: "stress", N: a.Amount}
	},
})

// allowCheck refuses a check that the rules forbid. SP-01, SP-03, SP-08, SP-26, SP-31
func allowCheck(s game.Scene, a Check) error {
	if err := allowTraits(s, a); err != nil {
		return err
	}
	if a.Harm != "" {
		if a.Against == "" {
			return game.Refuse("SP-03", "spire.refusal.harm-whom")
		}
		if err := allowHarm(s, string(a.Against)); err != nil {
			return err
		}
	}
	if hero, ok := game.Sheet[Character](s, s.Actor); ok {
		if err := hero.allowHindered(a.Hindered); err != nil {
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
	if has, mastery := hero.skill(a.Skill); a.Skill != "" && !has && !mastery {
		return &game.Refusal{
			Rule: "SP-01",
			Word: "spire.refusal.no-skill",
			Data: map[string]any{"Name": traitWord("skill", a.Skill)},
		}
	}
	if has, mastery := hero.domain(a.Domain); a.Domain != "" && !has && !mastery {
		return &game.Refusal{
			Rule: "SP-01",
			Word: "spire.refusal.no-domain",
			Data: map[string]any{"Name": traitWord("domain", a.Domain)},
		}
	}
	return nil
}

// fitCheck sets the choices of a check's form: the sheet's skills, domains and bonds, the fallouts
// that may make it harder, the others as helpers and the NPCs as opponents.
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
	// SP-11: the GM sees the weapon's die, which fills in the danger; players don't see an NPC's
	// sheet
	for i, o := range npcs {
		if npc, ok := game.Sheet[NPC](s, o.Value); ok && s.Ruled.All {
			npcs[i].Worth = "spire.die." + npc.Die
			npcs[i].Fill = form.Fill{Field: "risk", Value: npc.Die}
		}
	}
	if len(npcs) == 0 {
		f = f.Without("against-difficulty") // players mustn't have to guess it
	}
	choices := form.Choices{
		"skill": skills, "domain": domains, "with": s.Others("character", "npc"),
		"against":    append(npcs, s.Others("character")...),
		"resistance": append([]form.Option{{}}, places(hero)...), "hindered": hero.hindrances(),
	}
	return f.Offering(choices)
}

// markHighest marks the dice that decided: the highest one, and the tens that add stress. SP-02,
// SP-03
func markHighest(t rule.Throw) []game.Mark {
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

// NoRoll holds the arguments of the move that records something that happens without dice, since
// nothing is at stake. SP-07
type NoRoll struct {
	Text string `json:"text" form:"prose,required"`
}

var noRollMove = game.Define(game.MoveSpec[NoRoll]{
	ID: "no-roll", AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{{ID: "happens", Tone: game.Neutral}},
	Play: func(r *rule.Run, s game.Scene, a NoRoll) rule.Outcome { // SP-07
		r.Record(Happened{Who: s.Actor, Text: a.Text})
		return rule.Outcome{ID: "happens"}
	},
})
