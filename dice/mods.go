package dice

import (
	"cmp"
	"slices"
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
			if lo, hi := m.Ranks(max(0, n)); p.flat && len(m.Keeps) > 1 && lo == hi { // equal faces may stay there
				return p.meantError(Elsewhere, OfKeep, at)
			}
			if p.edition >= 3 {
				m.forget(n)
			}
			return p.met(m, of, die, counts)
		}
		if isDice && d.Die.Least != die.Least || isDice && d.Die.Most != die.Most {
			die = d.Die
			if m.Reroll != nil && m.Reroll.of(die)%die.Sides == 0 || m.Explode != nil && m.Explode.of(die)%die.Sides == 0 {
				return p.meantError(NoFace, OfReroll, here)
			}
		}
		if p.idle && p.count && !p.all && m.Counted && m.Fail != nil && slices.ContainsFunc(die.Worths(), func(worth int) bool {
			return m.Count.Has(worth) && m.Fail.Has(worth)
		}) {
			return p.meantError(Elsewhere, OfCompare, at)
		}
		bounded := die.Least.Given || die.Most.Given
		if p.idle && (m.Again() && bounded || bounded && die.Least.At > die.Most.At && die.Most.Given || m.Unique && m.Explode != nil || m.Reroll != nil && m.Explode != nil || len(m.Swaps) > 1) ||
			p.ordered && bounded && len(m.Swaps) > 0 {
			return p.meantError(Elsewhere, OfReroll, at)
		}
		if len(m.Swaps) > 0 && (m.Counted || len(m.Keeps) > 0 || m.Compound || m.Reading != Sum) {
			return p.meantError(Order, OfKeep, at)
		}
		now := m.stageAfter(was)
		if p.ordered && now > 0 && now < stage ||
			p.all && len(m.Keeps) > 1 && (n < 0 || m.Explode != nil && !m.Compound) {
			return p.meantError(Order, OfKeep, at)
		}
		stage = max(stage, now)
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

