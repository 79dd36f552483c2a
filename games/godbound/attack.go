package godbound

import (
	"cmp"
	"slices"
	"strconv"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Attack holds the arguments of a hero's attack on one target. GB-09
type Attack struct {
	Target   form.Ref   `json:"target" form:"required,table"`
	Weapon   string     `json:"weapon" form:"choice,table,at=weapons"` // its index on the sheet; "" for bare hands
	Bonus    int        `json:"bonus" form:"min=-30,max=40"`           // added to the sheet's at a table
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

var attackMove = game.Define(game.MoveSpec[Attack]{
	ID: "attack", Bare: true, AtTable: true, Kinds: heroes,
	Outcomes: strikes, Headlines: strikesHeadlines,
	Cast: func(s game.Scene, a Attack) []string {
		return refs([]form.Ref{a.Target}, a.Reach, []form.Ref{fightOf(s, a.Fight)})
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		weapons := game.EachAt(hero.Weapons, func(i int, w Weapon) form.Option {
			o := form.OptionAt(i, w.Name)
			o.Worth = w.Dice + plus(modifier(hero.Attributes.Of(w.Attribute)))
			return o
		})
		f = f.With("weapon", append(weapons, form.Option{Value: ""})...).Default("weapon", firstOf(weapons))
		return fitFight(s, f.With("target", foesFirst(s)...).With("reach", afoot(s, "foe")...))
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
		c, target := on(r, s), string(a.Target)
		weapon, result := a.weapon(s), a.throw(r, s)
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		c.spend(a.Fight, takes{action: true})
		c.leave(a.Fight)
		if result.ID != "hit" {
			r.Discard(weapon.blow(s).pool)
			return result
		}
		hero, duel := c.hero(target) // GB-27
		to := immune(hero, weapon.Of)
		if hero.Helpless() {
			r.Discard(d20("attack"))
		}
		switch {
		case to != "": // GB-23
			r.Discard(weapon.blow(s).pool)
			c.tell(Unharmed{Who: target, To: to})
		case hero.Helpless(): // GB-16, GB-17
			r.Discard(weapon.blow(s).pool)
			c.tell(Slain{Who: target})
		case duel:
			points := c.roll(weapon.blow(s), s.Actor, s.Actor)
			if !c.isWarded(target, weapon.Of) {
				c.wound(target, points)
			}
		default:
			c.pour(c.roll(weapon.blow(s), s.Actor, s.Actor), target, refs(a.Reach), weapon.Melee) // GB-12: in melee
		}
		return result
	},
	Mark: func(_ Attack, t rule.Throw) []game.Mark {
		if t.For == "attack" {
			return deciding(t)
		}
		return make([]game.Mark, len(t.Faces))
	},
	Sources: func(s game.Scene, a Attack) []game.Source { return a.sources(s) },
	Strip:   func(s game.Scene, a Attack) Attack { return a.plain(s) },
})

// sources returns the sources of a hero's attack. GB-09
func (a Attack) sources(s game.Scene) []game.Source {
	hero, ok := game.Sheet[Hero](s, s.Actor)
	if !ok {
		return nil
	}
	attribute := a.weapon(s).Attribute
	all := game.Adds("godbound.field.bonus", hero.Bonus)
	all = append(all, game.Adds(string(attributeWord(attribute)), modifier(hero.Attributes.Of(attribute)))...)
	return append(all, game.Adds("godbound.source.here", a.Bonus)...)
}

// throw makes the attack roll: the die, the bonus, the modifier and the target's AC, which
// descends, must reach 20 together. GB-09
func (a Attack) throw(r *rule.Run, s game.Scene) rule.Outcome {
	if hero, ok := game.Sheet[Hero](s, string(a.Target)); ok && hero.Helpless() { // GB-16: the next attack hits
		return rule.Outcome{ID: "hit"}
	}
	a = a.plain(s)
	if r.Count(d20("attack"), toHit(a.Bonus+a.Modifier, a.AC)) == 1 {
		return rule.Outcome{ID: "hit"}
	}
	return rule.Outcome{ID: "miss"}
}

// plain copies what is on both sheets into the attack's own fields. GB-09
func (a Attack) plain(s game.Scene) Attack {
	if hero, ok := game.Sheet[Hero](s, s.Actor); ok {
		a.Bonus, a.Modifier = a.Bonus+hero.Bonus, modifier(hero.Attributes.Of(a.weapon(s).Attribute))
	}
	switch target := s.Cast[string(a.Target)].Sheet.(type) {
	case Foe:
		a.AC = target.AC
	case Hero: // GB-27
		a.AC = target.ArmourClass()
	}
	return a
}

// foesFirst returns the options for targets: those on the other side, then everybody else. GB-27
func foesFirst(s game.Scene) []form.Option {
	all := afoot(s, people...)
	slices.SortStableFunc(all, func(a, b form.Option) int {
		return cmp.Compare(against(s, b.Value), against(s, a.Value))
	})
	return all
}

func against(s game.Scene, who string) int {
	if areOpponents(s, s.Actor, who) {
		return 1
	}
	return 0
}

// toHit returns the faces of a d20 that hit. GB-09: a 1 misses, a 20 hits.
func toHit(bonus, ac int) dice.Faces { return natural(20 - bonus - ac) }

// weapon returns the hero's chosen weapon.
func (a Attack) weapon(s game.Scene) Weapon {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	if at, err := strconv.Atoi(a.Weapon); err == nil && at >= 0 && at < len(hero.Weapons) {
		return hero.Weapons[at]
	}
	return Weapon{Dice: "1d2", Attribute: "strength", Melee: true}
}

// blow returns the damage of a weapon in the actor's hands.
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

// Fray holds the arguments of the Fray die, which hurts lesser foes each round without an attack.
// GB-13
type Fray struct {
	Target form.Ref   `json:"target" form:"required"`
	Reach  []form.Ref `json:"reach" form:"max=30"`
	Fight  form.Ref   `json:"fight"`
}

var frayMove = game.Define(game.MoveSpec[Fray]{
	ID: "fray", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "damage", Counts: true, Tone: game.Good}},
	Cast: func(s game.Scene, a Fray) []string {
		return refs([]form.Ref{a.Target}, a.Reach, []form.Ref{fightOf(s, a.Fight)})
	},
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
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		c.spend(a.Fight, takes{fray: true})
		c.pour(result.N, string(a.Target), refs(a.Reach), true) // GB-12
		return result
	},
})

