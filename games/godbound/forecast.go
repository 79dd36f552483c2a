package godbound

import (
	"slices"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Forecast holds the arguments of a forecast: how a fight of a hero, or of two, against a group of
// equal foes ends if everybody just keeps fighting in their current state. It uses Fury,
// helplessness, the group's losses, armour and immunities from the sheets, and from their current
// fight whose turn it is and who has acted. Nobody rises in Fury, spends Effort or uses gifts.
// GB-30
type Forecast struct {
	Heroes       int    `json:"heroes" form:"min=1,max=2,default=1,bare"` // all alike
	HeroHP       int    `json:"hero-hp" form:"min=1,max=200,default=20,bare"`
	HeroAC       int    `json:"hero-ac" form:"min=-20,max=20,default=5,bare"`
	HeroLevel    int    `json:"hero-level" form:"min=1,max=20,default=1,bare"`
	HeroBonus    int    `json:"hero-bonus" form:"min=-20,max=30,default=2,bare"`
	HeroModifier int    `json:"hero-modifier" form:"min=-20,max=30,default=1,bare"`
	HeroDice     string `json:"hero-dice" form:"text,dice,default=1d10,bare"`
	Fray         string `json:"fray" form:"text,dice,default=1d8,bare"`
	Foes         int    `json:"foes" form:"min=1,max=60,default=6,assumed"`
	FoeHD        int    `json:"foe-hd" form:"min=1,max=60,default=1,assumed"`
	FoeAC        int    `json:"foe-ac" form:"min=-20,max=20,default=7,assumed"`
	FoeBonus     int    `json:"foe-bonus" form:"min=-20,max=30,default=1,assumed"`
	FoeDice      string `json:"foe-dice" form:"text,dice,default=1d6,assumed"`

	Ally    form.Ref `json:"ally" form:"table"`
	Weapon  string   `json:"weapon" form:"choice,table"` // its index on the sheet
	Against form.Ref `json:"against" form:"required,table"`

	Rounds    int  `json:"rounds" form:"min=1,max=20,default=6"`
	Surprised bool `json:"surprised"` // GB-01
}

var forecastMove = game.Define(game.MoveSpec[Forecast]{
	ID: "fight", GMOnly: true, Bare: true, AtTable: true, Kinds: heroes,
	Outcomes: []game.OutcomeKind{
		{ID: "win", Counts: true, Tone: game.Good},
		{ID: "unfinished", Tone: game.Neutral},
		{ID: "lose", Tone: game.Disaster},
	},
	Headlines: []game.Headline{{ID: "win", Outcomes: []string{"win"}}, {ID: "lose", Outcomes: []string{"lose"}}},
	Cast: func(s game.Scene, a Forecast) []string {
		return append(refs([]form.Ref{a.Ally, a.Against}), fightsOf(s, s.Actor)...)
	},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		weapons := game.Each(hero.Weapons, func(w Weapon) string { return w.Name })
		options := append(places(weapons...), form.Option{Value: ""})
		return f.With("weapon", options...).Default("weapon", options[0].Value).
			With("ally", afoot(s, heroes...)...).With("against", afoot(s, "foe")...)
	},
	Allow: func(s game.Scene, a Forecast) error {
		if s.Actor == "" {
			for _, text := range []string{a.HeroDice, a.FoeDice} {
				if _, err := readBlow(text, a.HeroModifier, false); err != nil {
					return err
				}
			}
			if _, err := readBlow(a.Fray, 0, false); err != nil && a.Fray != "" {
				return err
			}
			return nil
		}
		for _, who := range append([]string{s.Actor}, refs([]form.Ref{a.Ally, a.Against})...) {
			if err := alive(s, who); err != nil {
				return err
			}
		}
		if a.FoeDice != "" {
			if _, err := readBlow(a.FoeDice, 0, false); err != nil {
				return err
			}
		}
		if foe, seen := game.Sheet[Foe](s, string(a.Against)); seen && len(foe.Attacks) == 0 {
			return game.Refuse("GB-04", "godbound.refusal.no-attacks", "Name", name(s, string(a.Against)))
		}
		return nil
	},
	Ready: func(s game.Scene, a Forecast) func(*rule.Run) rule.Outcome {
		b := a.battle(s)
		return b.Fight()
	},
	Variants: func(_ game.Scene, a Forecast) []game.VariantOf[Forecast] { return a.course() },
	Strip:    stripForecast,
})

