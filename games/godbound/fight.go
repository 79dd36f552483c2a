package godbound

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Fight is the state of a fight: its fighters by side, the round, and who has acted and moved.
type Fight struct {
	Round    int       `json:"round" form:"max=999"` // 0: it isn't running
	First    string    `json:"first" form:"choice=heroes|foes,set=side"`
	Turn     string    `json:"turn" form:"choice=heroes|foes,set=side"`
	Fighters []Fighter `json:"fighters" form:"max=60"`
}

// Fighter is a participant of a fight, with what they have used of this round.
type Fighter struct {
	Who   form.Ref `json:"who" form:"required"`
	Side  string   `json:"side" form:"choice=heroes|foes"` // GB-27: anybody may be on either side
	Acted int      `json:"acted" form:"max=9"`
	Moved int      `json:"moved" form:"max=9"`
	Fray  bool     `json:"frayed"` // GB-13
}

// find returns the index of a fighter, or −1.
func (f Fight) find(who string) int {
	return slices.IndexFunc(f.Fighters, func(each Fighter) bool { return string(each.Who) == who })
}

// takes describes what an act uses of the actor's round.
type takes struct{ action, move, fray, turn bool } // turn: it uses nothing, but is possible only in one's own turn

// fightOf returns the fight in which an act counts: the one named, or else the one that the actor
// is in. So nobody can leave a fight by not naming it. GB-02
func fightOf(s game.Scene, named form.Ref) form.Ref {
	if named != "" {
		return named
	}
	if in := fightsOf(s, s.Actor); len(in) > 0 {
		return form.Ref(in[0])
	}
	return ""
}

// fightsOf returns the fights that a character is in.
func fightsOf(s game.Scene, who string) []string {
	var in []string
	for _, id := range s.IDs() {
		if f, ok := game.Sheet[Fight](s, id); ok && f.Round > 0 && f.find(who) >= 0 {
			in = append(in, id)
		}
	}
	return in
}

// areOpponents reports whether two characters are against each other: on different sides of a fight
// or, if they aren't in one, of different kinds. GB-27
func areOpponents(s game.Scene, who, other string) bool {
	for _, id := range fightsOf(s, who) {
		f, _ := game.Sheet[Fight](s, id)
		if at := f.find(other); at >= 0 {
			return f.Fighters[at].Side != f.Fighters[f.find(who)].Side
		}
	}
	return who != other && (s.Cast[who].Kind == "foe") != (s.Cast[other].Kind == "foe")
}

// mayAct refuses acts for which the actor has nothing left in this round of a fight; outside of
// fights nothing is counted. GB-01, GB-02, GB-04, GB-13
func mayAct(s game.Scene, named form.Ref, t takes) error {
	fight := fightOf(s, named)
	if fight == "" {
		return nil
	}
	f, _ := game.Sheet[Fight](s, string(fight))
	at := f.find(s.Actor)
	if f.Round == 0 || at < 0 {
		return game.Refuse("GB-02", "godbound.refusal.not-in-fight", "Name", name(s, s.Actor))
	}
	fighter, most := f.Fighters[at], 1
	if foe, ok := game.Sheet[Foe](s, s.Actor); ok { // GB-04
		most = foe.Actions
	}
	id := "GB-02"
	if most > 1 {
		id = "GB-04"
	}
	switch {
	case t.fray && fighter.Fray:
		return game.Refuse("GB-13", "godbound.refusal.frayed", "Name", name(s, s.Actor))
	case t.fray: // GB-13: at any time in the round
		return nil
	case fighter.Side != f.Turn && t.turn:
		return game.Refuse(
			"GB-02",
			"godbound.refusal.not-your-turn",
			"Name",
			name(s, s.Actor),
			"Turn",
			turnWord(f.Turn),
		)
	case fighter.Side != f.Turn: // GB-01
		return game.Refuse(
			"GB-01",
			"godbound.refusal.not-your-turn",
			"Name",
			name(s, s.Actor),
			"Turn",
			turnWord(f.Turn),
		)
	case t.action && fighter.Acted >= most:
		return game.Refuse(id, "godbound.refusal.has-acted", "Name", name(s, s.Actor), "N", most)
	case t.move && fighter.Moved >= most:
		return game.Refuse(id, "godbound.refusal.has-moved", "Name", name(s, s.Actor), "N", most)
	}
	return nil
}

// spend records what the actor's act uses. GB-02
func (c cast) spend(named form.Ref, t takes) {
	if fight := fightOf(c.s, named); fight != "" && (t.action || t.move || t.fray) {
		c.tell(Acted{Who: string(fight), Fighter: c.s.Actor, Action: t.action, Move: t.move, Fray: t.fray})
	}
}

// leave releases the actor and the fight, once what an act uses of them is recorded: whatever follows
// concerns its targets alone, and nobody else waits for it. GB-02
func (c cast) leave(named form.Ref) { c.r.Release(c.s.Actor, string(fightOf(c.s, named))) }

