package godbound

import (
	"strconv"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// harm subtracts points from a character: HP from a hero, HD from a foe; in a group from the one in
// front, or from each. GB-14
func (c cast) harm(who string, points int, each bool) {
	foe, ok := c.foe(who)
	switch {
	case !ok:
		c.wound(who, points)
	case each:
		c.lose(who, foe.blast(points))
	default:
		c.hurt(who, points, false)
	}
}

// wound subtracts HP from a hero. At 0 HP a Godbound may rise in Divine Fury or is mortally
// wounded, and the GM decides about a mortal; a helpless hero dies, and one who falls in Fury dies
// for good. GB-14, GB-15, GB-16, GB-17
func (c cast) wound(who string, points int) { c.woundBefore(who, points, pending{}) }

// woundBefore is wound before further blows that are already thrown. It reports whether they still
// fall: the GM says so before the player is asked whether to rise. GB-17
func (c cast) woundBefore(who string, points int, left pending) bool {
	hero, _ := c.hero(who)
	if points <= 0 || hero.Dead() {
		return !hero.Dead()
	}
	if c.felled[who] {
		left = pending{blows: left.blows + 1, points: left.points + points}
		if c.finishes(who, left) {
			c.tell(Slain{Who: who})
			return false
		}
		return c.stands(who)
	}
	if hero.Helpless() {
		c.tell(Slain{Who: who})
		return false
	}
	points = min(points, hero.RemainingHP())
	c.tell(HPLost{Who: who, Points: points, Now: hero.RemainingHP() - points})
	switch {
	case points < hero.RemainingHP():
		return true
	case c.mortal(who): // GB-15, GB-19
		switch fate := c.askFate(who, mortalFateForm).Fate; {
		case c.stands(who):
			return true
		case c.isDead(who):
			return false
		case fate == "dead":
			c.tell(Slain{Who: who})
			return false
		}
		c.tell(Fallen{Who: who, Out: true})
	case hero.State == "fury":
		c.tell(Slain{Who: who, Beyond: true})
		return false
	case hero.CanRage():
		falls := left.blows > 0 && c.finishes(who, left)
		rises := rule.AskAnew(c.r, func() rule.Question[Rise] { return c.riseQuestion(who, left, falls) }).Rise
		switch {
		case c.stands(who):
			return falls
		case c.isDead(who):
			return false
		case rises:
			c.rage(who)
			return falls
		}
		c.tell(Fallen{Who: who})
		if falls {
			c.tell(Slain{Who: who})
		}
		return false
	default:
		c.tell(Fallen{Who: who})
	}
	if left.blows > 0 && c.finishes(who, left) {
		if c.stands(who) {
			return true
		}
		c.tell(Slain{Who: who})
	}
	return false
}

// stands reports whether somebody who was at 0 HP was healed while a question about them was open.
// GB-02
func (c cast) stands(who string) bool {
	hero, _ := c.hero(who)
	return hero.RemainingHP() > 0 && !hero.Dead()
}

// isDead reports whether a hero is dead.
func (c cast) isDead(who string) bool {
	hero, _ := c.hero(who)
	return hero.Dead()
}

// strikeDown applies a hit to a hero; a helpless one is killed by any hit, regardless of its
// damage. GB-16, GB-17, GB-29
func (c cast) strikeDown(who string, points int) {
	if hero, _ := c.hero(who); hero.Helpless() {
		c.tell(Slain{Who: who})
		return
	}
	c.wound(who, points)
}

// immune returns the immunity that stops a harm or an effect of a kind, "" for none. GB-23
func immune(sheet any, of string) string {
	hero, ok := sheet.(Hero)
	if of = lang.Key(of); !ok || of == "" {
		return ""
	}
	for _, w := range hero.Immunities {
		if lang.Key(w.Name) == of {
			return w.Name
		}
	}
	return ""
}

// isWarded reports whether a hero's immunity stops a harm that is already thrown, and records it.
// GB-23
func (c cast) isWarded(who, of string) bool {
	to := immune(c.sheets[who], of)
	if to != "" {
		c.tell(Unharmed{Who: who, To: to})
	}
	return to != ""
}

// Met is the GM's answer which immunity stops an effect, by index on the sheet; "" for none. GB-23
type Met struct {
	Met string `json:"met" form:"choice"`
}

// isImmune reports whether an immunity stops a harm or an effect, and records it. An immunity to
// exactly this kind does; for others it asks the GM. GB-23
func (c cast) isImmune(who, of string, about any) bool {
	hero, _ := c.hero(who)
	to := immune(hero, of)
	if to == "" && len(hero.Immunities) > 0 {
		met := rule.AskAnew(c.r, func() rule.Question[Met] {
			hero, _ = c.hero(who)
			names := game.Each(hero.Immunities, func(w Ward) string { return w.Name })
			options := append([]form.Option{{Value: ""}}, places(names...)...)
			return rule.Question[Met]{
				ID: "godbound.met", To: game.GM, Form: form.Of[Met]().With("met", options...), About: about,
			}
		}).Met
		if at, err := strconv.Atoi(met); err == nil {
			to = hero.Immunities[at].Name
		}
	}
	if to == "" {
		return false
	}
	c.r.Record(Unharmed{Who: who, To: to})
	return true
}

// Rise is the answer whether a falling hero rises in Divine Fury. GB-17
type Rise struct {
	Rise bool `json:"rise"`
}

var riseForm = form.Of[Rise]()

// riseQuestion returns the question. It shows what is already thrown, whether the hero still falls, and
// whether the hero was healed meanwhile and needn't rise.
func (c cast) riseQuestion(who string, left pending, falls bool) rule.Question[Rise] {
	hero, _ := c.hero(who)
	f := riseForm
	if c.stands(who) { // there is nothing to choose
		f = f.Without("rise")
	}
	return rule.Question[Rise]{
		ID: "godbound.rise", To: who, Form: f,
		About: AboutFury{
			Who: who, HP: hero.furious(), Rounds: hero.Level, Blows: left.blows, Points: left.points, Fall: falls,
			Now: hero.RemainingHP(),
		},
	}
}

// furious returns the HP that Fury gives: half of the maximum, rounded up. GB-17
func (h Hero) furious() int { return (h.HP + 1) / 2 }

// rage makes a hero rise in Fury. GB-17
func (c cast) rage(who string) {
	hero, _ := c.hero(who)
	freed := game.Each(hero.Bindings, func(b Binding) Named { return Named{Name: b.Name} })
	if len(freed) == 0 {
		freed = nil
	}
	c.tell(FuryBegan{
		Who: who, HP: hero.furious(), Rounds: hero.Level - c.furyRounds(who), Most: hero.Level, Level: hero.Level,
		Freed: freed,
	})
}

// furyRounds returns 1 if the round in which a hero rises is the first of the Fury, 0 if the hero's
// own turn in it has passed, or if rounds aren't counted. GB-17
func (c cast) furyRounds(who string) int {
	for _, id := range c.s.IDs() {
		f, ok := c.sheets[id].(Fight)
		if !ok || f.Round == 0 {
			continue
		}
		if at := f.find(who); at >= 0 {
			if side := f.Fighters[at].Side; side == f.First && f.Turn != side {
				return 0
			}
			return 1
		}
	}
	return 0
}

// aftermath is the number of rounds of helplessness after Fury. GB-17
const aftermath = 5

// hurt subtracts HD from a foe or a group, the one in front first, and returns the points left
// over; without overflow at most the HD of the one in front. GB-12, GB-14
func (c cast) hurt(who string, points int, overflow bool) int {
	foe, ok := c.foe(who)
	if !ok || !foe.Stands() || points <= 0 {
		return points
	}
	taken := min(points, foe.RemainingHD())
	if !overflow {
		taken = min(taken, foe.front())
	}
	c.lose(who, foe.strike(taken))
	return points - taken
}

// lose records what a foe or a group has lost, given its new state. At 0 HD it's out, unless who beat
// it accepts the offer of another fate. GB-14, GB-15, GB-16
func (c cast) lose(who string, left Foe) {
	foe, _ := c.foe(who)
	taken := foe.RemainingHD() - left.RemainingHD()
	if taken <= 0 || !foe.Stands() {
		return
	}
	c.tell(FoeHurt{
		Who: who, Points: taken, Fell: foe.Count - left.Count, Count: left.Count, Lost: left.Lost, Worn: left.Worn,
		HD: foe.HD,
	})
	if left.Count == 0 { // GB-15
		c.tell(FoeFell{Who: who, Fate: "out"})
		to := game.GM
		if _, hero := c.hero(c.s.Actor); hero {
			to = c.s.Actor
		}
		for _, fate := range fates {
			game.Offer(c.r, to, "fate", "", Doom{Foe: form.Ref(who), Fate: fate})
		}
	}
}

// Doom holds the arguments of the move that decides a beaten foe's fate. GB-15
type Doom struct {
	Foe  form.Ref `json:"foe" form:"of=foe,required"`
	Fate string   `json:"fate" form:"choice=dead|beaten,said"`
}

// fates are the fates that are offered; out is what a beaten foe is without them.
var fates = []string{"dead", "beaten"}

var doomMove = game.Define(game.MoveSpec[Doom]{
	ID: "fate", AtTable: true, ByOffer: true, Outcomes: done,
	Allow: func(s game.Scene, a Doom) error {
		foe, seen := game.Sheet[Foe](s, string(a.Foe))
		if seen && (foe.Count > 0 || foe.Fate != "out") {
			return game.Refuse("GB-15", "godbound.refusal.fate-known", "Name", name(s, string(a.Foe)))
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Doom) rule.Outcome {
		on(r, s).tell(FoeFell{Who: string(a.Foe), Fate: a.Fate})
		return happened
	},
})

// Fate is the GM's answer what becomes of a mortal without HP, or of a foe whose morale broke. GB-15,
// GB-05
type Fate struct {
	Fate string `json:"fate" form:"choice=dead|out|beaten"`
}

var (
	fateForm       = form.Of[Fate]()
	mortalFateForm = fateForm.With("fate", form.Option{Value: "out"}, form.Option{Value: "dead"})
)

func (c cast) askFate(who string, f *form.Form) Fate {
	return rule.Ask(
		c.r,
		rule.Question[Fate]{
			ID:       "godbound.fate",
			To:       game.GM,
			Form:     f,
			Standard: Fate{"dead"},
			About:    game.AboutWho{Who: who},
		},
	)
}

// pour applies points to a foe; those left over after its last HD continue to others in reach, in
// the given order, whose AC is the same or worse. AC descends, so a worse one is higher. GB-12
func (c cast) pour(points int, target string, reach []string, overflow bool) {
	first, _ := c.foe(target)
	points = c.hurt(target, points, overflow)
	if !overflow {
		return
	}
	for _, who := range reach {
		foe, ok := c.foe(who)
		if points <= 0 {
			return
		}
		if ok && who != target && foe.Stands() && foe.AC >= first.AC {
			points = c.hurt(who, points, true)
		}
	}
}

// Fury holds the arguments of the move by which a hero at 0 HP rises in Divine Fury, or ends it.
// GB-17
type Fury struct {
	Fury string `json:"fury" form:"choice=rise|end"`
}

var furyMove = game.Define(game.MoveSpec[Fury]{
	ID: "fury", AtTable: true, Kinds: []string{"hero"},
	Instant:  func(game.Scene, Fury) bool { return true },
	Cast:     func(s game.Scene, _ Fury) []string { return fightsOf(s, s.Actor) },
	Outcomes: []game.OutcomeKind{{ID: "rises", Counts: true, Tone: game.Triumph}, {ID: "spent", Tone: game.Bad}},
	Allow: func(s game.Scene, a Fury) error { // GB-17
		if err := alive(s, s.Actor); err != nil {
			return err
		}
		hero, _ := game.Sheet[Hero](s, s.Actor)
		switch {
		case a.Fury == "end" && hero.State != "fury":
			return game.Refuse("GB-17", "godbound.refusal.no-fury", "Name", name(s, s.Actor))
		case a.Fury == "rise" && hero.State != "dying":
			return game.Refuse("GB-17", "godbound.refusal.not-fallen", "Name", name(s, s.Actor))
		case a.Fury == "rise" && !hero.CanRage():
			return game.Refuse("GB-17", "godbound.refusal.fury-used", "Name", name(s, s.Actor), "Level", hero.Level)
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Fury) rule.Outcome {
		c := on(r, s)
		if a.Fury == "end" {
			c.tell(FuryEnded{Who: s.Actor, Rounds: aftermath})
			return rule.Outcome{ID: "spent"}
		}
		c.rage(s.Actor)
		hero, _ := c.hero(s.Actor)
		return rule.Outcome{ID: "rises", N: hero.RemainingHP()}
	},
})
