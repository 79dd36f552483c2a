// Package tabletest has a tiny game, and plays a table of it over plain values, for tests: acts and
// moves become entries, which are folded, without a host, a journal, a relay or a clock.
package tabletest

import (
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// Toy is a game small enough to understand at once: heroes and shades, strikes with a question in
// the middle and two parallel parts, and values that only a game master sees. All of those contain
// the word SECRET.
var Toy = &game.Game{
	ID:    "toy",
	Kinds: []game.Kind{game.KindOf("hero", true, Hero{Luck: 3}, nil), game.KindOf("shade", false, Shade{}, nil)},
	Moves: []game.Move{strike, rest, swap, omen, haunt, siege, soothe, Dueling, lure, drawLots},
	Events: []game.EventType{
		game.EventOf[Hurt](), game.EventOf[Whispered](),
		game.EventOf[Rested](), game.EventOf[Swapped](), game.EventOf[Drawn](), game.EventOf[Held](),
	},
	Going: func(_ game.Scene, thrown []game.OrderThrow) []game.Encounter {
		if len(thrown) == 0 {
			return nil
		}
		return []game.Encounter{hunt(thrown)}
	},
	Settings: game.SettingsOf(House{Deadly: false, Limit: 5}),
	Stock: func(lang.Speaker) []game.Sample {
		return []game.Sample{{ID: "wisp", Kind: "shade", Name: "Wisp", Sheet: Shade{Hurt: 2, Note: "SECRET wisp"}}}
	},
	View: game.View{
		Sheet: func(v game.Viewer, _ any, who string, sheet any) any {
			switch sheet := sheet.(type) {
			case Hero:
				if !v.IsGM() {
					return ShownHero{
						Luck: sheet.Luck, Hurt: sheet.Hurt, Bag: append([]Thing{}, sheet.Bag...),
						Home: sheet.Home,
					}
				}
			case Shade:
				if !v.IsGM() && !sheet.Risen {
					return nil
				}
				if !v.IsGM() {
					return ShownShade{Risen: true}
				}
			}
			return sheet
		},
		Locked: func(v game.Viewer, _ any, kind string) []string {
			if v.IsGM() {
				return nil
			}
			return []string{"hurt"}
		},
		Event: func(v game.Viewer, _ any, e rule.Event) (rule.Event, bool) {
			switch e := e.(type) {
			case game.Resolved, Hurt, Rested, Swapped, Drawn, Held:
				return e, true
			}
			return e, v.IsGM()
		},
		Throw: func(v game.Viewer, _ any, t rule.Throw) bool { return v.IsGM() || t.For != "fate" },
	},
}

// hunt is the order of turns: characters by their rolls.
type hunt []game.OrderThrow

func (h hunt) Scene(game.Voice) string { return "hunt" }
func (h hunt) Turn(game.Voice) string  { return "" }
func (h hunt) Order(game.Voice) []game.Place {
	return game.Each(h, func(d game.OrderThrow) game.Place { return game.Place{Who: d.Who, Note: d.Outcome.ID} })
}
func (h hunt) Pass() (move, actor string, args any) { return "omen", "", Omen{Text: "on"} }

// Hero is a player's character. Only the GM sees its doom.
type Hero struct {
	Luck int     `json:"luck" form:"max=9"`
	Hurt int     `json:"hurt" form:"max=99"`
	Doom string  `json:"doom" form:"text"`
	Bag  []Thing `json:"bag" form:"max=5"`
	Home Home    `json:"home"`
}

// ShownHero is a hero's sheet as players see it.
type ShownHero struct {
	Luck int     `json:"luck"`
	Hurt int     `json:"hurt"`
	Bag  []Thing `json:"bag"`
	Home Home    `json:"home"`
}

// Thing is an object in a bag, with an optional character that it is for.
type Thing struct {
	Name string   `json:"name" form:"text"`
	For  form.Ref `json:"for,omitempty"`
}

// Home is a group of fields.
type Home struct {
	Town string `json:"town" form:"text"`
	Gate int    `json:"gate" form:"max=9"`
}

// Shade is the GM's. Players don't see it until it has risen.
type Shade struct {
	Risen bool   `json:"risen"`
	Hurt  int    `json:"hurt" form:"max=99"`
	Note  string `json:"note" form:"text"`
}

// ShownShade is the sheet of a risen shade as players see it.
type ShownShade struct {
	Risen bool `json:"risen"`
}

// House has the settings.
type House struct {
	Deadly bool `json:"deadly"`
	Limit  int  `json:"limit" form:"max=10,default=5"`
}

// Hurt adds to the harm of a character.
type Hurt struct {
	Who string `json:"who"`
	N   int    `json:"n"`
}

func (Hurt) Type() string    { return "toy.hurt" }
func (e Hurt) Whose() string { return e.Who }

// Thrower returns the hurt character, who rolls the harm.
func (e Hurt) Thrower() string                 { return e.Who }
func (e Hurt) ThrowerName(v game.Voice) string { return v.Name(e.Who) }
func (e Hurt) Apply(sheet any) any {
	sheet = game.On(sheet, func(h Hero) Hero { h.Hurt += e.N; return h })
	return game.On(sheet, func(s Shade) Shade { s.Hurt += e.N; return s })
}

func (e Hurt) Spoken(v game.Voice) string { return v.Name(e.Who) + " is hurt" }

// Whispered is an event that only game masters see.
type Whispered struct {
	Text string `json:"text"`
}

func (Whispered) Type() string { return "toy.whispered" }

// Rested gives a hero luck.
type Rested struct {
	Who string `json:"who"`
	N   int    `json:"n"`
}

func (Rested) Type() string    { return "toy.rested" }
func (e Rested) Whose() string { return e.Who }
func (e Rested) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero { h.Luck = min(9, h.Luck+e.N); return h })
}

