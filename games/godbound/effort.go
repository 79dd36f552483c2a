package godbound

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Commit binds a point of Effort to something. GB-18
type Commit struct {
	For   string `json:"for" form:"text,required"`
	Until string `json:"until" form:"choice=sustained|scene|day"`
	Stays bool   `json:"stays"`
}

var commitMove = game.Define(game.Of[Commit]{
	ID: "commit", AtTable: true, Kinds: []string{"hero", "foe"}, Outcomes: done,
	Allow: func(s game.Scene, a Commit) error {
		if err := alive(s, s.Actor); err != nil {
			return err
		}
		return mayCommit(s, Commitment{For: a.For, Purpose: "own"})
	},
	Play: func(r *rule.Run, s game.Scene, a Commit) rule.Outcome {
		on(r, s).commit(s.Actor, Commitment{For: a.For, Purpose: "own", Until: a.Until, Stays: a.Stays})
		return happened
	},
})

// mayCommit refuses Effort that isn't free, and a second point for the same
// thing. GB-18
func mayCommit(s game.Scene, commitment Commitment) error {
	effort := effortOf(s.Cast[s.Actor].Sheet)
	if (commitment.Purpose == "gift" || commitment.Purpose == "own") && effort.holds(commitment.Purpose, commitment.For) {
		return game.Refuse("GB-18", "godbound.refusal.twice", "For", commitment.For)
	}
	if effort.Free() == 0 {
		return game.Refuse("GB-18", "godbound.refusal.no-effort", "N", effort.Total)
	}
	return nil
}

func effortOf(sheet any) Effort {
	switch sheet := sheet.(type) {
	case Hero:
		return sheet.Effort
	case Foe:
		return sheet.Effort
	}
	return Effort{}
}

// Release takes sustained Effort back. GB-18
type Release struct {
	Commitment string `json:"commitment" form:"choice,required"` // its place on the sheet
}

var releaseMove = game.Define(game.Of[Release]{
	ID: "release", AtTable: true, Kinds: []string{"hero", "foe"}, Outcomes: done,
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := []form.Option{}
		for i, c := range effortOf(s.Cast[s.Actor].Sheet).Committed {
			option := form.Option{Value: strconv.Itoa(i), Text: c.For, Past: c.Until != "sustained"} // GB-18
			if c.Purpose != "own" || c.For == "" {
				option.Word = "godbound.purpose." + c.Purpose
			}
			options = append(options, option)
		}
		f = f.With("commitment", options...)
		if offered := slices.DeleteFunc(slices.Clone(options), func(o form.Option) bool { return o.Past }); len(offered) == 1 {
			return f.Default("commitment", offered[0].Value)
		}
		return f
	},
	Allow: func(s game.Scene, a Release) error {
		if c, ok := a.of(s); !ok || c.Until != "sustained" { // GB-18: the others come back in their time
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

// of finds the commitment on the actor's sheet.
func (a Release) of(s game.Scene) (Commitment, bool) {
	committed := effortOf(s.Cast[s.Actor].Sheet).Committed
	at, err := strconv.Atoi(a.Commitment)
	if err != nil || at < 0 || at >= len(committed) {
		return Commitment{}, false
	}
	return committed[at], true
}

// returning are the commitments that come back now: those until the day or
// the scene ends, unless they stay. GB-18
func (e Effort) returning(until string) []Commitment {
	var back []Commitment
	for _, c := range e.Committed {
		if c.Until == until && !c.Stays {
			back = append(back, c)
		}
	}
	return back
}

// giveBack returns Effort, if there is any to return.
func (c cast) giveBack(who, why string, back []Commitment) {
	if len(back) == 0 {
		return
	}
	_, foe := c.effort(who)
	c.tell(EffortReturned{Who: who, Why: why, Back: back, Foe: foe})
}

// without returns the Effort with some commitments taken back, each once.
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