// fitFight offers the fights that the actor is in; the first is the default.
func fitFight(s game.Scene, f *form.Form) *form.Form {
	options := game.Each(
		fightsOf(s, s.Actor),
		func(id string) form.Option { return form.Option{Value: id, Text: s.Cast[id].Name} },
	)
	return f.With("fight", options...).Default("fight", form.Ref(firstOf(options)))
}

// Begin holds the arguments of the move that starts a fight. Anybody may be on either side: NPCs
// with the heroes, heroes against each other. GB-01, GB-27
type Begin struct {
	Heroes    []form.Ref `json:"heroes" form:"max=20,required"`
	Foes      []form.Ref `json:"foes" form:"max=40,required"`
	Surprised bool       `json:"surprised"` // the heroes are surprised, or trapped
}

var (
	done     = []game.OutcomeKind{{ID: "done", Tone: game.Neutral}}
	happened = rule.Outcome{ID: "done"}
)

var beginMove = game.Define(game.MoveSpec[Begin]{
	ID: "begin", GMOnly: true, AtTable: true, Kinds: []string{"fight"}, Outcomes: done,
	Fit: fitSides,
	Allow: func(s game.Scene, a Begin) error {
		if f, _ := game.Sheet[Fight](s, s.Actor); f.Round > 0 {
			return game.Refuse("GB-02", "godbound.refusal.fight-on", "Name", name(s, s.Actor))
		}
		return allowFighters(s, a.Heroes, a.Foes)
	},
	Play: func(r *rule.Run, s game.Scene, a Begin) rule.Outcome { // GB-01
		first := "heroes"
		if a.Surprised {
			first = "foes"
		}
		c := on(r, s)
		c.tell(FightBegun{Who: s.Actor, First: first, Fighters: fighters(a.Heroes, a.Foes)})
		c.enter(a.Heroes, a.Foes)
		return happened
	},
})

// Join holds the arguments of the move that adds people to a running fight.
type Join struct {
	Heroes []form.Ref `json:"heroes" form:"max=20"`
	Foes   []form.Ref `json:"foes" form:"max=40"`
}

var joinMove = game.Define(game.MoveSpec[Join]{
	ID: "join", GMOnly: true, AtTable: true, Kinds: []string{"fight"}, Outcomes: done,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		fight, _ := game.Sheet[Fight](s, s.Actor)
		heroes, foes := afoot(s, people...), afoot(s, people...)
		for _, side := range [][]form.Option{heroes, foes} {
			for i := range side {
				side[i].Past = side[i].Past || fight.find(side[i].Value) >= 0
			}
		}
		return f.With("heroes", heroes...).With("foes", foes...)
	},
	Allow: func(s game.Scene, a Join) error {
		f, _ := game.Sheet[Fight](s, s.Actor)
		if f.Round == 0 {
			return game.Refuse("GB-02", "godbound.refusal.no-fight", "Name", name(s, s.Actor))
		}
		for _, who := range refs(a.Heroes, a.Foes) {
			if f.find(who) >= 0 {
				return game.Refuse("GB-02", "godbound.refusal.in-fight", "Name", name(s, who))
			}
		}
		return allowFighters(s, a.Heroes, a.Foes)
	},
	Play: func(r *rule.Run, s game.Scene, a Join) rule.Outcome {
		c := on(r, s)
		c.tell(FightersJoined{Who: s.Actor, Fighters: fighters(a.Heroes, a.Foes)})
		c.enter(a.Heroes, a.Foes)
		return happened
	},
})

func fitSides(s game.Scene, f *form.Form) *form.Form {
	return f.With("heroes", afoot(s, people...)...).With("foes", afoot(s, people...)...)
}

func allowFighters(s game.Scene, heroes, foes []form.Ref) error {
	for _, each := range refs(heroes, foes) {
		if err := alive(s, each); err != nil {
			return err
		}
		if slices.Contains(heroes, form.Ref(each)) && slices.Contains(foes, form.Ref(each)) { // GB-27
			return game.Refuse("GB-27", "godbound.refusal.both-sides", "Name", name(s, each))
		}
	}
	return nil
}

func fighters(heroes, foes []form.Ref) []Fighter {
	all := game.Each(heroes, func(who form.Ref) Fighter { return Fighter{Who: who, Side: "heroes"} })
	for _, who := range foes {
		all = append(all, Fighter{Who: who, Side: "foes"})
	}
	return all
}

// Next holds the arguments of the move that passes the turn to the other side, or to the next
// round; there are none.
type Next struct{}

var nextMove = game.Define(game.MoveSpec[Next]{
	ID: "next", GMOnly: true, AtTable: true, Kinds: []string{"fight"}, Outcomes: done,
	Cast: func(s game.Scene, _ Next) []string {
		f, _ := game.Sheet[Fight](s, s.Actor)
		return game.Each(f.Fighters, func(each Fighter) string { return string(each.Who) })
	},
	Allow: allowRunning[Next],
	Play: func(r *rule.Run, s game.Scene, _ Next) rule.Outcome {
		c := on(r, s)
		f, _ := game.Sheet[Fight](s, s.Actor)
		if f.Turn == f.First {
			c.tell(TurnPassed{Who: s.Actor, Round: f.Round, Turn: other(f.First)})
			return happened
		}
		c.tell(TurnPassed{Who: s.Actor, Round: f.Round + 1, Turn: f.First}) // GB-01, GB-02
		for _, each := range f.Fighters {
			c.countDown(string(each.Who))
		}
		return happened
	},
})

