package dice

import (
	"strings"
)

// mods parses the modifiers of n dice or of a group; n is negative if it isn't known. at is the
// offset where they begin.
func (p *parser) mods(m *Mods, of Node, n, at int) error {
	die := Die{}
	d, isDice := of.(*Dice)
	if isDice {
		die = d.Die
	}
	stage := 0
	counts := 0 // offset of the comparison, from 1; 0 if there is none
	for {
		from := p.at
		p.space()
		here := p.at
		if lowest, ok := p.edgeWord(); ok {
			if !isDice || n != 1 || len(m.Keeps) > 0 || m.Counted {
				p.at = from
				return p.met(m, of, die, counts)
			}
			d.Count, n, m.Keeps = Number(2), 2, []Keep{edge(lowest)}
			continue
		}
		was := *m
		done, err := p.mod(m, of, die, n, at)
		if err != nil {
			return err
		}
		if !done {
			p.at = from
			if p.flat && m.mixesEnds() { // of equal faces each step there chooses another
				return p.meantError(Elsewhere, OfKeep, at)
			}
			if p.edition >= 3 {
				m.forget(n)
			}
			if m.Reroll == nil || m.Explode == nil {
				m.At = EachThrow
			}
			return p.met(m, of, die, counts)
		}
		if isDice && d.Die.Least != die.Least || isDice && d.Die.Most != die.Most {
			die = d.Die
			if m.Reroll != nil && m.Reroll.of(die)%die.Sides == 0 || m.Explode != nil && m.Explode.of(die)%die.Sides == 0 {
				return p.meantError(NoFace, OfReroll, here)
			}
		}
		if m.Unique && m.Explode != nil {
			return p.meantError(Order, OfReroll, at)
		}
		if len(m.Swaps) > 0 && (m.Counted || len(m.Keeps) > 0 || m.Compound || m.Reading != Sum) {
			return p.meantError(Order, OfKeep, at)
		}
		if stage, err = p.stageAfter(m, was, die, n, stage, at); err != nil {
			return err
		}
		if m.Counted && counts == 0 {
			counts = here + 1
		}
	}
}

// forget drops steps that choose all of n dice. What explodes may follow them, so it's called behind the
// last modifier.
func (m *Mods) forget(n int) {
	if n < 0 || m.Explode != nil && !m.Compound {
		return
	}
	if lo, hi := m.Ranks(n); lo == 0 && hi == n {
		m.Keeps = nil
	}
}

// mod parses one modifier.
func (p *parser) mod(m *Mods, of Node, die Die, n, at int) (done bool, err error) {
	here := p.at
	_, isDice := of.(*Dice)
	once := func(of Construct, given bool) error {
		if given {
			return p.meantError(Twice, of, here)
		}
		return nil
	}
	if p.edition >= 3 {
		if done, err := p.newer(m, of, die); done || err != nil {
			return done, err
		}
	}
	if isDice && p.eat('!') {
		err := once(OfExplode, m.Explode != nil)
		if err == nil {
			m.Compound = p.eat('!')
			err = p.explode(m, die, here)
		}
		return true, err
	}
	for _, r := range readings {
		if p.word(r.names...) {
			err := once(OfSet, m.Reading != Sum)
			m.Reading = r.reading
			return true, err
		}
	}
	for _, k := range keeps {
		if p.word(k.names...) {
			return p.keep(m, k.sign, n)
		}
	}
	switch word := p.modWord(); word {
	case "k", "kh", "kl", "km", "dl", "dh", "d":
		p.at += len(word)
		return p.keep(m, word, n)
	case "r", "ro", "rb", "rl", "rob", "rol":
		if !isDice || p.edition < 3 && len(word) > 1 && word != "ro" {
			return false, nil
		}
		p.at += len(word)
		err := once(OfReroll, m.Reroll != nil || m.Unique)
		if err != nil {
			return true, err
		}
		if p.edition >= 3 && !p.valueFollows(die) {
			least, _ := die.ends()
			m.Reroll = Values{Exactly(least)}
		} else if m.Reroll, err = p.values(die, OfReroll, true); err != nil {
			return true, err
		}
		when, once := strings.CutPrefix(word[1:], "o")
		m.At, m.Once = Rerolled(when), once
		if p.idle && m.Reroll.of(die) == 0 { // nothing is rerolled; norn would refuse it
			m.Reroll, m.At, m.Once = nil, "", false
			return true, nil
		}
		if p.idle && m.Once {
			return true, nil
		}
		return true, p.some(m.Reroll, die, OfReroll, here)
	case "f":
		if !m.Counted && p.edition < 3 {
			return false, nil
		}
		p.at++
		err := once(OfCompare, m.Fail != nil)
		if err == nil {
			m.Fail, err = p.values(die, OfCompare, true)
		}
		m.Counted = true
		return true, err
	case "cs": // counts in editions before 3
		p.at += 2
		err := once(OfCompare, m.Counted)
		if err == nil {
			m.Counted = true
			m.Count, err = p.values(die, OfCompare, true)
		}
		return true, err
	case "s", "sa", "sd":
		p.at += len(word)
		m.Sorted = Ascending
		if word == "sd" {
			m.Sorted = Falling
		}
		return true, nil
	case "":
	default:
		return false, nil
	}
	before := p.at
	if m.Count != nil || m.Reading != Sum || p.ofTotal && !strings.HasPrefix(string(p.runes[before:]), "={") {
		return false, nil // the comparison is about the number of dice, or about the total
	}
	found, err := p.values(die, OfCompare, false)
	if found == nil || err != nil {
		return false, err
	}
	if p.edition >= 3 {
		list := strings.HasPrefix(string(p.runes[before:p.at]), "={")
		if m.Explode == nil && p.next() != '!' && !list && !p.count && die.Sides > 0 {
			if hits := found.of(die); hits == 0 || hits == die.Sides {
				p.at = before
				return false, nil
			}
		}
		m.Counted, m.Count = true, found
		return true, nil
	}
	if len(m.Keeps) > 0 {
		bare := *m
		if isDice && found.of(die) == 0 {
			return true, p.meantError(NoFace, OfCompare, here, totalWithGoal(of, bare, found)...)
		}
		counted := bare
		counted.Counted, counted.Count = true, found
		try := append([]string{withMods(of, counted)}, totalWithGoal(of, bare, found)...)
		return true, p.meantError(Either, OfCompare, here, try...)
	}
	m.Counted, m.Count = true, found
	return true, nil
}

