package html_test

import (
	"bytes"
	"context"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"norn/game"
	"norn/internal/widget"
	"norn/lang"
	"norn/table/view"
	"norn/web"
	"norn/web/html"
)

// at returns the page of a reader of English.
func at(t *testing.T) html.Page {
	t.Helper()
	words, err := lang.Load([]fs.FS{widget.Words, web.Words}...)
	if err != nil {
		t.Fatal(err)
	}
	return html.Page{Reader: html.Reader{Speaker: words.In(lang.En), Zone: time.UTC}, Base: "/t/abc", Shared: true}
}

func drawn(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %s", text, part)
		}
	}
}

func TestCardShowsTheFieldsOfItsValue(t *testing.T) {
	p, when := at(t), time.Date(2026, 3, 1, 20, 15, 0, 0, time.UTC)
	card := html.Card{
		Kind: html.MoveCard, ID: "m12", Move: "m12", Seq: 12, When: when, Link: "/t/abc?_at=12#m12", Who: "Lira",
		Name: "Check", About: []string{"sneak", "crime"},
		Thrown: true, Dice: &html.Throw{Dice: []widget.Die{{Sides: 10, Face: 7}}, By: "by hand"},
		Outcome: &view.Outcome{ID: "failure", Tone: "bad", Text: "Failure"},
		Lines:   []html.Line{{Type: "spire.stress-marked", Text: "Blood <3>"}}, Checks: true, Again: "?_again=12",
		TakeBack: "undo",
	}
	text := drawn(t, html.LogItem(p, card))
	has(t, text, `id="m12"`, "Lira", "sneak", `data-outcome="failure"`, "Blood &lt;3&gt;", `href="/t/abc/check/m12"`,
		`hx-get="/t/abc/move?_again=12"`, `action="/t/abc/act/undo"`, "by hand")
	card.Undone, card.TakeBack = "Taken back", ""
	text = drawn(t, html.LogItem(p, card))
	has(t, text, `class="card undone"`, "Taken back")
	if strings.Contains(text, "take-back") {
		t.Error("what was taken back can be again")
	}
}

// A card offers the description of what it names, as far as the reader sees the sheet, and loads it
// when it's opened.
func TestCardOffersTheDescriptionsOfWhatItNames(t *testing.T) {
	sheet := struct {
		Gifts []game.Extra `json:"gifts"`
		More  []game.Extra `json:"more"`
	}{
		[]game.Extra{{Name: "Brine", Description: "It **keeps**."}, {Name: "Crust"}, {Name: "Oar", Description: "Wood."}},
		[]game.Extra{{Name: "Brine", Description: "A smell."}},
	}
	entry := view.Entry{
		Move: "m12", Seq: 12, Kind: view.KindMove, Name: "gift", Character: "c1",
		Lines: []view.Line{{Type: "x", Text: "Uses Brine", Data: []byte(`{"Name":"Brine","Targets":["c2"],"of":["Crust"]}`)}},
	}
	shown := view.CharacterShown{ID: "c1", Name: "Oru", Sheet: sheet}
	other := view.CharacterShown{ID: "c3", Name: "Mab", Sheet: sheet}
	l := seen(t, view.View{Characters: []view.CharacterShown{shown, other}})
	text := drawn(t, html.LogItem(l.Page, l.Card(entry, nil)))
	has(t, text, `hx-get="/t/abc/text?`, "<summary>Brine</summary>")
	for _, heavy := range []string{"keeps", "Crust</summary>", "Oar", "Mab"} {
		if strings.Contains(text, heavy) {
			t.Errorf("the card has %q: %s", heavy, text)
		}
	}
	if got := strings.Count(text, "<details"); got != 1 {
		t.Errorf("Brine is offered %d times", got)
	}
	has(t, drawn(t, html.CardTexts(l.Page, html.TextsFor(l.View.Characters, "c1", "Brine"))), "<strong>keeps</strong>", "A smell.")
	shown.Sheet = nil // the reader doesn't see it
	l = seen(t, view.View{Characters: []view.CharacterShown{shown}})
	if text := drawn(t, html.LogItem(l.Page, l.Card(entry, nil))); strings.Contains(text, "<details") {
		t.Errorf("the card offers what the reader doesn't see: %s", text)
	}
	if texts := html.TextsFor(l.View.Characters, "c1", "Brine"); texts != nil {
		t.Errorf("the reader gets %q", texts)
	}
	has(t, drawn(t, html.CardTexts(l.Page, nil)), "no text")
}

