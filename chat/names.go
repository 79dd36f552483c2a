package chat

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// rank says where a word comes from: the reader's language, the rules, another language. Lower is
// better.
type rank uint8

const (
	ownWord rank = iota
	ruleWord
	foreignWord
	nobody
)

// sense is one meaning of a word.
type sense[T comparable] struct {
	means T
	rank  rank
}

// dictionary maps words to their meanings.
type dictionary[T comparable] struct {
	senses  map[string][]sense[T]
	longest int // number of words of the longest key
}

func (d *dictionary[T]) add(text string, means T, r rank) {
	k := lang.Key(text)
	if k == "" {
		return
	}
	if d.senses == nil {
		d.senses = map[string][]sense[T]{}
	}
	d.longest = max(d.longest, strings.Count(k, " ")+1)
	d.senses[k] = append(d.senses[k], sense[T]{means, r})
}

// find returns the meanings of a text with the best rank.
func (d *dictionary[T]) find(text string) []T {
	var found []T
	best := nobody
	for _, s := range d.senses[lang.Key(text)] {
		if s.rank < best {
			best, found = s.rank, nil
		}
		if s.rank == best && !slices.Contains(found, s.means) {
			found = append(found, s.means)
		}
	}
	return found
}

// withPrefix returns the meanings of all keys with a prefix, with the best rank.
func (d *dictionary[T]) withPrefix(prefix string) []T {
	prefix = lang.Key(prefix)
	var found []T
	best := nobody
	for k, senses := range d.senses {
		if !strings.HasPrefix(k, prefix) {
			continue
		}
		for _, s := range senses {
			if s.rank < best {
				best, found = s.rank, nil
			}
			if s.rank == best && !slices.Contains(found, s.means) {
				found = append(found, s.means)
			}
		}
	}
	return found
}

// begunBest is withPrefix, but prefers a name that the others only extend: "difficulty" to
// "difficulty of the other side".
func (d *dictionary[T]) begunBest(prefix string) []T {
	found := d.withPrefix(prefix)
	if len(found) < 2 {
		return found
	}
	shortest := ""
	for k := range d.senses {
		if strings.HasPrefix(k, lang.Key(prefix)) && slices.ContainsFunc(found, func(means T) bool {
			return slices.Contains(d.find(k), means)
		}) &&
			(shortest == "" || len(k) < len(shortest)) {
			shortest = k
		}
	}
	if first := d.find(shortest); len(first) == 1 && len(d.withPrefix(shortest)) == len(found) {
		return first
	}
	return found
}

// longestRun returns the meanings of the longest known run of words at i, and its number of tokens.
func (d *dictionary[T]) longestRun(ts []token, i int) ([]T, int) {
	if i >= len(ts) {
		return nil, 0
	}
	if ts[i].kind == quoted {
		return d.find(ts[i].text), 1
	}
	n := 0
	for n < d.longest && i+n < len(ts) && ts[i+n].kind == word {
		n++
	}
	for ; n > 0; n-- {
		texts := make([]string, n)
		for j := range texts {
			texts[j] = ts[i+j].text
		}
		if found := d.find(strings.Join(texts, " ")); len(found) > 0 {
			return found, n
		}
	}
	return nil, 0
}

// knowledge caches the dictionaries of one reading, which are used at many words.
type knowledge struct {
	fields  map[*form.Field]*dictionary[int]
	options map[choices]*dictionary[string]
	yesNo   *dictionary[bool]
}

// choices identifies the options of a field.
type choices struct {
	name  string
	first *form.Option
}

func (r *reader) fields(fields []form.Field) *dictionary[int] {
	if len(fields) == 0 {
		return &dictionary[int]{}
	}
	d := r.known.fields[&fields[0]]
	if d == nil {
		if d = r.Book.fields(fields); r.known.fields == nil {
			r.known.fields = map[*form.Field]*dictionary[int]{}
		}
		r.known.fields[&fields[0]] = d
	}
	return d
}

