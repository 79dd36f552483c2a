package check_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"norn/lang"
	"norn/script"
	"norn/script/check"
)

// lantern is a game written only in Russian.
const lantern = `game("Фонарь", id = "lantern", language = "ru", about = "Не дайте свету погаснуть.")

hero = sheet("Герой пути", nerve = number("Дух", 1, 4, start = 2), last_light = track("Последний свет", 6))

done = good("вышло")
hurts = bad("больно")
way = choice("Как", quick = "Быстро", slow = "Медленно")

def dare(me, how):
    "Вы решаетесь на опасное."
    if count(me.nerve + (0 if how == "quick" else 1), d6, at_least = 5, called = "Дух") > 0:
        return done
    change(me, last_light = me.last_light + 1)
    return hurts

move(dare, "Рискнуть собой", by = hero, how = way, chances = {"на успех": [done]})
`

// lanternCases names moves, sheets, fields and choices by their labels.
const lanternCases = `# без стола
move Рискнуть собой {"Дух": 2, "Как": "Быстро"}
dice 5 1
> throw dukh 2d6: 5 1
> outcome done

# не вышло
character ann Герой пути {"Дух": 1, "last_light": 5}
move рискнуть собой by ann {"Как": "Медленно"}
dice 4 3
> throw dukh 2d6: 4 3
> tell game.changed {"who":"ann","field":"last-light","from":5,"to":6}
> outcome hurts
> ann last-light: 5 → 6
`