// stripForecast copies what is on the hero's and the foe's sheets into the forecast's own fields,
// with the foe's first attack for all of them.
func stripForecast(s game.Scene, a Forecast) Forecast {
	if hero, ok := game.Sheet[Hero](s, s.Actor); ok {
		w := Attack{Weapon: a.Weapon}.weapon(s)
		a.HeroHP, a.HeroAC, a.HeroLevel, a.HeroBonus = hero.RemainingHP(), hero.ArmourClass(), hero.Level, hero.Bonus
		a.HeroModifier, a.HeroDice, a.Fray = modifier(hero.Attributes.Of(w.Attribute)), w.Dice, hero.Fray
		a.Heroes = 1 + len(refs([]form.Ref{a.Ally}))
	}
	if foe, ok := game.Sheet[Foe](s, string(a.Against)); ok && len(foe.Attacks) > 0 {
		a.Foes, a.FoeHD, a.FoeAC, a.FoeBonus, a.FoeDice = foe.Count, foe.HD, foe.AC, foe.Bonus, foe.Attacks[0].Dice
	}
	return a
}

// course returns the fight after its first rounds, as variants.
func (a Forecast) course() []game.VariantOf[Forecast] {
	var all []game.VariantOf[Forecast]
	for round := 1; round < a.Rounds && round <= maxShown; round++ {
		sooner := a
		sooner.Rounds = round
		all = append(
			all,
			game.VariantOf[Forecast]{
				Word: "godbound.variant.round",
				Data: data{"Round": round},
				Args: sooner,
				Step: true,
			},
		)
	}
	return all
}

// maxShown is the number of rounds shown before the last one.
const maxShown = 5

// battle returns the battle with the numbers of the sheets at a table, or else of the arguments.
func (a Forecast) battle(s game.Scene) Battle {
	b := Battle{Rounds: a.Rounds, Surprised: a.Surprised}
	if s.Actor == "" {
		for i := range a.Heroes {
			b.Heroes[i] = Champion{
				HP: a.HeroHP, AC: a.HeroAC, Bonus: a.HeroBonus + a.HeroModifier,
				Blow:      must(a.HeroDice, a.HeroModifier, false),
				Overflows: true,
			}
			if a.Fray != "" && a.FoeHD <= a.HeroLevel { // GB-13
				b.Heroes[i].Fray = must(a.Fray, 0, false)
			}
		}
		b.Foes = Horde{
			Left: a.Foes * a.FoeHD, HD: a.FoeHD, Count: a.Foes, AC: a.FoeAC, Bonus: a.FoeBonus,
			Blows: []volley{{blow: must(a.FoeDice, 0, false), n: 1}},
		}
		return b
	}
	foe, seen := game.Sheet[Foe](s, string(a.Against))
	if !seen {
		foe = Foe{
			Count: a.Foes, HD: a.FoeHD, AC: a.FoeAC, Bonus: a.FoeBonus, Actions: 1,
			Attacks: []Blows{{Dice: a.FoeDice, Times: 1}},
		}
	}
	b.Foes = Horde{Left: foe.RemainingHD(), HD: foe.HD - foe.Worn, Count: foe.Count, AC: foe.AC, Bonus: foe.Bonus}
	for range foe.Actions { // GB-04
		for _, each := range foe.Attacks {
			b.Foes.Blows = append(
				b.Foes.Blows,
				volley{blow: must(each.Dice, 0, each.Straight), n: each.Times, of: each.Of},
			)
		}
	}
	b.Heroes[0] = b.champion(s, s.Actor, a.Weapon, foe)
	if a.Ally != "" {
		b.Heroes[1] = b.champion(s, string(a.Ally), "0", foe)
	}
	b.midway(s, a, foe)
	return b
}

// midway removes from the first round what has already happened in the current round of their
// fight. GB-01, GB-02, GB-13
func (b *Battle) midway(s game.Scene, a Forecast, foe Foe) {
	for _, id := range fightsOf(s, s.Actor) {
		f, _ := game.Sheet[Fight](s, id)
		at := f.find(string(a.Against))
		if at < 0 {
			continue
		}
		theirs := f.Fighters[at]
		b.Surprised = theirs.Side == f.First
		passed := f.Turn != f.First // the side that goes first has had its turn
		b.Foes.Spent = max(0, len(foe.Attacks)*min(theirs.Acted, foe.Actions))
		if b.Surprised && passed {
			b.Foes.Spent = len(b.Foes.Blows)
		}
		for i, who := range []string{s.Actor, string(a.Ally)} {
			if at := f.find(who); at >= 0 {
				own := f.Fighters[at]
				over := passed && own.Side == f.First
				b.Heroes[i].Acted, b.Heroes[i].Frayed = own.Acted > 0 ||
					over, own.Fray // GB-13: at any time in the round
			}
		}
		return
	}
}