func (r *reader) options(f form.Field) *dictionary[string] {
	of := choices{name: f.Name}
	if len(f.Options) > 0 {
		of.first = &f.Options[0]
	}
	d := r.known.options[of]
	if d == nil {
		if d = r.Book.options(f); r.known.options == nil {
			r.known.options = map[choices]*dictionary[string]{}
		}
		r.known.options[of] = d
	}
	return d
}

func (r *reader) yesNo() *dictionary[bool] {
	if r.known.yesNo == nil {
		r.known.yesNo = r.particles(yesNo)
	}
	return r.known.yesNo
}

// tongue is a language with its rank for the reader.
type tongue struct {
	game.Voice
	rank rank
}

// names returns all names of the thing with a text's id, the text first; none for an unknown id.
func (t tongue) names(id string) []string {
	if !t.Has(id) {
		return nil
	}
	return append([]string{t.Say(id)}, t.Also(id)...)
}

// shortForms returns the names of a verb that letters may abbreviate: only the first for two
// letters, any for more.
func (t tongue) shortForms(v Verb, letters string) []string {
	words := v.Names(t.Speaker)
	if utf8.RuneCountInString(letters) < 3 {
		return words[:1]
	}
	return words
}

// tongues returns all languages, the reader's first.
func (b *Book) tongues() []tongue {
	voice := func(l lang.Lang) game.Voice {
		return game.Voice{Speaker: b.Game.Speak(b.Words.In(l)), Name: func(id string) string { return id }}
	}
	all := []tongue{{voice(b.Lang), ownWord}}
	for _, l := range lang.All {
		if l != b.Lang {
			all = append(all, tongue{voice(l), foreignWord})
		}
	}
	return all
}

func (b *Book) own() game.Voice { return b.tongues()[0].Voice }

// called adds the names of a thing: in the rules, and in each language.
func called[T comparable](b *Book, d *dictionary[T], means T, rule string, names func(tongue) []string) {
	d.add(rule, means, ruleWord)
	for _, t := range b.tongues() {
		for _, name := range names(t) {
			d.add(name, means, t.rank)
		}
	}
}

// verbs returns the names of verbs.
func (b *Book) verbs() *dictionary[Verb] {
	d := &dictionary[Verb]{}
	all := b.listedVerbs()
	if !b.Master { // it's refused in words of its own
		all = append(all, Secret)
	}
	for _, v := range all {
		rule := string(v)
		if v == Tell { // who writes "/tell Anna" whispers to Anna
			rule = "gm"
		}
		called(b, d, v, rule, func(t tongue) []string { return v.Names(t.Speaker) })
	}
	return d
}

// moves returns the names of moves.
func (b *Book) moves() *dictionary[string] { return b.movesCalled(b.Moves) }

// barred returns the names of moves that only others make.
func (b *Book) barred() *dictionary[string] { return b.movesCalled(slices.Sorted(maps.Keys(b.Barred))) }

func (b *Book) movesCalled(ids []string) *dictionary[string] {
	d := &dictionary[string]{}
	for _, id := range ids {
		called(b, d, id, id, func(t tongue) []string { return t.names(b.Game.Word("move", id)) })
	}
	return d
}

// persons returns the names of characters or seats.
func persons(all []Person) *dictionary[string] {
	d := &dictionary[string]{}
	for _, p := range all {
		d.add(p.Name, p.ID, ownWord)
		d.add(p.ID, p.ID, ruleWord)
	}
	return d
}

// seats maps names and ids to the seats that may get a whisper: those of people and of the
// characters that they play.
func (b *Book) seats() *dictionary[string] {
	d := persons(b.Seats)
	for _, p := range b.Played {
		d.add(p.Name, p.Seat, ruleWord)
		d.add(p.ID, p.Seat, ruleWord)
	}
	return d
}

// several lists the characters or seats that a name could mean: "c3 (Guard)".
func several(ids []string, all []Person) (listed []string) {
	for _, p := range all {
		if slices.Contains(ids, p.ID) {
			listed = append(listed, p.ID+" ("+p.Name+")")
		}
	}
	return listed
}

// verbName returns the word that help shows for a verb: its first name, or the game's own word for
// a message to the game master.
func (b *Book) verbName(v Verb) string {
	words := v.Names(b.own().Speaker)
	if whom := strings.Fields(lang.Key(b.own().Say("chat.whom"))); v == Tell && slices.Contains(words, whom[0]) {
		return whom[0]
	}
	return words[0]
}

