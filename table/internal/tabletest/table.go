package tabletest

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"norn/form"
	"norn/game"
	"norn/internal/widget"
	"norn/journal"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/request"
	"norn/table/view"
)

// Seats of a new table: a game master, two players and a spectator.
const (
	GM    = "s1"
	Anna  = "s2"
	Boris = "s3"
	Guest = "s4"
)

// Characters of a new table: a hero of each player, and the game master's shade.
const (
	Lira  = "c1"
	Orm   = "c2"
	Ghost = "c3"
)

// Table is a table as it's played, with all its entries.
type Table struct {
	ledger.Ledger
	Entries ledger.InMemory
	Now     time.Time // of the next entry; each takes a second
	words   *lang.Words
	entropy *rand.ChaCha8
}

// Words returns all texts of a table.
func Words(t testing.TB) *lang.Words {
	t.Helper()
	words, err := lang.Load(table.Words, form.Words, widget.Words)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// New returns a table of the toy game with its seats and characters. Secret values contain SECRET.
func New(t testing.TB) *Table { return Of(t, Toy) }

// Of is New for a game like the toy game.
func Of(t testing.TB, g *game.Game) *Table {
	t.Helper()
	tb := &Table{
		Now: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC), words: Words(t),
		entropy: rand.NewChaCha8([32]byte{1}),
	}
	tb.Ledger = ledger.New("aaaaaaaaaaaaaaaa", []*game.Game{g}, act.Vocabulary).
		WithLookback(context.Background(), &tb.Entries)
	_, lock, err := state.NewSecret(tb.entropy)
	if err != nil {
		t.Fatal(err)
	}
	nobody := visibility.Of(tb.Ledger, &state.Seat{ID: GM}, lang.Speaker{})
	d, err := act.OpenTable(nobody, g, "Tuesday", lang.En,
		act.SeatAdded{Seating: act.Seating{ID: GM, Name: "GM", Role: game.Master, Lock: lock}}, tb.entropy)
	if err == nil {
		_, err = tb.Write(nobody, d)
	}
	if err != nil {
		t.Fatal(err)
	}
	Do(t, tb, GM, act.AddSeat, act.SeatRequest{Name: "Anna", Role: "player"})
	Do(t, tb, GM, act.AddSeat, act.SeatRequest{Name: "Boris", Role: "player"})
	Do(t, tb, GM, act.AddSeat, act.SeatRequest{Name: "Guest", Role: "spectator"})
	Do(t, tb, GM, act.AddCharacter, act.CharacterRequest{
		Name: "Lira", Kind: "hero", Owner: Anna, Sheet: []byte(`{"doom":"SECRET doom"}`),
	})
	Do(t, tb, Boris, act.AddCharacter, act.CharacterRequest{Name: "Orm", Kind: "hero"})
	Do(t, tb, GM, act.AddCharacter, act.CharacterRequest{
		Name: "SECRET shade", Kind: "shade", Sheet: []byte(`{"note":"SECRET note"}`),
	})
	return tb
}

// Eye returns a seat's eye in English.
func (tb *Table) Eye(seat string) *visibility.Eye { return tb.EyeIn(seat, lang.En) }

// EyeIn returns a seat's eye in a language. "" is nobody's, which sees what a spectator sees.
func (tb *Table) EyeIn(seat string, l lang.Lang) *visibility.Eye {
	me := tb.Seats.Of(seat)
	if me == nil {
		me = &state.Seat{}
	}
	return visibility.Of(tb.Ledger, me, tb.Speak(tb.words.In(l)))
}