// champion returns a hero's numbers for a battle.
func (b Battle) champion(s game.Scene, who, weapon string, foe Foe) Champion {
	own := s
	own.Actor = who
	hero, _ := game.Sheet[Hero](s, who)
	w := Attack{Weapon: weapon}.weapon(own)
	c := Champion{
		HP: hero.RemainingHP(), AC: hero.ArmourClass(), Bonus: hero.Bonus + modifier(hero.Attributes.Of(w.Attribute)),
		Blow: w.blow(own), Overflows: w.Melee,
	}
	if hero.Fray != "" && foe.HD <= hero.Level && s.Cast[who].Kind == "hero" { // GB-13
		c.Fray = must(hero.Fray, 0, false)
	}
	switch hero.State { // GB-17
	case "spent":
		c.From, c.Till = 1, max(1, hero.Rounds)
	case "fury":
		left := hero.Rounds // includes the first round of a fight that hasn't begun
		if len(fightsOf(s, who)) > 0 {
			left++
		}
		c.From, c.Till = left+1, left+aftermath
	}
	for _, v := range b.Foes.Blows { // GB-23
		c.Met = append(c.Met, immune(hero, v.of) != "")
	}
	return c
}

// Battle is a fight of one or two heroes against a group of equal foes, by numbers alone. Each
// round every hero attacks the foe in front and throws the Fray die, and every foe attacks the hero
// in front with everything. Those who fall are out; blows left over when a hero falls are lost.
type Battle struct {
	Heroes    [2]Champion // HP 0: there is no second hero
	Foes      Horde
	Rounds    int
	Surprised bool // GB-01: the foes act first
}

// Champion is a hero in a battle.
type Champion struct {
	HP, AC, Bonus int
	Blow, Fray    blow   // Fray without dice: it doesn't affect these foes
	Overflows     bool   // GB-12: in melee
	From, Till    int    // GB-17: the rounds of helplessness, 0 for none
	Acted, Frayed bool   // already used in the first round
	Met           []bool // GB-23: the foes' blows that an immunity stops
}

// helpless reports whether a hero can't act in a round, and dies at the next attack. GB-17
func (c *Champion) helpless(round int) bool { return c.From <= round && round <= c.Till }

// Horde is the group of foes in a battle.
type Horde struct {
	Left      int // HD of all together
	HD        int // HD that each of those behind has left
	Count     int // number of those that still fight
	AC, Bonus int
	Blows     []volley // of each in a round; n is their number
	Spent     int      // the number of kinds of blows already used in the first round
}

// State is the state of a battle.
type State struct {
	First, Second int // HP of the heroes
	HD            int // of all foes together
	Round         int // the current round of the chain
}

// HP returns the HP of both heroes together.
func (s State) HP() int { return s.First + s.Second }

// Start returns the state before the first round.
func (b *Battle) Start() State {
	return State{First: b.Heroes[0].HP, Second: b.Heroes[1].HP, HD: b.Foes.Left}
}

// Over reports whether one side is defeated.
func (b *Battle) Over(s State) bool { return s.HD == 0 || s.HP() == 0 }

// Round plays one round of a battle: the step of its chain.
func (b *Battle) Round(r *rule.Run, s State) State {
	s.Round++
	for _, t := range b.turns(s.Round) {
		s = rule.Part(r, func(r *rule.Run) State { return b.turn(r, s, t) })
	}
	return s
}

// turn is one turn in a round.
type turn struct {
	round int
	foes  bool // the foes' turn; otherwise that of the hero with this index
	hero  int
	fray  bool
}

// turns returns the turns of a round, in order, without those of absent or helpless heroes and of
// those without a Fray die. GB-01, GB-17
func (b *Battle) turns(n int) []turn {
	var round []turn
	for i := range b.Heroes {
		h := &b.Heroes[i]
		if h.HP == 0 || h.helpless(n) {
			continue
		}
		if n > 1 || !h.Acted {
			round = append(round, turn{round: n, hero: i})
		}
		if h.Fray.pool.N > 0 && (n > 1 || !h.Frayed) {
			round = append(round, turn{round: n, hero: i, fray: true})
		}
	}
	foes := turn{round: n, foes: true}
	if b.Surprised {
		return append([]turn{foes}, round...)
	}
	return append(round, foes)
}

