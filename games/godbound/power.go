package godbound

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Power is what a foe does beyond plain blows. GB-29
type Power struct {
	Name string `json:"name" form:"text,required"`
	Does string `json:"does" form:"choice=harm|hinder|else"`
	Dice string `json:"dice" form:"text,dice,default=1d8,beside=does:harm"`
	Harm string `json:"harm" form:"choice=chart|straight,beside=does:harm"`
	Hits bool   `json:"hits,omitempty"` // only if it hits
	Aim
	Timing string `json:"timing" form:"choice=action|on-turn|instant"`
	Cost   string `json:"cost" form:"choice=|sustained|scene|day,set=until"`
}

var powerMove = game.Define(game.Of[Power]{
	ID: "power", GMOnly: true, AtTable: true, Kinds: []string{"foe"}, Outcomes: worked, Headlines: workedHeadlines,
	Cast: func(s game.Scene, a Power) []string { return a.cast(s) },
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
	Mark:  func(_ Power, t rule.Thrown) []game.Mark { return markWorking(t) },
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
