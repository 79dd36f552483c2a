package chat

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"norn/lang"

	"norn/form"
)

// Suggestion is a way to continue a line.
type Suggestion struct {
	Text     string // replaces the line from From to To
	From, To int    // bytes of the line
	Label    string // its name
	About    string // its description, "" if the label says everything
}

// maxSuggested limits the suggestions that are shown at once.
const maxSuggested = 24

// Complete returns ways to continue a line at a cursor, given as a byte: names of commands, fields
// without a value, their values, characters. A word in another language suggests the reader's word.
func (b *Book) Complete(line string, cursor int) []Suggestion {
	if cursor < 0 || cursor > len(line) || len(line) > MaxLine {
		return nil
	}
	text := line[:cursor]
	c := &completion{Book: b, text: text, to: cursor}
	start := len(text) - len(strings.TrimLeft(text, " "))
	switch rest := text[start:]; {
	case strings.HasPrefix(rest, "//"):
	case strings.HasPrefix(rest, "@"):
		c.people(start)
	case strings.HasPrefix(rest, "/"):
		c.command(start + 1)
	}
	return c.found[:min(len(c.found), maxSuggested)]
}

// Help lists the commands that aren't moves.
func (b *Book) Help() []Suggestion {
	var all []Suggestion
	for _, v := range b.listedVerbs() {
		name := v.Names(b.own().Speaker)[0]
		all = append(all, Suggestion{Text: "/" + name + " ", Label: b.lead(v) + name, About: b.about(v)})
	}
	return all
}

// completion collects suggestions.
type completion struct {
	*Book
	text  string
	to    int
	found []Suggestion

	at, head int                 // start of the command's name, and its number of words
	named    *dictionary[string] // moves
	verb     *dictionary[Verb]
	form     *form.Form // whose values are given
	before   []token    // values before the completed one
}

func (c *completion) add(from int, text, label, about string) {
	for _, s := range c.found {
		if s.Text == text {
			return
		}
	}
	c.found = append(c.found, Suggestion{Text: text, From: from, To: c.to, Label: label, About: about})
}

func (c *completion) people(at int) {
	for _, p := range c.Actors {
		if !strings.HasPrefix(lang.Key(p.Name), lang.Key(c.text[at+1:])) {
			continue
		}
		var who Command
		text := "@" + p.Name + " "
		if rest, err := c.takeActor(&who, tokens(text, 0)); err != nil || who.Actor != p.ID || len(rest) > 0 {
			text = "@" + p.ID + " "
		}
		c.add(at, text, p.Name, "")
	}
}

// command completes a command that begins at a byte.
func (c *completion) command(at int) {
	ts := tokens(c.text, at)
	c.at, c.head = at, c.heads(ts)
	ended := len(ts) > 0 && ts[len(ts)-1].end < len(c.text) // the last word is followed by a space
	moves, n := c.moves().longestRun(ts, 0)
	verbs, m := c.verbs().longestRun(ts, 0)
	switch {
	case len(ts) > 0 && ts[0].at > at:
	case len(moves) > 0 && n >= m && (n < len(ts) || ended):
		c.move(moves[0], ts[n:])
	case len(verbs) > 0 && (m < len(ts) || ended):
		switch verbs[0] {
		case Odds:
			moves, n := c.moves().longestRun(ts, m)
			if len(moves) > 0 && (m+n < len(ts) || ended) {
				c.move(moves[0], ts[m+n:])
				return
			}
			from := c.to
			if m < len(ts) {
				from = ts[m].at
			}
			c.names(from, false)
		case Answer:
			c.answer(ts[m:])
		case Take:
			for i, o := range c.Offers {
				from, number := c.to, strconv.Itoa(i+1)
				if m < len(ts) {
					from = ts[m].at
				}
				if strings.HasPrefix(number, c.text[from:]) {
					c.add(from, number+" ", number+" · "+o.Text, "")
				}
			}
		case Whisper:
			c.completeNamed(c.Seats, c.seats(), ts[m:])
		case Tick:
			c.completeNamed(c.Clocks, persons(c.Clocks), ts[m:])
		case Scene:
			c.completeNamed(c.Scenes, persons(c.Scenes), ts[m:])
		}
	default:
		c.names(at, true)
	}
}