// fieldLabel returns the label of a field.
func (b *Book) fieldLabel(v game.Voice, f form.Field) string {
	return b.Game.Label(v.Speaker, f.Name)
}

// fields returns the names of fields, by index.
func (b *Book) fields(fields []form.Field) *dictionary[int] {
	d := &dictionary[int]{}
	for i, f := range fields {
		called(b, d, i, f.Name, func(t tongue) []string { return t.names(b.Game.Word("field", f.Name)) })
	}
	return d
}

// options returns the names of a field's options, by value. An optional field also has a name for
// the empty value.
func (b *Book) options(f form.Field) *dictionary[string] {
	d := &dictionary[string]{}
	options := f.Options
	if !slices.ContainsFunc(options, func(o form.Option) bool { return o.Value == "" }) && !f.Required {
		options = append([]form.Option{{}}, options...)
	}
	for _, o := range options {
		d.add(o.Value, o.Value, ruleWord)
		d.add(o.Alias, o.Value, ruleWord)
		for _, t := range b.tongues() {
			if o.Value == "" && f.Kind == form.KindTrait {
				continue // yes and no mean it
			}
			label := b.Game.Option(t.Voice, f, o)
			d.add(label, o.Value, t.rank)
			d.add(o.Text, o.Value, t.rank) // "Fight: mastered" is also called "Fight"
			for _, name := range t.Also(b.Game.OptionWord(f, o)) {
				d.add(name, o.Value, t.rank)
			}
		}
	}
	return d
}

// particles returns words that mean yes or no, from the texts that list them.
func (b *Book) particles(mean map[string]bool) *dictionary[bool] {
	d := &dictionary[bool]{}
	for _, t := range b.tongues() {
		for id, yes := range mean {
			for name := range strings.FieldsSeq(t.Say(id)) {
				d.add(name, yes, t.rank)
			}
		}
	}
	return d
}

var (
	yesNo = map[string]bool{"chat.yes": true, "chat.no": false}
	ands  = map[string]bool{"chat.and": true} // between characters
	// words that connect values and mean nothing by themselves
	links = map[string]bool{"chat.and": true, "chat.link": true}
)

// nameOf returns a field's label if that means just this field, otherwise its name in the rules.
func (b *Book) nameOf(fields []form.Field, f form.Field) string {
	i := slices.IndexFunc(fields, func(other form.Field) bool { return other.Name == f.Name })
	d := b.fields(fields)
	label := strings.ToLower(b.fieldLabel(b.own(), f))
	if b.alone(label) && slices.Equal(d.find(label), []int{i}) {
		return label
	}
	if slices.Equal(d.find(f.Name), []int{i}) {
		return f.Name
	}
	return quotation(label)
}

// wordOf returns the label of an option if that means just this option, otherwise its value.
func (b *Book) wordOf(f form.Field, value string) string {
	d := b.options(f)
	label := b.optionLabel(f, value)
	means := func(text string) bool { return slices.Equal(d.find(text), []string{value}) }
	for _, text := range []string{label, value} {
		if means(text) {
			if b.alone(text) {
				return text
			}
			return quotation(text)
		}
	}
	return quotation(value) // the name of an open trait, or an id that isn't an option
}

// alone reports whether a name is read as one run of words that doesn't begin with a yes or a no.
func (b *Book) alone(name string) bool {
	if !plain(name) {
		return false
	}
	said, _ := b.particles(yesNo).longestRun(tokens(name, 0), 0)
	return len(said) == 0
}

// near returns the candidate with the fewest different letters, "" if none is close: at most a
// third of the letters, at most three, and fewer than all. The written word itself doesn't count.
func near(given string, candidates []string) string {
	given = lang.Key(given)
	best, least := "", min(max(utf8.RuneCountInString(given)/3, 1), 3)+1
	for _, c := range candidates {
		if d := lang.EditDistance(given, lang.Key(c)); 0 < d && d < least && d < utf8.RuneCountInString(c) {
			best, least = c, d
		}
	}
	return best
}
