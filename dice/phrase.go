package dice

import (
	"math"
	"strconv"
	"strings"
)

// Words returns what was understood in the words of a language, "en", "ru" or "uk": "two d20, the
// higher, plus 5; 15 or more". Parse reads them as an expression with the same law. Labels are left
// out.
func (e Expr) Words(lang string) string {
	s := &speech{lang: lang}
	texts := make([]string, len(e.rolls))
	for i, r := range e.rolls {
		texts[i] = s.roll(r)
	}
	return strings.Join(texts, "; ")
}

// speech words notation in a language, with the first spellings of words.tsv. What they have no word
// for stays notation.
type speech struct{ lang string }

// say returns a phrase with its numbers filled in; holes are pairs of a placeholder and its text.
func (s *speech) say(id string, holes ...string) string { return s.nth(id, 0, holes...) }

// nth returns one of the spellings of a phrase.
func (s *speech) nth(id string, i int, holes ...string) string {
	spellings := spellingsOf[id][s.lang]
	text := spellings[min(i, len(spellings)-1)]
	words := strings.Split(text, " ")
	for k, word := range words {
		if alternatives := strings.Split(word, "|"); len(alternatives) > 1 {
			words[k] = alternatives[min(s.form(holes), len(alternatives)-1)]
		}
	}
	text = strings.NewReplacer(" ,", ",", " ;", ";", " :", ":").Replace(" " + strings.Join(words, " "))
	return strings.NewReplacer(holes...).Replace(strings.TrimPrefix(text, " "))
}

// form returns which of two forms follows the number in the holes: in Russian and Ukrainian 2 to 4
// have the first.
func (s *speech) form(holes []string) int {
	for i := 0; i+1 < len(holes); i += 2 {
		if n, err := strconv.Atoi(holes[i+1]); err == nil && holes[i] == "{n}" {
			if n%10 >= 2 && n%10 <= 4 && (n%100 < 10 || n%100 > 20) {
				return 0
			}
			return 1
		}
	}
	return 0
}

func (s *speech) roll(r Roll) string {
	text := s.node(r.Of)
	if r.Times > 1 {
		text = s.say("repeat", "{n}", strconv.Itoa(r.Times)) + " " + text
	}
	switch g := r.Goal; {
	case r.Against != nil:
		return text + s.against(*r.Against)
	case g.Given && g.Hi == math.MaxInt:
		return text + s.say("goal-ge", "{n}", strconv.Itoa(g.Lo))
	case g.Given && g.Lo == math.MinInt:
		return text + s.say("goal-le", "{n}", strconv.Itoa(g.Hi))
	case g.Given && g.Lo == g.Hi:
		return text + s.say("goal-eq", "{n}", strconv.Itoa(g.Lo))
	case g.Given:
		return text + " vs " + g.String()
	case len(r.Bands) > 0:
		all := r.String()
		from := strings.Index(all, ": ")
		to := len(all)
		if r.Label != "" {
			to = strings.LastIndex(all, " # "+r.Label)
		}
		return text + all[from:to]
	}
	return text
}

func (s *speech) against(a Against) string {
	id := map[string]string{">": "a-gt", ">=": "a-ge", "<": "a-lt", "<=": "a-le", "=": "a-eq", "vs": "versus"}[a.Op]
	text := s.node(a.Of)
	switch {
	case id == "":
		return " vs " + a.Op + " " + text
	case id == "versus":
		return " " + s.say(id) + " " + text
	}
	return s.say(id) + " " + text
}

func (s *speech) node(n Node) string {
	switch n := n.(type) {
	case Number:
		return strconv.Itoa(int(n))
	case *Operation:
		return s.operation(n)
	case *Dice:
		return s.dice(n)
	case *Group:
		return s.group(n)
	}
	return ""
}