// completeNamed completes the name of one of several seats, clocks or scenes, whose dictionary is d.
func (c *completion) completeNamed(all []Person, d *dictionary[string], ts []token) {
	from := c.to
	if len(ts) > 0 {
		from = ts[0].at
	}
	for _, s := range all {
		if !strings.HasPrefix(lang.Key(s.Name), lang.Key(c.text[from:])) {
			continue
		}
		text := s.Name
		if found, n := d.longestRun(tokens(text, 0), 0); len(found) != 1 || found[0] != s.ID ||
			n != len(tokens(text, 0)) {
			text = s.ID
		}
		c.add(from, text+" ", s.Name, "")
	}
}

// heads returns the number of words that name the command.
func (c *completion) heads(ts []token) int {
	if c.named == nil {
		c.named, c.verb = c.moves(), c.verbs()
	}
	moves, n := c.named.longestRun(ts, 0)
	verbs, m := c.verb.longestRun(ts, 0)
	if len(moves) == 0 && len(verbs) > 0 && verbs[0] == Odds {
		_, n := c.named.longestRun(ts, m)
		return m + n
	}
	return max(n, m)
}

// answer completes an answer: the question, and the values.
func (c *completion) answer(ts []token) {
	if len(c.Asked) == 0 {
		return
	}
	begun := len(ts) == 1 && ts[0].end == len(c.text) // an unfinished word
	if len(c.Asked) > 1 && (len(ts) == 0 || begun) {
		from, text := c.to, ""
		if begun {
			from, text = ts[0].at, lang.Key(strings.TrimPrefix(ts[0].text, "#"))
		}
		for i, q := range c.Asked {
			number := strconv.Itoa(i + 1)
			if strings.HasPrefix(number, text) || strings.HasPrefix(lang.Key(c.moveName(q.Move)), text) {
				c.add(from, number+" ", number+" · "+c.moveName(q.Move), q.Text)
			}
		}
	}
	if len(c.Asked) > 1 && len(ts) == 0 { // first the question
		return
	}
	if q, n, err := c.answeredQuestion(ts); err == nil && (n < len(ts) || !begun) {
		c.args(q.Form, ts[n:])
	}
}

// names adds the names of moves, and of verbs if wanted, that begin with the text from a byte on.
func (c *completion) names(from int, verbs bool) {
	begun := lang.Key(c.text[from:])
	for _, foreign := range []bool{false, true} {
		if foreign && len(c.found) > 0 {
			return
		}
		for _, id := range c.Moves {
			if c.begins(func(t tongue) []string { return t.names(c.Game.Word("move", id)) }, id, begun, foreign) {
				about := c.Game.Word("move-about", id)
				if !c.own().Has(about) {
					about = ""
				} else {
					about = c.own().Say(about)
				}
				c.add(from, c.moveText(id)+" ", c.moveName(id), about)
			}
		}
		for _, v := range c.Book.listedVerbs() {
			if verbs && c.begins(func(t tongue) []string {
				return t.shortForms(v, begun)
			}, string(v), begun, foreign) && (v != Answer || len(c.Asked) > 0) && (v != Take || len(c.Offers) > 0) {
				name := c.verbName(v)
				c.add(from, name+" ", name, c.about(v))
			}
		}
	}
	if meant := c.unknownVerb(c.text[from:]); len(c.found) == 0 && meant.Near != "" {
		c.add(from, meant.Near+" ", meant.Near, "")
	}
}