// explode parses what follows the sign of dice that explode.
func (p *parser) explode(m *Mods, die Die, at int) (err error) {
	m.Penetrate = p.eat('p')
	if p.edition >= 3 {
		m.Single = p.eat('o')
	}
	_, top := die.ends()
	if p.idle { // bounds don't change what explodes
		_, top = Die{Sides: die.Sides, Fate: die.Fate, Faces: die.Faces}.ends()
	}
	from := p.at
	if m.Explode, err = p.values(die, OfExplode, false); err != nil {
		return err
	}
	hits := m.Explode.of(die)
	if compound := p.edition >= 3 && m.Compound && hits == 0 && !p.idle; compound { // "5d6!!>=7" counts
		p.at, m.Explode = from, nil
	}
	if m.Explode == nil {
		m.Explode = Values{Exactly(top)}
	}
	hits = m.Explode.of(die)
	if p.idle && 2*hits > die.Sides { // it goes on for longer than MaxExplosions
		return p.meantError(Elsewhere, OfExplode, at)
	}
	if p.idle && hits == 0 { // nothing explodes; norn would read it as dice that explode and are counted
		m.Explode, m.Compound, m.Penetrate, m.Single = nil, false, false, false
		return nil
	}
	return p.some(m.Explode, die, OfExplode, at)
}

// valueFollows reports whether a value or a comparison follows.
func (p *parser) valueFollows(die Die) bool {
	from := p.at
	defer func() { p.at = from }()
	if p.comparisonFollows() {
		return true
	}
	// "4d6r-1" rerolls ones and takes off 1, "4dFr-1" rerolls −1, but nobody else reads it so
	if least, _ := die.ends(); p.next() == '+' || p.next() == '-' && (least >= 0 || p.idle) {
		return false
	}
	n, ok := p.value(die)
	if least, top := die.ends(); ok && least < 0 && (n < least || n > top) { // "4dFr-2" subtracts 2
		return false
	}
	return ok
}

// comparisonFollows reports whether a comparison sign follows.
func (p *parser) comparisonFollows() bool {
	from := p.at
	defer func() { p.at = from }()
	p.eat('!')
	return p.comparison() != ""
}

// keepsNext reports whether a step that chooses among dice follows without a space.
func (p *parser) keepsNext() bool {
	switch p.modWord() {
	case "k", "kh", "kl", "km", "dl", "dh":
		return true
	}
	return false
}

// swap parses the faces that are added as another value.
func (p *parser) swap(m *Mods, to Swapped) (done bool, err error) {
	s := Swap{To: to}
	s.Of, err = p.values(Die{}, OfCompare, true)
	m.Swaps = append(m.Swaps, s)
	return true, err
}

// met returns an error if there is a comparison, at offset counts−1, that no face of the dice
// meets, and objects to one that all faces meet.
func (p *parser) met(m *Mods, of Node, die Die, counts int) error {
	if p.edition >= 3 || counts == 0 || die.Sides == 0 || die.Names != nil || m.Explode != nil {
		return nil
	}
	var try []string
	if total := *m; m.Fail == nil {
		total.Counted, total.Count = false, nil
		try = totalWithGoal(of, total, m.Count)
	}
	switch m.Count.of(die) {
	case 0:
		return p.meantError(NoFace, OfCompare, counts-1, try...)
	case die.Sides:
		p.object(p.meantError(AllFaces, OfCompare, counts-1, try...))
	}
	return nil
}

// withMods returns the notation of dice or a group with other modifiers.
func withMods(of Node, m Mods) string {
	var b strings.Builder
	switch of := of.(type) {
	case *Dice:
		(&Dice{Count: of.Count, Die: of.Die, Mods: m}).write(&b)
	case *Group:
		(&Group{Of: of.Of, Mods: m}).write(&b)
	}
	return b.String()
}

// goalOf returns the goal with these values. Values with a gap make none.
func goalOf(v Values) (g Goal, ok bool) {
	if len(v) != 1 {
		return Goal{}, false
	}
	return Goal{Given: true, Lo: v[0].Lo, Hi: v[0].Hi}, true
}

// totalWithGoal returns dice with other modifiers whose total aims at the values, if a goal has them.
func totalWithGoal(of Node, m Mods, v Values) []string {
	goal, ok := goalOf(v)
	if !ok {
		return nil
	}
	text := withMods(of, m)
	if goal.Lo == goal.Hi { // otherwise it would be read as a face to count
		text = "(" + text + ")"
	}
	return []string{text + " " + goal.String()}
}

// some checks that the values match some faces of the die, but not all.
func (p *parser) some(v Values, die Die, of Construct, at int) error {
	switch n := v.of(die); {
	case n == 0:
		return p.meantError(NoFace, of, at)
	case n == die.Sides:
		return p.meantError(AllFaces, of, at)
	}
	return nil
}

// String returns the notation of the dice.
func (d *Dice) String() string {
	var b strings.Builder
	d.write(&b)
	return b.String()
}
