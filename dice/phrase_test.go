package dice_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/dice"
)

// What was understood is said in words that are read as the same expression, in each language.
func TestWordsAreReadAsTheSameExpression(t *testing.T) {
	var texts []string
	for _, tt := range third {
		texts = append(texts, tt.text)
	}
	for _, m := range measurements(t) {
		texts = append(texts, m.text)
	}
	for _, text := range texts {
		e, err := dice.Parse(text)
		if err != nil {
			continue
		}
		for _, lang := range []string{"en", "ru", "uk"} {
			sameInWords(t, e, lang)
		}
	}
}

// Expressions put together from all constructs are read back from their words.
func TestWordsOfAnyExpressionAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, err := dice.Parse(constructs.Draw(t, "text"))
		if err != nil {
			t.Skip("refused")
		}
		sameInWords(t, e, rapid.SampledFrom([]string{"en", "ru", "uk"}).Draw(t, "language"))
	})
}

// constructs draws a text of all constructs; some are refused.
var constructs = rapid.Custom(func(t *rapid.T) string {
	pick := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "part") }
	handful := func() string {
		text := pick("", "2", "3", "4", "5", "12", "(d4)") + "d" + pick("6", "20", "%", "F", "66", "{0,1,1,2}", "{a,b,b}", "10", "8")
		for range rapid.IntRange(0, 3).Draw(t, "modifiers") {
			text += pick("mi2", "ma5", "r1", "ro<3", "r={1,2}", "u", "!", "!>4", "!!", "!!p", "!p", "!o", "kh2", "kl1", "dl1", "dh1", "km1",
				"kh0", ">=5", "<3", "=6", "<>2", "={1,3..5}", "even", "f1", "df1", "sf<2", "d=1", "cs>4", "cf", " set", " straight", " sa", " sd")
		}
		return text
	}
	var sum func(depth int) string
	sum = func(depth int) string {
		text := handful()
		for range rapid.IntRange(0, 2).Draw(t, "terms") {
			op := pick("+", "-", "*", "/")
			switch kind := rapid.IntRange(0, 5).Draw(t, "term"); {
			case kind < 2:
				text += op + pick("1", "3", "12")
			case kind == 2 && depth > 0:
				text += op + "(" + sum(depth-1) + ")"
			case kind == 3 && depth > 0:
				text += op + pick("max", "min", "ceil", "round") + "(" + sum(depth-1) + pick("", ", d8", "/3") + ")"
			case kind == 4:
				text += op + "{" + handful() + "+" + handful() + "}" + pick("kh1", "kl2", "dl1", "")
			default:
				text += op + handful()
			}
		}
		return text
	}
	text := pick("", "", "-", "3x") + sum(2)
	switch rapid.IntRange(0, 6).Draw(t, "goal") {
	case 0:
		text += pick(" 15+", " 7-", " >= 3", " vs -2", " = 4", " <> 3")
	case 1:
		text += pick(" vs ", " > ", " <= ", " = ") + sum(1)
	case 2:
		text += ": miss 6-, weak 7-9, strong 10+"
	case 3:
		text += "; " + sum(1)
	}
	return text
})

func sameInWords(t interface {
	Helper()
	Errorf(format string, args ...any)
}, e dice.Expr, lang string,
) {
	t.Helper()
	words := e.Words(lang)
	if len([]rune(words)) > dice.MaxText {
		return // too long to be typed
	}
	var plain []string
	for _, r := range e.Rolls() {
		r.Label = ""
		plain = append(plain, r.String())
	}
	none := strings.NewReplacer("kl0", "kh0", "km0", "kh0") // all keep none
	want := none.Replace(strings.Join(plain, "; "))
	switch back, err := dice.Parse(words); {
	case err != nil:
		t.Errorf("%s in %s is %q, which is refused: %v", e, lang, words, err)
	case none.Replace(back.String()) != want:
		t.Errorf("%s in %s is %q, which is read as %s", want, lang, words, back)
	}
}

func TestWordsSayWhatWasUnderstood(t *testing.T) {
	for _, tt := range []struct{ text, en, ru, uk string }{
		{
			"2d20kh1+5 15+", "two d20, the higher, plus 5; 15 or more", "два к20, старший, плюс 5; 15 или больше",
			"два к20, більший, плюс 5; 15 або більше",
		},
		{"4d6kh3", "four d6, the highest 3", "четыре к6, старшие 3", "чотири к6, найбільші 3"},
		{"4d6dl1!", "four d6, exploding on 6, without the lowest", "четыре к6, взрыв на 6, без младшего", "чотири к6, вибух на 6, без найменшого"},
		{
			"7d10>=6f1", "seven d10, counting 6 or more, 1 takes one off", "семь к10, считая 6 или больше, 1 снимает успех",
			"сім к10, рахуючи 6 або більше, 1 знімає успіх",
		},
		{"4dF+2", "four Fate dice plus 2", "четыре кубика Fate плюс 2", "чотири кубики Fate плюс 2"},
		{"6x2d6", "6 times: two d6", "6 раз: два к6", "6 разів: два к6"},
		{"d66", "two d6 as digits", "два к6 цифрами", "два к6 цифрами"},
		{"2d6/2", "two d6 divided by 2, rounded down", "два к6 разделить на 2, округлить вниз", "два к6 поділити на 2, округлити вниз"},
		{"d20+5 > 2d8", "d20 plus 5; more than two d8", "к20 плюс 5; больше чем два к8", "к20 плюс 5; більше ніж два к8"},
		{"1d100<=45", "d100; 45 or less", "к100; 45 или меньше", "к100; 45 або менше"},
	} {
		e, err := dice.Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		for lang, want := range map[string]string{"en": tt.en, "ru": tt.ru, "uk": tt.uk} {
			if got := e.Words(lang); got != want {
				t.Errorf("%s in %s is %q", tt.text, lang, got)
			}
		}
	}
}
