package godbound

import (
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Heal holds the arguments of healing by magic: by a gift or a miracle of the healer's, at its
// usual cost. GB-20
type Heal struct {
	Patient form.Ref `json:"patient" form:"required"`
	Points  int      `json:"points" form:"min=1,max=500"`
	By      string   `json:"by" form:"choice"` // "gift:0", "word:1", "own" for a foe; "" without Effort
	Until   string   `json:"until" form:"choice=day|scene|sustained"`
	Fight   form.Ref `json:"fight"`
}

var healMove = game.Define(game.MoveSpec[Heal]{
	ID: "heal", AtTable: true, Kinds: people, Outcomes: healed,
	Instant: func(game.Scene, Heal) bool { return true }, // GB-02: between two blows, too
	Cast: func(s game.Scene, a Heal) []string {
		return refs([]form.Ref{a.Patient, fightOf(s, a.Fight)})
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		self := s.Cast[s.Actor]
		var by []form.Option
		var bound []string // what is bound indefinitely
		switch sheet := self.Sheet.(type) {
		case Hero:
			words := sheet.wordOptions()
			for _, o := range words {
				bound = append(bound, o.Value)
			}
			by = append(sheet.giftOptions(func(Gift) bool { return true }), words...)
		case Foe:
			bound = []string{"own"}
			by = append(by, form.Option{Value: "own"})
		}
		f = f.Beside("until", "by", bound...)
		by = append(by, form.Option{Value: ""})
		f = f.With("patient", append(afoot(s, people...), form.Option{Value: self.ID, Text: self.Name})...)
		return fitFight(s, f.With("by", by...).Default("by", firstOf(by)))
	},
	Allow: func(s game.Scene, a Heal) error { return a.allow(s) },
	Play:  playHeal,
})

// allow refuses healing that isn't possible now. GB-16, GB-18, GB-20
func (a Heal) allow(s game.Scene) error {
	if err := awake(s); err != nil {
		return err
	}
	who := string(a.Patient)
	if err := alive(s, who); err != nil {
		return err
	}
	lost, healed := hurtOf(s.Cast[who].Sheet)
	switch { // GB-20
	case lost == 0:
		return game.Refuse("GB-20", "godbound.refusal.unhurt", "Name", name(s, who))
	case effortOf(s.Cast[who].Sheet).Total == 0 && healed:
		return game.Refuse("GB-20", "godbound.refusal.healed", "Name", name(s, who))
	}
	_, timing, free := a.cost(s)
	if !free {
		if err := mayCommit(s); err != nil {
			return err
		}
	}
	return mayWork(s, a.Fight, timing)
}

// cost returns what healing costs the healer: the gift's price, or that of a miracle. GB-18, GB-20
func (a Heal) cost(s game.Scene) (cost Commitment, timing string, free bool) {
	kind, place, _ := strings.Cut(a.By, ":")
	at, _ := strconv.Atoi(place)
	hero, _ := game.Sheet[Hero](s, s.Actor)
	switch {
	case kind == "gift" && at < len(hero.Gifts):
		g := hero.Gifts[at]
		cost, free = g.price(hero.Effort)
		return cost, g.Action, free
	case kind == "word" && at < len(hero.Words): // GB-03: it doesn't attack, so it's instant
		return Commitment{For: hero.Words[at].Name, Purpose: "miracle", Until: a.Until}, "instant", false
	case kind == "own":
		return Commitment{Purpose: "gift", Until: a.Until}, "instant", false
	}
	return Commitment{}, "instant", true
}

// Accept is the answer whether to accept healing at the price of Effort. GB-20
type Accept struct {
	Accept bool `json:"accept" form:"default=true"`
}

// Waive is the GM's answer whether to waive the price of healing. GB-20
type Waive struct {
	Waive bool `json:"waive"`
}

// price asks whether the patient's Effort is bound for the healing: the patient beforehand and, if
// the table's settings say so, the GM, both at once. Those who heal themselves aren't asked, nor is
// the GM when one of the GM's characters heals another. needed is the number of points of the
// patient's Effort, including the price. GB-20
func (a Heal) price(c cast, needed int) (accepted, waived bool) {
	who, setting := string(a.Patient), c.s.Settings.(Settings).HealingEffort
	effort, foe := c.effort(who)
	if effort.Total == 0 || setting == "free" {
		return true, true
	}
	own := who == c.s.Actor || foe && c.s.Cast[c.s.Actor].Kind == "foe"
	asked := !own && (setting == "ask" || effort.Free() >= needed)
	accept := func(c cast) bool {
		return !asked || rule.AskAnew(c.r, func() rule.Question[Accept] {
			return rule.Question[Accept]{ID: "godbound.accept", To: who, Standard: Accept{true}, About: a.about(c)}
		}).Accept
	}
	if setting != "ask" {
		return accept(c), false
	}
	said := rule.Together(c.r,
		func(r *rule.Run) bool { return accept(a.lent(c.part(r))) },
		func(r *rule.Run) bool {
			c := a.lent(c.part(r))
			return rule.AskAnew(r, func() rule.Question[Waive] {
				return rule.Question[Waive]{ID: "godbound.waive", To: game.GM, About: a.about(c)}
			}).Waive
		})
	return said[0], said[1]
}

// about returns the subject of the questions about the price.
func (a Heal) about(c cast) AboutHealing {
	effort, _ := c.effort(string(a.Patient))
	return AboutHealing{Healer: c.s.Actor, Who: string(a.Patient), Points: a.Points, Free: effort.Free()}
}

// lent returns a cast that lends the patient alone if healing takes the healer's action: it's agreed
// first and taken then, so the healer does nothing else in between. GB-02
func (a Heal) lent(c cast) cast {
	if _, timing, _ := a.cost(c.s); timing == "action" && string(a.Patient) != c.s.Actor {
		c.r.Lend(c.take, string(a.Patient))
	}
	return c
}

// playHeal heals once its price is agreed; if it isn't paid, nothing is. GB-20
func playHeal(r *rule.Run, s game.Scene, a Heal) rule.Outcome {
	c, who := a.lent(on(r, s)), string(a.Patient)
	_, timing, free := a.cost(s)
	if timing != "action" { // GB-02: it uses nothing of the round
		r.Release(string(fightOf(s, a.Fight)))
	}
	needed := 1 // points of the patient's Effort
	if !free && who == s.Actor {
		needed++
	}
	accepted, waived := a.price(c, needed)
	effort, foe := c.effort(who) // what is left of it now
	own, _ := c.effort(s.Actor)
	cost, _, free := a.cost(c.now())
	if needed = 1; !free && who == s.Actor {
		needed++
	}
	if waived {
		needed--
	}
	switch {
	case !accepted:
		return game.RecordOutcome(r, s, rule.Outcome{ID: "declined"})
	case effort.Total > 0 && effort.Free() < needed, !free && c.sheets[s.Actor] != nil && own.Free() == 0:
		return game.RecordOutcome(r, s, rule.Outcome{ID: "no-effort"})
	case a.allow(c.now()) != nil: // GB-02: somebody died or was healed meanwhile
		return game.RecordOutcome(r, s, rule.Outcome{ID: "too-late"})
	}
	c.spend(a.Fight, takes{action: timing == "action"})
	if !free {
		c.commit(s.Actor, cost)
	}
	if !waived {
		c.commit(who, Commitment{Purpose: "healing", Until: "day"})
	}
	lost, _ := hurtOf(c.sheets[who])
	n := min(a.Points, lost)
	c.tell(Mended{Who: who, Points: n, Why: "magic", Foe: foe, Once: effort.Total == 0})
	return rule.Outcome{ID: "healed", N: n}
}

// hurtOf returns what a sheet has lost, and whether it was healed today.
func hurtOf(sheet any) (lost int, healed bool) {
	switch sheet := sheet.(type) {
	case Hero:
		return sheet.HP - sheet.RemainingHP(), sheet.Healed
	case Foe:
		return sheet.Lost, sheet.Healed
	}
	return 0, false
}