func allowRunning[A any](s game.Scene, _ A) error {
	if f, _ := game.Sheet[Fight](s, s.Actor); f.Round == 0 {
		return game.Refuse("GB-02", "godbound.refusal.no-fight", "Name", name(s, s.Actor))
	}
	return nil
}

func other(side string) string {
	if side == "heroes" {
		return "foes"
	}
	return "heroes"
}

// enter counts the round in which somebody joins a fight towards their Fury, so that Fury doesn't
// last longer if it began outside of the fight. GB-17
func (c cast) enter(sides ...[]form.Ref) {
	for _, who := range refs(sides...) {
		if hero, _ := c.hero(who); hero.State == "fury" {
			c.countDown(who)
		}
	}
}

// countDown subtracts a round from a hero's Fury, or from the helplessness after it, when a new
// round begins. GB-17
func (c cast) countDown(who string) {
	hero, _ := c.hero(who)
	switch {
	case hero.State == "fury" && hero.Rounds == 0:
		c.tell(FuryEnded{Who: who, Rounds: aftermath})
	case hero.State == "fury" || hero.State == "spent":
		c.tell(RoundPassed{Who: who, State: hero.State, Rounds: max(0, hero.Rounds-1)})
	}
}

// End holds the arguments of the move that ends a fight; there are none.
type End struct{}

var endMove = game.Define(game.MoveSpec[End]{
	ID: "end", GMOnly: true, AtTable: true, Kinds: []string{"fight"}, Outcomes: done,
	Allow: allowRunning[End],
	Play: func(r *rule.Run, s game.Scene, _ End) rule.Outcome {
		r.Record(FightEnded{Who: s.Actor})
		return happened
	},
})

// Act holds the arguments of any other action or movement. GB-02
type Act struct {
	Takes string   `json:"takes" form:"choice=action|movement"`
	Text  string   `json:"text" form:"prose"`
	Fight form.Ref `json:"fight"`
}

var actMove = game.Define(game.MoveSpec[Act]{
	ID: "act", AtTable: true, Kinds: people, Outcomes: done,
	Cast: func(s game.Scene, a Act) []string { return refs([]form.Ref{fightOf(s, a.Fight)}) },
	Fit:  fitFight,
	Allow: func(s game.Scene, a Act) error {
		if err := awake(s); err != nil {
			return err
		}
		return mayAct(s, a.Fight, a.uses())
	},
	Play: func(r *rule.Run, s game.Scene, a Act) rule.Outcome {
		c := on(r, s)
		c.spend(a.Fight, a.uses())
		if a.Text != "" {
			c.tell(Happened{Who: s.Actor, Text: a.Text})
		}
		return happened
	},
})

func (a Act) uses() takes { return takes{action: a.Takes == "action", move: a.Takes == "movement"} }

// fightOn is a running fight. GB-01, GB-02
type fightOn struct {
	id, name string
	Fight
	foes map[string]int // number of actions of the foes whose sheets are visible
}

func fightsOn(s game.Scene, _ []game.OrderThrow) []game.Encounter {
	var all []game.Encounter
	for _, id := range s.IDs() {
		if f, ok := game.Sheet[Fight](s, id); ok && f.Round > 0 {
			on := fightOn{id: id, name: s.Cast[id].Name, Fight: f, foes: map[string]int{}}
			for _, each := range f.Fighters {
				if foe, ok := game.Sheet[Foe](s, string(each.Who)); ok {
					on.foes[string(each.Who)] = foe.Actions
				}
			}
			all = append(all, on)
		}
	}
	return all
}

func (f fightOn) Scene(v game.Voice) string {
	return v.Say("godbound.turns.round", "Name", f.name, "N", f.Round)
}

func (f fightOn) Turn(v game.Voice) string { return v.Say("godbound.first." + f.Fight.Turn) }

// Order returns the fighters, those of the side whose turn it is first.
func (f fightOn) Order(v game.Voice) []game.Place {
	var places []game.Place
	for _, side := range []string{f.Fight.Turn, other(f.Fight.Turn)} {
		for _, each := range f.Fighters {
			if each.Side != side {
				continue
			}
			acted := each.Acted >= max(1, f.foes[string(each.Who)]) // GB-02, GB-04
			places = append(
				places,
				game.Place{
					Who:   string(each.Who),
					Side:  v.Say("godbound.side." + side),
					Acted: acted,
					Now:   side == f.Fight.Turn && !acted,
				},
			)
		}
	}
	return places
}

// Pass returns the game master's move to the other side, or to the next round. GB-01
func (f fightOn) Pass() (move, actor string, args any) { return "next", f.id, Next{} }
