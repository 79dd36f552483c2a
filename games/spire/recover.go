package spire

import (
	"norn/form"
	"norn/game"
	"norn/rule"
)

// LieLow holds the arguments of the move to hide until all stress is cleared, while the story moves
// on. SP-23
type LieLow struct {
	Meanwhile string `json:"meanwhile" form:"prose"`
}

// Meanwhile is the GM's answer about what happened while somebody was hiding. SP-23
type Meanwhile struct {
	Text string `json:"text" form:"prose,required"`
}

var cleared = []game.OutcomeKind{{ID: "cleared", Counts: true, Tone: game.Good}}

var lieLowMove = game.Define(game.MoveSpec[LieLow]{
	ID: "lie-low", AtTable: true, Kinds: []string{"character"}, Outcomes: cleared,
	Play: func(r *rule.Run, s game.Scene, a LieLow) rule.Outcome { // SP-23
		hero, _ := game.Sheet[Character](s, s.Actor)
		result := rule.Outcome{ID: "cleared", N: hero.Stress.Sum()}
		r.Record(
			StressCleared{Who: s.Actor, Cleared: hero.Stress, Why: "lie-low"},
			game.Resolved{Who: s.Actor, Outcome: result},
		)
		if a.Meanwhile == "" || !s.Ruled.All { // a player's text is only a proposal
			r.Release(s.Actor) // who has recovered needn't wait for the story
			q := rule.Question[Meanwhile]{
				ID:    "spire.meanwhile",
				To:    game.GM,
				Free:  true,
				About: game.AboutWho{Who: s.Actor},
			}
			if a.Meanwhile != "" {
				q.Free, q.Standard = false, Meanwhile{Text: a.Meanwhile}
			}
			a.Meanwhile = rule.Ask(r, q).Text
		}
		r.Record(MovedOn{Who: s.Actor, Text: a.Meanwhile})
		return result
	},
})

// Act holds the arguments of the move that takes time to clear one resistance. SP-24
type Act struct {
	Die        string `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Resistance string `json:"resistance" form:"choice=blood|mind|silver|shadow|reputation"`
	Text       string `json:"text" form:"prose"`
}

var actMove = game.Define(game.MoveSpec[Act]{
	ID: "act", AtTable: true, Kinds: []string{"character"}, Outcomes: cleared,
	Fit: func(s game.Scene, f *form.Form) *form.Form { // SP-27: a bond may be chosen like a resistance
		hero, _ := game.Sheet[Character](s, s.Actor)
		return f.With("resistance", places(hero)...)
	},
	Price: func(r *rule.Run, s game.Scene, a Act) rule.Outcome {
		hero, _ := game.Sheet[Character](s, s.Actor)
		return rule.Outcome{ID: "cleared", N: min(r.Sum(die(a.Die, "clear")), hero.stressAt(a.Resistance))} // SP-24
	},
	Play: func(r *rule.Run, s game.Scene, a Act) rule.Outcome {
		s = game.Lend(r, s)
		thrown := r.Sum(die(grantedDie(r, s, a.Die), "clear"))
		hero, _ := game.Sheet[Character](s, s.Actor)
		n := min(thrown, hero.stressAt(a.Resistance)) // SP-24
		if a.Text != "" {
			r.Record(Happened{Who: s.Actor, Text: a.Text})
		}
		result := rule.Outcome{ID: "cleared", N: n}
		if at, bond := bondAt(a.Resistance); bond {
			r.Record(BondCleared{Who: s.Actor, At: at, Bond: hero.Bonds[at].Name, Amount: n})
		} else {
			r.Record(StressCleared{Who: s.Actor, Cleared: Marks{}.Plus(Resistance(a.Resistance), n), Why: "act"})
		}
		return game.RecordOutcome(r, s, result)
	},
})

// Refresh holds the arguments of the class's or an ability's own way to clear stress. SP-25
type Refresh struct {
	Die  string `json:"die" form:"choice=d3|d6|d8,default=d6"`
	Text string `json:"text" form:"prose"`
}

// Split is the player's answer about where a refresh clears stress. SP-25
type Split struct {
	Clear Marks `json:"clear"`
}

var refreshMove = game.Define(game.MoveSpec[Refresh]{
	ID: "refresh", AtTable: true, Kinds: []string{"character"}, Outcomes: cleared,
	Price: func(r *rule.Run, s game.Scene, a Refresh) rule.Outcome {
		hero, _ := game.Sheet[Character](s, s.Actor)
		return rule.Outcome{ID: "cleared", N: min(r.Sum(die(a.Die, "clear")), hero.Stress.Sum())} // SP-25
	},
	Play: func(r *rule.Run, s game.Scene, a Refresh) rule.Outcome {
		s = game.Lend(r, s)
		thrown := r.Sum(die(grantedDie(r, s, a.Die), "clear"))
		hero, _ := game.Sheet[Character](s, s.Actor)
		n := min(thrown, hero.Stress.Sum()) // SP-25
		if a.Text != "" {
			r.Record(Happened{Who: s.Actor, Text: a.Text})
		}
		var clear Marks
		if n > 0 {
			clear = rule.Ask(r, splitQuestion(s, hero, n)).Clear
		}
		r.Record(StressCleared{Who: s.Actor, Cleared: clear, Why: "refresh"})
		return game.RecordOutcome(r, s, rule.Outcome{ID: "cleared", N: n})
	},
})

// splitQuestion returns the question where to clear. It asks the player, or the GM if players don't
// see the numbers. SP-25, SP-28
func splitQuestion(s game.Scene, hero Character, n int) rule.Question[Split] {
	to := s.Actor
	if s.Settings.(Settings).StressShown != "numbers" {
		to = game.GM
	}
	return rule.Question[Split]{
		ID: "spire.split", To: to, Standard: Split{Clear: drain(hero.Stress, hero.countedStress(),
			hero.countedStress().fullest(), n)},
		About: AboutSplit{Who: s.Actor, N: n, Stress: hero.Stress},
		Check: func(a Split) error {
			if a.Clear.Sum() != n || a.Clear != a.Clear.within(hero.Stress) {
				return &game.Refusal{Rule: "SP-25", Word: "spire.refusal.clear", Data: map[string]any{"N": n}}
			}
			return nil
		},
	}
}
