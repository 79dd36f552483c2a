package dice

import (
	"cmp"
	"slices"
	"strings"
)

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
	case "gl":
		if err := once(OfCompare, m.Glitch != nil); err != nil {
			return true, err
		}
		least, _ := die.ends()
		m.Glitch = Values{Exactly(least)}
		if p.valueFollows(die) {
			m.Glitch, err = p.values(die, OfCompare, true)
		}
		return true, err
	case "df", "sf":
		p.at += len(word)
		return p.swap(m, Swapped(word))
	}
	return false, nil
}

// modWords are the modifiers that may be written without anything between them: "sdkl2".
var modWords = []string{
	"even", "odd", "min", "max", "kh", "kl", "km", "dl", "dh", "df", "sf", "rob", "rol", "ro", "rb", "rl", "rr", "cs", "cf", "sa", "sd", "gl", "mi",
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