func (s *speech) operation(o *Operation) string {
	sign := s.say(map[byte]string{'+': "plus", '-': "minus", '*': "times", '/': "over"}[o.Op])
	side := func(n Node, level int) string {
		if inner, ok := n.(*Operation); ok && (inner.level() < level || inner.Left == nil) || o.level() == 2 && endsInComparison(n) {
			return "(" + s.node(n) + ")"
		}
		return s.node(n)
	}
	if o.Left == nil {
		return sign + " " + side(o.Right, 3)
	}
	_, plain := o.Right.(Number)
	if o.Op == '/' && !plain && o.Round != Down {
		down := *o
		down.Round = Down
		return s.say(string(o.Round)) + s.operation(&down) + ")"
	}
	left := side(o.Left, o.level())
	if strings.Contains(left, ", ") {
		left += ","
	}
	text := left + " " + sign + " " + side(o.Right, o.level()+1)
	if o.Op == '/' && plain {
		text += s.say(map[Round]string{Down: "down", Up: "up", Nearest: "near"}[o.Round])
	}
	return text
}

func (s *speech) group(g *Group) string {
	if max := (Mods{Keeps: []Keep{{N: 1, Of: Highest}}}); !g.Apart && g.Mods.show(Die{}, len(g.Of)) == max.show(Die{}, len(g.Of)) {
		return s.say("of-max") + s.list(g.Of, ", ") + ")"
	}
	if min := (Mods{Keeps: []Keep{{N: 1, Of: Lowest}}}); !g.Apart && g.Mods.show(Die{}, len(g.Of)) == min.show(Die{}, len(g.Of)) {
		return s.say("of-min") + s.list(g.Of, ", ") + ")"
	}
	mods := s.mods(g.Mods, Die{}, g.size())
	switch plus := " " + s.say("plus") + " "; {
	case g.Apart && len(g.Mods.steps(g.size())) > 0:
		return "(" + s.list(g.Of, plus) + ")" + mods
	case g.Apart:
		return "{" + s.list(g.Of, plus) + "}" + mods
	}
	return "{" + s.list(g.Of, ", ") + "}" + mods
}

func (s *speech) list(all []Node, between string) string {
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = s.node(n)
	}
	return strings.Join(texts, between)
}

// few is the number up to which dice are counted in words.
const few = 10

func (s *speech) dice(d *Dice) string {
	n, fixed := d.Count.(Number)
	of := int(n)
	if !fixed {
		of = -1
	}
	sides := strconv.Itoa(d.Die.Sides)
	if d.Mods.Reading == Digits {
		text := s.say("digits"+strconv.Itoa(of), "{s}", sides)
		return text + map[Sort]string{Ascending: s.say("rising"), Falling: s.say("falling")}[d.Mods.Sorted]
	}
	return s.pool(d, of, sides) + s.mods(d.Mods, d.Die, of)
}

// pool words the dice without their modifiers; of is their number, negative if it's thrown.
func (s *speech) pool(d *Dice, of int, sides string) string {
	_, alike := sameDigits(d.Die.Sides)
	letter, _, _ := strings.Cut(strings.TrimPrefix(s.say("pool"), "{w} "), "{")
	die := d.Die
	die.Least, die.Most = Bound{}, Bound{}
	die1 := die.String()
	if die.Faces == nil && !die.Fate {
		die1 = letter + sides
	}
	switch {
	case of < 0:
		return "(" + s.node(d.Count) + ")" + die1
	case die.Fate && of == 1:
		return s.say("fate1")
	case die.Fate && of > 1:
		return s.counted(s.say("fate", "{n}", strconv.Itoa(of)), of)
	case die.Faces == nil && !die.Fate && of == 1 && alike:
		return s.say("sides", "{n}", sides)
	case of == 1:
		return die1
	case die.Faces == nil && !die.Fate && of > 1 && of <= few:
		return s.counted(strconv.Itoa(of)+" "+die1, of)
	}
	return strconv.Itoa(of) + die1
}

// counted replaces the number at the beginning of a text by its word.
func (s *speech) counted(text string, n int) string {
	if n > few {
		return text
	}
	return s.say("n"+strconv.Itoa(n)) + strings.TrimPrefix(text, strconv.Itoa(n))
}

