package act_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"norn/lang"
	"norn/table/act"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/tabletest"
	"norn/table/view"
)

// step is an act that somebody does, on a table after tabletest.New.
type step struct {
	name string
	do   func(t *testing.T, tb *tabletest.Table) *state.Record
}

// does returns a step that does an act as it is requested here.
func does[Request, Answer any](name, seat string, a act.Act[Request, Answer], r Request) step {
	return step{name, func(t *testing.T, tb *tabletest.Table) *state.Record {
		t.Helper()
		return tabletest.Do(t, tb, seat, a, r)
	}}
}

// steps returns acts of all kinds that need nothing before them, and whether they can be undone.
func steps() map[bool][]step {
	const gm, anna, boris, lira = tabletest.GM, tabletest.Anna, tabletest.Boris, tabletest.Lira
	return map[bool][]step{
		true: {
			does("configure", gm, act.Configure, act.ConfigureRequest{Settings: []byte(`{"deadly":true}`)}),
			does("room", gm, act.LinkRoom, act.RoomRequest{Link: "https://meet.example/friday"}),
			does("reading", gm, act.ChooseReading, act.ReadingRequest{As: "roll20"}),
			does("change a sheet", anna, act.ChangeCharacter,
				act.ChangeRequest{ID: lira, Sheet: []byte(`{"luck":1,"bag":[{"name":"Rope"}]}`)}),
			does("rename a character", anna, act.ChangeCharacter, act.ChangeRequest{ID: lira, Name: new("Lyra")}),
			does("remove a character", gm, act.RemoveCharacter, act.CharacterNamed{Character: lira}),
			does("set a clock", gm, act.SetClock, act.ClockRequest{Name: "Watch", Max: 6, At: 2}),
			{"a list", func(t *testing.T, tb *tabletest.Table) *state.Record { return tb.List(t, false, "A key") }},
			does("prepare a scene", gm, act.PrepareScene, act.SceneRequest{Title: "The night ferry", Note: "Rain"}),
		},
		false: {
			does("talk", boris, act.Talk, act.TalkRequest{Text: "hush"}),
			does("whisper", boris, act.Talk, act.TalkRequest{Text: "hush", To: anna}),
			does("note", gm, act.KeepNote, act.NoteRequest{Text: "a bridge"}),
			does("favourite", anna, act.StarMove, act.StarRequest{Character: lira, Move: "rest", On: true}),
			does("call", gm, act.CallMove, act.CallRequest{Move: "rest", Character: lira, Args: []byte(`{}`)}),
			does("seat", gm, act.AddSeat, act.SeatRequest{Name: "Dana", Role: "player"}),
			does("new link", gm, act.RenewSeat, act.SeatNamed{Seat: boris}),
			does("rename a seat", boris, act.RenameSeat, act.RenameRequest{Seat: boris, Name: "Bob"}),
			does("revoke a seat", gm, act.RevokeSeat, act.SeatNamed{Seat: boris}),
			does("share", boris, act.AddShare, act.ShareRequest{Share: "heads or tails"}),
			does("session", gm, act.EndSession, act.Nothing{}),
			{"plan", func(t *testing.T, tb *tabletest.Table) *state.Record {
				t.Helper()
				return tabletest.Do(t, tb, gm, act.PlanSession,
					act.PlanRequest{At: tb.Now.Add(48 * time.Hour).Truncate(time.Minute), Zone: "Europe/Kyiv"})
			}},
			{"picture", func(t *testing.T, tb *tabletest.Table) *state.Record {
				t.Helper()
				return tabletest.Do(t, tb, gm, act.ShowPicture,
					act.ShowPictureRequest{Picture: tb.Attach(t, gm, 1), Alt: "A bridge"})
			}},
			{"portrait", func(t *testing.T, tb *tabletest.Table) *state.Record {
				t.Helper()
				return tabletest.Do(t, tb, gm, act.SetPortrait,
					act.PortraitRequest{Character: lira, Picture: tb.Attach(t, gm, 1)})
			}},
			{"hidden character", func(t *testing.T, tb *tabletest.Table) *state.Record {
				t.Helper()
				tabletest.Do(t, tb, gm, act.AddCharacter, act.CharacterRequest{Name: "Gnasher", Kind: "hero", Hidden: true})
				return tabletest.Do(t, tb, gm, act.ShowCharacter,
					act.CharacterNamed{Character: tb.Characters[len(tb.Characters)-1].ID})
			}},
		},
	}
}

// Each line of an act is in the reader's language: no word is missing, and no value shows as Go
// prints it.
func TestEveryActHasALogTextInEachLanguage(t *testing.T) {
	for _, all := range steps() {
		for _, s := range all {
			t.Run(s.name, func(t *testing.T) {
				tb := tabletest.New(t)
				made := s.do(t, tb)
				var texts []string
				for _, l := range lang.All {
					shown := projection.Entry(tb.EyeIn(tabletest.GM, l), made)
					if shown == nil {
						t.Fatal("the game master doesn't see it")
					}
					text := linesText(*shown)
					if text == "" && len(made.Decoded) > 0 && shown.Kind != view.KindNote && shown.Kind != view.KindStar {
						t.Errorf("%s: it says nothing", l)
					}
					for _, broken := range []string{"table.", "<no value>", "%!", "map["} {
						if strings.Contains(text, broken) {
							t.Errorf("%s: %q", l, text)
						}
					}
					texts = append(texts, text)
				}
				own := s.name == "change a sheet" || strings.Contains(texts[0], "hush") // names and words of the table's own
				if texts[0] != "" && !own && (texts[0] == texts[1] || texts[1] == texts[2]) {
					t.Errorf("two languages say the same: %q", texts)
				}
			})
		}
	}
}

func linesText(shown view.Entry) string {
	var b strings.Builder
	for _, line := range shown.Lines {
		b.WriteString(line.Text + "\n")
	}
	return strings.TrimSpace(b.String())
}

// Undoing an act gives the view from before it back, but for what the log itself counts.
func TestUndoneActRestoresTheViewBeforeIt(t *testing.T) {
	of := func(tb *tabletest.Table, seat string) []byte {
		v := *projection.View(tb.Eye(seat), nil, nil).View
		v.Seq, v.Told = 0, 0
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, s := range steps()[true] {
		t.Run(s.name, func(t *testing.T) {
			tb := tabletest.New(t)
			before := map[string][]byte{}
			for _, seat := range []string{tabletest.GM, tabletest.Anna, tabletest.Guest} {
				before[seat] = of(tb, seat)
			}
			made := s.do(t, tb)
			if bytes.Equal(of(tb, tabletest.GM), before[tabletest.GM]) {
				t.Fatal("it changes nothing")
			}
			tabletest.Do(t, tb, tabletest.GM, act.Undo, act.UndoRequest{Seq: int(made.Seq)})
			for seat, want := range before {
				if got := of(tb, seat); !bytes.Equal(got, want) {
					t.Errorf("%s sees after the undo\n%s\nbefore\n%s", seat, got, want)
				}
			}
			if _, err := tabletest.Try(tb, tabletest.GM, act.Undo, act.UndoRequest{Seq: int(made.Seq)}); err == nil {
				t.Error("it's undone twice")
			}
		})
	}
}
