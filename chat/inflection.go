package chat

import (
	"slices"
	"strings"

	"norn/lang"
)

// A Slavic word changes its ending by its place in a sentence: people write "проверка скрытности" where the sheet has
// "Скрытность". Where a word means nothing as it stands, it's read as the one name that differs
// from it by endings alone.

// endings of nouns and adjectives in Russian and Ukrainian, after a stem.
var endings = strings.Fields(`а я у ю ы и і ї е є о ь й
	ам ям ами ями ах ях ом ем єм им їм ой ей єй ою ею єю ью ов ев ів їв
	ый ий ій ая яя ое ее ые ие ого его ому ему ым их ых ую юю ими ыми`)

// formsOfOne tells whether two words are one in different forms.
func formsOfOne(a, b string) bool {
	x, y := []rune(stem(a)), []rune(stem(b))
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	if same < 3 && (same < 2 || len(y) > 3) || !isCyrillic(x[same-1]) {
		return false
	}
	return isEnding(string(x[same:])) && isEnding(string(y[same:]))
}

func isEnding(text string) bool { return text == "" || slices.Contains(endings, text) }

func isCyrillic(r rune) bool { return r >= 'а' && r <= 'ґ' }

// stem undoes what changes before an ending: "складність", but "складності".
func stem(word string) string {
	for _, ending := range []string{"ь", "ю"} {
		if before, cut := strings.CutSuffix(word, "іст"+ending); cut {
			return before + "ост" + ending
		}
	}
	return word
}

// findInflection finds the one name, of those nearest to the reader, that words are a form of; "" for none or several.
func (d *dictionary[T]) findInflection(words []string) (string, rank) {
	found, best := "", nobody
	for k, senses := range d.senses {
		parts := strings.Fields(k)
		if len(parts) != len(words) || !slices.EqualFunc(words, parts, formsOfOne) {
			continue
		}
		for _, s := range senses {
			switch {
			case s.rank < best:
				found, best = k, s.rank
			case s.rank == best && k != found:
				found = ""
			}
		}
	}
	return found, best
}

// names are something in which names are found.
type names interface {
	findInflection(words []string) (string, rank)
}

// toBaseForm writes the words at a token as the one name of which they are a form, in as many
// words; false where there's none, or more than one.
func toBaseForm(ts []token, i int, among ...names) bool {
	const longest = 4
	n := 0
	for n < longest && i+n < len(ts) && ts[i+n].kind == word {
		n++
	}
	for ; n > 0; n-- {
		words := make([]string, n)
		for j := range words {
			words[j] = lang.Key(ts[i+j].text)
		}
		name, best := "", nobody
		for _, d := range among {
			found, r := d.findInflection(words)
			switch {
			case r < best:
				name, best = found, r
			case r == best && found != name:
				name = ""
			}
		}
		if name == "" || name == strings.Join(words, " ") {
			continue
		}
		for j, part := range strings.Fields(name) {
			ts[i+j].text = part
		}
		return true
	}
	return false
}
