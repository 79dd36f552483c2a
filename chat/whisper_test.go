package chat_test

import (
	"errors"
	"testing"

	"norn/chat"
	"norn/games"
	"norn/lang"
)

// A whisper names a seat in any case, as it's called or by its id, and the rest stands as it was written.
func TestAWhisperIsAddressedBySeatInAnyCase(t *testing.T) {
	b := &chat.Book{
		Words: allWords, Lang: lang.En, Game: games.All()[0],
		Seats: []chat.Person{{ID: "s2", Name: "Anna"}, {ID: "s3", Name: "Anna Maria"}, {ID: "s4", Name: "Борис"}},
	}
	for line, want := range map[string]chat.Command{
		"/w Anna look at  his hands": {Verb: chat.Whisper, To: "s2", Text: "look at  his hands"},
		"/w anna maria: hush, now":   {Verb: chat.Whisper, To: "s3", Text: "hush, now"},
		"/ш борис, /roll 3d6":        {Verb: chat.Whisper, To: "s4", Text: "/roll 3d6"},
		"/w s4 hi":                   {Verb: chat.Whisper, To: "s4", Text: "hi"},
	} {
		got, err := b.Read(line)
		if err != nil || got.Verb != want.Verb || got.To != want.To || got.Text != want.Text {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	for line, want := range map[string]string{"/w": chat.Nothing, "/w Anna": chat.Nothing, "/w Ana hello": chat.UnknownSeat} {
		_, err := b.Read(line)
		var wrong *chat.Error
		if !errors.As(err, &wrong) || wrong.Code != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	var names []string
	for _, s := range b.Complete("/w an", len("/w an")) {
		names = append(names, s.Text)
	}
	if len(names) != 2 || names[0] != "Anna " || names[1] != "Anna Maria " {
		t.Errorf("goes on with %q", names)
	}
}
