package dice_test

import (
	"strings"
	"testing"

	"norn/dice"
)

// frame is a line in which spellings are tried: X is where they stand. It has one text for each language,
// or one for all; as is what it means, with the row's notation for X.
type frame struct {
	in []string
	as string
}

// alike are lines that are the same with notation for X.
func alike(lines ...string) (all []frame) {
	for _, line := range lines {
		all = append(all, frame{[]string{line}, line})
	}
	return all
}

// frames has the lines for a row of words.tsv, by its id. Other rows are tried behind dice, alone and
// among other constructs.
var frames = map[string][]frame{
	"v-ge": values, "v-le": values, "v-ne": values, "v-eq": values, "v-to": values, "v-in": values,
	"plus": alike("2d6 X 3", "2d6 X d8 X 1"), "minus": alike("2d6 X 3"), "times": alike("2d6 X 3"),
	"over":  alike("2d6 X 3"),
	"down":  {{[]string{"7d6/2 X"}, "floor(7d6/2)"}},
	"up":    {{[]string{"7d6/2 X"}, "ceil(7d6/2)"}},
	"near":  {{[]string{"7d6/4 X"}, "round(7d6/4)"}},
	"floor": alike("X d6/2)", "3+ X d6/2)"), "ceil": alike("X d6/2)", "3+ X d6/2)"), "round": alike("X d6/4)"),
	"sides": alike("X", "2d6+ X"), "digits2": alike("X"), "digits3": alike("X"),
	"fate": alike("X", "X +2"), "fate1": alike("X"),
	"rising":  {{[]string{"two d6 as digits X", "два к6 цифрами X", "два к6 цифрами X"}, "d66X"}},
	"falling": {{[]string{"two d6 as digits X", "два к6 цифрами X", "два к6 цифрами X"}, "d66X"}},
	"pool":    alike("X", "X +3", "d4+ X"),
	"best-of": alike("X", "X +2", "d4+ X"), "worst-of": alike("X", "X +2"), "bests-of": alike("X", "X +2"),
	"worsts-of": alike("X", "X +2"),
	"of-max":    alike("X d6,d8)"), "of-min": alike("X d6,d8)"), "even": alike("7d6 X"), "odd": alike("7d6 X"),
	"goal-ge": alike("2d6 X"), "goal-le": alike("2d6 X"), "goal-eq": alike("2d6 X"), "target": alike("d20 X", "d20+5 X"),
	"difficulty": alike("d20 X", "5d10 X"), "versus-fate": alike("4dF X"), "versus": alike("d20+2 X d20"),
	"repeat": alike("X 2d6"),
	"a-gt":   alike("d20+5 X 2d8"), "a-ge": alike("d20+5 X 2d8"), "a-lt": alike("d20+5 X 2d8"), "a-le": alike("d20+5 X 2d8"),
	"a-eq": alike("d20+5 X 2d8"), "fail": alike("5d6>=4X"), "glitch": alike("5d6>=5 X"), "glitch-least": alike("5d6>=5 X"),
	"kh-none": alike("5d6X"), "margin": alike("5d6X"), "open": alike("X 2d6]]"), "close": alike("[[2d6X"), "slash": alike("X 2d6"),
}

// values are lines in which words are values of dice.
var values = []frame{
	{[]string{"6d8, rerolling X", "6к8, перебрасывая X", "6к8, перекидаючи X"}, "6d8rX"},
	{[]string{"6d8, exploding on X, the highest 2", "6к8, взрыв на X, старшие 2", "6к8, вибух на X, найбільші 2"}, "6d8!X kh2"},
}

// samples fill the placeholders of a spelling and of its notation.
var samples = map[string][4]string{ // notation, en, ru, uk
	"{n}": {"3", "3", "3", "3"}, "{m}": {"5", "5", "5", "5"}, "{w}": {"2", "two", "два", "два"}, "{s}": {"6", "6", "6", "6"},
	"{d}": {"4d8", "4d8", "4к8", "4к8"}, "{l}": {"{1,3}", "{1,3}", "{1,3}", "{1,3}"},
	"{v}": {">=5", "5 or more", "5 или больше", "5 або більше"},
}

// filled writes a sample of a side of a row; language 0 is notation.
func filled(text string, language int) string {
	for hole, as := range samples {
		text = strings.ReplaceAll(text, hole, as[language])
	}
	return text
}

// Each construct is understood in each language, in every spelling and position, as its notation is.
func TestEachSpellingMeansWhatItsRowSays(t *testing.T) {
	for _, c := range table(t, "words.tsv") {
		id, notation, lines := c[0], filled(c[1], 0), frames[c[0]]
		switch {
		case strings.Trim(id, "n0123456789") == "":
			lines = []frame{{[]string{"X d6", "X к6", "X к6"}, "Xd6"}, {[]string{"d20 plus X d6", "к20 плюс X к6", "к20 плюс X к6"}, "d20+Xd6"}}
		case lines == nil:
			lines = alike("5d6X", "5d6X+2", "2+5d6X", "(5d6X)*2")
		}
		for language, cell := range c[2:5] {
			for spelling := range strings.SplitSeq(cell, " ; ") {
				for _, one := range alternatives(filled(spelling, language+1)) {
					for _, line := range lines {
						in := line.in[language%len(line.in)]
						sameLine(t, id, placed(in, one), strings.ReplaceAll(line.as, "X", notation))
					}
				}
			}
		}
	}
}

// alternatives returns a spelling with each choice of its words.
func alternatives(spelling string) []string {
	all := []string{""}
	for _, word := range strings.Fields(spelling) {
		var next []string
		for _, one := range strings.Split(word, "|") {
			for _, before := range all {
				next = append(next, strings.TrimSpace(before+" "+strings.ReplaceAll(one, "*", "")))
			}
		}
		all = next
	}
	return all
}

func sameLine(t *testing.T, id, spoken, notation string) {
	t.Helper()
	want, err := dice.Parse(notation)
	if err != nil {
		t.Errorf("%s: %q: %v", id, notation, err)
		return
	}
	got, err := dice.Parse(spoken)
	if err != nil {
		t.Errorf("%s: %q: %v; want %s", id, spoken, err, want)
		return
	}
	if got.String() != want.String() {
		t.Errorf("%s: %q is %s; want %s", id, spoken, got, want)
	}
}

// placed puts a spelling into a line, as people put spaces.
func placed(line, spelling string) string {
	if strings.HasPrefix(spelling, ",") || strings.HasPrefix(spelling, ";") {
		line = strings.ReplaceAll(line, " X", "X")
	} else {
		line = strings.ReplaceAll(line, "X", " X")
	}
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(line, "X", spelling), "  ", " "))
}
