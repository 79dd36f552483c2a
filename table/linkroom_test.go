package table_test

import (
	"bytes"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/verify"
)

// Only the game master sets the link to the voice room; all see it, and it's undone like a setting.
func TestVoiceRoomLinkIsSetByTheGMAndSeenByAll(t *testing.T) {
	d := newDesk(t)
	const link = "https://meet.example/friday"
	if _, err := table.Do(t.Context(), d.anna, act.LinkRoom, act.RoomRequest{Link: link},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player links it: %v", err)
	}
	for _, wrong := range []string{
		"javascript:alert(1)", "http://meet.example", "https://", "https:///x",
		"//meet.example", "meet.example", "https://a:b@meet.example", "https://meet.example/\x00",
	} {
		if _, err := table.Do(t.Context(), d.gm, act.LinkRoom, act.RoomRequest{Link: wrong},
			""); code(err) != refusal.CodeInvalid {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	first, err := table.Do(t.Context(), d.gm, act.LinkRoom, act.RoomRequest{Link: " " + link + " "}, "k")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the line", "Voice room: "+link, first.Lines[0].Text)
	d.reopen()
	same(t, "a player sees", link, d.view(d.anna).Room)
	second, err := table.Do(t.Context(), d.gm, act.LinkRoom, act.RoomRequest{}, "")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the second line", "There is no voice room any more", second.Lines[0].Text)
	same(t, "without", "", d.view(d.anna).Room)
	for _, c := range []struct {
		seq  uint64
		room string
	}{{second.Seq, link}, {first.Seq, ""}} {
		if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(c.seq)}, ""); err != nil {
			t.Fatal(err)
		}
		same(t, "undone", c.room, d.view(d.anna).Room)
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}