// Swapped names two characters.
type Swapped struct {
	A string `json:"a"`
	B string `json:"b"`
}

func (Swapped) Type() string { return "toy.swapped" }

// Strike rolls, asks the GM how hard it lands, and then lets both sides decide and roll in
// parallel.
type Strike struct {
	Target form.Ref `json:"target" form:"required,table"`
	Bonus  int      `json:"bonus" form:"max=3"`
	Name   string   `json:"name" form:"text"`
}

// Weight is the game master's answer: how hard a strike lands.
type Weight struct {
	N    int    `json:"n" form:"max=9"`
	Note string `json:"note" form:"text"`
}

// Dodge is an answer.
type Dodge struct {
	Dodge bool `json:"dodge"`
}

var (
	weightForm = form.Of[Weight]()
	dodgeForm  = form.Of[Dodge]()
)

var strike = game.Define(game.MoveSpec[Strike]{
	ID: "strike", Bare: true, AtTable: true, Kinds: []string{"hero", "shade"},
	Outcomes: []game.OutcomeKind{{ID: "hit", Counts: true, Tone: game.Good}, {ID: "miss", Tone: game.Bad}},
	Cast:     func(_ game.Scene, a Strike) []string { return []string{string(a.Target)} },
	Allow: func(s game.Scene, a Strike) error {
		if string(a.Target) == s.Actor {
			return &game.Refusal{Rule: "TY-01", Word: "toy.refusal.self"}
		}
		return nil
	},
	Price: func(r *rule.Run, s game.Scene, a Strike) rule.Outcome { return swing(r, a) },
	Play: func(r *rule.Run, s game.Scene, a Strike) rule.Outcome {
		result := swing(r, a)
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		if result.ID == "miss" {
			return result
		}
		weight := rule.Ask(r, rule.Question[Weight]{
			ID: "toy.weight", To: game.GM, Form: weightForm, Standard: Weight{N: 1},
			Check: func(w Weight) error {
				if limit := s.Settings.(House).Limit; w.N > limit {
					return &game.Refusal{Rule: "TY-02", Word: "toy.refusal.heavy"}
				}
				return nil
			},
		})
		r.Record(Whispered{Text: weight.Note})
		side := func(who string, n int) func(*rule.Run) int {
			return func(r *rule.Run) int {
				d := rule.Ask(r, rule.Question[Dodge]{ID: "toy.dodge", To: who, Form: dodgeForm, About: who})
				if d.Dodge && r.Count(dice.Pool{N: 1, Sides: 6, For: "dodge"}, dice.AtLeast(4)) > 0 {
					return 0
				}
				n += r.Sum(dice.Pool{N: 1, Sides: 6, For: "harm"})
				r.Record(Hurt{Who: who, N: n})
				return n
			}
		}
		hurt := rule.Together(r, side(s.Actor, 0), side(string(a.Target), weight.N))
		return rule.Outcome{ID: "hit", N: hurt[1]}
	},
})

