package script_test

import (
	"strings"
	"testing"

	"norn/form"
	"norn/lang"
	"norn/script"
)

// A name may have another label in each move and question. Each is called by the name as it's written
// or by its label, also in the text's own demo.
func TestOneNameHasALabelInEachMove(t *testing.T) {
	g, err := script.Compile(script.Text{Game: `game("Лавка", id = "lavka", language = "ru")
hero = sheet("Герой", nerve = number("Воля", 1, 4))
done = good("да")
ill = bad("нет")
sure = question("Кому достанется?", foe = pick("Кому", hero))
def dare(me, foe):
    "Бросить."
    return done if roll(d6) > 3 else ill
def steal(me, foe):
    "Украсть."
    return done if roll(d6) > 3 else ill
def third(me, foe, how_many):
    "Поделить."
    ask(sure, to = me)
    return done if roll(d6) > 3 else ill
move(dare, "Бросить", by = hero, foe = pick("В кого", hero))
move(steal, "Украсть", by = hero, foe = pick("У кого", hero))
move(third, "Поделить", by = hero, foe = choice("Как", a = "Так", b = "Этак"), how_many = number("Сколько", ` +
		`1, 3, only = {"foe": ["b"]}))
demo("Стол", cast = [ready(hero, "Аня", player = True), ready(hero, "Боря")],
    story = [made(steal, by = "Аня", foe = "Боря", dice = [5]), made(third, by = "Аня", foe = "b", ` +
		`how_many = 2, dice = [5], answers = [{"foe": "Боря"}])])
`})
	if err != nil {
		t.Fatal(err)
	}
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	say := words.In(lang.Ru)
	for i, want := range []string{"В кого", "У кого", "Как"} {
		fields := g.Moves[i].Form.Fields
		for _, called := range []string{"foe", strings.ToUpper(want)} {
			if got := say.Say(g.Word("field", form.NameOf(fields, called))); got != want {
				t.Errorf("%s of %s is labelled %s, want %s", called, g.Moves[i].ID, got, want)
			}
		}
	}
	if on := g.Moves[2].Form.Fields[1].For; on == nil || on.Field != g.Moves[2].Form.Fields[0].Name {
		t.Errorf("the condition is by %+v", on)
	}
	if _, err := script.Compile(script.Text{Game: `game("Лавка", id = "lavka", language = "ru")
hero = sheet("Герой", nerve = number("Воля", 1, 4))
foe = npc("Враг", nerve = number("Злость", 1, 4))
def dare(me):
    "Бросить."
move(dare, "Бросить", by = hero)
`}); err == nil || !strings.Contains(err.Error(), "Злость") {
		t.Errorf("two sheets call one field differently: %v", err)
	}
}
