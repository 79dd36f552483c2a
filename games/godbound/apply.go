package godbound

import (
	"slices"

	"norn/form"
	"norn/game"
)

func (e FightBegun) Apply(f *Fight) {
	*f = Fight{Round: 1, First: e.First, Turn: e.First, Fighters: slices.Clone(e.Fighters)}
}

func (e FightersJoined) Apply(f *Fight) { game.Add(&f.Fighters, e.Fighters...) }

// Apply passes the turn; a new round gives everybody their acts back.
func (e TurnPassed) Apply(f *Fight) {
	if e.Round != f.Round {
		f.Fighters = slices.Clone(f.Fighters)
		for i := range f.Fighters {
			f.Fighters[i].Acted, f.Fighters[i].Moved, f.Fighters[i].Fray = 0, 0, false
		}
	}
	f.Round, f.Turn = e.Round, e.Turn
}

func (e FightEnded) Apply(f *Fight) { f.Round, f.Fighters = 0, nil }

func (e Acted) Apply(f *Fight) {
	game.Edit(&f.Fighters, f.find(e.Fighter), func(own *Fighter) {
		if e.Action {
			own.Acted++
		}
		if e.Move {
			own.Moved++
		}
		own.Fray = own.Fray || e.Fray
	})
}

func (e FoeHurt) Apply(f *Foe) { f.Count, f.Lost, f.Worn = e.Count, e.Lost, e.Worn }

func (e FoeFell) Apply(f *Foe) { f.Fate = e.Fate }

func (e HPLost) Apply(h *Hero) { h.Lost = min(h.HP, h.Lost+e.Points) }

// Apply lays the hero down.
func (e Fallen) Apply(h *Hero) {
	h.State, h.Rounds = "dying", 0
	if e.Out {
		h.State = "out"
	}
}

// Apply writes down the death.
func (e Slain) Apply(h *Hero) {
	h.State, h.Rounds, h.Lost = "dead", 0, h.HP
	if e.Beyond {
		h.State = "gone"
	}
}

func (e FuryBegan) Apply(h *Hero) {
	h.State, h.Rounds, h.Lost, h.FuryLevel = "fury", e.Rounds, max(0, h.HP-e.HP), e.Level
}

// Apply counts the round; helplessness ends with its last.
func (e RoundPassed) Apply(h *Hero) {
	h.Rounds = e.Rounds
	if e.State == "spent" && e.Rounds == 0 {
		h.State = ""
	}
}

func (e FuryEnded) Apply(h *Hero) { h.State, h.Rounds = "spent", e.Rounds }

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

func (e EffortCommitted) Apply(sheet any) any {
	return game.Edited(sheet, "effort", func(effort *Effort) { game.Add(&effort.Committed, e.Commitment) })
}

func (e EffortReturned) Apply(sheet any) any {
	return game.Edited(sheet, "effort", func(effort *Effort) { *effort = effort.without(e.Back) })
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

func (e Guarded) Apply(h *Hero) {
	if e.Protection == "armour" {
		h.Guard, h.GuardPoint = true, e.Point
	} else {
		game.Add(&h.Immunities, Ward{e.To, e.Point})
	}
}

func (e Raised) Apply(h *Hero) { game.Add(&h.Works, e.Made) }

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
func (e LevelGained) Apply(h *Hero) {
	h.Level, h.HP, h.Bonus, h.Saves, h.Fray = e.Level, e.HP, e.Bonus, e.Saves, e.Fray
	h.Lost = min(h.Lost, h.HP)
	h.Effort.Total, h.Influence.Total = e.Effort, e.Influence
	game.Add(&h.Gifts, e.Gifts...)
}

// Apply closes the project and lets go of the Influence in it.
func (e ProjectEnded) Apply(p *Project) {
	p.Over = e.How
	p.Paid = slices.Clone(p.Paid)
	for i := range p.Paid {
		p.Paid[i].Influence = 0
	}
}

// Apply writes down what binds.
func (e Hindered) Apply(sheet any) any {
	binding := Binding{Name: e.By, By: form.Ref(e.Worker), Point: e.Point, Ends: e.Ends}
	if e.Text != "" {
		binding.Name = shortened(e.By + ": " + e.Text)
	}
	return game.Edited(sheet, "bindings", func(all *[]Binding) { game.Add(all, binding) })
}

func (e ExperienceGained) Apply(h *Hero) { h.Experience += e.Points }

func (e DominionGained) Apply(h *Hero) { h.Dominion += e.Points }

// Apply binds Influence and spends Dominion.
func (e Paid) Apply(h *Hero) {
	h.Influence.Committed = max(0, h.Influence.Committed+e.Influence)
	h.Dominion = max(0, h.Dominion-e.Dominion)
}

// Apply adds the payment to what its payer has put in.
func (e ProjectPaid) Apply(p *Project) {
	p.Paid = slices.Clone(p.Paid)
	at := slices.IndexFunc(p.Paid, func(each Payment) bool { return string(each.Who) == e.By })
	if at < 0 {
		at, p.Paid = len(p.Paid), append(p.Paid, Payment{Who: form.Ref(e.By)})
	}
	p.Paid[at].Influence = max(0, p.Paid[at].Influence+e.Influence)
	p.Paid[at].Dominion += e.Dominion
}

// shortened cuts a text to what a name on a sheet may hold.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > form.MaxText {
		return string(runes[:form.MaxText-1]) + "…"
	}
	return text
}
