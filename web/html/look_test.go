package html_test

import (
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"norn/form"
	"norn/game"
	"norn/internal/widget"
	"norn/lang"
	"norn/table/view"
	"norn/web"
	"norn/web/fields"
	"norn/web/html"
)

// seen returns a look of a seat at a table of a minimal game.
func seen(t *testing.T, v view.View) *html.Look {
	t.Helper()
	own := fstest.MapFS{}
	for _, l := range lang.All {
		own["words/"+string(l)+".toml"] = &fstest.MapFile{Data: []byte("[none.throw]\nsuit = \"Suit\"\ndraw = \"Draw\"\nomen = \"Omen\"\n[none.move]\ndraw = \"Draw\"\n")}
	}
	words, err := lang.Load(form.Words, widget.Words, web.Words, own)
	if err != nil {
		t.Fatal(err)
	}
	speaker := words.In(lang.En)
	names := map[string]string{"c1": "Lira", "c2": "Harald"}
	l := &html.Look{Page: html.Page{Reader: html.Reader{Speaker: speaker, Zone: time.UTC}, Base: "/t/abc"}, View: &v}
	l.Voice = fields.Voice{Voice: game.Voice{Speaker: speaker, Name: func(id string) string {
		return names[id]
	}}, Game: &game.Game{ID: "none"}, Labels: "field"}
	return l
}

func TestCardOffersUndoOrCancelByRoleAndAge(t *testing.T) {
	open := view.Entry{
		Seq: 7, Kind: view.KindMove, Move: "m7", Name: "check", Character: "c1",
		Seat: view.Author{ID: "s1", Name: "anna"},
	}
	for _, one := range []struct {
		what string
		role game.Role
		with func(*view.Entry)
		want string
	}{
		{"a move of the reader's", game.Player, func(e *view.Entry) { e.MayUndo = true }, "undo"},
		{"an open one", game.Player, func(e *view.Entry) { e.MayCancel = true }, "cancel"},
		{"one too old", game.Player, func(e *view.Entry) { e.TooOld = true }, "old"},
		{"somebody else's", game.Player, func(*view.Entry) {}, ""},
		{"anybody's, for a game master", game.Master, func(*view.Entry) {}, "undo"},
		{"one taken back", game.Master, func(e *view.Entry) {
			e.Undone = &view.Undone{Seat: view.Author{Name: "GM"}}
		}, ""},
	} {
		e := open
		one.with(&e)
		l := seen(t, view.View{Role: one.role, Seat: "s2"})
		card := l.Card(html.GatherMoves([]view.Entry{e})[0], nil)
		if card.TakeBack != one.want {
			t.Errorf("%s: %q, want %q", one.what, card.TakeBack, one.want)
		}
		if card.Who != "Lira" || card.By != "anna" || card.Link != "/t/abc?_at=7#m7" {
			t.Errorf("the card is of %q by %q at %s", card.Who, card.By, card.Link)
		}
	}
}

// All entries of a move are on one card. A question is on the card of those who may answer it;
// others see who must answer.
func TestEntriesOfAMoveAreOnOneCard(t *testing.T) {
	entries := []view.Entry{
		{Seq: 3, Kind: view.KindMove, Move: "m3", Character: "c1", Throws: []view.Throw{{Sides: 10, Faces: []int{4}}}},
		{Seq: 4, Kind: view.KindTalk, Seat: view.Author{Name: "anna"}, Lines: []view.Line{{Text: "hm"}}},
		{
			Seq: 5, Kind: view.KindAnswer, Move: "m3", Outcome: &view.Outcome{ID: "failure", Tone: game.Bad},
			Lines: []view.Line{{Text: "Blood"}},
		},
	}
	l := seen(t, view.View{Role: game.Player, Waiting: []view.Waiting{{Move: "m3", To: "c2"}}})
	cards := l.Cards(html.GatherMoves(entries), nil)
	if len(cards) != 2 || cards[0].Kind != html.MoveCard || cards[1].Kind != html.TalkCard {
		t.Fatalf("cards %+v", cards)
	}
	if c := cards[0]; c.Outcome == nil || c.Dice == nil || len(c.Throws) > 0 || len(c.Lines) != 1 ||
		len(c.Waits) != 1 || c.Waits[0] != "Harald" {
		t.Errorf("the move's card is %+v", c)
	}
}

