package dice

import (
	"slices"
	"strings"
)

// check checks the expression as a whole.
func (p *parser) check(e *Expr) error {
	thrown := 0
	for _, r := range e.rolls {
		for _, n := range r.sides() {
			if lo, hi := n.Range(); lo < -maxTotal || hi > maxTotal {
				return &RangeError{Field: FieldTotal, Min: -maxTotal, Max: maxTotal, Given: max(hi, -lo)}
			}
		}
	}
	for _, r := range e.rolls {
		for _, d := range (Expr{rolls: []Roll{r}}).pools() {
			_, n := d.Count.Range()
			if d.Mods.Explode != nil {
				n *= 1 + MaxExplosions
			}
			if d.Mods.Reroll != nil && !d.Mods.Once {
				n *= 2
			}
			thrown += n * r.Times
		}
	}
	if thrown > maxThrown {
		return &RangeError{Field: FieldDice, Min: 1, Max: maxThrown, Given: thrown}
	}
	if err := e.glitches(); err != nil {
		return err
	}
	if !e.HasDice() && !p.idle {
		p.object(&MeantError{Reason: NoDice, Of: OfDice, Given: strings.TrimSpace(p.text)})
	}
	if e.Several() {
		asked := e.rolls[0]
		for _, r := range e.rolls {
			if len(r.bands()) > 0 || r.Against != nil && r.Against.Op == "vs" || r.hasGoal() != asked.hasGoal() ||
				r.Counts() != asked.Counts() {
				var try []string
				for _, each := range e.rolls {
					each.Times = 1
					try = append(try, each.String())
				}
				return &MeantError{
					Reason: Different, Of: OfTimes, Given: strings.TrimSpace(p.text),
					Try: slices.Compact(try),
				}
			}
		}
	}
	return nil
}

// glitches returns an error for a glitch of anything but dice that are counted, thrown by themselves.
func (e Expr) glitches() error {
	for _, d := range e.pools() {
		if d.Mods.Glitch == nil {
			continue
		}
		m := d.Mods
		_, fixed := d.Count.(Number)
		alone := len(e.rolls) == 1 && e.rolls[0].Times == 1 && e.rolls[0].Of == Node(d) && !e.rolls[0].hasGoal() &&
			len(e.rolls[0].Bands) == 0
		if alone && fixed && m.Count != nil && m.Fail == nil && m.Keeps == nil && m.Explode == nil && !m.Unique &&
			m.Swaps == nil && m.Reading == Sum {
			continue
		}
		counted := &Dice{Count: d.Count, Die: d.Die, Mods: Mods{Counted: true, Count: m.Count, Glitch: m.Glitch}}
		var try []string
		if fixed && m.Count != nil {
			try = []string{counted.String()}
		}
		return &MeantError{Reason: Glitching, Of: OfCompare, Given: d.String(), Try: try}
	}
	return nil
}

// sides returns the roll's expressions.
func (r Roll) sides() []Node {
	if r.Against != nil {
		return []Node{r.Of, r.Against.Of}
	}
	return []Node{r.Of}
}

// hasGoal reports whether the roll can succeed or fail.
func (r Roll) hasGoal() bool { return r.Goal.Given || r.Against != nil }

func within(field string, n, least, greatest, at int) error {
	if n < least || n > greatest {
		return &RangeError{Field: field, Min: least, Max: greatest, Given: n, At: at}
	}
	return nil
}
