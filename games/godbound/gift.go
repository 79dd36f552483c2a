package godbound

import (
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// UseGift holds the arguments of the use of a gift on the sheet. GB-02
type UseGift struct {
	Gift string `json:"gift" form:"choice,required,at=gifts"` // its index on the sheet
	Does string `json:"does,omitempty" form:"choice=|hinder,set=gift-does"`
	Dice string `json:"dice" form:"text,dice"` // if it does harm
	Harm string `json:"harm" form:"choice=chart|straight,beside=dice"`
	Hit  string `json:"hit,omitempty" form:"choice=|strength|dexterity|constitution|intelligence|wisdom|charisma,set=attribute"` // if it must hit
	Aim
	Unseen
}

var giftMove = game.Define(game.MoveSpec[UseGift]{
	ID: "gift", AtTable: true, Kinds: []string{"hero"}, Outcomes: worked, Headlines: workedHeadlines,
	Instant: func(s game.Scene, a UseGift) bool { return a.working(s).isInstant(s) },
	Cast:    func(s game.Scene, a UseGift) []string { return a.cast(s) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		f = offer(f, "gift", game.Each(hero.Gifts, func(g Gift) string { return g.Name }))
		rated := f.RatedOptions("gift", func(at string) string {
			i, err := strconv.Atoi(at)
			if err != nil || hero.Gifts[i].Cost == "" {
				return ""
			}
			return "godbound.until." + hero.Gifts[i].Cost // GB-18: how long a point lasts
		})
		return fitFight(s, f.Offering(form.Choices{"gift": rated, "targets": foesFirst(s)}))
	},
	Allow: func(s game.Scene, a UseGift) error {
		if a.Dice != "" {
			if _, err := readBlow(a.Dice, 0, a.Harm == "straight"); err != nil {
				return err
			}
		}
		w := a.working(s)
		if a.Does == "hinder" && len(a.Targets) == 0 {
			return game.Refuse("GB-23", "godbound.refusal.no-target")
		}
		return w.allow(s)
	},
	Price: func(r *rule.Run, s game.Scene, a UseGift) rule.Outcome { return a.working(s).price(r, s) },
	Play:  func(r *rule.Run, s game.Scene, a UseGift) rule.Outcome { return a.working(s).play(r, s) },
	Mark:  func(_ UseGift, t rule.Throw) []game.Mark { return markWorking(t) },
})

// markWorking marks the dice that decide whether a working affects anybody.
func markWorking(t rule.Throw) []game.Mark {
	if t.For == "damage" {
		return blow{}.mark(t)
	}
	return deciding(t)
}

// offer offers the items of a list by index; a single one becomes the default.
func offer(f *form.Form, field string, names []string) *form.Form {
	options := places(names...)
	f = f.With(field, options...)
	if len(options) == 1 {
		return f.Default(field, options[0].Value)
	}
	return f
}

func (a UseGift) working(s game.Scene) working {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	at, _ := strconv.Atoi(a.Gift)
	gift := hero.Gifts[at]
	w := working{
		kind: "gift", name: gift.Name, timing: gift.Action, aim: a.Aim, unseen: a.Unseen, hinders: a.Does == "hinder",
		rolls: a.Hit != "", bonus: hero.Bonus + modifier(hero.Attributes.Of(a.Hit)), harm: harming(a.Dice, a.Harm),
	}
	w.cost, w.free = gift.price(hero.Effort)
	return w
}

// price returns what a gift costs now: nothing if it takes no Effort or is already sustained;
// otherwise a point at each use. GB-18
func (g Gift) price(e Effort) (cost Commitment, free bool) {
	cost = Commitment{For: g.Name, Purpose: "gift", Until: g.Cost}
	return cost, g.Cost == "" || g.Cost == "sustained" && e.sustains("gift", g.Name)
}

// harming parses a power's dice, nil for none.
func harming(text, how string) *blow {
	if text == "" {
		return nil
	}
	b := must(text, 0, how == "straight")
	return &b
}

// Power is an ability of a foe in addition to plain blows. GB-29
type Power struct {
	Name string `json:"name" form:"text,required"`
	Does string `json:"does" form:"choice=harm|hinder|else"`
	Dice string `json:"dice" form:"text,dice,default=1d8,beside=does:harm"`
	Harm string `json:"harm" form:"choice=chart|straight,beside=does:harm"`
	Hits bool   `json:"hits,omitempty"` // works only if it hits
	Aim
	Timing string `json:"timing" form:"choice=action|on-turn|instant"`
	Cost   string `json:"cost" form:"choice=|sustained|scene|day,set=until"`
}

var powerMove = game.Define(game.MoveSpec[Power]{
	ID: "power", GMOnly: true, AtTable: true, Kinds: []string{"foe"}, Outcomes: worked, Headlines: workedHeadlines,
	Instant: func(s game.Scene, a Power) bool { return a.working(s).isInstant(s) },
	Cast:    func(s game.Scene, a Power) []string { return a.cast(s) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return fitFight(s, f.With("targets", foesFirst(s)...))
	},
	Allow: func(s game.Scene, a Power) error {
		if _, err := readBlow(a.Dice, 0, false); err != nil && a.Does == "harm" {
			return err
		}
		return a.working(s).allow(s)
	},
	Price: func(r *rule.Run, s game.Scene, a Power) rule.Outcome { return a.working(s).price(r, s) },
	Play:  func(r *rule.Run, s game.Scene, a Power) rule.Outcome { return a.working(s).play(r, s) },
	Mark:  func(_ Power, t rule.Throw) []game.Mark { return markWorking(t) },
})

func (a Power) working(s game.Scene) working {
	foe, _ := game.Sheet[Foe](s, s.Actor)
	w := working{
		kind: "power", name: a.Name, timing: a.Timing, aim: a.Aim, hinders: a.Does == "hinder",
		rolls: a.Hits, bonus: foe.Bonus,
	}
	w.cost, w.free = Gift{Name: a.Name, Cost: a.Cost}.price(foe.Effort)
	if a.Does == "harm" {
		w.harm = harming(a.Dice, a.Harm)
	}
	return w
}
