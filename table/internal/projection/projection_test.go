package projection_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"norn/game"
	"norn/table/act"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/tabletest"
	"norn/table/internal/visibility"
	"norn/table/request"
	"norn/table/view"
)

const (
	gm, anna, boris, guest = tabletest.GM, tabletest.Anna, tabletest.Boris, tabletest.Guest
	lira, orm, ghost       = tabletest.Lira, tabletest.Orm, tabletest.Ghost
)

var seats = []string{gm, anna, boris, guest}

// viewOf returns what a seat sees of the table.
func viewOf(e *visibility.Eye) *view.View { return projection.View(e, nil, nil).View }

// talk makes a seat say something.
func talk(t *testing.T, tb *tabletest.Table, seat string, r act.TalkRequest) *state.Record {
	t.Helper()
	return tabletest.Do(t, tb, seat, act.Talk, r)
}

// evening plays a table on which much is hidden. All of that says so, by a text of the caller.
func evening(t *testing.T, hidden string) *tabletest.Table {
	t.Helper()
	tb := tabletest.New(t)
	tabletest.Do(t, tb, gm, act.AddCharacter, act.CharacterRequest{Name: hidden, Kind: "hero", Hidden: true})
	unseen := tb.Characters[len(tb.Characters)-1].ID
	sheet := string(state.JSON(map[string]any{"doom": hidden}))
	tabletest.Do(t, tb, gm, act.ChangeCharacter, act.ChangeRequest{ID: lira, Sheet: []byte(sheet)})
	tabletest.Do(t, tb, gm, act.ChangeCharacter, act.ChangeRequest{ID: unseen, Sheet: []byte(sheet)})
	tabletest.Do(t, tb, gm, act.KeepNote, act.NoteRequest{Text: hidden})
	tabletest.Do(t, tb, gm, act.SetClock, act.ClockRequest{Name: hidden, Max: 6, Hidden: true})
	tabletest.Do(t, tb, gm, act.PrepareScene, act.SceneRequest{Title: hidden, Note: hidden})
	talk(t, tb, gm, act.TalkRequest{Text: hidden, ToGM: true})
	tb.Roll(t, gm, request.Move{Move: "omen", Secret: true, Args: state.JSON(map[string]any{"text": hidden})})
	talk(t, tb, boris, act.TalkRequest{Text: "Who is there?"})
	tb.Strike(t)
	tb.Answer(t, gm, game.GM, `{"n":2}`)
	return tb
}

// everything returns all that a seat can get of a table, as JSON.
func everything(t *testing.T, e *visibility.Eye) string {
	t.Helper()
	var b bytes.Buffer
	for _, part := range []any{
		viewOf(e), projection.EntriesAfter(e, 0, 1000), projection.EntriesBefore(e, e.Table.Seq+1, 1000),
		projection.SecretEntries(e, 1000), projection.Handouts(e), projection.Pictures(e), projection.Tallies(e),
		projection.Recap(e, 1), projection.Find(e, request.Search{Text: ""}).Entries,
	} {
		data, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
		b.WriteByte('\n')
	}
	return b.String()
}

// Two tables differ in nothing but what only the game master sees. Everybody else is shown the same
// of both, to the byte: neither a text nor its length shows.
func TestHiddenThingsChangeNoByteForOthers(t *testing.T) {
	one, other := evening(t, "SECRET"), evening(t, "SECRET of quite another length")
	for _, seat := range seats {
		a, b := everything(t, one.Eye(seat)), everything(t, other.Eye(seat))
		if seat == gm {
			if !strings.Contains(a, "SECRET") || a == b {
				t.Error("the game master doesn't see what is hidden")
			}
			continue
		}
		if strings.Contains(a, "SECRET") {
			t.Errorf("%s sees a secret: %s", seat, a)
		}
		if a != b {
			t.Errorf("%s sees a difference:\n%s\n%s", seat, a, b)
		}
	}
}