// begins reports whether a name begins so in the reader's language, or with foreign in the rules
// and other languages.
func (c *completion) begins(names func(tongue) []string, rule, begun string, foreign bool) bool {
	if foreign && strings.HasPrefix(rule, begun) {
		return true
	}
	for _, t := range c.tongues() {
		begins := func(name string) bool { return strings.HasPrefix(lang.Key(name), begun) }
		if (t.rank == foreignWord) == foreign && slices.ContainsFunc(names(t), begins) {
			return true
		}
	}
	return false
}

func (c *completion) move(id string, ts []token) {
	spot := Spot{Move: id}
	if c.Actor != nil {
		spot.Actor = c.Actor(id)
	}
	made := Command{Spot: spot}
	if n := len(ts); n > 0 && ts[n-1].kind == word && ts[n-1].text[0] == '@' && ts[n-1].end == len(c.text) {
		c.people(ts[n-1].at)
		return
	}
	rest, err := c.takeActor(&made, ts)
	if err != nil {
		return
	}
	if f := c.Form(made.Spot); f != nil {
		c.args(f, rest)
	}
}

// args completes the values of a form.
func (c *completion) args(f *form.Form, ts []token) {
	from, begun := c.to, ""
	if n := len(ts); n > 0 && ts[n-1].kind == word && ts[n-1].end == len(c.text) { // an unfinished word
		from, begun, ts = ts[n-1].at, lang.Key(ts[n-1].text), ts[:n-1]
	}
	c.form, c.before = f, ts
	r := c.reader(f, c.text, ts)
	err := r.read()
	if err != nil && r.i < len(ts) {
		c.mend(err)
		return
	}
	followed := len(ts) > 0 && ts[len(ts)-1].kind == colon
	if n := len(ts); r.last.Name != "" && n > 0 && ts[n-1].kind != comma && r.lastEnd == n {
		c.values(r.last, from, begun, true)
		if followed || needsValue(r.last) && len(c.found) > 0 {
			return
		}
	}
	inner := r.levels[len(r.levels)-1]
	stated := len(c.found)
	c.fields(inner, from, begun)
	named := len(c.found)
	for _, field := range inner.fields {
		_, given := inner.into[field.Name]
		// until a value is begun, offer only what is on the hero's sheet and what must be chosen
		meant := begun != "" || len(field.At) > 0 && !field.Rare || field.Required && field.Kind != form.KindRefs
		if meant && (!given || isSeveral(field)) && field.Kind != form.KindInt && field.Kind != form.KindBool {
			c.values(field, from, begun, false)
		}
	}
	if begun == "" { // they come first, and leave room for the names
		values := c.found[named:]
		values = values[:min(len(values), max(0, maxSuggested-named))]
		c.found = slices.Concat(c.found[:stated], values, c.found[stated:named])
	}
	if len(c.found) == 0 && begun != "" {
		r.ts = append(r.ts, token{word, begun, from, c.to})
		r.i = len(r.ts) - 1
		c.mend(r.unknown())
	}
}

// takes reports whether the line with a text appended from a byte on can be read and gives a field
// this value, "" for any.
func (c *completion) takes(from int, text string, f form.Field, value string) bool {
	line := c.text[:from] + text
	if c.heads(tokens(line, c.at)) != c.head {
		return false // its first word would belong to the command
	}
	r := c.reader(c.form, line, append(slices.Clone(c.before), tokens(line, from)...))
	if err := r.read(); err != nil {
		wrong, ok := errors.AsType[*Error](err)
		return ok && value == "" && wrong.Code == NoValue && r.last.Name == f.Name // its value is expected
	}
	switch given := r.levels[len(r.levels)-1].into[f.Name].(type) {
	case string:
		return given == value
	case []string:
		return slices.Contains(given, value)
	case picked:
		return value != "" && slices.Contains(given.values, value)
	case nil: // a group or a list, whose fields follow
		return value == "" && f.Kind.HasFields()
	default:
		return value == ""
	}
}

