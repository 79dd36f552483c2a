package refusal_test

import (
	"testing"
	"testing/fstest"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/table/refusal"
)

// Who is held up learns which move waits, and for which person, unless they may not know the move.
func TestBusyErrorNamesTheMoveThatWaits(t *testing.T) {
	own := fstest.MapFS{}
	for l, name := range map[string]string{"en": "Check", "ru": "Проверка", "uk": "Перевірка"} {
		own["words/"+l+".toml"] = &fstest.MapFile{Data: []byte("[toy.move]\ncheck = \"" + name + "\"\n")}
	}
	words, err := lang.Load(form.Words, table.Words, own)
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range map[lang.Lang][3]string{
		lang.En: {
			"Lira is still in “Check”. Finish it first.", "Lira is still in “Check”. Yet to answer: the GM.",
			"Lira is still in a move. Finish it first.",
		},
		lang.Ru: {
			"Lira: ещё не закончен ход «Проверка». Сначала закончите его.",
			"Lira: ещё не закончен ход «Проверка». Ждём ответа: ведущий.",
			"Lira: ход ещё не закончен. Сначала закончите его.",
		},
		lang.Uk: {
			"Lira: ще не завершено хід «Перевірка». Спершу завершіть його.",
			"Lira: ще не завершено хід «Перевірка». Чекаємо на відповідь: ведучий.",
			"Lira: хід ще не завершено. Спершу завершіть його.",
		},
	} {
		v := game.Voice{Speaker: words.In(l), Game: "toy", Name: func(string) string { return "Lira" }}
		for i, e := range []*refusal.BusyError{
			{Character: "c1", Move: "m3", Name: "check"},
			{Character: "c1", Move: "m3", Name: "check", Waits: []string{game.GM}},
			{Character: "c1"},
		} {
			if got := refusal.Say(v, e); got != want[i] {
				t.Errorf("%s: %q, want %q", l, got, want[i])
			}
		}
	}
}
