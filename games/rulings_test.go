package games_test

import (
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/games"
	"norn/internal/bare"
	"norn/lang"
)

// rulings are the rules in which norn decides what its source leaves open.
var rulings = map[string][]string{
	"eclipse":  {"EP-05", "EP-15", "EP-16", "EP-20"},
	"edda":     {"ED-03", "ED-09", "ED-18", "ED-20", "ED-22", "ED-23"},
	"godbound": {"GB-11", "GB-13", "GB-17", "GB-23", "GB-27", "GB-29", "GB-30"},
	"mage":     {"MG-02", "MG-08", "MG-10", "MG-14"},
	"spire":    {"SP-04", "SP-05", "SP-06", "SP-08", "SP-12", "SP-16"},
}

func TestEachGameMarksItsRulings(t *testing.T) {
	marks := map[lang.Lang]string{lang.En: "Norn’s ruling: ", lang.Ru: "Решение norn: ", lang.Uk: "Рішення norn: "}
	for _, g := range games.All() {
		words, err := lang.Load(form.Words, bare.Words, g.Words)
		if err != nil {
			t.Fatal(err)
		}
		for l, mark := range marks {
			var marked []string
			for _, id := range g.Rules {
				if strings.Contains(words.In(l).Say(g.Word("rule", id)), mark) {
					marked = append(marked, id)
				}
			}
			if slices.Sort(marked); !slices.Equal(marked, rulings[g.ID]) {
				t.Errorf("%s in %s marks the rulings %v, want %v", g.ID, l, marked, rulings[g.ID])
			}
		}
	}
}

// A move about something that happens to a character must not be offered as the character's action:
// "Kari: Write a condition".
func TestMovesThatHappenToACharacterAreMarked(t *testing.T) {
	happen := map[string]map[string][3]string{
		"edda": {
			"afflict": {"Suffer a condition", "Получить состояние", "Отримати стан"},
			"lift":    {"A condition passes", "Состояние проходит", "Стан минає"},
			"set": {
				"Get a difficulty or an advantage",
				"Получить трудность или преимущество",
				"Отримати утруднення чи перевагу",
			},
			"end": {
				"A difficulty or an advantage ends",
				"Трудность или преимущество проходит",
				"Утруднення чи перевага минає",
			},
		},
		"godbound": {"damage": {"Take damage", "Получить урон", "Зазнати шкоди"}},
		"mage":     {"arete": {"Arete changes", "Арете меняется", "Арете змінюється"}},
		"spire": {
			"stress": {"Take stress", "Получить стресс", "Отримати стрес"},
			"harm":   {"NPC takes stress", "NPC получает стресс", "NPC отримує стрес"},
			"bond":   {"Bond takes stress", "Связь получает стресс", "Зв’язок отримує стрес"},
		},
	}
	for _, g := range games.All() {
		words, err := lang.Load(g.Words)
		if err != nil {
			t.Fatal(err)
		}
		for move, names := range happen[g.ID] {
			for i, l := range lang.All {
				if got := words.In(l).Say(g.Word("move", move)); got != names[i] {
					t.Errorf("%s %s in %s is called %q, want %q", g.ID, move, l, got, names[i])
				}
			}
		}
	}
}