// A card's lines don't repeat the actor's name, unless another character has the same one.
func TestCardLinesLeaveOutTheActorsName(t *testing.T) {
	entry := view.Entry{Seq: 3, Kind: view.KindMove, Move: "m3", Character: "c1", Lines: []view.Line{
		{Text: "Lira: blood +1 → 2"}, {Text: "Harald: mind +1 → 1"}, {Text: "Lira, Harald: rest"},
	}}
	for _, one := range []struct {
		other string
		want  []string
	}{
		{"Harald", []string{"Blood +1 → 2", "Harald: mind +1 → 1", "Lira, Harald: rest"}},
		{"Lira", []string{"Lira: blood +1 → 2", "Harald: mind +1 → 1", "Lira, Harald: rest"}},
	} {
		l := seen(t, view.View{
			Role:       game.Player,
			Characters: []view.CharacterShown{{ID: "c1", Name: "Lira"}, {ID: "c2", Name: one.other}},
		})
		card := l.Card(html.GatherMoves([]view.Entry{entry})[0], nil)
		if got := game.Each(card.Lines, func(line html.Line) string {
			return line.Text
		}); !slices.Equal(got, one.want) {
			t.Errorf("with %s: %q, want %q", one.other, got, one.want)
		}
	}
}

// A speaker's messages in quick succession are one block, but not a whisper, another character's
// message, or a later one.
func TestQuickMessagesOfOneSpeakerAreOneBlock(t *testing.T) {
	began := time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)
	talk := func(seq uint64, seat, character string, after time.Duration, secret bool) view.Entry {
		return view.Entry{
			Seq: seq, Kind: view.KindTalk, Seat: view.Author{ID: seat, Name: seat}, Character: character,
			Time: began.Add(after), Secret: secret,
			Lines: []view.Line{{Text: "hm"}},
		}
	}
	cards := seen(t, view.View{Role: game.Player}).Cards([]view.Entry{
		talk(1, "s1", "", 0, false), talk(2, "s1", "", time.Minute, false), talk(3, "s1", "c1", time.Minute, false),
		talk(4, "s2", "c1", time.Minute, false), talk(5, "s2", "c1", time.Minute, true),
		talk(6, "s2", "c1", time.Minute, true),
		talk(7, "s2", "c1", time.Minute, false), talk(8, "s2", "c1", time.Hour, false),
	}, nil)
	got := game.Each(cards, func(c html.Card) bool { return c.GoesOn })
	if want := []bool{false, true, false, false, false, false, false, false}; !slices.Equal(got, want) {
		t.Errorf("%v go on, want %v", got, want)
	}
}

// The first of several throws has its purpose like the others; a single one doesn't, and none
// repeats the card's head.
func TestPurposeIsShownOnlyOnSeveralThrows(t *testing.T) {
	l := seen(t, view.View{Role: game.Player})
	throw := func(purpose string) view.Throw { return view.Throw{For: purpose, Sides: 8, Faces: []int{4}} }
	for _, one := range []struct {
		throws []view.Throw
		want   []string
	}{
		{[]view.Throw{throw("suit")}, []string{""}},
		{[]view.Throw{throw("suit"), throw("draw"), throw("omen")}, []string{"Suit", "", "Omen"}},
		{[]view.Throw{throw("draw"), throw("omen")}, []string{"", "Omen"}},
	} {
		for i := range one.throws {
			one.throws[i].N = i
		}
		entry := view.Entry{
			Seq: 3, Kind: view.KindMove, Move: "m3", Name: "draw", Character: "c1", Throws: one.throws,
			Outcome: &view.Outcome{ID: "done", Tone: game.Good},
		}
		c := l.Card(html.GatherMoves([]view.Entry{entry})[0], nil)
		got := []string{c.Dice.Name}
		for _, t := range c.Throws {
			got = append(got, t.Name)
		}
		if !slices.Equal(got, one.want) {
			t.Errorf("%d throws are called %q, want %q", len(one.throws), got, one.want)
		}
	}
}

// What waits for the reader is found on the page, questions first.
func TestOpenQuestionsForTheReaderAreFoundFirst(t *testing.T) {
	l := seen(t, view.View{
		Characters: []view.CharacterShown{{ID: "c1", Mine: true}, {ID: "c2"}},
		Questions:  []view.Question{{ID: "m1:0:1", To: "c2"}, {ID: "m2:0:1", To: "c1", Mine: true}},
		Calls:      []view.CallShown{{ID: "k1", Character: "c1"}, {ID: "k2", Character: "c2"}},
	})
	if w := html.WaitingFor(l.View); !slices.Equal(w, []string{"q-m2-0-1", "called-k1"}) {
		t.Errorf("it's %+v", w)
	}
}