// frayOf returns the acting hero's Fray die.
func frayOf(s game.Scene) blow {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	b := must(hero.Fray, 0, false)
	b.pool.For = "fray"
	return b
}

// Strike holds the arguments of a foe's action: its whole routine, or one of its attacks, at one
// target or split over several. GB-04, GB-27
type Strike struct {
	Target form.Ref `json:"target" form:"required"`
	Split  []Share  `json:"split,omitempty" form:"max=20"`
	Attack string   `json:"attack" form:"choice"` // its index on the sheet; "" for all
	Heads  int      `json:"heads" form:"max=100"` // how many of a group; 0 for all that still fight
	Bonus  int      `json:"bonus" form:"min=-30,max=40"`
	Fight  form.Ref `json:"fight"`
}

// Share is the part of a routine for a target other than the first: a number of blows of one
// attack, or a number of heads with all their attacks. GB-04
type Share struct {
	Target form.Ref `json:"target" form:"required"`
	Blows  int      `json:"blows" form:"min=1,max=100,default=1"`
	Attack string   `json:"attack" form:"choice,set=share"`
}

var strikeMove = game.Define(game.MoveSpec[Strike]{
	ID: "strike", GMOnly: true, AtTable: true, Kinds: []string{"foe"},
	Outcomes:  []game.OutcomeKind{{ID: "hits", Counts: true, Tone: game.Good}, {ID: "miss", Tone: game.Bad}},
	Headlines: []game.Headline{{ID: "hit", Outcomes: []string{"hits"}}},
	Cast: func(s game.Scene, a Strike) []string {
		return refs([]form.Ref{a.Target}, a.others(), []form.Ref{fightOf(s, a.Fight)})
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		foe, _ := game.Sheet[Foe](s, s.Actor)
		attacks := append(
			[]form.Option{{Value: ""}},
			game.EachAt(foe.Attacks, func(i int, b Blows) form.Option { return form.OptionAt(i, b.Name) })...)
		targets := foesFirst(s)
		return fitFight(
			s,
			f.With(
				"attack",
				attacks...).With(
				"split.attack",
				attacks...).With(
				"target",
				targets...).With(
				"split.target",
				targets...),
		)
	},
	Allow: func(s game.Scene, a Strike) error {
		if err := awake(s); err != nil {
			return err
		}
		if foe, _ := game.Sheet[Foe](s, s.Actor); len(foe.Attacks) == 0 {
			return game.Refuse("GB-04", "godbound.refusal.no-attacks", "Name", name(s, s.Actor))
		}
		for _, who := range refs([]form.Ref{a.Target}, a.others()) {
			if err := alive(s, who); err != nil {
				return err
			}
		}
		for _, v := range a.volleys(s) {
			if v.n < 0 { // GB-04
				return game.Refuse(
					"GB-04",
					"godbound.refusal.split",
					"Attack",
					v.name,
					"N",
					v.n+a.sharedBlows(s, v.attack),
				)
			}
		}
		return mayAct(s, a.Fight, takes{action: true})
	},
	Price: func(r *rule.Run, s game.Scene, a Strike) rule.Outcome {
		hits := 0
		for _, v := range a.volleys(s) {
			hits += v.throw(r)
		}
		return hitOutcome(hits)
	},
	Play: playStrike,
})