// stageAfter returns the step at which norn applies what was added to modifiers, 0 for what may come
// at any step.
func (m Mods) stageAfter(was Mods) int {
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

// edge returns the modifier of advantage or disadvantage.
func edge(lowest bool) Keep {
	if lowest {
		return Keep{N: 1, Of: Lowest}
	}
	return Keep{N: 1, Of: Highest}
}

// edgeMods returns the modifiers of two dice with advantage or disadvantage.
func (p *parser) edgeMods(lowest bool) Mods {
	return Mods{Keeps: []Keep{edge(lowest)}, old: p.edition < 3}
}

// edgeWord parses the name of advantage or disadvantage.
func (p *parser) edgeWord() (lowest, ok bool) {
	for _, e := range edges {
		if p.word(e.names...) {
			return e.lowest, true
		}
	}
	return false, false
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
	case "r", "ro":
		if !isDice {
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
		m.Once = word == "ro"
		if p.idle && (m.Reroll.of(die) == 0 || m.Once) {
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
			return true, p.meantError(NoFace, OfCompare, here, withMods(of, bare)+" "+goalOf(found).String())
		}
		counted := bare
		counted.Counted, counted.Count = true, found
		return true, p.meantError(Either, OfCompare, here, withMods(of, counted),
			withMods(of, bare)+" "+goalOf(found).String())
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
	if p.idle && hits == 0 {
		return nil
	}
	return p.some(m.Explode, die, OfExplode, at)
}

// modWords are the modifiers that may be written without anything between them: "sdkl2".
var modWords = []string{
	"even", "odd", "min", "max", "kh", "kl", "km", "dl", "dh", "df", "sf", "ro", "rr", "cs", "cf", "sa", "sd", "mi",
	"ma", "xo", "k", "d", "r", "f", "s", "u", "x", "e",
}

// modWord returns the word of a modifier that follows, without skipping it.
func (p *parser) modWord() string {
	all := p.letters()
	if p.edition < 3 || slices.Contains(modWords, all) {
		return all
	}
	return cmp.Or(firstMod(all), all)
}

// firstMod returns the first of the modifiers that letters consist of, or "".
func firstMod(letters string) string {
	for _, word := range modWords {
		if after, ok := strings.CutPrefix(letters, word); ok && (after == "" || firstMod(after) != "") {
			return word
		}
	}
	return ""
}

// valueFollows reports whether a value or a comparison follows.
func (p *parser) valueFollows(die Die) bool {
	from := p.at
	defer func() { p.at = from }()
	if p.comparisonFollows() {
		return true
	}
	if least, _ := die.ends(); least >= 0 && (p.next() == '+' || p.next() == '-') { // "4d6r-1" rerolls ones
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

// newer parses one of the modifiers that editions before 3 don't have.
func (p *parser) newer(m *Mods, of Node, die Die) (done bool, err error) {
	here := p.at
	d, isDice := of.(*Dice)
	word := p.modWord()
	if word == "" || !isDice && word != "even" && word != "odd" {
		return false, nil
	}
	once := func(of Construct, given bool) error {
		if p.at += len(word); given {
			return p.meantError(Twice, of, here)
		}
		return nil
	}
	switch word {
	case "min", "mi", "max", "ma":
		p.at += len(word)
		n, ok := p.readSigned()
		if !ok || die.Names != nil {
			p.at = here
			return false, nil
		}
		bound := &d.Die.Least
		if word[:2] == "ma" {
			bound = &d.Die.Most
		}
		if bound.Given {
			return true, p.meantError(Twice, OfReroll, here)
		}
		*bound = Bound{true, n}
		return true, within(FieldFace, n, -MaxConstant, MaxConstant, here)
	case "rr":
		p.at++ // as r
		return false, nil
	case "u":
		err := once(OfReroll, m.Again())
		if p.idle && p.comparisonFollows() {
			return true, p.meantError(Elsewhere, OfReroll, here)
		}
		if n, fixed := d.Count.(Number); err == nil && (!fixed || int(n) > die.Sides) {
			return true, p.meantError(AllFaces, OfReroll, here)
		}
		m.Unique = true
		return true, err
	case "x", "xo", "e":
		if from := p.at + len(word); from < len(p.runes) && word == "x" && '0' <= p.runes[from] && p.runes[from] <= '9' {
			return false, nil // "2d6x2"
		}
		err := once(OfExplode, m.Explode != nil)
		if err == nil {
			err = p.explode(m, die, here)
			m.Single = m.Single || word == "xo"
		}
		return true, err
	case "cs", "cf":
		if err := once(OfCompare, false); err != nil {
			return true, err
		}
		least, top := die.ends()
		if word == "cf" {
			top = least
		}
		marks := Values{Exactly(top)}
		if p.valueFollows(die) {
			marks, err = p.values(die, OfCompare, true)
		}
		m.Marks = append(m.Marks, marks...)
		return true, err
	case "even", "odd":
		err := once(OfCompare, m.Count != nil)
		if err == nil && (die.Sides == 0 || die.Names != nil || die.Sides > maxFaces) {
			err = p.meantError(NoFace, OfCompare, here)
		}
		m.Counted = true
		for _, worth := range die.Worths() {
			if (worth%2 == 0) == (word == "even") && !m.Count.Has(worth) {
				m.Count = append(m.Count, Exactly(worth))
			}
		}
		return true, err
	case "df", "sf":
		p.at += len(word)
		return p.swap(m, Swapped(word))
	}
	return false, nil
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
		try = []string{withMods(of, total) + " " + goalOf(m.Count).String()}
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

// goalOf returns the goal that spans the values.
func goalOf(v Values) Goal {
	return Goal{Given: true, Lo: v[0].Lo, Hi: v[len(v)-1].Hi}
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
	if p.edition >= 3 && n >= 0 && ok && (k.N == 0 || k.N > have || k.Drop && k.N == have) {
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
	if k.Of == Middle && n >= 0 && (have-k.N)%2 != 0 {
		return true, p.meantError(Uneven, OfKeep, from-2)
	}
	m.Keeps = append(m.Keeps, k)
	if p.edition < 3 {
		m.forget(n)
	}
	return true, nil
}

// give applies advantage or disadvantage, written anywhere in a roll, to its single die.
func (p *parser) give(r *Roll) error {
	keep := edge(*p.edge)
	var found []*Dice
	collect(r.Of, &found)
	if len(found) == 0 {
		r.Of = &Operation{
			Op: '+', Left: &Dice{Count: Number(2), Die: Die{Sides: 20}, Mods: p.edgeMods(*p.edge)},
			Right: r.Of,
		}
		return nil
	}
	if i := slices.IndexFunc(found, func(d *Dice) bool { return d.Die.Sides == 20 && d.Count == Number(1) }); i > 0 {
		found[0], found[i] = found[i], found[0]
	}
	for _, d := range found {
		if d.Count == Number(1) && len(d.Mods.Keeps) == 0 && d.Mods.Reading == Sum {
			d.Count, d.Mods.Keeps = Number(2), []Keep{keep}
			if d.Mods.Counted {
				return p.meantAt(OneDie, OfEdge)
			}
			return nil
		}
	}
	var try []string
	if n, ok := found[0].Count.(Number); ok && len(found) == 1 && len(found[0].Mods.Keeps) == 0 {
		try = []string{(&Dice{Count: n, Die: found[0].Die, Mods: p.edgeMods(*p.edge)}).String()}
	}
	return p.meantAt(OneDie, OfEdge, try...)
}

func (p *parser) meantAt(reason string, of Construct, try ...string) error {
	return &MeantError{
		Reason: reason, Of: of, At: p.edgeAt, Given: strings.TrimSpace(string(p.runes[p.edgeAt:p.at])),
		Try: try,
	}
}

// String returns the notation of the dice.
func (d *Dice) String() string {
	var b strings.Builder
	d.write(&b)
	return b.String()
}
