package godbound

import (
	"strconv"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Attack is a blow at one target. GB-09
type Attack struct {
	Target   form.Ref   `json:"target" form:"required,table"`
	Weapon   string     `json:"weapon" form:"choice,table"`  // its place on the sheet; "" for bare hands
	Bonus    int        `json:"bonus" form:"min=-30,max=40"` // at the table on top of the sheet's
	Modifier int        `json:"modifier" form:"min=-20,max=30,bare"`
	AC       int        `json:"ac" form:"min=-20,max=20,default=9,assumed"`
	Reach    []form.Ref `json:"reach" form:"max=30,table"` // GB-12
	Fight    form.Ref   `json:"fight" form:"table"`
}

var (
	strikes = []game.OutcomeKind{
		{ID: "hit", Tone: game.Good},
		{ID: "miss", Tone: game.Bad},
	}
	strikesHeadlines = []game.Headline{{ID: "hit", Outcomes: []string{"hit"}}}
)

var attackMove = game.Define(game.Of[Attack]{
	ID: "attack", Bare: true, AtTable: true, Kinds: []string{"hero"},
	Outcomes: strikes, Headlines: strikesHeadlines,
	Cast: func(_ game.Scene, a Attack) []string { return refs([]form.Ref{a.Target}, a.Reach, []form.Ref{a.Fight}) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		weapons := []form.Option{}
		for i, w := range hero.Weapons {
			weapons = append(weapons, form.Option{Value: strconv.Itoa(i), Text: w.Name})
		}
		f = f.With("weapon", append(weapons, form.Option{Value: ""})...).Default("weapon", firstOf(weapons))
		return fitFight(s, f.With("target", afoot(s, "foe")...).With("reach", afoot(s, "foe")...))
	},
	Allow: func(s game.Scene, a Attack) error {
		if s.Actor == "" {
			return nil
		}
		if err := awake(s); err != nil {
			return err
		}
		if err := alive(s, string(a.Target)); err != nil {
			return err
		}
		return mayAct(s, a.Fight, takes{action: true})
	},
	Price: func(r *rule.Run, s game.Scene, a Attack) rule.Outcome { return a.throw(r, s) },
	Play: func(r *rule.Run, s game.Scene, a Attack) rule.Outcome {
		c := on(r, s)
		result := a.throw(r, s)
		r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
		c.spend(a.Fight, takes{action: true})
		if result.ID == "hit" {
			weapon := a.weapon(s)
			points := c.roll(weapon.blow(s), s.Actor, s.Actor)
			c.pour(points, string(a.Target), refs(a.Reach), weapon.Melee) // GB-12: in melee
		}
		return result
	},
	Mark: func(_ Attack, t rule.Thrown) []game.Mark {
		if t.For == "attack" {
			return deciding(t)
		}
		return make([]game.Mark, len(t.Faces))
	},
	Sources: func(s game.Scene, a Attack) []game.Source { return a.sources(s) },
})

// throw is the attack roll: the bonus, the modifier and the target's AC, which
// descends, make 20 together with the die. GB-09
func (a Attack) throw(r *rule.Run, s game.Scene) rule.Outcome {
	bonus, modifying, ac := a.Bonus, a.Modifier, a.AC
	if hero, ok := game.Sheet[Hero](s, s.Actor); ok {
		bonus, modifying = a.Bonus+hero.Bonus, modifier(hero.Attributes.Of(a.weapon(s).Attribute))
	}
	if foe, seen := game.Sheet[Foe](s, string(a.Target)); seen {
		ac = foe.AC
	}
	if r.Count(d20("attack"), toHit(bonus+modifying, ac)) == 1 {
		return rule.Outcome{ID: "hit"}
	}
	return rule.Outcome{ID: "miss"}
}

// toHit are the faces of a d20 that hit. GB-09: a 1 misses, a 20 hits.
func toHit(bonus, ac int) dice.Faces { return natural(20 - bonus - ac) }

// weapon is what the hero strikes with.
func (a Attack) weapon(s game.Scene) Weapon {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	if at, err := strconv.Atoi(a.Weapon); err == nil && at >= 0 && at < len(hero.Weapons) {
		return hero.Weapons[at]
	}
	return Weapon{Dice: "1d2", Attribute: "strength", Melee: true}
}

// blow is what a weapon does in the actor's hands.
func (w Weapon) blow(s game.Scene) blow {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	return must(w.Dice, modifier(hero.Attributes.Of(w.Attribute)), w.Straight)
}

func firstOf(options []form.Option) string {
	if len(options) == 0 {
		return ""
	}
	return options[0].Value
}

// Fray is the Fray die: it hurts lesser foes each round without an attack.
// GB-13
type Fray struct {
	Target form.Ref   `json:"target" form:"required"`
	Reach  []form.Ref `json:"reach" form:"max=30"`
	Fight  form.Ref   `json:"fight"`
}

var frayMove = game.Define(game.Of[Fray]{
	ID: "fray", AtTable: true, Kinds: []string{"hero"}, Outcomes: []game.OutcomeKind{{ID: "damage", Counts: true, Tone: game.Good}},
	Cast: func(_ game.Scene, a Fray) []string { return refs([]form.Ref{a.Target}, a.Reach, []form.Ref{a.Fight}) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return fitFight(s, f.With("target", afoot(s, "foe")...).With("reach", afoot(s, "foe")...))
	},
	Allow: func(s game.Scene, a Fray) error { // GB-13
		if err := awake(s); err != nil {
			return err
		}
		hero, _ := game.Sheet[Hero](s, s.Actor)
		if hero.Fray == "" {
			return game.Refuse("GB-13", "godbound.refusal.no-fray", "Name", name(s, s.Actor))
		}
		for _, who := range refs([]form.Ref{a.Target}, a.Reach) {
			if err := alive(s, who); err != nil {
				return err
			}
			if foe, seen := game.Sheet[Foe](s, who); s.Cast[who].Kind != "foe" || seen && foe.HD > hero.Level {
				return game.Refuse("GB-13", "godbound.refusal.not-lesser", "Name", name(s, who), "Level", hero.Level)
			}
		}
		return mayAct(s, a.Fight, takes{fray: true})
	},
	Price: func(r *rule.Run, s game.Scene, _ Fray) rule.Outcome {
		return rule.Outcome{ID: "damage", N: frayOf(s).points(r)}
	},
	Play: func(r *rule.Run, s game.Scene, a Fray) rule.Outcome {
		c := on(r, s)
		result := rule.Outcome{ID: "damage", N: frayOf(s).points(r)}
		r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
		c.spend(a.Fight, takes{fray: true})
		c.pour(result.N, string(a.Target), refs(a.Reach), true) // GB-12
		return result
	},
})

// frayOf is the acting hero's Fray die.
func frayOf(s game.Scene) blow {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	b := must(hero.Fray, 0, false)
	b.pool.For = "fray"
	return b
}

// Strike is a foe's action: all its attacks in a row, or one of them. GB-04
type Strike struct {
	Target form.Ref `json:"target" form:"required"`
	Attack string   `json:"attack" form:"choice"` // its place on the sheet; "" for all
	Heads  int      `json:"heads" form:"max=100"` // how many of a group; 0 for all who stand
	Bonus  int      `json:"bonus" form:"min=-30,max=40"`
	Fight  form.Ref `json:"fight"`
}

var strikeMove = game.Define(game.Of[Strike]{
	ID: "strike", GMOnly: true, AtTable: true, Kinds: []string{"foe"},
	Outcomes:  []game.OutcomeKind{{ID: "hits", Counts: true, Tone: game.Good}, {ID: "miss", Tone: game.Bad}},
	Headlines: []game.Headline{{ID: "hit", Outcomes: []string{"hits"}}},
	Cast:      func(_ game.Scene, a Strike) []string { return refs([]form.Ref{a.Target, a.Fight}) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		foe, _ := game.Sheet[Foe](s, s.Actor)
		attacks := []form.Option{{Value: ""}}
		for i, b := range foe.Attacks {
			attacks = append(attacks, form.Option{Value: strconv.Itoa(i), Text: b.Name})
		}
		return fitFight(s, f.With("attack", attacks...).With("target", afoot(s, "hero")...))
	},
	Allow: func(s game.Scene, a Strike) error {
		if err := awake(s); err != nil {
			return err
		}
		if foe, _ := game.Sheet[Foe](s, s.Actor); len(foe.Attacks) == 0 {
			return game.Refuse("GB-04", "godbound.refusal.no-attacks", "Name", name(s, s.Actor))
		}
		if err := alive(s, string(a.Target)); err != nil {
			return err
		}
		return mayAct(s, a.Fight, takes{action: true})
	},
	Price: func(r *rule.Run, s game.Scene, a Strike) rule.Outcome {
		hits := 0
		for _, v := range a.volleys(s) {
			hits += v.throw(r)
		}
		return landed(hits)
	},
	Play: playStrike,
})

func landed(hits int) rule.Outcome {
	if hits == 0 {
		return rule.Outcome{ID: "miss"}
	}
	return rule.Outcome{ID: "hits", N: hits}
}

// volley is one line of a foe's attacks: so many throws at one target.
type volley struct {
	name  string
	blow  blow
	n     int
	hit   dice.Faces
	sure  bool // the target is helpless
	group bool
}

// volleys are the attacks of one action, with everybody who takes part. GB-04
func (a Strike) volleys(s game.Scene) []volley {
	foe, _ := game.Sheet[Foe](s, s.Actor)
	hero, _ := game.Sheet[Hero](s, string(a.Target))
	heads := foe.Count
	if a.Heads > 0 {
		heads = min(heads, a.Heads)
	}
	var all []volley
	for i, b := range foe.Attacks {
		if a.Attack == "" || a.Attack == strconv.Itoa(i) {
			all = append(all, volley{
				name: b.Name, blow: must(b.Dice, 0, b.Straight), n: heads * b.Times, group: heads > 1,
				hit: toHit(foe.Bonus+a.Bonus, hero.ArmourClass()), sure: hero.Helpless(),
			})
		}
	}
	return all
}

// throw counts the hits of a volley. GB-09; GB-16: who is helpless is hit by
// the next attack.
func (v volley) throw(r *rule.Run) int {
	if v.sure {
		return v.n
	}
	return r.Count(dice.Pool{N: v.n, Sides: 20, For: "foe-attack"}, v.hit)
}

// playStrike throws for all attacks and then lets the hits land in order: the
// blows of one foe one by one, those of a group added up. Hits that are left
// when the target falls strike home only if the GM says so. GB-04, GB-16
func playStrike(r *rule.Run, s game.Scene, a Strike) rule.Outcome {
	c := on(r, s)
	target := string(a.Target)
	volleys := a.volleys(s)
	hits := make([]int, len(volleys))
	total := 0
	for i, v := range volleys {
		hits[i] = v.throw(r)
		total += hits[i]
	}
	result := landed(total)
	r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
	c.spend(a.Fight, takes{action: true})
	before, _ := c.hero(target)
	if before.Helpless() { // GB-16, GB-17
		if total > 0 {
			c.tell(Slain{Who: target})
		}
		return result
	}
	for i, v := range volleys {
		for blows := hits[i]; blows > 0; {
			hero, _ := c.hero(target)
			if hero.Dead() {
				return result
			}
			if hero.Helpless() {
				if c.finishes(target) {
					c.tell(Slain{Who: target})
				}
				return result
			}
			if v.group {
				points := v.blow.many(r, blows)
				c.tell(DamageDealt{Who: s.Actor, Points: points, Straight: v.blow.straight})
				c.wound(target, points)
				break
			}
			c.wound(target, c.roll(v.blow, s.Actor, game.GM))
			blows--
		}
	}
	return result
}

// Finish is whether a foe's blows go on at who lies at 0 HP. GB-16
type Finish struct {
	Finish bool `json:"finish"`
}

var finishForm = form.Of[Finish]()

func (c cast) finishes(target string) bool {
	return rule.Ask(c.r, rule.Question[Finish]{
		ID: "godbound.finish", To: game.GM, Form: finishForm, About: AboutWho{Who: target},
	}).Finish
}