// turn plays one turn of a round.
func (b *Battle) turn(r *rule.Run, s State, t turn) State {
	switch {
	case b.Over(s):
		return s
	case t.foes:
		return b.foes(r, s, t.round)
	case t.hero == 0 && s.First == 0 || t.hero == 1 && s.Second == 0:
		return s
	case t.fray:
		return b.fray(r, s, t.hero)
	}
	return b.attack(r, s, t.hero)
}

// attack plays a hero's attack on the foe in front. GB-09, GB-12
func (b *Battle) attack(r *rule.Run, s State, hero int) State {
	type attackOf struct{ hero int }
	h := &b.Heroes[hero]
	points := rule.PartOf(r, attackOf{hero}, func(r *rule.Run) int {
		if r.Count(d20("attack"), toHit(h.Bonus, b.Foes.AC)) == 0 {
			return 0
		}
		return h.Blow.points(r)
	})
	if !h.Overflows {
		points = min(points, s.HD-b.Foes.HD*(b.Foes.standing(s)-1))
	}
	s.HD -= min(points, s.HD)
	return s
}

// fray plays a hero's Fray die. GB-13
func (b *Battle) fray(r *rule.Run, s State, hero int) State {
	type frayOf struct{ hero int }
	points := rule.PartOf(r, frayOf{hero}, func(r *rule.Run) int {
		fray := b.Heroes[hero].Fray
		fray.pool.For = "fray"
		return fray.points(r)
	})
	s.HD -= min(points, s.HD)
	return s
}

// foes plays the foes' turn: all that still fight attack the hero in front; a helpless one is
// killed. GB-04, GB-09, GB-16
func (b *Battle) foes(r *rule.Run, s State, round int) State {
	front, hp := 0, &s.First
	if s.First == 0 {
		front, hp = 1, &s.Second
	}
	left := len(b.Foes.Blows)
	if round == 1 {
		left -= b.Foes.Spent
	}
	if h := &b.Heroes[front]; h.helpless(round) {
		if left > 0 && (len(h.Met) < left || slices.Contains(h.Met[:left], false)) {
			*hp = 0
		}
		return s
	}
	type volleysAt struct{ front, heads, left int }
	at := volleysAt{front, b.Foes.standing(s), left}
	points := rule.PartOf(r, at, func(r *rule.Run) int { return b.volleys(r, at.heads, front, at.left) })
	*hp -= min(points, *hp)
	return s
}

// volleys throws the first n kinds of blows of a number of foes at a hero.
func (b *Battle) volleys(r *rule.Run, heads, front, n int) int {
	if n == 0 {
		return 0
	}
	points := 0
	if n > 1 {
		points = rule.Part(r, func(r *rule.Run) int { return b.volleys(r, heads, front, n-1) })
	}
	v, h := b.Foes.Blows[n-1], &b.Heroes[front]
	if n <= len(h.Met) && h.Met[n-1] { // GB-23
		return points
	}
	hit := toHit(b.Foes.Bonus, h.AC)
	return points + v.blow.many(r, r.Count(dice.Pool{N: heads * v.n, Sides: 20, For: "foe-attack"}, hit))
}

// standing returns how many foes still fight: the one in front may have more HD left than each of
// those behind, or fewer.
func (h Horde) standing(s State) int { return min(h.Count, (s.HD+h.HD-1)/h.HD) }

// Fight plays a battle to its end or to its last round. Each turn is a separate part, so an exact
// walk visits each state once.
func (b *Battle) Fight() func(*rule.Run) rule.Outcome {
	after := func(*rule.Run) State { return b.Start() }
	for round := range b.Rounds {
		for _, t := range b.turns(round + 1) {
			before := after
			after = func(r *rule.Run) State { return b.turn(r, rule.Part(r, before), t) }
		}
	}
	return func(r *rule.Run) rule.Outcome {
		switch end := rule.Part(r, after); {
		case end.HD == 0:
			return rule.Outcome{ID: "win", N: end.HP()}
		case end.HP() == 0:
			return rule.Outcome{ID: "lose"}
		}
		return rule.Outcome{ID: "unfinished"}
	}
}
