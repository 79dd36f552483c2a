package spire

import (
	"norn/game"
	"norn/rule"
)

// Harm holds the arguments of the move that marks stress on an NPC outside a check.
type Harm struct {
	Die   string `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Bonus int    `json:"bonus" form:"max=20"` // SP-03: one for each ten
}

var harmMove = game.Define(game.MoveSpec[Harm]{
	ID: "harm", GMOnly: true, AtTable: true, Kinds: []string{"npc"},
	Outcomes: []game.OutcomeKind{{ID: "harm", Counts: true, Tone: game.Good}},
	Allow:    func(s game.Scene, _ Harm) error { return allowHarm(s, s.Actor) },
	Price: func(r *rule.Run, _ game.Scene, a Harm) rule.Outcome {
		return rule.Outcome{ID: "harm", N: r.Sum(die(a.Die, "harm")) + a.Bonus}
	},
	Play: func(r *rule.Run, s game.Scene, a Harm) rule.Outcome {
		s = game.Lend(r, s)
		result := rule.Outcome{ID: "harm", N: r.Sum(die(a.Die, "harm")) + a.Bonus}
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		harm(r, s, NPCHarmed{Who: s.Actor, Amount: result.N})
		return result
	},
})

// Ending holds the arguments of the move by which the GM says in what other way an NPC that can take
// no more has left the conflict. SP-26
type Ending struct {
	How string `json:"how" form:"choice=flees|leaves|yields,set=ending,said"`
}

// endings are the endings that are offered; leaves is what an NPC does without them. SP-26
var endings = []string{"flees", "yields"}

var endingMove = game.Define(game.MoveSpec[Ending]{
	ID: "ending", GMOnly: true, AtTable: true, ByOffer: true, Ends: []string{"ending"}, Kinds: []string{"npc"},
	Outcomes: []game.OutcomeKind{{ID: "left", Tone: game.Neutral}},
	Instant:  func(game.Scene, Ending) bool { return true }, // no rule reads how it left
	Allow: func(s game.Scene, _ Ending) error {
		if npc, ok := game.Sheet[NPC](s, s.Actor); ok && (!npc.Broken() || npc.Ending != "leaves") {
			return &game.Refusal{
				Rule: "SP-26",
				Word: "spire.refusal.ending-known",
				Data: map[string]any{"Name": s.Cast[s.Actor].Name},
			}
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Ending) rule.Outcome {
		r.Record(NPCBroken{Who: s.Actor, How: a.How})
		return rule.Outcome{ID: "left"}
	},
})

// harm marks stress on an NPC. SP-26: at its limit it leaves the conflict, and nobody waits for the GM,
// who may say that it flees or yields.
func harm(r *rule.Run, s game.Scene, hurt NPCHarmed) {
	who := hurt.Who
	npc, ok := game.Sheet[NPC](s, who)
	if !ok || npc.Broken() || hurt.Amount <= 0 {
		return
	}
	hurt.Now, hurt.Size = npc.Stress+hurt.Amount, npc.Resistance
	s.Record(r, hurt)
	if hurt.Now < npc.Resistance {
		return
	}
	s.Record(r, NPCBroken{Who: who, How: "leaves"})
	for _, how := range endings {
		game.Offer(r, game.GM, "ending", who, Ending{How: how})
	}
}

// allowHarm refuses to strike an NPC that has left the conflict. SP-26
func allowHarm(s game.Scene, who string) error {
	if npc, ok := game.Sheet[NPC](s, who); ok && npc.Broken() {
		return &game.Refusal{
			Rule: "SP-26",
			Word: "spire.refusal.broken",
			Data: map[string]any{"Name": s.Cast[who].Name},
		}
	}
	return nil
}
