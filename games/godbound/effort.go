package godbound

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Commit holds the arguments of the move that binds a point of Effort. GB-18
type Commit struct {
	For   string `json:"for" form:"text,required"`
	Until string `json:"until" form:"choice=sustained|scene|day"`
	Stays bool   `json:"stays"`
}

var commitMove = game.Define(game.MoveSpec[Commit]{
	ID: "commit", AtTable: true, Kinds: []string{"hero", "foe"}, Outcomes: done,
	Instant: func(game.Scene, Commit) bool { return true },
	Allow: func(s game.Scene, a Commit) error {
		if err := alive(s, s.Actor); err != nil {
			return err
		}
		if a.Until == "sustained" && effortOf(s.Cast[s.Actor].Sheet).sustains("own", a.For) { // GB-18: paid only once
			return game.Refuse("GB-18", "godbound.refusal.twice", "For", a.For)
		}
		return mayCommit(s)
	},
	Play: func(r *rule.Run, s game.Scene, a Commit) rule.Outcome {
		on(r, s).commit(s.Actor, Commitment{For: a.For, Purpose: "own", Until: a.Until, Stays: a.Stays})
		return happened
	},
})

// mayCommit refuses if no Effort is free. GB-18
func mayCommit(s game.Scene) error {
	if effort := effortOf(s.Cast[s.Actor].Sheet); effort.Free() == 0 {
		return game.Refuse("GB-18", "godbound.refusal.no-effort", "N", effort.Total)
	}
	return nil
}

func effortOf(sheet any) Effort { return game.FieldValue[Effort](sheet, "effort") }

// Release holds the arguments of the move that frees Effort bound indefinitely. GB-18
type Release struct {
	Commitment string `json:"commitment" form:"choice,required"` // its index on the sheet
}

var releaseMove = game.Define(game.MoveSpec[Release]{
	ID: "release", AtTable: true, Kinds: []string{"hero", "foe"}, Outcomes: done,
	Instant: func(game.Scene, Release) bool { return true }, // GB-18: at any time
	Cast:    func(s game.Scene, _ Release) []string { return boundBy(s, s.Actor) },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := effortOf(s.Cast[s.Actor].Sheet).options()
		f = f.With("commitment", options...)
		if offered := slices.DeleteFunc(slices.Clone(options), func(o form.Option) bool { return o.Past }); len(
			offered,
		) == 1 {
			return f.Default("commitment", offered[0].Value)
		}
		return f
	},
	Allow: func(s game.Scene, a Release) error {
		if c, ok := a.of(s); !ok || !c.isIndefinite() { // GB-18: the others return at their time
			return game.Refuse("GB-18", "godbound.refusal.not-sustained")
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Release) rule.Outcome {
		back, _ := a.of(s)
		on(r, s).giveBack(s.Actor, "released", []Commitment{back})
		return happened
	},
})

// of returns the commitment on the actor's sheet.
func (a Release) of(s game.Scene) (Commitment, bool) {
	committed := effortOf(s.Cast[s.Actor].Sheet).Committed
	at, err := strconv.Atoi(a.Commitment)
	if err != nil || at < 0 || at >= len(committed) {
		return Commitment{}, false
	}
	return committed[at], true
}

// isIndefinite reports whether a point is bound for as long as its owner likes. GB-18
func (c Commitment) isIndefinite() bool { return c.Until == "sustained" || c.Stays }

// options returns the options for commitments, by index on the sheet.
func (e Effort) options() []form.Option {
	options := []form.Option{}
	for i, c := range e.Committed {
		option := form.Option{Value: strconv.Itoa(i), Text: c.For, Past: !c.isIndefinite()} // GB-18
		if c.Purpose != "own" || c.For == "" {
			option.Word = "godbound.purpose." + c.Purpose
		}
		options = append(options, option)
	}
	return options
}

// returning returns the commitments that end with the scene: those for it, unless they stay, and
// those sustained for effects that end. GB-18, GB-23
func (e Effort) returning() []Commitment {
	var back []Commitment
	for _, c := range e.Committed {
		if c.Until == "scene" && !c.Stays || c.Until == "sustained" && c.Use == "guard" {
			back = append(back, c)
		}
	}
	return back
}

// giveBack returns Effort, if there is any to return, and ends its effects. GB-18
func (c cast) giveBack(who, why string, back []Commitment) {
	if len(back) == 0 {
		return
	}
	_, foe := c.effort(who)
	c.tell(EffortReturned{Who: who, Why: why, Back: back, Foe: foe})
	var points []int
	for _, b := range back {
		if b.N > 0 {
			points = append(points, b.N)
		}
	}
	for _, on := range c.s.IDs() {
		if ended, any := c.endEffects(on, who, points); any {
			c.tell(ended)
		}
	}
}

// endEffects returns the event for the effects on one sheet that end with some points of a
// character's Effort.
func (c cast) endEffects(on, by string, points []int) (ended EffectsEnded, any bool) {
	ended = EffectsEnded{Who: on, By: by, Points: points}
	for _, b := range bindingsOf(c.sheets[on]) {
		if string(b.By) == by && slices.Contains(points, b.Point) {
			ended.Bindings = append(ended.Bindings, b.Name)
		}
	}
	if hero, ok := c.hero(on); ok && on == by {
		ended.Armour = hero.Guard && slices.Contains(points, hero.GuardPoint)
		for _, w := range hero.Immunities {
			if slices.Contains(points, w.Point) {
				ended.Immune = append(ended.Immune, w.Name)
			}
		}
		for _, m := range hero.Works {
			if slices.Contains(points, m.Point) {
				ended.Works = append(ended.Works, m.Name)
			}
		}
	}
	return ended, len(ended.Bindings) > 0 || ended.Armour || len(ended.Immune)+len(ended.Works) > 0
}

func bindingsOf(sheet any) []Binding { return game.FieldValue[[]Binding](sheet, "bindings") }

// boundBy returns the characters who are bound by others' Effort. GB-18
func boundBy(s game.Scene, by ...string) []string {
	var bound []string
	for _, id := range s.IDs() {
		if slices.ContainsFunc(
			bindingsOf(s.Cast[id].Sheet),
			func(b Binding) bool { return b.Point > 0 && slices.Contains(by, string(b.By)) },
		) {
			bound = append(bound, id)
		}
	}
	return bound
}

// without returns the Effort without some commitments, each removed once.
func (e Effort) without(back []Commitment) Effort {
	e.Committed = slices.Clone(e.Committed)
	for _, b := range back {
		if at := slices.Index(e.Committed, b); at >= 0 {
			e.Committed = slices.Delete(e.Committed, at, at+1)
		}
	}
	if len(e.Committed) == 0 {
		e.Committed = nil
	}
	return e
}
