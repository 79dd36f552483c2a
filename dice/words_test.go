package dice_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"norn/dice"
)

// third are texts of edition 3 with their canonical forms.
var third = []struct{ text, canonical string }{
	{"1d20cs>19+5", "d20cs>=20+5"},
	{"0d2ku", "0d2u"},
	{"4d6k0k", "4d6kh0"},
	{"d2km!", "d2!km1"},
	{"max(d2)", "d2"},
	{"max(d2+d8)", "d2+d8"},
	{"d10>-2d7d10", "d10 > (-(2d7)d10)"},
	{"a# b d6", "d6 # a b"},
	{"{4d6}kh1", "4d6kh1"},
	{"(4d6)kh3", "4d6kh3"},
	{"{2d6+d8+d10}kh2", "{2d6+d8+d10}kh2"},
	{"d66", "d66"},
	{"d666", "d666"},
	{"d88", "d88"},
	{"1d66", "1d66"},
	{"2d66", "2d66"},
	{"-1d6/2", "(-d6)/2"},
	{"1d100<=45", "d100 45-"},
	{"1d20+1d4>=10", "d20+d4 10+"},
	{"2d20kh1>=15", "2d20kh1 15+"},
	{"2d10>=6-d10=1", "2d10>=6-d10=1"},
	{"2d6>=7", "2d6 7+"},
	{"4d6kh3>=5", "4d6kh3>=5"},
	{"4d6kh3 >= 12", "4d6kh3 12+"},
	{"2+7d10>=6", "2+7d10>=6"},
	{"2d6, d8, d10", "2d6; d8; d10"},
	{"2d6<>8", "(2d6) <> 8"},
	{"4d6min3", "4d6mi3"},
	{"4d6mi2ma5kh3", "4d6mi2ma5kh3"},
	{"2d6rr1", "2d6r1"},
	{"4d6r", "4d6r1"},
	{"4d6ro", "4d6ro1"},
	{"4d6cs", "4d6cs=6"},
	{"4d6cf", "4d6cs=1"},
	{"4d6x", "4d6!"},
	{"4d6xo", "4d6!o"},
	{"4d6e6", "4d6!"},
	{"5d10f1>=6", "5d10>=6f1"},
	{"10d6df1", "10d6df=1"},
	{"10d6sf<3", "10d6sf<=2"},
	{"10d6ms>=15", "10d6-15"},
	{"5d6even", "5d6={2,4,6}"},
	{"5d6odd", "5d6={1,3,5}"},
	{"4d6u", "4d6u"},
	{"[[2d6]]+1", "2d6+1"},
	{"/r 2d6+1", "2d6+1"},
	{"/roll 2d6", "2d6"},
	{"4d6sddl1", "4d6kh3 sd"},
	{"4d6k5", "4d6"},
	{"4d6dl4", "4d6kh0"},
	{"5d6!!>=7", "5d6!!=6>=7"},
	{"1d6*1.5", "d6*3/2"},
	{"d6*0.5", "d6/2"},
	{"2d6 [fire] + 1d4 [cold]", "2d6+d4 # fire, cold"},
	{"1d20<=(10+5)", "d20 15-"},
	// words
	{"2d6 plus 3", "2d6+3"},
	{"2к6 плюс 3", "2d6+3"},
	{"2к6 плюс 3 минус 1", "2d6+3-1"},
	{"2к6 мінус 1", "2d6-1"},
	{"d20+5 AC 15", "d20+5 15+"},
	{"d20+5 КД 15", "d20+5 15+"},
	{"к20+5 СЛ: 15", "d20+5 15+"},
	{"d20+5 vs AC 15", "d20+5 15+"},
	{"к20+5 против КД 15", "d20+5 15+"},
	{"к20+5 проти КБ 15", "d20+5 15+"},
	{"d20 TN 12", "d20 12+"},
	{"к20+5 сложность 15", "d20+5 15+"},
	{"к20+5 складність 15", "d20+5 15+"},
	{"5к10 сложность 6", "5d10>=6"},
	{"лучший из двух к20", "2d20kh1"},
	{"найкращий із двох к20", "2d20kh1"},
	{"best of two d20", "2d20kh1"},
	{"лучшие три из 4к6", "4d6kh3"},
	{"найкращі три з 4к6", "4d6kh3"},
	{"best 3 of 4d6", "4d6kh3"},
	{"3к6 без младшего", "3d6kh2"},
	{"3к6 без найменшого", "3d6kh2"},
	{"3d6 without the lowest", "3d6kh2"},
	{"4к6 переброс 1", "4d6r1"},
	{"4к6 перекинути 1", "4d6r1"},
	{"4d6 reroll 1", "4d6r1"},
	{"3к6 взрыв на 6", "3d6!"},
	{"3к6 вибух на 6", "3d6!"},
	{"3d6 explode on 6", "3d6!"},
	{"к6 разделить на 2, округлить вверх", "ceil(d6/2)"},
	{"к6 поділити на 2, округлити вгору", "ceil(d6/2)"},
	{"d6 divided by 2, rounded up", "ceil(d6/2)"},
	{"к20 с преимуществом", "2d20kh1"},
	{"d6 against two d6 as digits", "d6 vs d66"},
	{"к20 з перевагою", "2d20kh1"},
	// labels
	{"d20 # against 3 goblins", "d20 # against 3 goblins"},
	{`d20 "2 goblins"`, "d20 # 2 goblins"},
	{"2d6 fire damage", "2d6 # fire damage"},
	{"8d6 explosion", "8d6 # explosion"},
	{"Fire bolt: 2d10", "2d10 # Fire bolt"},
}