// The secret of a session would reveal its dice before they are thrown.
func TestSessionShowsItsSecretOnlyOnceItIsOver(t *testing.T) {
	tb := evening(t, "SECRET")
	sealed := tb.Sessions.Now().Seal.Reveal()
	for _, seat := range seats {
		if v := viewOf(tb.Eye(seat)); v.Session.Secret != "" || v.Session.Commitment == "" ||
			strings.Contains(everything(t, tb.Eye(seat)), sealed) {
			t.Errorf("%s sees the secret of a session that goes on: %+v", seat, v.Session)
		}
	}
	for len(tb.OpenMoves) > 0 {
		tabletest.Do(t, tb, gm, act.Cancel, act.CancelRequest{Move: tb.OpenMoves[0].ID})
	}
	tabletest.Do(t, tb, gm, act.EndSession, act.Nothing{})
	for _, seat := range seats {
		if v := viewOf(tb.Eye(seat)); v.Session.Secret != "" || len(v.Sessions) != 1 || v.Sessions[0].Secret != sealed {
			t.Errorf("%s sees %+v, then %+v", seat, v.Sessions, v.Session)
		}
	}
}

func TestViewHoldsOnlyWhatItsSeatSees(t *testing.T) {
	tb := evening(t, "SECRET")
	for _, c := range []struct {
		seat       string
		characters []string
		notes      int
		scenes     int
	}{
		{gm, []string{"Lira", "Orm", "SECRET shade", "SECRET"}, 1, 1},
		{anna, []string{"Lira", "Orm"}, 0, 0},
		{guest, []string{"Lira", "Orm"}, 0, 0},
	} {
		v := viewOf(tb.Eye(c.seat))
		var names []string
		for _, one := range v.Characters {
			names = append(names, one.Name)
		}
		if !slices.Equal(names, c.characters) {
			t.Errorf("%s sees the characters %q", c.seat, names)
		}
		if len(v.Notes) != c.notes || len(v.Scenes) != c.scenes || len(v.Clocks) != c.scenes {
			t.Errorf("%s sees %d notes, %d scenes, %d clocks", c.seat, len(v.Notes), len(v.Scenes), len(v.Clocks))
		}
		if len(v.Seats) != 4 || v.Seats[slices.Index(seats, c.seat)].You != true {
			t.Errorf("%s sees the seats %v", c.seat, v.Seats)
		}
	}
}

// Only the person who answers a question sees it. Others see who they wait for, and no more.
func TestOnlyWhoAnswersSeesAnOpenQuestion(t *testing.T) {
	tb := tabletest.New(t)
	tb.Strike(t)
	asked := func(seat string) (open, waits string) {
		v := viewOf(tb.Eye(seat))
		for _, q := range v.Questions {
			open += q.To + " "
		}
		for _, w := range v.Waiting {
			waits += w.To + " "
		}
		return strings.TrimSpace(open), strings.TrimSpace(waits)
	}
	check := func(step string, want map[string][2]string) {
		t.Helper()
		for _, seat := range seats {
			if open, waits := asked(seat); [2]string{open, waits} != want[seat] {
				t.Errorf("%s: %s is asked for %q and waits for %q, want %q", step, seat, open, waits, want[seat])
			}
		}
	}
	check("the game master's", map[string][2]string{
		gm: {game.GM, ""}, anna: {"", game.GM}, boris: {"", game.GM}, guest: {"", game.GM},
	})
	tb.Answer(t, gm, game.GM, `{"n":1}`)
	open := map[string]string{}
	for _, seat := range seats {
		open[seat], _ = asked(seat)
	}
	if !strings.Contains(open[boris], orm) || strings.Contains(open[anna], orm) || open[guest] != "" {
		t.Errorf("then they are asked %q", open)
	}
}