func TestAGameInOneLanguagePassesTheCheck(t *testing.T) {
	for name, words := range map[string]string{"no words": "", "a begun language": "[uk]\n\"Дух\" = \"Дух\"\n"} {
		t.Run(name, func(t *testing.T) {
			r, err := check.Folder(fstest.MapFS{
				"game.star":  {Data: []byte(lantern)},
				"words.toml": {Data: []byte(words)}, "cases/a.txt": {Data: []byte(lanternCases)},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faultsOf(r) {
				t.Error(fault)
			}
			if begun := words != ""; begun != (len(r.Texts[lang.Uk]) > 0) || len(r.Texts[lang.En]) > 0 ||
				slices.Contains(r.Texts[lang.Uk], "Дух") {
				t.Errorf("missing are %q", r.Texts)
			}
		})
	}
}

// seer is a game with cards written only in Russian, and seerCases name its cards by their labels.
const (
	seer = `game("Ворожея", language = "ru", about = "Гадалка тянет карты.")

cards = dict(sun = "Солнце", moon = "Луна")
fate = deck("Судьба", copies = 2, **cards)
table = thing("Стол", drawn = pile("Вышло", fate, discard = "Открытые"))
hero = sheet("Гадалка", hand = hand("Рука", fate, max = 3))
well = good("сбылось")
ill = bad("не сбылось")
which = question("Какую карту сыграть?", card = choice("Карта", **cards))

def divine(me, table):
    "Вы играете карту и тянете другую."
    if len(me.hand) == 0:
        refuse("В руке пусто.")
    played = ask(which, to = me, about = "{who}: карта.", who = me, offer = {"card": me.hand}).card
    discard(fate, [played], of = me, on = table)
    return well if played in draw(fate, 1, on = table) else ill

move(divine, "Ворожить", by = hero, table = pick("Стол", table, required = True), bare = False)
`
	seerCases = `# первая карта колоды не на руках
character ann Гадалка {"Рука": ["Луна"]}
character t Стол {"Вышло": ["Луна"]}
move Ворожить by ann {"Стол": "t"}
answer which {}
dice 1
> ask vorozheya.which to ann
> answer vorozheya.which
> throw deck-fate 1d3: 1
> tell game.changed {"who":"ann","field":"hand","from":[{"fate-card":"moon"}],"to":null,"own":true}
> tell game.changed {"who":"t","field":"drawn-discard","from":null,"to":[{"fate-card":"moon"}]}
> tell game.changed ` +
		`{"who":"t","field":"drawn","from":[{"fate-card":"moon"}],"to":[{"fate-card":"moon"},{"fate-card":"sun"}],` +
		`"secret":true}
> tell game.changed ` +
		`{"who":"t","field":"drawn-discard","from":[{"fate-card":"moon"}],"to":[{"fate-card":"moon"},{"fate-card":"sun"}]}
> outcome ill
> ann hand.0.fate-card: moon → nothing
> t drawn-discard.0.fate-card: nothing → moon
> t drawn-discard.1.fate-card: nothing → sun
> t drawn.1.fate-card: nothing → sun

# сбылось
character ann Гадалка {"Рука": ["Солнце", "Луна"]}
character t Стол {"Вышло": ["Солнце", "Луна"]}
move Ворожить by ann {"Стол": "t"}
answer which {"Карта": "Солнце"}
dice 1
`
)

// Labels must also name choices that are offered at the moment, a case whose answer is refused must
// say so, and the usual answer is one that is offered.
func TestCasesMayNameCardsByTheirRussianLabels(t *testing.T) {
	for given, want := range map[string]string{
		"Солнце": "",
		"Туз":    "left over: 1, after: invalid card choice",
	} {
		r, err := check.Folder(fstest.MapFS{
			"game.star": {Data: []byte(seer)},
			"cases/a.txt": {Data: []byte(strings.Replace(seerCases, `"Карта": "Солнце"`,
				`"Карта": "`+given+`"`, 1))},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faultsOf(r) {
			if strings.Contains(fault, "первая карта") {
				t.Errorf("%s: %s", given, fault)
			}
		}
		if want == "" && !strings.Contains(r.Updated["a.txt"], "outcome well") {
			t.Errorf("%s: %q in\n%s", given, faultsOf(r), r.Updated["a.txt"])
		}
		if want != "" && !slices.ContainsFunc(faultsOf(r), func(f string) bool { return strings.Contains(f, want) }) {
			t.Errorf("%s: the faults are %q", given, faultsOf(r))
		}
	}
}

// Without a table a hand is empty; the fault of a move that plays from it must say what helps.
func TestCheckAdvisesOnMovesThatNeedATable(t *testing.T) {
	for without, advised := range map[string]bool{"": false, ", bare = False": true} {
		r, err := check.Folder(fstest.MapFS{
			"game.star":   {Data: []byte(strings.Replace(seer, without, "", 1))},
			"cases/a.txt": {Data: []byte(seerCases)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if said := slices.ContainsFunc(faultsOf(r), func(f string) bool {
			return strings.HasSuffix(f, "odds without a table: В руке пусто.")
		}); said != advised {
			t.Errorf("without %q the refusal isn't readable in %q", without, faultsOf(r))
		}
		if got := slices.ContainsFunc(faultsOf(r), func(f string) bool {
			return strings.HasSuffix(f, "has bare = False")
		}); got != advised {
			t.Errorf("without %q the faults are %q", without, faultsOf(r))
		}
	}
}

// A fault must show which text it's about.
func TestFaultsNameTextsByReadableIDs(t *testing.T) {
	r, err := check.Folder(fstest.MapFS{
		"game.star":   {Data: []byte(lantern)},
		"words.toml":  {Data: []byte("[uk]\n\"Не дайте свету погаснуть.\" = \"Світло — ы.\"\n")},
		"cases/a.txt": {Data: []byte(lanternCases)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(faultsOf(r), func(f string) bool {
		return strings.Contains(f, "lantern.text.ne-dayte-svetu-pogasnut-")
	}) {
		t.Errorf("the faults are %q", faultsOf(r))
	}
}

func TestMovesAimsAndFieldsAreFoundByTheirLabels(t *testing.T) {
	r, err := check.Folder(fstest.MapFS{
		"game.star":   {Data: []byte(lantern)},
		"cases/a.txt": {Data: []byte(lanternCases)},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := r.Game.FindMove("РИСКНУТЬ СОБОЙ")
	if !ok || m.ID != "dare" {
		t.Fatalf("the move is %v", m)
	}
	if aim, ok := m.Aim("На успех"); !ok || aim.ID != "na-uspekh" {
		t.Errorf("the aim is %v", aim)
	}
	kind, _ := r.Game.FindKind("герой пути")
	patched, err := kind.Patch(kind.Blank, []byte(`{"дух": 4, "last_light": 2}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := kind.Form.Fill(patched); got["nerve"] != 4 || got["last-light"] != 2 {
		t.Errorf("the sheet is %v", got)
	}
	if _, err := kind.Patch(kind.Blank, []byte(`{"дух": 4, "nerve": 2}`)); err == nil {
		t.Error("one field is taken twice")
	}
}

// A text that is asked for only with a certain choice isn't input that could be lost, and a counted
// outcome has a name without its number.
func TestTextOfAnUnchosenOptionIsNotReportedAsLost(t *testing.T) {
	text := func(only string) string {
		return `game("Toll")
hero = sheet("Hero", nerve = number("Nerve", 1, 4), strain = track("Strain", 4))
pays = question("What does it cost?", price = choice("Price", hurt = "Hurt", thing = "A thing"), ` +
			`what = text("What is it?"` + only + `))
got = good("gets {n} through", counts = True)
ill = bad("nothing")
def dare(me):
    n = came(got(1) if roll(d6) + me.nerve - me.strain > 3 else ill)
    paid = ask(pays, to = me)
    if paid.price == "thing":
        tell("It costs {what}", what = paid.what)
    return n
move(dare, "Dare", by = hero)
`
	}
	for only, lost := range map[string]bool{"": true, `, only = {"price": ["thing"]}`: false} {
		r, err := check.Folder(fstest.MapFS{
			"game.star":   {Data: []byte(text(only))},
			"cases/a.txt": {Data: []byte("# it goes\ncharacter ann hero {}\nmove dare by ann {}\ndice 6\n")},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(faultsOf(r), func(f string) bool {
			return strings.Contains(f, "is lost")
		}); got != lost {
			t.Errorf("only %q: %q", only, faultsOf(r))
		}
		words, err := lang.Load(r.Game.Words)
		if err != nil {
			t.Fatal(err)
		}
		if got := words.In(lang.En).Say("toll.outcome-short.got"); got != "Gets through" {
			t.Errorf("without its number the outcome is %q", got)
		}
		if _, asked := r.Game.Moves[0].Form.Field("strain"); !asked {
			t.Error("odds without a table take a track by which the rule decides for 0")
		}
	}
	_, err := check.Folder(fstest.MapFS{"game.star": {Data: []byte(text(`, only = {"price": ["gold"]}`))}})
	if err == nil || !strings.Contains(err.Error(), `game.star:3:`) || !strings.Contains(err.Error(), `"hurt", "thing"`) {
		t.Errorf("the mistake is %v", err)
	}
}

// What many moves lack is reported once, in the reader's language, as is what came out otherwise.
func TestFaultsAreFoldedAndToldInEachLanguage(t *testing.T) {
	two := strings.Replace(seer, "move(divine", "def spread(me):\n    \"Разложить.\"\n"+
		"move(spread, \"Разложить\", by = hero)\nmove(divine", 1)
	for cases, want := range map[string]string{
		"# пусто\ncharacter ann Гадалка {}\nmove Ворожить by ann {}\n> outcome well\n": "вышло иначе",
		"# нет хода\nmove Плясать {}\n":                                                "хода Плясать нет",
		"# нет листа\ncharacter ann Маг {}\nmove spread {}\n":                          "листа Маг нет",
		"# нет\ncharacter ann hero {}\nmove divine by ann {}\n":                        "нет примера за столом",
	} {
		r, err := check.Folder(fstest.MapFS{"game.star": {Data: []byte(two)}, "cases/a.txt": {Data: []byte(cases)}})
		if err != nil {
			t.Fatal(err)
		}
		words, err := lang.Load(script.Words, r.Game.Words)
		if err != nil {
			t.Fatal(err)
		}
		said, times := "", map[string]int{}
		for _, fault := range r.Faults {
			text := script.Explain(words.In(lang.Ru), fault)
			said += text + "\n"
			if m, ok := fault.(*script.Mistake); ok {
				times[m.Word]++
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%q: the faults are %s", cases, said)
		}
		for _, word := range []string{"case-none-table", "case-none-bare", "case-none-thrown"} {
			if times[word] > 1 {
				t.Errorf("%s is told %d times: %s", word, times[word], said)
			}
		}
	}
}
