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
		if s.State == "dying" && s.Lost < s.HP {
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
		s.Guard, s.Immunities = false, nil
		if s.State == "fury" || s.State == "spent" {
			s.State, s.Rounds = "", 0
		}
		return s
	case Foe:
		s.Healed = false
		return s
	}
	return sheet
}

// Apply protects the hero.
func (e Guarded) Apply(sheet any) any {
	return game.On(sheet, func(h Hero) Hero {
		if e.Protection == "armour" {
			h.Guard = true
			return h
		}
		h.Immunities = append(slices.Clone(h.Immunities), Named{e.To})
		return h
	})
}

// Apply writes down what binds.
func (e Hindered) Apply(sheet any) any {
	binding := Named{e.By}
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