func swing(r *rule.Run, a Strike) rule.Outcome {
	if hits := r.Count(dice.Pool{N: 2 + a.Bonus, Sides: 6, For: "pool"}, dice.AtLeast(4)); hits > 0 {
		return rule.Outcome{ID: "hit", N: hits}
	}
	return rule.Outcome{ID: "miss"}
}

// Rest has no chance in it.
type Rest struct {
	N int `json:"n" form:"max=3,default=1,said"`
}

var rest = game.Define(game.MoveSpec[Rest]{
	ID: "rest", AtTable: true, Kinds: []string{"hero"}, Outcomes: []game.OutcomeKind{{ID: "rested", Tone: game.Good}},
	Play: func(r *rule.Run, s game.Scene, a Rest) rule.Outcome {
		r.Record(Rested{Who: s.Actor, N: a.N})
		return rule.Outcome{ID: "rested"}
	},
})

// Swap names others, and rolls for each of them.
type Swap struct {
	With []form.Ref `json:"with" form:"max=5,table"`
	Via  struct {
		Guide form.Ref `json:"guide" form:"table"`
	} `json:"via"`
	Legs []struct {
		Who form.Ref `json:"who" form:"table"`
	} `json:"legs" form:"max=3"`
}

var swap = game.Define(game.MoveSpec[Swap]{
	ID: "swap", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "swapped", Tone: game.Neutral}},
	Cast: func(_ game.Scene, a Swap) []string {
		var cast []string
		for _, id := range a.With {
			cast = append(cast, string(id))
		}
		return cast
	},
	Play: func(r *rule.Run, s game.Scene, a Swap) rule.Outcome {
		r.Throw(dice.Pool{N: 3, Sides: 6, For: "pool"})
		for _, id := range a.With {
			r.Record(Swapped{A: s.Actor, B: string(id)},
				game.Resolved{Who: string(id), Outcome: rule.Outcome{ID: "hit", N: 1}})
		}
		return rule.Outcome{ID: "swapped"}
	},
})

// drawLots rolls for the order of turns.
var drawLots = game.Define(game.MoveSpec[struct{}]{
	ID: "draw", AtTable: true, Kinds: []string{"hero"}, Order: game.OrderThrown,
	Outcomes: []game.OutcomeKind{{ID: "lot", Counts: true, Tone: game.Neutral}},
	Price: func(r *rule.Run, s game.Scene, _ struct{}) rule.Outcome {
		return rule.Outcome{ID: "lot", N: r.Sum(dice.Pool{N: 1, Sides: 6, For: "pool"})}
	},
})

// Omen is a GM's move without an actor.
type Omen struct {
	Text string `json:"text" form:"text"`
}

var omen = game.Define(game.MoveSpec[Omen]{
	ID: "omen", GMOnly: true, AtTable: true, Outcomes: []game.OutcomeKind{{ID: "seen", Tone: game.Neutral}},
	Play: func(r *rule.Run, _ game.Scene, a Omen) rule.Outcome {
		r.Throw(dice.Pool{N: 1, Sides: 100, For: "fate"})
		r.Record(Whispered{Text: "SECRET omen"})
		return rule.Outcome{ID: "seen"}
	},
})

// Haunt is open until everybody in it has answered. It releases those who have.
type Haunt struct {
	Who []form.Ref `json:"who" form:"max=5,required,table"`
}

var haunt = game.Define(game.MoveSpec[Haunt]{
	ID: "haunt", GMOnly: true, AtTable: true, Outcomes: []game.OutcomeKind{{ID: "haunted", Tone: game.Bad}},
	Cast: func(_ game.Scene, a Haunt) []string {
		var cast []string
		for _, id := range a.Who {
			cast = append(cast, string(id))
		}
		return cast
	},
	Play: func(r *rule.Run, s game.Scene, a Haunt) rule.Outcome {
		var parts []func(*rule.Run) int
		for _, id := range a.Who {
			parts = append(parts, func(r *rule.Run) int {
				d := rule.Ask(r, rule.Question[Dodge]{ID: "toy.dodge", To: string(id), Form: dodgeForm})
				n := r.Sum(dice.Pool{N: 2, Sides: 6, For: "harm"})
				if !d.Dodge {
					r.Record(Hurt{Who: string(id), N: n})
				}
				r.Release(string(id))
				return n
			})
		}
		rule.Together(r, parts...)
		return rule.Outcome{ID: "haunted"}
	},
})

// Lured names who comes, after the roll.
type Lured struct {
	Who form.Ref `json:"who" form:"of=hero|shade"`
}

var luredForm = form.Of[Lured]()