// Without a selection, a character is chosen for the reader: their own before others', and one with
// a call.
func TestDefaultCharacterIsTheReadersOwnOrCalled(t *testing.T) {
	v := view.View{
		Role:       game.Player,
		Characters: []view.CharacterShown{{ID: "c1"}, {ID: "c2", Mine: true}},
		Moves: []view.MoveShown{
			{ID: "rest", Characters: []string{"c2"}},
			{ID: "check", Characters: []string{"c2"}},
		},
		Calls: []view.CallShown{{ID: "k1", Character: "c2", Move: "check"}},
	}
	l := seen(t, v)
	l.At = html.ReadSelection(map[string][]string{"_c": {"gone"}, "_tab": {"nowhere"}, "_log": {"99999"}})
	l.Settle()
	if at := l.At; at.Character != "c2" || at.Actor != "c2" || at.Call != "k1" || at.Move != "check" ||
		at.Tab != "log" || at.Pages != html.MostPages {
		t.Errorf("it's %+v", at)
	}
}

// A session's recap lists its own open questions; names in a sentence keep their abbreviations.
func TestRecapListsItsOwnOpenQuestions(t *testing.T) {
	first := view.Session{N: 1, From: 1, To: 10}
	second := view.Session{N: 2, From: 11}
	l := seen(t, view.View{
		Session: second,
		Questions: []view.Question{
			{Move: "m5", To: "c1", Text: "What falls?"},
			{Move: "m12", To: "c2", Text: "Who runs?"},
		},
		Waiting: []view.Waiting{{Move: "m14", To: "c1"}, {Move: "m15", To: game.GM}},
		Notes:   []view.NoteShown{{Text: "The duke lies"}},
	})
	for _, one := range []struct {
		of   view.Session
		want []html.Term
	}{
		{first, []html.Term{{Name: "Lira", About: "What falls?"}, {Name: "Note", About: "The duke lies"}}},
		{second, []html.Term{
			{Name: "Harald", About: "Who runs?"},
			{Name: "Lira", About: "a question waits for an answer"},
			{Name: "The game master", About: "a question waits for an answer"},
			{Name: "Note", About: "The duke lies"},
		}},
	} {
		if got := html.OpenThreads(l.Page, l.View, one.of); !slices.Equal(got, one.want) {
			t.Errorf("session %d: %v, want %v", one.of.N, got, one.want)
		}
	}
	deeds := []view.Deed{{
		Name: "Lira", Made: []view.Often{{Name: "Check", N: 1}},
		Came: []view.Came{{Name: "NPC flees", N: 1}, {Name: "Stress", N: 2}},
	}}
	if got, want := html.Deeds(l.Speaker, view.Recap{Deeds: deeds})[0].About,
		"Check: NPC flees ×1, stress ×2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A page redraws a question when its mark changes: also if a choice is only worth something else, or a field is
// removed.
func TestAsksChangesWithAllThatAQuestionShows(t *testing.T) {
	type answer struct {
		With  string `json:"with" form:"choice=luck"`
		Boost bool   `json:"boost"`
	}
	l := seen(t, view.View{})
	mark := func(options []form.Option, without ...string) string {
		f := form.Of[answer]().With("with", options...).Without(without...)
		return html.Asks(l.Page, view.Question{ID: "m1::0", Form: f})
	}
	known := map[string]string{mark([]form.Option{{Value: "luck", Worth: "2"}}): "the question"}
	for what, other := range map[string]string{
		"another worth": mark([]form.Option{{Value: "luck", Worth: "0"}}),
		"a size":        mark([]form.Option{{Value: "luck", Worth: "2", After: "3"}}),
		"not offered":   mark([]form.Option{{Value: "luck", Worth: "2", Past: true}}),
		"a field less":  mark([]form.Option{{Value: "luck", Worth: "2"}}, "boost"),
	} {
		if as, same := known[other]; same {
			t.Errorf("%s: the mark is as of %s", what, as)
		}
		known[other] = what
	}
	if again := mark([]form.Option{{Value: "luck", Worth: "2"}}); known[again] != "the question" {
		t.Error("the same question has another mark")
	}
}
