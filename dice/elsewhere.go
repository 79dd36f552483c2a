package dice

import (
	"math"
	"slices"
)

// stageAfter refuses modifiers that the program whose line it is applies as norn can't, and those in an
// order in which it would. Otherwise it returns the step at which the last of them is applied. was are
// the modifiers before that one.
func (p *parser) stageAfter(m *Mods, was Mods, die Die, n, stage, at int) (int, error) {
	if !p.idle && !p.ordered && !p.all { // norn's own
		return stage, nil
	}
	both := func(worth int) bool { return m.Count.Has(worth) && m.Fail.Has(worth) }
	if p.count && !p.all && m.Counted && m.Fail != nil && slices.ContainsFunc(die.Worths(), both) {
		return stage, p.meantError(Elsewhere, OfCompare, at)
	}
	bounded := die.Least.Given || die.Most.Given
	switch {
	case m.Again() && bounded, bounded && die.Least.At > die.Most.At && die.Most.Given,
		len(m.Swaps) > 1, p.ordered && bounded && len(m.Swaps) > 0,
		m.Reroll != nil && m.Explode != nil && !p.rerollsOf(m, was, die):
		return stage, p.meantError(Elsewhere, OfReroll, at)
	}
	now := m.stage(was)
	if p.count && now == 1 && stage == 2 { // rerolled after they exploded
		now = 2
	}
	if p.ordered && now > 0 && now < stage ||
		p.all && len(m.Keeps) > 1 && (n < 0 || m.Explode != nil && !m.Compound) {
		return stage, p.meantError(Order, OfKeep, at)
	}
	return max(stage, now), nil
}

// stage returns the step at which norn applies what was added to modifiers, 0 for what may come
// at any step.
func (m Mods) stage(was Mods) int {
	switch {
	case len(m.Keeps) != len(was.Keeps) || len(m.Swaps) != len(was.Swaps):
		return 3
	case (m.Explode == nil) != (was.Explode == nil):
		return 2
	case (m.Reroll == nil) != (was.Reroll == nil) || m.Unique != was.Unique:
		return 1
	}
	return 0
}

// rerollsOf sets which throws of exploding dice another program rerolls: it goes by what is written, or
// explodes first in any case. It reports whether norn knows.
func (p *parser) rerollsOf(m *Mods, was Mods, die Die) bool {
	switch {
	case !p.count:
		return false
	case p.explodesFirst, m.At == EachThrow && was.Explode != nil:
		m.At = LastThrow
	case m.At == EachThrow:
		m.At = FirstThrow
	}
	if m.At != LastThrow {
		return true
	}
	// such a program could reroll a die that has exploded
	return !slices.ContainsFunc(die.Worths(), func(worth int) bool {
		return m.Explode.Has(worth) && (m.Reroll.Has(worth) || m.Compound && m.Reroll.Has(math.MaxInt))
	})
}

// mixesEnds reports whether dice are chosen from both ends.
func (m Mods) mixesEnds() bool {
	return slices.ContainsFunc(m.Keeps, func(k Keep) bool { return k.Of != m.Keeps[0].Of })
}
