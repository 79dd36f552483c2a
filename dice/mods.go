package dice

import (
	"math"
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
		done, err := p.mod(m, of, die, n, at)
		if err != nil {
			return err
		}
		if !done {
			p.at = from
			return p.met(m, of, die, counts)
		}
		if m.Counted && counts == 0 {
			counts = here + 1
		}
	}
}

// edge returns the modifier of advantage or disadvantage.
func edge(lowest bool) Keep {
	if lowest {
		return Keep{N: 1, Of: Lowest}
	}
	return Keep{N: 1, Of: Highest}
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
	if isDice && p.eat('!') {
		err := once(OfExplode, m.Explode != nil)
		if err != nil {
			return true, err
		}
		m.Compound = p.eat('!')
		m.Penetrate = p.eat('p')
		_, top := die.ends()
		if m.Explode, err = p.values(die, OfExplode, false); err != nil {
			return true, err
		}
		if m.Explode == nil {
			m.Explode = Values{Exactly(top)}
		}
		return true, p.some(m.Explode, die, OfExplode, here)
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
	switch word := p.letters(); word {
	case "k", "kh", "kl", "km", "dl", "dh", "d":
		p.at += len(word)
		return p.keep(m, word, n)
	case "r", "ro":
		if !isDice {
			return false, nil
		}
		p.at += len(word)
		err := once(OfReroll, m.Reroll != nil)
		if err != nil {
			return true, err
		}
		if m.Reroll, err = p.values(die, OfReroll, true); err != nil {
			return true, err
		}
		m.Once = word == "ro"
		return true, p.some(m.Reroll, die, OfReroll, here)
	case "f":
		if !m.Counted {
			return false, nil
		}
		p.at++
		err := once(OfCompare, m.Fail != nil)
		if err == nil {
			m.Fail, err = p.values(die, OfCompare, true)
		}
		return true, err
	case "cs":
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
	if m.Counted || m.Reading != Sum {
		return false, nil // the comparison is about the number of dice
	}
	found, err := p.values(die, OfCompare, false)
	if found == nil || err != nil {
		return false, err
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

// met returns an error if there is a comparison, at offset counts−1, that no face of the dice
// meets, and objects to one that all faces meet.
func (p *parser) met(m *Mods, of Node, die Die, counts int) error {
	if counts == 0 || die.Sides == 0 || die.Names != nil || m.Explode != nil {
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
	p.space()
	at := p.at
	given, ok := p.number()
	if k.N = given; !ok {
		k.N = 1
	}
	if word == "d" && (!ok || n >= 0 && given >= n || from != at) { // "1d4d6" throws dice of dice
		p.at = from - len(word)
		return false, nil
	}
	have := MaxDice
	if n >= 0 {
		lo, hi := m.Ranks(n)
		have = hi - lo
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
	if n >= 0 && (m.Explode == nil || m.Compound) {
		if lo, hi := m.Ranks(n); lo == 0 && hi == n { // all dice
			m.Keeps = nil
		}
	}
	return true, nil
}

// values parses a comparison. It returns nil if there is none, or if dice are on its right side.
// With bare, a number without a sign is accepted, and the values are required.
func (p *parser) values(die Die, of Construct, bare bool) (Values, error) {
	from := p.at
	p.space()
	op := p.comparison()
	if op == "" && !bare {
		if _, top := die.ends(); of != OfExplode || top < 1 || p.at > from || p.next() < '0' || p.next() > '9' {
			p.at = from
			return nil, nil
		}
	}
	p.space()
	if op == "" || op == "=" || op == "<>" {
		if list, ok, err := p.valueList(die, of); ok || err != nil {
			if op == "<>" && err == nil && len(list) == 1 && list[0].Lo == list[0].Hi {
				list = Values{{Lo: math.MinInt, Hi: list[0].Lo - 1}, {Lo: list[0].Lo + 1, Hi: math.MaxInt}}
			}
			return list, err
		}
	}
	at := p.at
	n, ok := p.value(die)
	if !ok && op != "" && !bare && (p.startsDice() || p.next() == '(' || p.next() == '{' || p.isWord()) {
		p.at = from // it compares dice with dice
		return nil, nil
	}
	if !ok {
		return nil, p.wants(WantNumber, of)
	}
	if op != "" && !bare {
		if after := p.at; p.startsDie() && !p.keepsWord() {
			p.at = from
			return nil, nil
		} else if p.space(); p.next() == '*' || p.next() == '/' {
			p.at = from
			return nil, nil
		} else {
			p.at = after
		}
	}
	if err := within(FieldFace, n, -MaxConstant, MaxConstant, at); err != nil {
		return nil, err
	}
	return valuesComparing(op, n), nil
}

// keepsWord reports whether the next word drops dice.
func (p *parser) keepsWord() bool {
	word := p.letters()
	return word == "dl" || word == "dh"
}

// valuesComparing returns the values that compare with n in this way.
func valuesComparing(op string, n int) Values {
	switch op {
	case ">=":
		return Values{{Lo: n, Hi: math.MaxInt}}
	case ">":
		return Values{{Lo: n + 1, Hi: math.MaxInt}}
	case "<=":
		return Values{{Lo: math.MinInt, Hi: n}}
	case "<":
		return Values{{Lo: math.MinInt, Hi: n - 1}}
	case "<>":
		return Values{{Lo: math.MinInt, Hi: n - 1}, {Lo: n + 1, Hi: math.MaxInt}}
	}
	return Values{Exactly(n)}
}

// comparison parses a comparison operator, or returns "".
func (p *parser) comparison() string {
	switch {
	case p.eat('≥'):
		return ">="
	case p.eat('≤'):
		return "<="
	case p.eat('≠'):
		return "<>"
	case p.eat('>'):
		if p.eat('=') {
			return ">="
		}
		return ">"
	case p.eat('<'):
		if p.eat('=') {
			return "<="
		}
		if p.eat('>') {
			return "<>"
		}
		return "<"
	case p.eat('='):
		switch {
		case p.eat('>'):
			return ">="
		case p.eat('<'):
			return "<="
		}
		p.eat('=')
		return "="
	}
	return ""
}

// value parses a number, or a symbol of the die.
func (p *parser) value(die Die) (int, bool) {
	if die.Names == nil {
		return p.readSigned()
	}
	for i, name := range die.Names {
		if p.word(strings.ToLower(name)) {
			return i + 1, true
		}
	}
	return 0, false
}

// valueList parses "{1, 3..5}".
func (p *parser) valueList(die Die, of Construct) (Values, bool, error) {
	from := p.at
	if !p.eat('{') {
		return nil, false, nil
	}
	var all Values
	for {
		p.space()
		if p.startsDice() {
			p.at = from
			return nil, false, nil
		}
		lo, ok := p.value(die)
		if !ok {
			return nil, true, p.wants(WantNumber, of)
		}
		hi := lo
		if p.space(); p.eat('.') {
			for p.eat('.') {
			}
			p.space()
			if hi, ok = p.value(die); !ok {
				return nil, true, p.wants(WantNumber, of)
			}
		}
		if max(hi, -lo, lo, -hi) > MaxConstant || hi < lo || len(all) == maxFaces {
			return nil, true, &RangeError{Field: FieldFace, Min: -MaxConstant, Max: MaxConstant, Given: hi, At: from}
		}
		all = append(all, Faces{Lo: lo, Hi: hi})
		if p.space(); p.eat('}') {
			return all, true, nil
		}
		if !p.eat(',', ';') {
			return nil, true, p.wants(WantClose, of)
		}
	}
}

// after parses what follows an expression: goals, bands, advantage and a label.
func (p *parser) after(r *Roll) error {
	for {
		p.space()
		here := p.at
		if p.end() || p.next() == ';' {
			return nil
		}
		if p.next() == '.' && p.at == len(p.runes)-1 { // the full stop that a phone adds
			p.at++
			return nil
		}
		if lowest, ok := p.edgeWord(); ok {
			if p.edge != nil {
				return p.meantError(Twice, OfEdge, here)
			}
			p.edge, p.edgeAt = &lowest, here
			continue
		}
		asked := r.Goal.Given || r.Against != nil || len(r.Bands) > 0
		if bands, err := p.bands(); err != nil {
			return err
		} else if len(bands) > 0 {
			if asked {
				return p.meantError(Twice, OfBands, here)
			}
			r.Bands = bands
			continue
		}
		done, err := p.aim(r)
		switch {
		case err != nil:
			return err
		case done && asked:
			return p.meantError(Twice, OfGoal, here)
		case done:
			continue
		}
		if p.readLabel() {
			continue
		}
		if word := p.letters(); word == "x" || word == "х" {
			p.at++
			p.space()
			if n, ok := p.number(); ok && n > 1 && n <= MaxTimes && r.Times == 1 && !asked {
				var b strings.Builder
				r.Of.write(&b)
				once := *r
				once.Times = n
				return p.meantError(Repeated, OfTimes, here, once.String(),
					(Roll{Times: 1, Of: &Operation{Op: '*', Left: r.Of, Right: Number(n)}}).String())
			}
			p.at = here
		}
		return p.wants(WantSign, OfSum)
	}
}

// readLabel parses a label after the dice: after a space, "#", "//", in brackets, or after a dash.
func (p *parser) readLabel() bool {
	from := p.at
	spaced := from == 0 || p.runes[from-1] == ' ' || strings.ContainsRune("\u00a0\t\n", p.runes[from-1])
	switch {
	case p.eat('#') || p.eatText("//"):
		p.space()
		rest := p.at
		for !p.end() && p.next() != ';' {
			p.at++
		}
		p.name(string(p.runes[rest:p.at]))
		return true
	}
	p.at = from
	if p.eat('[', '(', '"', '“', '«') {
		rest := p.at
		for !p.end() && !strings.ContainsRune(`])"”»`, p.next()) && p.next() != ';' {
			p.at++
		}
		text := string(p.runes[rest:p.at])
		if !p.end() && p.next() != ';' && strings.ContainsFunc(text, isLetter) &&
			!(p.runes[from] == '(' && strings.ContainsAny(text, "0123456789")) {
			p.at++
			if len(p.label) > 0 {
				p.label[len(p.label)-1] += ","
			}
			p.name(text)
			return true
		}
		p.at = from
		return false
	}
	dashed := spaced && p.eat('-') || p.eat(',', ':')
	if dashed {
		p.space()
	}
	if !spaced && !dashed || p.end() || !isLetter(p.next()) {
		p.at = from
		return false
	}
	if word := p.letters(); word == "x" || word == "х" {
		p.at = from
		return false
	}
	p.name(p.labelWord())
	for { // a label may contain numbers between words
		at := p.at
		p.space()
		if c := p.next(); c < '0' || c > '9' {
			p.at = at
			return true
		}
		if _, goal, _ := p.goal(); goal {
			p.at = at
			return true
		}
		if p.startsDice() {
			p.at = at
			return true
		}
		word := p.labelWord()
		if strings.ContainsAny(word, "dкд+-*/<>=") {
			p.at = at
			return true
		}
		p.name(word)
	}
}

func isLetter(r rune) bool {
	return r > 127 && r != '≥' && r != '≤' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// name appends to the label.
func (p *parser) name(text string) {
	text = strings.NewReplacer("#", " ", ";", " ").Replace(text) // these begin and end labels in notation
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		p.label = append(p.label, text)
	}
}

// aim parses the goal of a roll, or the dice that it's compared with.
func (p *parser) aim(r *Roll) (done bool, err error) {
	from := p.at
	goal, ok, err := p.goal()
	if ok || err != nil {
		r.Goal = goal
		return ok, err
	}
	p.at = from
	if r.Of.kind() == names {
		return false, nil
	}
	op := p.comparison()
	if op == "" && p.word(against...) {
		op = "vs"
	}
	if op == "" || op == "<>" {
		p.at = from
		return false, nil
	}
	of, err := p.sum()
	if err != nil {
		return true, err
	}
	if of.kind() == number {
		if n, hi := of.Range(); n == hi {
			if op == "vs" {
				op = ">="
			}
			v := valuesComparing(op, n)
			r.Goal = Goal{Given: true, Lo: v[0].Lo, Hi: v[0].Hi}
			return true, nil
		}
	}
	r.Against = &Against{Op: op, Of: of}
	return true, nil
}

// goal parses a goal that is a number.
func (p *parser) goal() (goal Goal, ok bool, err error) {
	from := p.at
	p.eat(',', ':')
	p.space()
	end := func(n int, most bool) Goal {
		if most {
			return Goal{Given: true, Lo: math.MinInt, Hi: n}
		}
		return Goal{Given: true, Lo: n, Hi: math.MaxInt}
	}
	for _, g := range goals {
		if p.word(g.before...) {
			p.space()
			at := p.at
			n, ok := p.readSigned()
			if !ok {
				return Goal{}, false, p.wants(WantNumber, OfGoal)
			}
			return end(n, g.most), true, within(FieldConstant, n, -MaxConstant, MaxConstant, at)
		}
	}
	at := p.at
	n, ok := p.readSigned()
	if ok && at < len(p.runes) && p.runes[at] != '+' {
		p.space()
		for i, sign := range []rune{'+', '-'} {
			if p.eat(sign) || p.word(goals[i].after...) {
				if p.space(); '0' <= p.next() && p.next() <= '9' || p.startsDice() {
					break
				}
				return end(n, goals[i].most), true, within(FieldConstant, n, -MaxConstant, MaxConstant, at)
			}
		}
	}
	p.at = from
	return Goal{}, false, nil
}

// bands parses names for values: "miss 6-, weak 7-9, strong 10+". It takes none if there are fewer
// than two.
func (p *parser) bands() (bands []Band, err error) {
	from := p.at
	p.eat(':', ',')
	for {
		p.space()
		at := p.at
		b := Band{Name: p.bandName()}
		p.eat(':')
		p.space()
		var ok bool
		if b.Lo, b.Hi, ok = p.span(); !ok {
			p.at = from
			return nil, nil
		}
		if b.Name == "" {
			p.eat(':')
			p.space()
			b.Name = p.bandName()
		}
		if b.Name == "" || strings.HasPrefix(b.Name, "-") || slices.Contains(against, strings.ToLower(b.Name)) {
			p.at = from
			return nil, nil
		}
		for _, other := range bands {
			if b.Lo <= other.Hi && other.Lo <= b.Hi {
				return nil, p.meantError(Overlap, OfBands, at)
			}
		}
		bands = append(bands, b)
		p.space()
		if !p.eat(',', '|') {
			break
		}
	}
	if len(bands) < 2 {
		p.at = from
		return nil, nil
	}
	return bands, within(FieldBands, len(bands), 2, MaxBands, from)
}

// bandName parses words up to a number or a sign.
func (p *parser) bandName() string {
	from := p.at
	for !p.end() && !strings.ContainsRune("0123456789<>=≥≤,;:|#+*/(){}", p.runes[p.at]) {
		if p.runes[p.at] == '-' && p.at+1 < len(p.runes) && '0' <= p.runes[p.at+1] && p.runes[p.at+1] <= '9' {
			break
		}
		p.at++
	}
	return strings.TrimSpace(string(p.runes[from:p.at]))
}

// span parses "6-", "7-9", "10+", "7", ">=10".
func (p *parser) span() (lo, hi int, ok bool) {
	if op := p.comparison(); op != "" && op != "<>" {
		p.space()
		n, ok := p.readSigned()
		v := valuesComparing(op, n)
		return v[0].Lo, v[0].Hi, ok
	}
	n, ok := p.readSigned()
	if !ok || n > MaxConstant || n < -MaxConstant {
		return 0, 0, false
	}
	lo, hi = n, n
	switch {
	case p.eat('+'):
		hi = math.MaxInt
	case p.eat('-') || p.eat('.'):
		for p.eat('.') {
		}
		if to, ok := p.readSigned(); ok {
			hi = to
		} else {
			lo, hi = math.MinInt, n
		}
	}
	return lo, hi, lo <= hi
}

// give applies advantage or disadvantage, written anywhere in a roll, to its single die.
func (p *parser) give(r *Roll) error {
	keep := edge(*p.edge)
	var found []*Dice
	collect(r.Of, &found)
	if len(found) == 0 {
		r.Of = &Operation{
			Op: '+', Left: &Dice{Count: Number(2), Die: Die{Sides: 20}, Mods: Mods{Keeps: []Keep{keep}}},
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
		try = []string{(&Dice{Count: n, Die: found[0].Die, Mods: Mods{Keeps: []Keep{keep}}}).String()}
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

// alike returns an error for a roll that adds different kinds of values: totals, counts, symbols.
func (p *parser) alike(r Roll, from int) error {
	for _, n := range r.sides() {
		if symbol := loose(n, n == r.Of && r.Against == nil); symbol != nil {
			counted := *symbol
			counted.Mods.Counted, counted.Mods.Count = true, Values{Exactly(1)}
			return p.meantError(Symbols, OfFaces, from, counted.String())
		}
	}
	if r.Of.kind() == mixed || r.Against != nil && r.Against.Of.kind() == mixed {
		var try []string
		var all []*Dice
		collect(r.Of, &all)
		i := slices.IndexFunc(all, (*Dice).onlyCompares)
		if i >= 0 && !r.hasGoal() {
			values := all[i].Mods.Count
			if total := without(r.Of, all[i]); total.kind() == sum {
				try = append(try, (Roll{Times: r.Times, Of: total, Goal: goalOf(values)}).String())
			}
			if counted, ok := every(r.Of, values); ok {
				try = append(try, (Roll{Times: r.Times, Of: counted}).String())
			}
		}
		return p.meantError(Unlike, OfCompare, from, try...)
	}
	last, values := compares(r.Of)
	if o, ok := r.Of.(*Operation); ok && last != nil && o.Right == Node(last) && o.Left != nil &&
		o.Left.kind() == number && !r.hasGoal() {
		count := &Operation{Op: '+', Left: last, Right: o.Left}
		p.object(p.meantError(Either, OfCompare, from, (Roll{Times: r.Times, Of: count}).String(),
			(Roll{Times: r.Times, Of: without(r.Of, last), Goal: goalOf(values)}).String()))
	}
	return nil
}

// loose returns dice with symbols that are part of a larger result, or nil.
func loose(n Node, top bool) *Dice {
	switch n := n.(type) {
	case *Operation:
		if n.Left != nil {
			if d := loose(n.Left, false); d != nil {
				return d
			}
		}
		return loose(n.Right, false)
	case *Group:
		for _, each := range n.Of {
			if d := loose(each, false); d != nil {
				return d
			}
		}
	case *Dice:
		if n.kind() == names && (!top || n.Count != Number(1) || n.Mods.Explode != nil) {
			return n
		}
		return loose(n.Count, false)
	}
	return nil
}

// onlyCompares reports whether a comparison is the only modifier.
func (d *Dice) onlyCompares() bool {
	return d.Mods.Counted && d.Mods.Fail == nil && d.Mods.Explode == nil && len(d.Mods.Keeps) == 0
}

// compares returns the last dice of a sum and the values they're compared with, if they're counted.
func compares(n Node) (*Dice, Values) {
	switch n := n.(type) {
	case *Operation:
		if n.level() == 1 {
			return compares(n.Right)
		}
	case *Dice:
		if n.onlyCompares() {
			return n, n.Mods.Count
		}
	}
	return nil, nil
}

// without returns the expression with some dice added instead of counted.
func without(n Node, counted *Dice) Node {
	if o, ok := n.(*Operation); ok {
		other := *o
		if other.Left != nil {
			other.Left = without(o.Left, counted)
		}
		other.Right = without(o.Right, counted)
		return &other
	}
	if n == Node(counted) {
		bare := *counted
		bare.Mods.Counted, bare.Mods.Count = false, nil
		return &bare
	}
	return n
}

// every returns the sum with all dice counted in the same way, or false if some can't be.
func every(n Node, v Values) (Node, bool) {
	switch n := n.(type) {
	case *Operation:
		other := *n
		ok := n.level() == 1
		if n.Left != nil && ok {
			other.Left, ok = every(n.Left, v)
		}
		if ok {
			other.Right, ok = every(n.Right, v)
		}
		return &other, ok
	case *Dice:
		counted := *n
		counted.Mods.Counted, counted.Mods.Count = true, v
		hits := v.of(n.Die)
		return &counted, hits > 0 && hits < n.Die.Sides && !n.Mods.Again() && len(n.Mods.Keeps) == 0 &&
			n.Mods.Reading == Sum
	case Number:
		return n, true
	}
	return nil, false
}
