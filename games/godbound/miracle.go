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

// Miracle holds the arguments of the use of a Word without a gift. GB-23
type Miracle struct {
	Word  string `json:"word" form:"choice,required"` // its index on the sheet
	Use   string `json:"use" form:"choice=harm|guard|resist|hinder|make|gift|alter|wall|show"`
	Guard string `json:"protection" form:"choice=armour|immunity,beside=use:guard"`
	To    string `json:"to" form:"text,beside=protection:immunity"`            // what the immunity is against
	Dice  string `json:"dice,omitempty" form:"text,dice,beside=use:gift|wall"` // of the imitated gift, or of a zone of danger
	Harm  string `json:"harm,omitempty" form:"choice=chart|straight,beside=dice"`
	Until string `json:"until" form:"choice=day|scene|sustained"`
	Aim
	Unseen
}

// Uses lists the nine uses of a miracle. GB-23
var Uses = []string{"harm", "guard", "resist", "hinder", "make", "gift", "alter", "wall", "show"}

var miracleMove = game.Define(game.MoveSpec[Miracle]{
	ID: "miracle", AtTable: true, Kinds: []string{"hero"}, Outcomes: worked, Headlines: workedHeadlines,
	Instant: func(s game.Scene, a Miracle) bool { return a.working(s).isInstant(s) },
	Cast:    func(s game.Scene, a Miracle) []string { return a.cast(s) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		for _, field := range []string{"targets", "several", "save", "of"} { // GB-23: fields about a target
			f = f.Beside(field, "use", "harm", "hinder", "gift", "alter", "wall")
		}
		return fitFight(s, offer(f, "word", wordsOf(hero)).With("targets", foesFirst(s)...))
	},
	Allow: func(s game.Scene, a Miracle) error { // GB-23
		switch {
		case (a.Use == "harm" || a.Use == "hinder") && len(a.Targets) == 0:
			return game.Refuse("GB-23", "godbound.refusal.no-target")
		case a.Use == "guard" && a.Guard == "immunity" && a.To == "":
			return game.Refuse("GB-23", "godbound.refusal.immune-to")
		case a.ownDice() && a.Dice != "":
			if _, err := readBlow(a.Dice, 0, a.Harm == "straight"); err != nil {
				return err
			}
		}
		return a.working(s).allow(s)
	},
	Price: func(r *rule.Run, s game.Scene, a Miracle) rule.Outcome { return a.working(s).price(r, s) },
	Play:  func(r *rule.Run, s game.Scene, a Miracle) rule.Outcome { return a.working(s).play(r, s) },
	Mark:  func(_ Miracle, t rule.Throw) []game.Mark { return markWorking(t) },
})

func wordsOf(hero Hero) []string {
	return game.Each(hero.Words, func(w Named) string { return w.Name })
}

// ownDice reports whether a miracle has its own damage dice: those of the gift that it imitates, or
// of a zone of danger. GB-23
func (a Miracle) ownDice() bool { return a.Use == "gift" || a.Use == "wall" }

// working returns a miracle with its numbers: harm to one target is a d8 for each level, to several
// a d6 for every two levels, rounded up. One that attacks or weakens is an action in any form,
// others are instant. GB-03, GB-23
func (a Miracle) working(s game.Scene) working {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	at, _ := strconv.Atoi(a.Word)
	word := hero.Words[at].Name
	w := working{
		kind: "miracle", name: word, use: a.Use, timing: "instant", aim: a.Aim, unseen: a.Unseen,
		hinders: a.Use == "hinder",
		cost:    Commitment{For: word, Purpose: "miracle", Until: a.Until}, guard: a.Guard, to: a.To,
	}
	switch {
	case a.Use == "harm":
		b := miracleHarm(hero.Level, a.Several || len(a.Targets) > 1)
		w.harm = &b
	case a.ownDice():
		w.harm = harming(a.Dice, a.Harm)
	}
	if a.Use == "make" || a.Use == "alter" || a.Use == "wall" {
		w.lasts = &Made{Name: shorten(cmp.Or(a.Text, word)), Use: a.Use}
		if a.Use == "wall" && a.Dice != "" {
			w.lasts.Dice, w.lasts.Harm, w.lasts.Of = a.Dice, a.Harm, a.Of
		}
	}
	if w.hostile(s) && !slices.Contains([]string{"guard", "resist", "show"}, a.Use) { // GB-03
		w.timing = "action"
	}
	return w
}

// miracleHarm returns the dice of a harming miracle. GB-23
func miracleHarm(level int, several bool) blow {
	if several {
		return blow{pool: dice.Pool{N: (level + 1) / 2, Sides: 6, For: "damage"}}
	}
	return blow{pool: dice.Pool{N: level, Sides: 8, For: "damage"}}
}

// Zone holds the arguments of a zone of danger that was raised before and affects those who enter
// it. It's already paid for, so it costs nothing more. GB-18, GB-23
type Zone struct {
	Zone string `json:"zone" form:"choice,required"` // its index on the sheet
	Aim
	Unseen
}

var zoneMove = game.Define(game.MoveSpec[Zone]{
	ID: "zone", AtTable: true, Kinds: []string{"hero"}, Outcomes: worked, Headlines: workedHeadlines,
	Instant: func(s game.Scene, a Zone) bool { return a.working(s).isInstant(s) },
	Cast:    func(s game.Scene, a Zone) []string { return a.cast(s) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		zones := []form.Option{}
		for i, m := range hero.Works {
			if m.Dice != "" {
				zones = append(zones, form.OptionAt(i, m.Name))
			}
		}
		return fitFight(s, f.With("zone", zones...).Default("zone", firstOf(zones)).With("targets", foesFirst(s)...))
	},
	Allow: func(s game.Scene, a Zone) error { // GB-23
		if len(a.Targets) == 0 {
			return game.Refuse("GB-23", "godbound.refusal.no-target")
		}
		for _, who := range refs(a.Targets) {
			if err := alive(s, who); err != nil {
				return err
			}
		}
		return alive(s, s.Actor)
	},
	Price: func(r *rule.Run, s game.Scene, a Zone) rule.Outcome { return a.working(s).price(r, s) },
	Play:  func(r *rule.Run, s game.Scene, a Zone) rule.Outcome { return a.working(s).play(r, s) },
	Mark:  func(_ Zone, t rule.Throw) []game.Mark { return markWorking(t) },
})

func (a Zone) working(s game.Scene) working {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	at, _ := strconv.Atoi(a.Zone)
	zone := hero.Works[at]
	a.Of = cmp.Or(a.Of, zone.Of)
	return working{
		kind:   "zone",
		name:   zone.Name,
		timing: "instant",
		free:   true,
		aim:    a.Aim,
		unseen: a.Unseen,
		harm:   harming(zone.Dice, zone.Harm),
	}
}
