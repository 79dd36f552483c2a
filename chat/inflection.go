package chat

import (
	"slices"
	"strings"

	"norn/lang"
)

// In Slavic languages a word's ending depends on its role in the sentence: people write "проверка
// скрытности" where the sheet has "Скрытность". An unknown word is read as the one name that
// differs from it only in endings.

// endings lists the endings of nouns and adjectives in Russian and Ukrainian, after a stem.
var endings = strings.Fields(`а я у ю ы и і ї е є о ь й
	ам ям ами ями ах ях ом ем єм им їм ой ей єй ою ею єю ью ов ев ів їв
	ый ий ій ая яя ое ее ые ие ого его ому ему ым их ых ую юю ими ыми`)

// formsOfOne reports whether two words are forms of the same word.
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

// stem undoes changes before an ending: "складність", but "складності".
func stem(word string) string {
	for _, ending := range []string{"ь", "ю"} {
		if before, cut := strings.CutSuffix(word, "іст"+ending); cut {
			return before + "ост" + ending
		}
	}
	return word
}

// findInflection returns the one name, of those with the best rank, that words are a form of; ""
// for none or several.
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

// names is a set of names to search.
type names interface {
	findInflection(words []string) (string, rank)
}

// toBaseForm replaces the words at a token by the one name that they are a form of, with as many
// words; false if there's none or several.
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