// mend suggests the nearest known word in place of an unknown one, if the line can be read with it.
func (c *completion) mend(err error) {
	wrong, ok := errors.AsType[*Error](err)
	if !ok || wrong.Near == "" {
		return
	}
	name := strings.ToLower(wrong.Near)
	line := c.text[:wrong.At] + name + c.text[wrong.End:]
	before := slices.DeleteFunc(slices.Clone(c.before), func(t token) bool { return t.at >= wrong.At })
	err = c.reader(c.form, line, append(before, tokens(line, wrong.At)...)).read()
	if still, ok := errors.AsType[*Error](err); err == nil || ok && (still.At > wrong.At || still.Code == NoValue) {
		c.add(wrong.At, name+c.text[wrong.End:], name, "")
	}
}

// needsValue reports whether a field's name alone means nothing.
func needsValue(f form.Field) bool { return !f.Kind.IsSwitch() && f.Kind != form.KindGroup }

// fields adds the fields without a value that begin so.
func (c *completion) fields(l level, from int, begun string) {
	for _, foreign := range []bool{false, true} {
		for _, f := range l.fields {
			_, given := l.into[f.Name]
			if given && !isSeveral(f) && f.Kind != form.KindList || !c.begins(func(t tongue) []string {
				return t.names(c.Game.Word("field", f.Name))
			}, f.Name, begun, foreign) || foreign && begun == "" {
				continue
			}
			of := chosenFrom(f)
			if !of.Kind.IsSwitch() && of.Options != nil && len(of.CurrentOptions()) == 0 {
				continue
			}
			text, about := c.nameOf(l.fields, f), ""
			if needsValue(f) {
				text += ": "
			} else {
				text += " "
			}
			switch {
			case f.Kind == form.KindInt:
				about = c.own().Say("chat.number", "Min", f.Min, "Max", f.Max)
			case c.own().Has(c.Game.Word("hint", f.Name)):
				about = c.own().Say(c.Game.Word("hint", f.Name))
			}
			if !c.takes(from, text, f, "") {
				if text = quotation(strings.ToLower(c.fieldLabel(c.own(), f))) + ": "; !c.takes(from, text, f, "") {
					continue
				}
			}
			c.add(from, text, strings.ToLower(c.fieldLabel(c.own(), f)), about)
		}
		if len(c.found) > 0 {
			return
		}
	}
}

// values adds the options of a field that begin so. If the field isn't named yet, it's named where
// the option alone could belong to another.
func (c *completion) values(f form.Field, from int, begun string, named bool) {
	if f.Kind == form.KindInt {
		for n := max(f.Min, 0); n <= f.Max && f.Max-max(f.Min, 0) < maxSuggested; n++ {
			if text := strconv.Itoa(n); strings.HasPrefix(text, begun) {
				c.add(from, text+" ", text, "")
			}
		}
		return
	}
	label, of := c.fieldLabel(c.own(), f), chosenFrom(f)
	for _, o := range of.CurrentOptions() {
		name := c.Game.Option(c.own(), of, o)
		if o.Value == "" || !slices.ContainsFunc(strings.Fields(lang.Key(name)), func(w string) bool {
			return strings.HasPrefix(w, begun)
		}) &&
			!strings.HasPrefix(lang.Key(name), begun) &&
			!(utf8.RuneCountInString(begun) > 1 && strings.HasPrefix(o.Value, begun)) {
			continue
		}
		text := c.wordOf(of, o.Value) + " "
		if !named && !c.takes(from, text, f, o.Value) {
			r := c.reader(c.form, c.text, c.before)
			_ = r.read() // as far as possible
			if text = c.nameOf(r.levels[len(r.levels)-1].fields, f) + ": " + text; !c.takes(from, text, f, o.Value) {
				text = quotation(strings.ToLower(c.fieldLabel(c.own(), f))) + ": " + c.wordOf(of, o.Value) + " "
			}
		}
		if !c.takes(from, text, f, o.Value) {
			continue
		}
		c.add(from, text, name, label)
	}
}