// An entry's texts and numbers are those that the seat may see; other seats get no entry at all.
func TestEntryShowsEachSeatOnlyWhatItMaySee(t *testing.T) {
	tb := tabletest.New(t)
	for _, c := range []struct {
		name string
		made *state.Record
		to   []string
	}{
		{"a message", talk(t, tb, anna, act.TalkRequest{Text: "hush"}), seats},
		{"a whisper", talk(t, tb, anna, act.TalkRequest{Text: "hush", To: boris}), []string{gm, anna, boris}},
		{"a secret message", talk(t, tb, anna, act.TalkRequest{Text: "hush", ToGM: true}), []string{gm, anna}},
		{"a note", tabletest.Do(t, tb, gm, act.KeepNote, act.NoteRequest{Text: "hush"}), []string{gm}},
	} {
		for _, seat := range seats {
			shown := projection.Entry(tb.Eye(seat), c.made)
			if (shown != nil) != slices.Contains(c.to, seat) {
				t.Errorf("%s: %s gets it: %v", c.name, seat, shown != nil)
			}
			if shown != nil && shown.Seq != c.made.Seq {
				t.Errorf("%s: %s gets the entry %d", c.name, seat, shown.Seq)
			}
		}
	}
}

// An entry that a seat doesn't see doesn't change what it's shown as last seen.
func TestLastSeenIgnoresEntriesTheSeatCannotSee(t *testing.T) {
	tb := tabletest.New(t)
	said := talk(t, tb, anna, act.TalkRequest{Text: "hello"})
	tabletest.Do(t, tb, gm, act.KeepNote, act.NoteRequest{Text: "SECRET"})
	note := tb.Seq
	for seat, want := range map[string]uint64{gm: note, anna: said.Seq, guest: said.Seq} {
		if seq, told := projection.LastSeen(tb.Eye(seat)); seq != want || told != want {
			t.Errorf("%s has seen %d and %d, want %d", seat, seq, told, want)
		}
	}
	rested := tb.Roll(t, gm, request.Move{Move: "rest", Character: orm, Secret: true})
	if seq, told := projection.LastSeen(tb.Eye(boris)); seq != said.Seq || told != rested.Seq {
		t.Errorf("a secret move changed a hero at %d; a player has seen %d and %d", rested.Seq, seq, told)
	}
	if shade := tabletest.Do(t, tb, gm, act.ChangeCharacter,
		act.ChangeRequest{ID: ghost, Sheet: []byte(`{"hurt":1}`)}); projection.ChangesSeenSheet(tb.Eye(boris), shade) {
		t.Error("a change of a shade shows to players")
	}
}

func TestSearchFindsOnlyWhatItsSeatSees(t *testing.T) {
	tb := tabletest.New(t)
	talk(t, tb, anna, act.TalkRequest{Text: "The bridge is Out"})
	talk(t, tb, anna, act.TalkRequest{Text: "the bridge, Boris", To: boris})
	talk(t, tb, gm, act.TalkRequest{Text: "the bridge falls", ToGM: true})
	for seat, want := range map[string]int{gm: 3, anna: 2, boris: 2, guest: 1} {
		found := projection.Find(tb.Eye(seat), request.Search{Text: "BRIDGE the"})
		if len(found.Entries) != want || found.N != want {
			t.Errorf("%s finds %d of %d", seat, len(found.Entries), want)
		}
	}
	if found := projection.Find(tb.Eye(gm), request.Search{Text: "bridge", Most: 1}); found.N != 1 || !found.More ||
		found.Entries[0].Seq != tb.Seq {
		t.Errorf("one of the newest: %+v", found)
	}
}