// lure adds a character that nobody named before, which is hurt unless the actor decides against
// it.
var lure = game.Define(game.MoveSpec[struct{}]{
	ID: "lure", AtTable: true, Kinds: []string{"hero"},
	Outcomes: []game.OutcomeKind{{ID: "came", Tone: game.Good}, {ID: "alone", Tone: game.Bad}},
	Joins:    map[string]any{"toy.lured": Lured{}},
	Play: func(r *rule.Run, s game.Scene, _ struct{}) rule.Outcome {
		n := r.Sum(dice.Pool{N: 1, Sides: 6, For: "harm"})
		came, s := game.Name(r, s, rule.Question[Lured]{ID: "toy.lured", To: s.Actor, Form: luredForm})
		who := string(came.Who)
		if _, ok := s.Cast[who]; !ok {
			return rule.Outcome{ID: "alone"}
		}
		if hero, ok := game.Sheet[Hero](s, who); ok {
			n += hero.Hurt // as it was when they were named
		}
		r.Record(Held{Who: who})
		if !rule.Ask(r, rule.Question[Dodge]{ID: "toy.dodge", To: s.Actor, Form: dodgeForm}).Dodge {
			r.Record(Hurt{Who: who, N: n + r.Sum(dice.Pool{N: 1, Sides: 6, For: "harm"})})
		}
		r.Release(who)
		rule.Ask(r, rule.Question[Dodge]{ID: "toy.after", To: s.Actor, Form: dodgeForm})
		return rule.Outcome{ID: "came"}
	},
})

// Drawn says whose turn in a duel it is, before the roll.
type Drawn struct {
	Who string `json:"who"`
}

// Held says that a character doesn't act. The first rules didn't record it.
type Held struct {
	Who string `json:"who"`
}

func (Held) Type() string { return "toy.held" }
func (Held) Later()       {}

func (Drawn) Type() string                      { return "toy.drawn" }
func (e Drawn) Thrower() string                 { return e.Who }
func (e Drawn) ThrowerName(v game.Voice) string { return v.Name(e.Who) }

// Duel has a question in the middle of each side's roll.
type Duel struct {
	Target form.Ref `json:"target" form:"required,table"`
}

// Press says whether failed dice are rolled again.
type Press struct {
	Press bool `json:"press"`
}

var pressForm = form.Of[Press]()

// Dueling is the move.
var Dueling = game.Define(game.MoveSpec[Duel]{
	ID: "duel", AtTable: true, Kinds: []string{"hero", "shade"},
	Outcomes:  []game.OutcomeKind{{ID: "win", Counts: true, Tone: game.Good}, {ID: "lose", Tone: game.Bad}},
	Headlines: []game.Headline{{ID: "win", Outcomes: []string{"win"}}},
	Aims:      []game.Aim{{ID: "lead", Worth: func(o rule.Outcome) int64 { return int64(o.N) }}},
	Cast:      func(_ game.Scene, a Duel) []string { return []string{string(a.Target)} },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		if shade, ok := s.Cast[s.Actor].Sheet.(Shade); ok && shade.Hurt > 5 { // it flees
			return f.With("target", form.Option{})
		}
		return f
	},
	Price: fence,
	Play: func(r *rule.Run, s game.Scene, a Duel) rule.Outcome {
		result := fence(r, s, a)
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		rule.Ask(r, rule.Question[Weight]{ID: "toy.weight", To: game.GM, Form: weightForm, Free: true})
		return result
	},
})

func fence(r *rule.Run, s game.Scene, a Duel) rule.Outcome {
	side := func(who, label string) func(*rule.Run) int {
		return func(r *rule.Run) int {
			r.SetRoller(who)
			r.Record(Drawn{Who: who})
			hits := r.Count(dice.Pool{N: 2, Sides: 6, For: label}, dice.AtLeast(4))
			if hits == 2 {
				return hits
			}
			if !rule.Ask(r, rule.Question[Press]{ID: "toy.press", To: who, Form: pressForm}).Press {
				r.Record(Held{Who: who})
				return hits
			}
			return hits + r.Count(dice.Pool{N: 2 - hits, Sides: 6, For: label}, dice.AtLeast(4))
		}
	}
	hits := rule.Together(r, side(s.Actor, "pool"), side(string(a.Target), "against"))
	if hits[0] > hits[1] {
		return rule.Outcome{ID: "win", N: hits[0] - hits[1]}
	}
	return rule.Outcome{ID: "lose"}
}