// others returns the targets of the shares.
func (a Strike) others() []form.Ref {
	others := make([]form.Ref, len(a.Split))
	for i, share := range a.Split {
		others[i] = share.Target
	}
	return others
}

func hitOutcome(hits int) rule.Outcome {
	if hits == 0 {
		return rule.Outcome{ID: "miss"}
	}
	return rule.Outcome{ID: "hits", N: hits}
}

// volley is a number of equal attacks of a foe at one target.
type volley struct {
	target string
	attack int // index of the attack on the sheet
	name   string
	blow   blow
	n      int
	hit    dice.Faces
	sure   bool // the target is helpless
	group  bool
	ranged bool
	of     string
}

// volleys returns the attacks of one action, by everybody who takes part: the shares at their
// targets, the rest at the first target. GB-04
func (a Strike) volleys(s game.Scene) []volley {
	foe, _ := game.Sheet[Foe](s, s.Actor)
	var all []volley
	for i, b := range foe.Attacks {
		if a.Attack == "" || a.Attack == strconv.Itoa(i) {
			all = append(all, a.volley(s, i, string(a.Target), a.heads(foe)*b.Times-a.sharedBlows(s, i)))
		}
	}
	for _, share := range a.Split {
		for i, b := range foe.Attacks {
			if n := share.blows(i, b); n > 0 {
				all = append(all, a.volley(s, i, string(share.Target), n))
			}
		}
	}
	return all
}

// heads returns how many of a group attack.
func (a Strike) heads(foe Foe) int {
	if a.Heads > 0 {
		return min(foe.Count, a.Heads)
	}
	return foe.Count
}

// sharedBlows returns how many blows of an attack belong to shares.
func (a Strike) sharedBlows(s game.Scene, attack int) int {
	foe, _ := game.Sheet[Foe](s, s.Actor)
	return game.Total(a.Split, func(share Share) int { return share.blows(attack, foe.Attacks[attack]) })
}

// blows returns how many of an attack's blows belong to a share.
func (share Share) blows(attack int, b Blows) int {
	switch share.Attack {
	case "":
		return share.Blows * b.Times
	case strconv.Itoa(attack):
		return share.Blows
	}
	return 0
}

// volley returns a number of blows of an attack at one target. GB-09, GB-27
func (a Strike) volley(s game.Scene, attack int, target string, n int) volley {
	foe, _ := game.Sheet[Foe](s, s.Actor)
	b := foe.Attacks[attack]
	ac, helpless := defenceOf(s.Cast[target].Sheet)
	return volley{
		target: target, attack: attack, name: b.Name, blow: must(b.Dice, 0, b.Straight), n: n,
		hit: toHit(foe.Bonus+a.Bonus, ac), sure: helpless, group: a.heads(foe) > 1, ranged: b.Ranged, of: b.Of,
	}
}

// defenceOf returns a target's AC, and whether attacks need no throw.
func defenceOf(sheet any) (ac int, helpless bool) {
	switch sheet := sheet.(type) {
	case Hero:
		return sheet.ArmourClass(), sheet.Helpless()
	case Foe:
		return sheet.AC, false
	}
	return 0, false
}

// throw returns the hits of a volley. GB-09; GB-16: the next attack on a helpless hero hits.
func (v volley) throw(r *rule.Run) int {
	if v.sure {
		return v.n
	}
	return r.Count(dice.Pool{N: v.n, Sides: 20, For: "foe-attack"}, v.hit)
}

