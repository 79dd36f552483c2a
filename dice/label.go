package dice

import (
	"slices"
	"strings"
	"unicode"
)

// before parses the label before the dice: "attack:", "(attack)", "Fire bolt".
func (p *parser) before() {
	for {
		from := p.at
		closed := p.eat('(')
		if !unicode.IsLetter(p.next()) || p.startsDice() || p.isWord() {
			p.at = from
			return
		}
		p.labelWord()
		word := p.source(from, p.at)
		for closed && !p.end() && p.next() != ')' && !strings.ContainsRune("0123456789(", p.next()) {
			p.at++
		}
		if closed && !p.eat(')') {
			p.at = from
			return
		}
		if closed {
			word = p.source(from+1, p.at-1)
		}
		ends := p.eat(':', ',')
		if spaced := p.space(); !spaced && !ends && !p.end() {
			p.at = from
			return
		}
		p.name(word)
		p.doubt = append(p.doubt, doubt{word, from})
	}
}

// labelWord parses a word of a label.
func (p *parser) labelWord() string {
	from := p.at
	for !p.end() && !unicode.IsSpace(p.runes[p.at]) && !strings.ContainsRune(";:,()", p.runes[p.at]) {
		p.at++
	}
	return string(p.runes[from:p.at])
}

// doubt is a label that could be notation instead, at a rune offset.
type doubt struct {
	text string
	at   int
}

// sure refuses labels that could change the result. What is written behind # or in quotes is always
// a label.
func (p *parser) sure(r Roll) error {
	defer func() { p.doubt = nil }()
	if p.edition < 3 {
		return nil
	}
	for _, d := range p.doubt {
		if changes(d.text) {
			r.Label = strings.Join(p.label, " ")
			var try []string
			if (Expr{rolls: []Roll{r}}).HasDice() {
				try = []string{r.String()}
			}
			return &MeantError{Reason: Labelled, Of: OfLabel, At: d.at, Given: d.text, Try: try}
		}
	}
	return nil
}

// changes reports whether a label could change the result: it has a digit or a sign, one of the words
// for that, or ends before what the dice are thrown against.
func changes(label string) bool {
	if strings.ContainsAny(label, "0123456789+*/<>=!^%&|@$") {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return !unicode.IsLetter(r) })
	if n := len(words); n > 0 && slices.Contains(against, words[n-1]) {
		return true
	}
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(changing, func(stem string) bool {
			stem, open := strings.CutSuffix(stem, "*")
			return word == stem || open && strings.HasPrefix(word, stem)
		})
	})
}

// cutRemark makes a label of what follows the first space, except behind "x3".
func (p *parser) cutRemark() error {
	for i, c := range p.runes {
		before := strings.TrimRight(strings.ToLower(string(p.runes[:i])), "0123456789")
		if !unicode.IsSpace(c) || before == "x" || before == "rep" || before == "repeat" || i == 0 {
			continue
		}
		if text := strings.TrimLeft(string(p.runes[i:]), " #/"); changes(text) {
			p.at = len(p.runes)
			return p.meantError(Labelled, OfLabel, i, strings.TrimSpace(string(p.runes[:i]))+" # "+text)
		}
		p.runes[i] = '#'
		return nil
	}
	return nil
}

// readLabel parses a label behind dice: after "#" or "//", in brackets or quotes, after a dash or a
// space.
func (p *parser) readLabel() bool { return p.readComment() || p.readBracketed() || p.readWords() }

// readComment parses a label that goes on to the end of the roll.
func (p *parser) readComment() bool {
	from := p.at
	slashed := false
	if !p.eat('#') {
		if slashed = p.eatText("//"); !slashed {
			return false
		}
	}
	p.space()
	rest := p.at
	for !p.end() && p.next() != ';' {
		p.at++
	}
	p.name(p.source(rest, p.at))
	if c := p.runes[rest:p.at]; slashed && len(c) > 0 && !unicode.IsLetter(c[0]) { // "1d20//2"
		p.doubt = append(p.doubt, doubt{p.source(from, p.at), from})
	}
	return true
}

// readBracketed parses a label in brackets or quotes.
func (p *parser) readBracketed() bool {
	from := p.at
	if !p.eat('[', '(', '"', '“', '«') {
		return false
	}
	opening, rest := p.runes[from], p.at
	for !p.end() && !strings.ContainsRune(`])"”»`, p.next()) && p.next() != ';' {
		p.at++
	}
	text := p.source(rest, p.at)
	if p.end() || p.next() == ';' || !strings.ContainsFunc(text, isLetter) ||
		opening == '(' && strings.ContainsAny(text, "0123456789") {
		p.at = from
		return false
	}
	p.at++
	if len(p.label) > 0 {
		p.label[len(p.label)-1] += ","
	}
	p.name(text)
	if opening == '(' || opening == '[' {
		p.doubt = append(p.doubt, doubt{text, rest})
	}
	return true
}

// readWords parses a word as a label, after a space, a dash, a comma or a colon. Numbers may follow
// it.
func (p *parser) readWords() bool {
	from := p.at
	spaced := from == 0 || strings.ContainsRune(" \u00a0\t\n", p.runes[from-1])
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
	start := p.at
	p.labelWord()
	p.name(p.source(start, p.at))
	for {
		at := p.at
		p.space()
		word := p.at
		if c := p.next(); c < '0' || c > '9' || p.startsDice() || p.goalFollows() {
			p.at = at
			break
		}
		if strings.ContainsAny(p.labelWord(), "dкд+-*/<>=") {
			p.at = at
			break
		}
		p.name(p.source(word, p.at))
	}
	p.doubt = append(p.doubt, doubt{p.source(start, p.at), start})
	return true
}

// goalFollows reports whether a goal follows, without skipping it.
func (p *parser) goalFollows() bool {
	from := p.at
	defer func() { p.at = from }()
	_, goal, _ := p.goal()
	return goal
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