// mods words the modifiers of n dice in the order in which they're applied.
func (s *speech) mods(m Mods, d Die, n int) string {
	var b strings.Builder
	if d.Least.Given {
		b.WriteString(s.say("min", "{n}", strconv.Itoa(d.Least.At)))
	}
	if d.Most.Given {
		b.WriteString(s.say("max", "{n}", strconv.Itoa(d.Most.At)))
	}
	if m.Reroll != nil {
		id := map[bool]string{false: "reroll", true: "once"}[m.Once]
		id += map[Rerolled]string{FirstThrow: "-first", LastThrow: "-last"}[m.At]
		b.WriteString(s.values(id, m.Reroll, d, false))
	}
	if m.Unique {
		b.WriteString(s.say("unique"))
	}
	s.explode(&b, m, d)
	b.WriteString(s.keeps(m, n))
	if m.Counted && len(m.Count) > 0 {
		none := d.Sides > 0 && m.Explode == nil && (m.Count.of(d) == 0 || m.Count.of(d) == d.Sides)
		b.WriteString(s.values("count", m.Count, d, none))
	}
	if m.Fail != nil {
		b.WriteString(s.values("fail", m.Fail, d, false))
	}
	if m.Glitch != nil {
		b.WriteString(s.values("glitch", m.Glitch, d, false))
	}
	for _, swap := range m.Swaps {
		b.WriteString(s.values(map[Swapped]string{Dropped: "without", Deducted: "less", Negative: "negative"}[swap.To], swap.Of, d, false))
	}
	if m.Marks != nil {
		b.WriteString(s.values("mark", m.Marks, d, false))
	}
	if m.Reading != Sum {
		b.WriteString(s.say(string(m.Reading)))
	}
	if m.Sorted != AsThrown {
		b.WriteString(s.say(map[Sort]string{Ascending: "sorted-up", Falling: "sorted-down"}[m.Sorted]))
	}
	return b.String()
}

func (s *speech) explode(b *strings.Builder, m Mods, d Die) {
	if m.Explode == nil {
		return
	}
	id := map[[3]bool]string{
		{false, false, false}: "explode",
		{true, false, false}:  "compound",
		{false, true, false}:  "penetrate",
		{true, true, false}:   "both",
		{false, false, true}:  "explode-once",
	}[[3]bool{m.Compound, m.Penetrate, m.Single}]
	if id == "" {
		m.writeExplode(b, d)
		return
	}
	b.WriteString(s.values(id, m.Explode, d, false))
}

// keeps words the steps that choose among n dice.
func (s *speech) keeps(m Mods, n int) string {
	var b strings.Builder
	for _, k := range m.steps(n) {
		number := strconv.Itoa(k.N)
		switch {
		case k.N == 0 && !k.Drop:
			b.WriteString(s.say("kh-none"))
		case k.Drop && k.N == 1:
			b.WriteString(s.say("d" + string(rune(k.Of)) + "1"))
		case k.Drop:
			b.WriteString(s.say("d"+string(rune(k.Of)), "{n}", number))
		case k.N == 1 && k.Of == Highest:
			b.WriteString(s.best("higher", n))
		case k.N == 1 && k.Of == Lowest:
			b.WriteString(s.best("lower", n))
		default:
			b.WriteString(s.say("k"+string(rune(k.Of)), "{n}", number))
		}
	}
	return b.String()
}

// best words the best or the worst of two dice, or of more.
func (s *speech) best(id string, n int) string {
	if s.lang != "ru" && n != 2 {
		return s.nth(id, 1)
	}
	return s.say(id)
}

// values words a phrase about values of a die; with listed, as a list in braces.
func (s *speech) values(id string, v Values, d Die, listed bool) string {
	return s.say(id, "{v}", s.compared(v, d, listed))
}

func (s *speech) compared(v Values, d Die, listed bool) string {
	if !listed && len(v) == 1 && d.Names == nil {
		switch f := v[0]; {
		case f.Hi == math.MaxInt:
			return s.say("v-ge", "{n}", strconv.Itoa(f.Lo))
		case f.Lo == math.MinInt:
			return s.say("v-le", "{n}", strconv.Itoa(f.Hi))
		case f.Lo == f.Hi:
			return strconv.Itoa(f.Lo)
		default:
			return s.say("v-to", "{n}", strconv.Itoa(f.Lo), "{m}", strconv.Itoa(f.Hi))
		}
	}
	if unequal := len(v) == 2 && v[0].Lo == math.MinInt && v[1].Hi == math.MaxInt && v[0].Hi+2 == v[1].Lo; unequal && !listed && d.Names == nil {
		return s.say("v-ne", "{n}", strconv.Itoa(v[0].Hi+1))
	}
	return s.say("v-in", "{l}", "{"+v.list(d)+"}")
}
