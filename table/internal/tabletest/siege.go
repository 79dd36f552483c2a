package tabletest

import (
	"maps"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Beyond is the hurt of an asked character at which the rule of a siege breaks off.
const Beyond = 66

// siege lends everybody in it. It asks each of them at the same time, and hurts those who don't dodge
// by one more than they are hurt then. Then it asks the game master, and adds as much to everybody as
// all of them are hurt together.
var siege = game.Define(game.MoveSpec[Haunt]{
	ID: "siege", GMOnly: true, AtTable: true, Outcomes: []game.OutcomeKind{{ID: "haunted", Tone: game.Bad}},
	Cast: func(_ game.Scene, a Haunt) []string { return form.IDs(a.Who...) },
	Play: func(r *rule.Run, s game.Scene, a Haunt) rule.Outcome {
		all := besieged(r, s.Cast)
		var parts []func(*rule.Run) int
		for _, id := range form.IDs(a.Who...) {
			parts = append(parts, func(r *rule.Run) int {
				own := besieged(r, all)
				d := rule.AskAnew(r, func() rule.Question[Dodge] {
					if own.hurt(id) == Beyond {
						panic("nobody is hurt so much")
					}
					return rule.Question[Dodge]{ID: "toy.dodge", To: id, Form: dodgeForm, About: own.hurt(id)}
				})
				n := own.hurt(id) + 1
				if d.Dodge {
					return 0
				}
				r.Record(Hurt{Who: id, N: n})
				return n
			})
		}
		for i, n := range rule.Together(r, parts...) {
			all.take(Hurt{Who: string(a.Who[i]), N: n})
		}
		rule.AskAnew(r, func() rule.Question[Weight] {
			return rule.Question[Weight]{ID: "toy.weight", To: game.GM, Form: weightForm, Standard: Weight{N: 1}, About: all.sum()}
		})
		n := all.sum()
		for _, id := range a.Who {
			r.Record(Hurt{Who: string(id), N: n})
		}
		return rule.Outcome{ID: "haunted"}
	},
})

// cast holds the members that a siege is about.
type cast map[string]game.Member

func besieged(r *rule.Run, members map[string]game.Member) cast {
	c := cast(maps.Clone(members))
	r.Lend(c.take)
	return c
}

func (c cast) take(e rule.Event) {
	if change, ok := game.AsChange(e); ok {
		if m, here := c[change.Whose()]; here {
			m.Sheet = change.Apply(m.Sheet)
			c[m.ID] = m
		}
	}
}

func (c cast) hurt(id string) int {
	hero, _ := c[id].Sheet.(Hero)
	shade, _ := c[id].Sheet.(Shade)
	return hero.Hurt + shade.Hurt
}

func (c cast) sum() (n int) {
	for id := range c {
		n += c.hurt(id)
	}
	return n
}

// Soothe takes harm from somebody, and luck from who does it.
type Soothe struct {
	Whom form.Ref `json:"whom" form:"required,table"`
	N    int      `json:"n" form:"min=1,max=3,default=1"`
}

// soothe is instant.
var soothe = game.Define(game.MoveSpec[Soothe]{
	ID: "soothe", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "rested", Tone: game.Good}},
	Instant:  func(game.Scene, Soothe) bool { return true },
	Allow: func(s game.Scene, _ Soothe) error {
		if hero, _ := game.Sheet[Hero](s, s.Actor); hero.Luck == 0 {
			return &game.Refusal{Rule: "TY-03", Word: "toy.refusal.self"}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Soothe) rule.Outcome {
		r.Record(Rested{Who: s.Actor, N: -1}, Hurt{Who: string(a.Whom), N: -a.N})
		return rule.Outcome{ID: "rested"}
	},
})