// A single die of symbols has no number that could reach a goal or fall into a band.
func TestSymbolsHaveNoGoal(t *testing.T) {
	for _, text := range []string{"d{a,b,b} 15+", "d{a,b}: miss 6-, hit 7+", "d{a,b,b}df1"} {
		if _, err := dice.Parse(text); err == nil || !strings.Contains(err.Error(), "faces") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestThirdEditionPrintsInCanonicalForm(t *testing.T) {
	for _, tt := range third {
		e, err := dice.Parse(tt.text)
		if err != nil || e.String() != tt.canonical {
			t.Errorf("%q prints %q, %v; want %q", tt.text, e, err, tt.canonical)
			continue
		}
		roundTrip(t, e, dice.Newest)
	}
}

// spelled returns spellings of the tables of words and of dialects, with numbers in their holes.
func spelled(t *testing.T) (all []string) {
	t.Helper()
	values := []string{"6 or more", "6 или больше", "6 або більше"}
	fill := func(text string, language int) string {
		text = strings.TrimPrefix(strings.TrimLeft(text, " ,;^"), "^")
		words := strings.Fields(text)
		for i, word := range words {
			alternatives := strings.Split(word, "|")
			words[i] = strings.ReplaceAll(alternatives[len(alternatives)-1], "*", "")
		}
		return strings.NewReplacer("{n}", "3", "{m}", "2", "{w}", []string{"two", "два", "два"}[language], "{s}", "8", "{d}", "2d8",
			"{v}", values[language], "{l}", "{1,3}", "{c}", ">").Replace(strings.Join(words, " "))
	}
	for _, c := range table(t, "words.tsv") {
		if numbers := strings.Trim(c[0], "n0123456789") == ""; numbers || c[0] == "slash" || c[0] == "open" || c[0] == "close" {
			continue
		}
		for language, cell := range c[2:5] {
			for one := range strings.SplitSeq(cell, " ; ") {
				all = append(all, fill(one, language))
			}
		}
	}
	for _, c := range table(t, "dialects.tsv") {
		if c[1] != "@" {
			all = append(all, fill(c[1], 0))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// table returns the rows of a table of the package.
func table(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line[0] != '#' {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows[1:]
}

// Words that could change the result are understood or refused at every place, never a label.
func TestWordsThatChangeTheResultAreNoLabel(t *testing.T) {
	words := append(spelled(t), "plus 3", "minus 2", "times 2", "t8 f1", "AC 15", "difficulty 15", "best of two d20",
		"keep highest", "drop lowest", "плюс 3", "минус 2", "КД 15", "сложность 15", "лучший", "лучший из двух", "без младшего",
		"удвоить", "пополам", "мінус 2", "КБ 15", "складність 15", "найкращий", "без найменшого", "подвоїти", "навпіл",
		"перекинути", "d4", "к4", "3", "x2", "e6", "//2", "doubled", "rerolled", "взрыв", "вибух")
	for _, dice1 := range []string{"5d6", "4к8+1"} {
		plain, err := dice.Parse(dice1)
		if err != nil {
			t.Fatal(err)
		}
		for i, word := range words {
			if word == "d00" || word == "//" || word[0] == '}' || testing.Short() && i%7 != 0 { // nothing is dropped or said
				continue
			}
			for _, text := range []string{
				dice1 + " " + word, word + " " + dice1, word + ": " + dice1, dice1 + ", " + word, dice1 + " (" + word + ")",
				dice1 + " - " + word, dice1 + " fire " + word, dice1 + " [" + word + "]", "fire " + word + " " + dice1,
				dice1 + " на урон " + word, dice1 + word, word + dice1,
			} {
				e, err := dice.Parse(text)
				if err != nil {
					offersParse(t, text, err)
					continue
				}
				bare, _, _ := strings.Cut(e.String(), " # ")
				first := slices.Contains([]string{"plus", "плюс", "++"}, word) && strings.HasSuffix(text, dice1)
				if bare == plain.String() && !first {
					t.Errorf("%q, with %q, is read as %s", text, word, e)
				}
			}
		}
	}
}

// offersParse checks that norn reads what a refusal offers.
func offersParse(t *testing.T, text string, err error) {
	t.Helper()
	meant, ok := err.(*dice.MeantError)
	if !ok {
		return
	}
	for _, try := range meant.Try {
		if e, err := dice.Parse(try); err != nil {
			t.Errorf("%s: %s is refused: %v", text, try, err)
		} else if meant.Reason == dice.Foreign && e.String() != try {
			t.Errorf("%s: %s is %s", text, try, e)
		}
	}
}

// A line of another program that norn refuses is offered in norn's spelling, with the program's name.
func TestRefusalsOfferWhatAnotherProgramMeans(t *testing.T) {
	for _, tt := range []struct{ text, try, as string }{
		{"2d20p1", "2d20d=1", "avrae"},
		{"4d6ph1", "4d6kl3", "avrae"},
		{"1d20//2", "d20/2", "avrae"},
		{"3#2d6", "3x2d6", "rollem"},
		{"d20c19", "d20cs>=19", "rollem"},
		{"x3 2d6", "3x2d6", "bcdice"},
		{"rep3 2d6", "3x2d6", "bcdice"},
		{"5B6>=4", "5d6>=4", "bcdice"},
		{"7st6", "7d10>=6f1", "bcdice"},
		{"4D6MAX", "4d6kh1", "bcdice"},
		{"2к20вл1", "2d20kh1", "ttg-club"},
		{"4к6ух1", "4d6kh3", "ttg-club"},
	} {
		_, err := dice.Parse(tt.text)
		meant, ok := err.(*dice.MeantError)
		if !ok || meant.Reason != dice.Foreign || meant.Try[0] != tt.try || dice.Short(meant.As[0]) != tt.as {
			t.Errorf("%s: %v", tt.text, err)
		}
		offersParse(t, tt.text, err)
	}
	if e, err := dice.Parse("4d6rr<3"); err != nil || e.String() != "4d6r<=2" {
		t.Errorf("4d6rr<3 is %s, %v", e, err)
	}
}