// A search ends after a number of entries, whether its seat sees them or not.
func TestSearchGoesEquallyFarBackForEverySeat(t *testing.T) {
	tb := tabletest.New(t)
	talk(t, tb, anna, act.TalkRequest{Text: "the first bridge"})
	first := tb.Seq
	for range request.MaxSearched {
		talk(t, tb, anna, act.TalkRequest{Text: "a ford", ToGM: true})
	}
	last := tb.Seq + 1 - request.MaxSearched
	for _, seat := range []string{gm, anna, guest} {
		found := projection.Find(tb.Eye(seat), request.Search{Text: "bridge"})
		if found.N != 0 || !found.More || found.Looked != last {
			t.Errorf("%s finds %d and has looked back to %d, not %d", seat, found.N, found.Looked, last)
		}
		found = projection.Find(tb.Eye(seat), request.Search{Text: "bridge", Before: found.Looked})
		if found.N != 1 || found.More || found.Entries[0].Seq != first {
			t.Errorf("%s finds %+v further back", seat, found)
		}
	}
}

// Whether an entry can be undone is shown to who may, and changes as later changes depend on it.
func TestUndoIsOfferedUntilLaterChangesDependOnIt(t *testing.T) {
	tb := tabletest.New(t)
	change := func(seat, sheet string) *state.Record {
		return tabletest.Do(t, tb, seat, act.ChangeCharacter, act.ChangeRequest{ID: lira, Sheet: []byte(sheet)})
	}
	first := change(anna, `{"luck":1}`)
	may := func(seat string) bool {
		shown := projection.Entry(tb.Eye(seat), first)
		return shown != nil && shown.MayUndo
	}
	if !may(gm) || !may(anna) || may(boris) || may(guest) {
		t.Errorf("at first: %v %v %v %v", may(gm), may(anna), may(boris), may(guest))
	}
	second := change(anna, `{"luck":2}`)
	if may(gm) || may(anna) {
		t.Error("a later change depends on it, and undo is offered")
	}
	if got := projection.UndoabilityChanged(tb.Eye(anna), second); !slices.Contains(got, first.Seq) {
		t.Errorf("after the second, entries to draw again: %d", got)
	}
	undone := tabletest.Do(t, tb, anna, act.Undo, act.UndoRequest{Seq: int(second.Seq)})
	if !may(anna) {
		t.Error("nothing depends on it any more, and undo isn't offered")
	}
	if got := projection.UndoabilityChanged(tb.Eye(anna), undone); !slices.Contains(got, first.Seq) {
		t.Errorf("after the undo, entries to draw again: %d", got)
	}
	if shown := projection.Entry(tb.Eye(boris), tb.Record(second.Seq)); shown.Undone == nil ||
		shown.Undone.Seq != undone.Seq {
		t.Errorf("the undone entry says %+v", shown.Undone)
	}
}

// A view that shares parts with the last one is the view that is made anew.
func TestViewThatReusesPartsEqualsANewView(t *testing.T) {
	tb := tabletest.New(t)
	last := map[string]*projection.Shown{}
	steps := []func(){
		func() {},
		func() { talk(t, tb, anna, act.TalkRequest{Text: "hello"}) },
		func() {
			tabletest.Do(t, tb, anna, act.ChangeCharacter, act.ChangeRequest{ID: lira, Sheet: []byte(`{"luck":4}`)})
		},
		func() {
			tabletest.Do(t, tb, gm, act.ChangeCharacter, act.ChangeRequest{ID: ghost, Sheet: []byte(`{"risen":true}`)})
		},
		func() { tb.Strike(t) },
		func() { tb.Answer(t, gm, game.GM, `{"n":1}`) },
		func() { tabletest.Do(t, tb, gm, act.RevokeSeat, act.SeatNamed{Seat: guest}) },
	}
	for i, step := range steps {
		step()
		for _, seat := range seats[:3] {
			e := tb.Eye(seat)
			last[seat] = projection.View(e, nil, last[seat])
			got, _ := json.Marshal(last[seat].View)
			want, _ := json.Marshal(viewOf(tb.Eye(seat)))
			if !bytes.Equal(got, want) {
				t.Errorf("step %d, %s: shared\n%s\nanew\n%s", i, seat, got, want)
			}
		}
	}
}
