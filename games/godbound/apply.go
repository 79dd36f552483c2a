package godbound

import (
	"slices"

	"norn/form"
	"norn/game"
)

// Apply opens the fight.
func (e FightBegun) Apply(sheet any) any {
	return game.On(sheet, func(Fight) Fight {
		return Fight{Round: 1, First: e.First, Turn: e.First, Fighters: slices.Clone(e.Fighters)}
	})
}

// Apply adds the fighters.
func (e FightersJoined) Apply(sheet any) any {
	return game.On(sheet, func(f Fight) Fight {
		f.Fighters = append(slices.Clone(f.Fighters), e.Fighters...)
		return f
	})
}

// Apply passes the turn; a new round gives everybody their acts back.
func (e TurnPassed) Apply(sheet any) any {
	return game.On(sheet, func(f Fight) Fight {
		if e.Round != f.Round {
			f.Fighters = slices.Clone(f.Fighters)
			for i := range f.Fighters {
				f.Fighters[i].Acted, f.Fighters[i].Moved, f.Fighters[i].Fray = 0, 0, false
			}
		}
		f.Round, f.Turn = e.Round, e.Turn
		return f
	})
}

// Apply closes the fight.
func (e FightEnded) Apply(sheet any) any {
	return game.On(sheet, func(f Fight) Fight {
		f.Round, f.Fighters = 0, nil
		return f
	})
}

// Apply marks what was used.
func (e Acted) Apply(sheet any) any {
	return game.On(sheet, func(f Fight) Fight {
		at := f.find(e.Fighter)
		if at < 0 {
			return f
		}
		f.Fighters = slices.Clone(f.Fighters)
		if e.Action {
			f.Fighters[at].Acted++
		}
		if e.Move {
			f.Fighters[at].Moved++
		}
		f.Fighters[at].Fray = f.Fighters[at].Fray || e.Fray
		return f
	})
}

// Apply takes the HD.
func (e FoeHurt) Apply(sheet any) any {
	return game.On(sheet, func(f Foe) Foe {
		f.Count, f.Lost, f.Worn = e.Count, e.Lost, e.Worn
		return f
	})
}

// Apply writes down the fate.
func (e FoeFell) Apply(sheet any) any {
	return game.On(sheet, func(f Foe) Foe {
		f.Fate = e.Fate
		return f
	})
}

// Apply takes the HP.
func (e HPLost) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Lost = min(h.HP, h.Lost+e.Points)
		return h
	})
}

// Apply lays the hero down.
func (e Fallen) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.State, h.Rounds = "dying", 0
		if e.Out {
			h.State = "out"
		}
		return h
	})
}

// Apply writes down the death.
func (e Slain) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.State, h.Rounds, h.Lost = "dead", 0, h.HP
		if e.Beyond {
			h.State = "gone"
		}
		return h
	})
}

// Apply lifts the hero up.
func (e FuryBegan) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.State, h.Rounds, h.Lost, h.FuryLevel = "fury", e.Rounds, max(0, h.HP-e.HP), e.Level
		return h
	})
}

// Apply counts the round; helplessness ends with its last.
func (e RoundPassed) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Rounds = e.Rounds
		if e.State == "spent" && e.Rounds == 0 {
			h.State = ""
		}
		return h
	})
}

// Apply makes the hero helpless.
func (e FuryEnded) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.State, h.Rounds = "spent", e.Rounds
		return h
	})
}

// Apply gives the HP or HD back.
func (e Mended) Apply(sheet any) any {
	switch s := sheet.(type) {
	case Hero:
		s.Lost = max(0, s.Lost-e.Points)
		s.Healed = s.Healed || e.Once
		if (s.State == "dying" || s.State == "out") && s.Lost < s.HP {
			s.State = ""
		}
		return s
	case Foe:
		s.Lost = max(0, s.Lost-e.Points)
		if e.Why == "rest" { // GB-19: everybody rests, magic heals one
			s.Worn = max(0, s.Worn-e.Points)
		}
		s.Healed = s.Healed || e.Once
		return s
	}
	return sheet
}

// changeEffort returns the sheet with its Effort changed.
func changeEffort(sheet any, change func(Effort) Effort) any {
	switch s := sheet.(type) {
	case Hero:
		s.Effort = change(s.Effort)
		return s
	case Foe:
		s.Effort = change(s.Effort)
		return s
	}
	return sheet
}

// Apply binds the point.
func (e EffortCommitted) Apply(sheet any) any {
	return changeEffort(sheet, func(effort Effort) Effort {
		effort.Committed = append(slices.Clone(effort.Committed), e.Commitment)
		return effort
	})
}

// Apply frees the points.
func (e EffortReturned) Apply(sheet any) any {
	return changeEffort(sheet, func(effort Effort) Effort { return effort.without(e.Back) })
}

