package script_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"norn/game"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/verify"
)

func crossroads(t *testing.T) script.Text {
	t.Helper()
	text, err := script.Read(os.DirFS("../examples/crossroads"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sees returns everything that a seat reads of the table and its log.
func (e *evening) sees(s *table.Seat) string {
	e.t.Helper()
	v, err := s.View(e.t.Context())
	if err != nil {
		e.t.Fatal(err)
	}
	log, err := s.Log(e.t.Context(), 0, 0)
	if err != nil {
		e.t.Fatal(err)
	}
	data, err := json.Marshal([]any{v, log})
	if err != nil {
		e.t.Fatal(err)
	}
	return string(data)
}

// Only its player and the game master see a hand. Others must not learn its cards, their number, or
// when they were drawn. The cards stay drawn until they're played and shuffled, and undo returns
// them.
func TestHandOfCardsIsSeenOnlyByItsPlayerAndTheGM(t *testing.T) {
	e := begin(t, crossroads(t))
	seat, err := table.Do(t.Context(), e.gm, act.AddSeat, act.SeatRequest{Name: "Bo", Role: string(game.Player)}, "")
	if err != nil {
		t.Fatal(err)
	}
	bo, err := e.host.Enter(t.Context(), e.id, seat.Secret, lang.En)
	if err != nil {
		t.Fatal(err)
	}
	ann := e.add(e.ann, act.CharacterRequest{Name: "Ilse", Kind: "wanderer", Sheet: json.RawMessage(`{}`)})
	deck := e.add(e.gm, act.CharacterRequest{Name: "Table", Kind: "table", Sheet: json.RawMessage(`{}`)})
	if err := e.move(e.ann, ann, "take", `{"on":"`+deck+`","n":3}`); err != nil {
		t.Fatal(err)
	}
	hand, left := `"hand":[{"fate-card":`, e.sheet(ann)
	if !strings.Contains(left, hand) || strings.Count(left, "fate-card") != 3 ||
		strings.Count(e.sheet(deck), "fate-card") != 3 {
		t.Errorf("drawn are %s, %s", left, e.sheet(deck))
	}
	if own := e.sees(e.ann); !strings.Contains(own, hand) || strings.Contains(own, `"drawn"`) {
		t.Errorf("who plays it sees %s", own)
	}
	if other := e.sees(bo); strings.Contains(other, "fate-card") || strings.Contains(other, "deck-fate") ||
		strings.Contains(other, `"drawn"`) || strings.Contains(other, "Hand") {
		t.Errorf("another player sees %s", other)
	}
	if _, err := table.Do(t.Context(), e.ann, act.ChangeCharacter,
		act.ChangeRequest{ID: ann, Sheet: []byte(`{"hand":["sun"]}`)}, ""); err == nil {
		t.Error("a player writes cards into their hand")
	}
	// She knows three cards of twelve; every other one is equally likely.
	bright := strings.Count(left, `"sun"`) + strings.Count(left, `"road"`) + strings.Count(left, `"sea"`)
	o, err := e.ann.Odds(t.Context(),
		request.Move{Character: ann, Move: "turn", Args: json.RawMessage(`{"on":"` + deck + `"}`)})
	if want := []string{"2/3", "5/9", "4/9", "1/3"}[bright]; err != nil || o.Any("well").String() != want {
		t.Errorf("with %d bright cards in hand the odds are %v, %v", bright, o, err)
	}
	log, err := e.gm.Log(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.move(e.ann, ann, "turn", `{"on":"`+deck+`"}`); err != nil {
		t.Fatal(err)
	}
	if got := e.sheet(deck); strings.Count(got, "fate-card") != 5 {
		t.Errorf("after an open card the table has %s", got)
	}
	if err := e.move(e.gm, "", "again", `{"on":"`+deck+`"}`); err != nil {
		t.Fatal(err)
	}
	if got := e.sheet(deck); strings.Count(got, "fate-card") != 3 {
		t.Errorf("after a shuffle the table has %s", got)
	}
	e.returnsCards(log[len(log)-1].Seq, ann, deck)
}

// returnsCards undoes all moves, the newest first, and checks that all cards are back and that the
// table's file verifies.
func (e *evening) returnsCards(until uint64, ann, deck string) {
	e.t.Helper()
	log, err := e.gm.Log(e.t.Context(), 0, 0)
	if err != nil {
		e.t.Fatal(err)
	}
	for i := len(log) - 1; log[i].Seq >= until; i-- {
		if _, err := table.Do(e.t.Context(), e.gm, act.Undo, act.UndoRequest{Seq: int(log[i].Seq)}, ""); err != nil {
			e.t.Fatal(err)
		}
	}
	if got := e.sheet(ann) + e.sheet(deck); strings.Contains(got, "fate-card") {
		e.t.Errorf("undone, there are %s", got)
	}
	found, err := verify.File(e.games, e.host.Words, bytes.NewReader(e.exported()))
	if err != nil || found.Older != nil {
		e.t.Errorf("verification: %+v, %v", found, err)
	}
}

// The log names a drawn card, and doesn't repeat the others of the pile.
func TestLogTellsOnlyTheCardThatCame(t *testing.T) {
	e := begin(t, crossroads(t))
	ann := e.add(e.ann, act.CharacterRequest{Name: "Ilse", Kind: "wanderer", Sheet: json.RawMessage(`{}`)})
	deck := e.add(e.gm, act.CharacterRequest{Name: "Table", Kind: "table", Sheet: json.RawMessage(`{}`)})
	for range 10 {
		if err := e.move(e.ann, ann, "turn", `{"on":"`+deck+`"}`); err != nil {
			t.Fatal(err)
		}
	}
	log, err := e.gm.Log(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := log[len(log)-1].Lines
	card, ok := strings.CutPrefix(lines[0].Text, "Table: Drawn + ")
	if !ok || strings.Contains(card, ",") || lines[1].Text != "Table: Open cards + "+card {
		t.Errorf("the tenth card is told as %q and %q", lines[0].Text, lines[1].Text)
	}
}

// Everything that a game may ask norn to store has limits, and each error says where one is
// exceeded.
func TestDecksAndDiceBeyondTheirLimitsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`d = deck("Deck", copies = 60, a = "A", b = "B")`:               "from 2 to 100 cards",
		`d = deck("Deck", a = "A")`:                                     "from 2 to 100 cards",
		`d = deck("Deck", туз = "Туз", b = "B")`:                        "туз can’t be a card’s name; use lower-case Latin",
		`d = die("Die", "a")`:                                           "from 2 to 100 faces",
		`d = die("Die", "a", "a face that is far too long")`:            "at most 12 letters",
		`d = hand("Hand", 3)`:                                           "put a deck here",
		`t = thing("T", h = hand("Hand", deck("D", a = "A", b = "B")))`: "a thing can’t have a hand",
		`s = some("Some", 3, a = "A", b = "B")`:                         "how many can be chosen, from 1 to 2",
	} {
		_, err := script.Compile(script.Text{Game: "game(\"Bounds\")\n" + text + "\n"})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "game.star:2:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