// playStrike throws for all attacks, then for the damage of those that hit, and then applies them
// in order: the blows of one foe one by one, those of a group added up. Blows at somebody helpless
// need no throw; if the target is healed before they fall, their damage is thrown then. GB-02, GB-04
func playStrike(r *rule.Run, s game.Scene, a Strike) rule.Outcome {
	c := on(r, s)
	volleys := a.volleys(s)
	hits := make([]int, len(volleys))
	total := 0
	for i, v := range volleys {
		hits[i] = v.throw(r)
		total += hits[i]
	}
	result := hitOutcome(total)
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	c.spend(a.Fight, takes{action: true})
	c.leave(a.Fight)
	thrown := make([][]fallen, len(volleys))
	for i, v := range volleys {
		if !v.sure {
			thrown[i] = c.damage(v, hits[i])
		}
	}
	for i, v := range volleys { // thrown together with the others, and not needed
		missed := v.blow.pool
		missed.N *= v.n - hits[i]
		if v.sure {
			r.Discard(dice.Pool{N: v.n, Sides: 20})
			missed.N = v.n * v.blow.pool.N
		}
		r.Discard(missed)
	}
	spent := map[string]bool{} // targets to which nothing more applies
	for i, v := range volleys {
		if hero, _ := c.hero(v.target); v.sure && !hero.Helpless() && !hero.Dead() { // GB-02: healed meanwhile
			for j := i; j < len(volleys); j++ {
				if volleys[j].target == v.target {
					volleys[j].sure, thrown[j] = false, c.damage(volleys[j], hits[j])
				}
			}
			v = volleys[i]
		}
		if hits[i] > 0 && !spent[v.target] {
			later := func() pending { return c.pendingAt(v.target, volleys[i+1:], thrown[i+1:], hits[i+1:]) }
			spent[v.target] = !c.land(v, thrown[i], later)
		}
		if !slices.ContainsFunc(volleys[i+1:], func(later volley) bool { return later.target == v.target }) {
			r.Release(v.target)
		}
	}
	return result
}

// damage throws for the damage of a volley's hits. GB-10
func (c cast) damage(v volley, hits int) []fallen {
	switch {
	case hits == 0:
		return nil
	case v.group:
		return []fallen{{points: v.blow.many(c.r, hits)}}
	}
	var thrown []fallen
	for range hits {
		thrown = append(thrown, c.throw(v.blow))
	}
	return thrown
}

// pending holds hits that are thrown at somebody and not applied yet.
type pending struct{ blows, points int }

// pendingAt returns the blows of later volleys at a target, except those that an immunity stops.
func (c cast) pendingAt(target string, volleys []volley, thrown [][]fallen, hits []int) pending {
	var left pending
	for i, v := range volleys {
		if v.target == target && immune(c.sheets[target], v.of) == "" {
			left.blows += hits[i]
			for _, f := range thrown[i] {
				left.points += f.best()
			}
		}
	}
	return left
}

// best returns the damage of a throw with the modifier on the best die. GB-10
func (f fallen) best() int {
	for at := span - 1; at >= 0; at-- {
		if f.face[at] > 0 {
			return max(0, f.points+at-span/2)
		}
	}
	return f.points
}

// land applies a volley's hits and reports whether more may follow: hits left when a hero falls
// count only if the GM says so. later are those of other volleys. GB-16, GB-17
func (c cast) land(v volley, thrown []fallen, later func() pending) bool {
	if hero, _ := c.hero(v.target); v.sure {
		if hero.Dead() {
			return false
		}
		if to := immune(hero, v.of); to != "" { // GB-23
			c.tell(Unharmed{Who: v.target, To: to})
			return true
		}
		c.tell(Slain{Who: v.target})
		return false
	}
	for i, f := range thrown {
		hero, ok := c.hero(v.target)
		if ok && hero.Dead() {
			return false
		}
		points := f.points
		if v.group {
			c.tell(DamageDealt{Who: c.s.Actor, Points: points, Straight: v.blow.straight})
		} else {
			points = c.read(v.blow, f, c.s.Actor, game.GM)
		}
		switch {
		case c.isWarded(v.target, v.of): // GB-23
		case ok:
			left := later()
			for _, next := range thrown[i+1:] {
				left.blows, left.points = left.blows+1, left.points+next.best()
			}
			if !c.woundBefore(v.target, points, left) {
				return false
			}
		default: // GB-27; GB-12: continue with the others of a group
			c.hurt(v.target, points, !v.ranged)
		}
	}
	return true
}

// Finish is the GM's answer whether blows that are already thrown still hit a hero at 0 HP. GB-16,
// GB-17
type Finish struct {
	Finish bool `json:"finish"`
}

func (c cast) finishes(target string, left pending) bool {
	return rule.Ask(c.r, rule.Question[Finish]{
		ID: "godbound.finish", To: game.GM, About: AboutBlows{Who: target, Blows: left.blows, Points: left.points},
	}).Finish
}
