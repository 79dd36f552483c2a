package edda

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Remember holds the arguments of the move that writes down an event that changed the hero. ED-14
type Remember struct {
	Memory string `json:"memory" form:"prose,max=500,required"`
}

var rememberMove = game.Define(game.MoveSpec[Remember]{
	ID: "remember", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "remembered", Tone: game.Neutral}},
	Allow: func(s game.Scene, _ Remember) error {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		if err := allowThere(s, s.Actor); err != nil {
			return err
		}
		if len(hero.Memories) >= maxMemories { // ED-14
			return refuseMost("ED-14", "edda.refusal.memories", maxMemories)
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Remember) rule.Outcome { // ED-14
		r.Record(MemoryWritten{Who: s.Actor, Memory: a.Memory})
		return game.RecordOutcome(r, s, rule.Outcome{ID: "remembered"})
	},
})

// Rethink holds the arguments of the move that rethinks a memory without calls left. ED-16
type Rethink struct {
	Memory string `json:"memory" form:"choice,required,at=memories"` // its index
}

var rethinkMove = game.Define(game.MoveSpec[Rethink]{
	ID: "rethink", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "rethought", Tone: game.Good}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		options := game.EachAt(hero.Memories, func(i int, m Memory) form.Option { return form.OptionAt(i, m.Text) })
		return f.With("memory", options...)
	},
	Allow: func(s game.Scene, a Rethink) error {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		if err := allowThere(s, s.Actor); err != nil {
			return err
		}
		for _, m := range pick(hero.Memories, []form.Ref{form.Ref(a.Memory)}) {
			if m.Calls < maxCalls { // ED-16
				return refuseMost("ED-16", "edda.refusal.too-early", maxCalls)
			}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Rethink) rule.Outcome {
		personOf(r, s.Actor, s.Cast[s.Actor].Sheet).rethinkMemory(a.Memory)
		return game.RecordOutcome(r, s, rule.Outcome{ID: "rethought"})
	},
})

// Rethought is the player's answer what a memory becomes: experience, or a strength without steps.
// ED-16
type Rethought struct {
	Take string `json:"take" form:"choice=experience|strength"`
	Name string `json:"name" form:"text,for=take:strength"`
}

// insight is the experience for a rethought memory. ED-16
const insight = 5

// rethinkMemory rethinks the memory at a place once it has five calls: it's erased for experience
// or, if Fate agrees, for a new strength. Until Fate agrees nothing changes and the player can
// choose again. ED-16
func (p *person) rethinkMemory(place string) {
	at, _ := strconv.Atoi(place)
	memories := p.hero().Memories
	if at < 0 || at >= len(memories) || memories[at].Calls < maxCalls {
		return
	}
	memory := memories[at].Text
	for {
		choice := rule.AskAnew(p.r, func() rule.Question[Rethought] {
			return rule.Question[Rethought]{
				ID: "edda.rethink", To: p.who, Standard: Rethought{Take: "experience"},
				About: AboutMemory{Who: p.who, Memory: memory, Have: p.hero().Experience},
				Check: func(c Rethought) error { return p.hero().checkRethought(c) },
			}
		})
		if choice.Take != "strength" {
			p.record(MemoryErased{Who: p.who, At: at, Memory: memory})
			p.gain(insight, "memory")
			return
		}
		leave := rule.Ask(p.r, rule.Question[Consent]{
			ID: "edda.new-strength", To: game.GM,
			About: AboutStrength{Who: p.who, Memory: memory, Strength: choice.Name},
		})
		if leave.Agree {
			p.record(MemoryErased{Who: p.who, At: at, Memory: memory})
			p.record(StrengthWritten{Who: p.who, Strength: choice.Name})
			return
		}
		p.r.Record(Declined{Who: p.who, What: "strength"})
	}
}

// Restored is the answer which faded strength a hero restores who would otherwise leave the world;
// "" for none. ED-23
type Restored struct {
	Strength string `json:"strength" form:"choice,set=restored"`
}

// linger plays what a hero may still do whose strengths have all faded: rethink memories that are
// due, then restore a strength with experience. ED-23
func (p *person) linger() {
	for p.hero().Oblivion() {
		due := slices.IndexFunc(p.hero().Memories, func(m Memory) bool { return m.Calls >= maxCalls })
		if due < 0 {
			break
		}
		p.rethinkMemory(strconv.Itoa(due))
	}
	cost := Spend{On: "restore"}.price()
	if !p.hero().Oblivion() || p.hero().Experience < cost { // ED-19
		return
	}
	chosen := rule.AskAnew(p.r, func() rule.Question[Restored] {
		h, best, options := p.hero(), 0, []form.Option{{}}
		for i, s := range h.Strengths {
			options = append(options, signedOption(strconv.Itoa(i), s.Name, s.Steps))
			if s.Steps > h.Strengths[best].Steps {
				best = i
			}
		}
		return rule.Question[Restored]{
			ID: "edda.restore", To: p.who, Form: form.Of[Restored]().With("strength", options...),
			Standard: Restored{Strength: strconv.Itoa(best)},
			About:    AboutLast{Who: p.who, Cost: cost, Have: h.Experience},
		}
	})
	h := p.hero()
	at, err := strconv.Atoi(chosen.Strength)
	if err != nil || !h.Oblivion() || h.Experience < cost { // restored meanwhile
		return
	}
	p.record(ExperienceSpent{Who: p.who, Amount: cost, Now: h.Experience - cost})
	p.record(StrengthRestored{Who: p.who, At: at, Strength: h.Strengths[at].Name})
}

// checkRethought refuses a strength without a name, and a thirteenth one. ED-16, ED-17
func (h Hero) checkRethought(c Rethought) error {
	switch {
	case c.Take != "strength":
		return nil
	case len(h.Strengths) >= maxStrengths: // ED-17
		return refuseMost("ED-17", "edda.refusal.strengths", maxStrengths)
	case c.Name == "":
		return game.Refuse("ED-16", "edda.refusal.no-name")
	}
	return nil
}