// Apply ends what lasted until now.
func (e TimePassed) Apply(sheet any) any {
	switch s := sheet.(type) {
	case Hero:
		if e.Why == "dawn" {
			s.Healed = false
			return s
		}
		s.Guard, s.GuardPoint, s.Immunities = false, 0, nil
		s.Bindings = without(s.Bindings, Binding.endsWithScene)
		if s.State == "fury" || s.State == "spent" {
			s.State, s.Rounds = "", 0
		}
		return s
	case Foe:
		s.Healed = false
		if e.Why == "scene" {
			s.Bindings = without(s.Bindings, Binding.endsWithScene)
		}
		return s
	}
	return sheet
}

// without is a list without some of its items, nil for none.
func without[T any](list []T, gone func(T) bool) []T {
	if !slices.ContainsFunc(list, gone) {
		return list
	}
	var kept []T
	for _, item := range list {
		if !gone(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func (b Binding) endsWithScene() bool { return b.Ends == "scene" }

// Apply protects the hero.
func (e Guarded) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		if e.Protection == "armour" {
			h.Guard, h.GuardPoint = true, e.Point
			return h
		}
		h.Immunities = append(slices.Clone(h.Immunities), Ward{e.To, e.Point})
		return h
	})
}

// Apply writes down what was made.
func (e Raised) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Works = append(slices.Clone(h.Works), e.Made)
		return h
	})
}

// Apply takes off what the Effort paid for.
func (e EffectsEnded) Apply(sheet any) any {
	bound := func(b Binding) bool { return string(b.By) == e.By && slices.Contains(e.Points, b.Point) }
	switch s := sheet.(type) {
	case Hero:
		s.Bindings = without(s.Bindings, bound)
		if e.By != e.Who {
			return s
		}
		if s.Guard && slices.Contains(e.Points, s.GuardPoint) {
			s.Guard, s.GuardPoint = false, 0
		}
		s.Immunities = without(s.Immunities, func(w Ward) bool { return slices.Contains(e.Points, w.Point) })
		s.Works = without(s.Works, func(m Made) bool { return slices.Contains(e.Points, m.Point) })
		return s
	case Foe:
		s.Bindings = without(s.Bindings, bound)
		return s
	}
	return sheet
}

// Apply raises the hero.
func (e LevelGained) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Level, h.HP, h.Bonus, h.Saves, h.Fray = e.Level, e.HP, e.Bonus, e.Saves, e.Fray
		h.Lost = min(h.Lost, h.HP)
		h.Effort.Total, h.Influence.Total = e.Effort, e.Influence
		h.Gifts = append(slices.Clone(h.Gifts), e.Gifts...)
		return h
	})
}

// Apply closes the project and lets go of the Influence in it.
func (e ProjectEnded) Apply(sheet any) any {
	return game.On(sheet, func(p Project) Project {
		p.Over = e.How
		p.Paid = slices.Clone(p.Paid)
		for i := range p.Paid {
			p.Paid[i].Influence = 0
		}
		return p
	})
}

// Apply writes down what binds.
func (e Hindered) Apply(sheet any) any {
	binding := Binding{Name: e.By, By: form.Ref(e.Worker), Point: e.Point, Ends: e.Ends}
	if e.Text != "" {
		binding.Name = shortened(e.By + ": " + e.Text)
	}
	switch s := sheet.(type) {
	case Hero:
		s.Bindings = append(slices.Clone(s.Bindings), binding)
		return s
	case Foe:
		s.Bindings = append(slices.Clone(s.Bindings), binding)
		return s
	}
	return sheet
}

// Apply adds the experience.
func (e ExperienceGained) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Experience += e.Points
		return h
	})
}

// Apply adds the Dominion.
func (e DominionGained) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Dominion += e.Points
		return h
	})
}

// Apply binds Influence and spends Dominion.
func (e Paid) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		h.Influence.Committed = max(0, h.Influence.Committed+e.Influence)
		h.Dominion = max(0, h.Dominion-e.Dominion)
		return h
	})
}

// Apply adds the payment to what its payer has put in.
func (e ProjectPaid) Apply(sheet any) any {
	return game.On(sheet, func(p Project) Project {
		p.Paid = slices.Clone(p.Paid)
		at := slices.IndexFunc(p.Paid, func(each Payment) bool { return string(each.Who) == e.By })
		if at < 0 {
			at, p.Paid = len(p.Paid), append(p.Paid, Payment{Who: form.Ref(e.By)})
		}
		p.Paid[at].Influence = max(0, p.Paid[at].Influence+e.Influence)
		p.Paid[at].Dominion += e.Dominion
		return p
	})
}

// shortened cuts a text to what a name on a sheet may hold.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > form.MaxText {
		return string(runes[:form.MaxText-1]) + "…"
	}
	return text
}