func TestEmptyNoteIsNotDrawn(t *testing.T) {
	p := at(t)
	if text := drawn(t, html.LogItem(p, html.Card{ID: "e3"})); text != "" {
		t.Errorf("it says %s", text)
	}
	text := drawn(t, html.LogItem(p,
		html.Card{
			ID: "e3", Who: "GM", Lines: []html.Line{{Text: "Blood: 3 → 7"}},
			Merge: &html.Merge{Key: "GM c1 blood", Was: "5", Is: "7", Whole: "Blood: 5 → 7"},
		}))
	has(t, text, `data-edited="GM c1 blood"`, `data-was="5"`, `data-whole="Blood: 5 → 7"`, "3 → 7")
}

func TestAddressesInTalkAreLinks(t *testing.T) {
	text := drawn(t, html.LogItem(at(t),
		html.Card{Kind: html.TalkCard, ID: "e4", Lines: []html.Line{{Text: "see https://example.org/x, <b>"}}}))
	has(t, text, `href="https://example.org/x"`, ", &lt;b&gt;")
}

// A character without a portrait has a monogram in the cast and on cards; one with a portrait has that.
func TestCharacterHasAPortraitOrAMonogram(t *testing.T) {
	for name, want := range map[string]string{
		"Lira": "L", "лира вэйл": "ЛВ", "Mab under the Bridge": "MB", "Guard 12": "G1", "“Ace” O’Neil": "AO", "☆": "",
	} {
		l := seen(t, view.View{Characters: []view.CharacterShown{{ID: "c1", Name: name}}})
		if got := l.Cast()[0]; got.Letters != want || got.Portrait != "" {
			t.Errorf("%s has the face %+v, want the letters %q", name, got, want)
		}
	}
	said := view.Entry{
		Kind: view.KindTalk, Character: "c2", Seat: view.Author{Name: "anna"}, Lines: []view.Line{{Text: "hm"}},
	}
	l := seen(t, view.View{})
	has(t, drawn(t, html.LogItem(l.Page, l.Card(said, nil))), `class="card-head" data-letters="H"`)
	l = seen(t, view.View{Characters: []view.CharacterShown{{ID: "c2", Name: "Harald", Portrait: "abc"}}})
	has(t, drawn(t, html.LogItem(l.Page, l.Card(said, nil))),
		`<div class="card-head"><img class="face" src="/t/abc/picture/abc"`)
	said.Character = ""
	if c := l.Card(said, nil); c.Portrait+c.Letters != "" {
		t.Error("a seat that speaks for itself has a character's face")
	}
}

// Parts that several pages share have no keys.
func TestSharedPartsHaveNoKeys(t *testing.T) {
	p := at(t)
	seal := html.Seal{Now: view.Session{N: 1}}
	has(t, drawn(t, html.SealBody(p, seal)), `name="_key" value=""`)
	p.Shared = false
	if first := drawn(t, html.SealBody(p, seal)); first == drawn(t, html.SealBody(p, seal)) {
		t.Error("two pages' forms have one key")
	}
}

func BenchmarkCard(b *testing.B) {
	words, err := lang.Load([]fs.FS{widget.Words, web.Words}...)
	if err != nil {
		b.Fatal(err)
	}
	p := html.Page{Reader: html.Reader{Speaker: words.In(lang.Ru), Zone: time.UTC}, Base: "/t/abc", Shared: true}
	card := html.Card{
		Kind: html.MoveCard, ID: "m12", Move: "m12", Seq: 12, When: time.Date(2026, 3, 1, 20, 15, 0, 0, time.UTC),
		Link: "/t/abc?_at=12#m12", Who: "Лира", By: "Аня",
		Name: "Проверка", About: []string{"Скрытность", "Криминал"}, Thrown: true, Checks: true, Mine: true,
		Again: "?_again=12", TakeBack: "undo",
		Dice:    &html.Throw{Dice: []widget.Die{{Sides: 10, Face: 7}, {Sides: 10, Face: 3}}},
		Outcome: &view.Outcome{ID: "failure", Tone: "bad", Text: "Провал"},
		Throws:  []html.Throw{{Dice: []widget.Die{{Sides: 3, Face: 2}}, Name: "Стресс"}},
		Lines:   []html.Line{{Type: "spire.stress-marked", Text: "Лира: Кровь +2 → 5"}},
	}
	var text bytes.Buffer
	for b.Loop() {
		text.Reset()
		if err := html.LogItem(p, card).Render(b.Context(), &text); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(text.Len()), "B/card")
}
