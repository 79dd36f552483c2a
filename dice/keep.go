package dice

import "slices"

// keep parses which of n dice to keep or drop.
func (p *parser) keep(m *Mods, word string, n int) (done bool, err error) {
	from := p.at
	k := Keep{Of: Highest, Drop: word[0] == 'd'}
	switch word {
	case "kl", "dl", "d":
		k.Of = Lowest
	case "km":
		k.Of = Middle
	}
	if word == "d" && p.flat && (len(m.Keeps) > 0 || m.Counted || m.Again() || m.Marks != nil) {
		return true, p.meantError(Elsewhere, OfKeep, from-1)
	}
	if word == "d" && p.edition >= 3 && p.comparisonFollows() && len(m.Keeps) == 0 && !m.Counted {
		return p.swap(m, Dropped)
	}
	p.space()
	at := p.at
	given, ok := p.number()
	if k.N = given; !ok {
		k.N = 1
	}
	if word == "d" && !p.drops && (!ok || n >= 0 && given >= n || from != at) { // "1d4d6" throws dice of dice
		p.at = from - len(word)
		return false, nil
	}
	have := MaxDice
	if n >= 0 {
		lo, hi := m.Ranks(n)
		if have = hi - lo; p.all {
			have = n
		}
		if m.Explode != nil && !m.Compound && !(p.drops && p.ofTotal) { // there may be more dice; rollem counts those of before
			have = max(have, k.N+1)
		}
	}
	if p.explodesFirst && slices.ContainsFunc(m.Keeps, func(was Keep) bool { return was.Of == k.Of && was.Drop == k.Drop }) {
		return true, p.meantError(Elsewhere, OfKeep, from-len(word)) // the last holds
	}
	if p.edition >= 3 && n >= 0 && (ok || have == 0) && (k.N == 0 || k.N > have || k.Drop && k.N == have) {
		if k.N > have && !k.Drop {
			if p.explodesFirst { // rpg-dice-roller keeps one
				return true, p.meantError(Elsewhere, OfKeep, from-len(word))
			}
			p.notes = append(p.notes, NoteAll)
		}
		k.N = min(k.N, have)
		m.Keeps = append(m.Keeps, k)
		return true, nil
	}
	field, least := FieldKeep, 1
	if k.Drop {
		field, least, have = FieldDrop, 0, have-1
	}
	if err := within(field, k.N, least, have, at); err != nil {
		return true, err
	}
	more := p.edition >= 3 && m.Explode != nil && !m.Compound // nobody knows how many dice there will be
	if k.Of == Middle && n >= 0 && !more && (have-k.N)%2 != 0 {
		return true, p.meantError(Uneven, OfKeep, from-2)
	}
	m.Keeps = append(m.Keeps, k)
	if p.edition < 3 {
		m.forget(n)
	}
	return true, nil
}