// Write checks a draft and folds its entry.
func (tb *Table) Write(e *visibility.Eye, d ledger.Draft) (*state.Record, error) {
	edition := tb.Edition
	if tb.Game == nil {
		edition = state.FirstEdition
	}
	d.Content.Sign(edition, "test")
	tb.Now = tb.Now.Add(time.Second)
	if d.Content.Kind != view.KindMove && d.Content.Kind != view.KindAnswer {
		if err := act.Judge(e, d, tb.Now); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(d.Content)
	if err != nil {
		return nil, err
	}
	return tb.Append(journal.Entry{Time: tb.Now, Seat: e.Seat.ID, Move: d.Move, Body: data})
}

// Append folds an entry, whatever it holds.
func (tb *Table) Append(entry journal.Entry) (*state.Record, error) {
	entry.Table, entry.Seq = tb.ID, tb.Seq+1
	b, err := tb.Fold([]journal.Entry{entry}, nil)
	if err != nil {
		return nil, err
	}
	tb.Ledger, tb.Entries = b, append(tb.Entries, entry)
	tb.OpenMoves.FindPending()
	return tb.Recent[len(tb.Recent)-1], nil
}

// Try makes a seat do an act, or returns why it can't.
func Try[Request, Answer any](tb *Table, seat string, a act.Act[Request, Answer], r Request) (*state.Record, error) {
	d, err := a.Build(tb.Call(seat), r)
	if err != nil {
		return nil, err
	}
	return tb.Write(tb.Eye(seat), d)
}

// Call returns what builds a seat's acts.
func (tb *Table) Call(seat string) act.Call {
	return act.Call{Eye: tb.Eye(seat), Secret: func() string { return "secret of " + seat }, Entropy: tb.entropy}
}

// Do is Try for what can be done.
func Do[Request, Answer any](t testing.TB, tb *Table, seat string, a act.Act[Request, Answer],
	r Request,
) *state.Record {
	t.Helper()
	made, err := Try(tb, seat, a, r)
	if err != nil {
		t.Fatalf("%s by %s: %v", a.Name, seat, err)
	}
	return made
}

// Make makes a move with typed dice; those that are missing are asked for.
func (tb *Table) Make(t testing.TB, seat string, r request.Move) *state.Record {
	t.Helper()
	r.ByHand = true
	d, _, err := act.Make(tb.Eye(seat), r)
	return tb.wrote(t, seat, d, err)
}

// Roll makes a move with norn's dice.
func (tb *Table) Roll(t testing.TB, seat string, r request.Move) *state.Record {
	t.Helper()
	if r.Nonce == "" && seat == GM {
		r.Nonce = strconv.FormatUint(tb.Seq, 10)
	}
	d, _, err := act.Make(tb.Eye(seat), r)
	return tb.wrote(t, seat, d, err)
}

// Question returns the id of an open question to a character or game.GM.
func (tb *Table) Question(t testing.TB, to string) string {
	t.Helper()
	for _, m := range tb.OpenMoves {
		for _, o := range m.Pending {
			if o.To == to {
				return state.QuestionID(m.Move, o.Place())
			}
		}
	}
	t.Fatalf("%s is asked nothing", to)
	return ""
}

// Answer answers the open question to a character or game.GM.
func (tb *Table) Answer(t testing.TB, seat, to, answer string) *state.Record {
	t.Helper()
	d, err := act.Answer(tb.Eye(seat), request.Answer{Question: tb.Question(t, to), Answer: []byte(answer)})
	return tb.wrote(t, seat, d, err)
}

func (tb *Table) wrote(t testing.TB, seat string, d ledger.Draft, err error) *state.Record {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	r, err := tb.Write(tb.Eye(seat), d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Strike makes Lira strike Orm with faces that hit: two questions follow, after the game master's.
func (tb *Table) Strike(t testing.TB) *state.Record {
	t.Helper()
	return tb.Make(t, Anna, request.Move{
		Move: "strike", Character: Lira, Args: []byte(`{"target":"` + Orm + `"}`), Dice: []int{6, 1},
	})
}

// Attach uploads a picture for a seat and returns its hash. Different shades make different
// pictures.
func (tb *Table) Attach(t testing.TB, seat string, shade uint8) (hash string) {
	t.Helper()
	drawn := image.NewGray(image.Rect(0, 0, 2, 2))
	drawn.Pix[0] = shade
	var b bytes.Buffer
	if err := jpeg.Encode(&b, drawn, nil); err != nil {
		t.Fatal(err)
	}
	d, err := act.Attach(tb.Eye(seat), view.UsePicture, "image/jpeg", b.Bytes())
	tb.wrote(t, seat, d, err)
	return act.HashOf(b.Bytes())
}

// List adds a list of things for heroes, with one row for each name, and returns its record.
func (tb *Table) List(t testing.TB, hidden bool, names ...string) *state.Record {
	t.Helper()
	read := act.ListRead{Texts: act.KeptTexts{Columns: []string{"name"}}}
	for _, name := range names {
		read.Texts.Rows = append(read.Texts.Rows, []string{name})
	}
	kept, err := read.Keep()
	if err != nil {
		t.Fatal(err)
	}
	d, err := act.Attach(tb.Eye(GM), view.UseList, "application/json", kept.Parts[0].Data)
	tb.wrote(t, GM, d, err)
	return Do(t, tb, GM, act.SetList,
		act.ListRequest{Name: "Curios", Kind: "hero", Field: "bag", Hidden: hidden}.WithRows(kept))
}
