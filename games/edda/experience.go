package edda

import (
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// learn applies the effect of a weakness that hindered: on success one more mark, on a fiasco
// experience equal to the marks, which are then removed except the first. ED-18
func (p *person) learn(how verdict) {
	marks := p.hero().marks()
	switch {
	case how == good && marks < maxMarks:
		p.record(WeaknessMarked{Who: p.who, Now: marks + 1})
	case how == bad:
		p.gain(marks, "weakness")
		if marks > 1 {
			p.record(WeaknessWiped{Who: p.who, From: marks})
		}
	}
}

// gain adds experience. Any beyond twenty is lost, which is recorded. ED-20
func (p *person) gain(amount int, why string) {
	have := p.hero().Experience
	kept := min(amount, max(0, maxExperience-have))
	p.record(ExperienceGained{Who: p.who, Amount: kept, Lost: amount - kept, Now: have + kept, Why: why})
}

// Spend holds the arguments of the move that spends experience. ED-19
type Spend struct {
	On       string `json:"on" form:"choice=step|restore|reword-strength|reword-weakness"`
	Strength string `json:"strength" form:"choice"` // its index
	Words    string `json:"words" form:"text"`      // for a new wording
}

var spendMove = game.Define(game.MoveSpec[Spend]{
	ID: "spend", AtTable: true, Kinds: []string{"hero"},
	Instant:  func(game.Scene, Spend) bool { return true }, // ED-19, ED-23
	Outcomes: []game.OutcomeKind{{ID: "spent", Counts: true, Tone: game.Good}, {ID: "declined", Tone: game.Neutral}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		options := []form.Option{{}}
		for i, strength := range hero.Strengths {
			o := signedOption(strconv.Itoa(i), strength.Name, strength.Steps)
			if strength.Faded {
				o.Word = "edda.sheet.faded"
			}
			options = append(options, o)
		}
		return f.With("strength", options...)
	},
	Allow: func(s game.Scene, a Spend) error {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		if err := allowThere(s, s.Actor); err != nil { // ED-23: too late
			return err
		}
		return a.allow(hero)
	},
	Play: playSpend,
})

// price returns the cost of what the experience buys. ED-19
func (a Spend) price() int {
	if a.On == "step" {
		return 10
	}
	return 5
}

// allow refuses what the hero can't buy. ED-19
func (a Spend) allow(h Hero) error {
	if h.Experience < a.price() {
		return &game.Refusal{
			Rule: "ED-19",
			Word: "edda.refusal.experience",
			Data: map[string]any{"N": a.price(), "Have": h.Experience},
		}
	}
	if a.Words == "" && (a.On == "reword-strength" || a.On == "reword-weakness") {
		return game.Refuse("ED-19", "edda.refusal.no-words")
	}
	if a.On == "reword-weakness" {
		return nil
	}
	chosen := pick(h.Strengths, []form.Ref{form.Ref(a.Strength)})
	switch {
	case len(chosen) == 0:
		return game.Refuse("ED-19", "edda.refusal.which-strength")
	case a.On == "step" && chosen[0].Steps >= maxSteps:
		return refuseMost("ED-19", "edda.refusal.steps", maxSteps)
	case a.On == "restore" && !chosen[0].Faded:
		return &game.Refusal{
			Rule: "ED-19",
			Word: "edda.refusal.not-faded",
			Data: map[string]any{"Strength": chosen[0].Name},
		}
	}
	return nil
}

// playSpend pays last: a new wording needs Fate's permission, and costs nothing without it. ED-19
func playSpend(r *rule.Run, s game.Scene, a Spend) rule.Outcome {
	now := personOf(r, s.Actor, s.Cast[s.Actor].Sheet)
	hero := now.hero()
	at, _ := strconv.Atoi(a.Strength)
	old := hero.Weakness.Text
	if a.On != "reword-weakness" {
		old = hero.Strengths[at].Name
	}
	if a.On == "reword-strength" || a.On == "reword-weakness" {
		leave := rule.Ask(r, rule.Question[Consent]{
			ID: "edda.reword", To: game.GM, Standard: Consent{Agree: true},
			About: AboutWords{Who: s.Actor, From: old, To: a.Words},
		})
		if !leave.Agree {
			r.Record(Declined{Who: s.Actor, What: "words"})
			return decline(r, s)
		}
		if hero = now.hero(); a.allow(hero) != nil { // spent meanwhile
			return decline(r, s)
		}
	}
	result := rule.Outcome{ID: "spent", N: a.price()}
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	r.Record(ExperienceSpent{Who: s.Actor, Amount: result.N, Now: hero.Experience - result.N})
	switch a.On {
	case "step":
		r.Record(StepGained{Who: s.Actor, At: at, Strength: old, Now: hero.Strengths[at].Steps + 1})
	case "restore":
		r.Record(StrengthRestored{Who: s.Actor, At: at, Strength: old})
	case "reword-strength":
		r.Record(StrengthReworded{Who: s.Actor, At: at, From: old, To: a.Words})
	case "reword-weakness":
		r.Record(WeaknessReworded{Who: s.Actor, From: old, To: a.Words})
	}
	return result
}
