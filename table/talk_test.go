package table_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

func (d *desk) talk(s *table.Seat, t act.TalkRequest, key ...string) view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), s, act.Talk, t, strings.Join(key, ""))
	if err != nil {
		d.t.Fatalf("talk %q: %v", t.Text, err)
	}
	return e
}

// heard returns the messages in the log of a seat.
func (d *desk) heard(s *table.Seat) []string {
	d.t.Helper()
	var said []string
	for _, e := range d.log(s) {
		if e.Kind == view.KindTalk {
			said = append(said, e.Lines[0].Text)
		}
	}
	return said
}

func TestTalkIsHeardOnlyByThoseItIsFor(t *testing.T) {
	d := newDesk(t)
	e := d.talk(d.anna, act.TalkRequest{Text: "  Anybody home?\r\nHello "}, "k")
	if e.Lines[0].Text != "Anybody home?\nHello" || e.Seat.Name != "Anna" || e.Character != "" || e.Secret || !e.Done ||
		e.MayUndo {
		t.Errorf("said %+v", e)
	}
	if again := d.talk(d.anna, act.TalkRequest{Text: "  Anybody home?\r\nHello "}, "k"); again.Seq != e.Seq {
		t.Errorf("the same request again is entry %d, not %d", again.Seq, e.Seq)
	}
	if e := d.talk(d.anna, act.TalkRequest{Text: "I knock", Character: form.Ref(d.hero)}); e.Character != d.hero {
		t.Errorf("a hero speaks as %q", e.Character)
	}
	if e := d.talk(d.anna, act.TalkRequest{Text: "May I lie to them?", ToGM: true}); !e.Secret {
		t.Errorf("a word to the GM is no secret: %+v", e)
	}
	d.talk(d.gm, act.TalkRequest{Text: "A note", ToGM: true})
	want := []string{"Anybody home?\nHello", "I knock", "May I lie to them?", "A note"}
	for name, each := range map[string]struct {
		seat *table.Seat
		want []string
	}{"gm": {d.gm, want}, "anna": {d.anna, want[:3]}, "boris": {d.boris, want[:2]}, "guest": {d.guest, want[:2]}} {
		if got := d.heard(each.seat); !slices.Equal(got, each.want) {
			t.Errorf("%s hears %q, want %q", name, got, each.want)
		}
	}
	var b strings.Builder
	if err := d.gm.Story(t.Context(), &b, request.Telling{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "**Anna:** Anybody home?  \nHello\n\n**Lira:** “I knock”\n") ||
		strings.Contains(b.String(), "lie") {
		t.Errorf("the story tells %s", b.String())
	}
}

// A whisper is seen by its seat, its author and game masters, and is in no story. It's in the
// seat's file, which verifies.
func TestWhisperIsHeardOnlyByItsSeatAuthorAndGMs(t *testing.T) {
	d := newDesk(t)
	e := d.talk(d.anna, act.TalkRequest{Text: "Look at his hands", To: d.boris.ID()}, "k")
	if !e.Secret || e.To == nil || e.To.ID != d.boris.ID() || e.To.Name != "Boris" {
		t.Errorf("whispered %+v", e)
	}
	if again := d.talk(d.anna, act.TalkRequest{Text: "Look at his hands", To: d.boris.ID()}, "k"); again.Seq != e.Seq {
		t.Errorf("the same request again is entry %d, not %d", again.Seq, e.Seq)
	}
	d.talk(d.gm, act.TalkRequest{Text: "The door was open", To: d.anna.ID()})
	want := []string{"Look at his hands", "The door was open"}
	for name, each := range map[string]struct {
		seat *table.Seat
		want []string
	}{"gm": {d.gm, want}, "anna": {d.anna, want}, "boris": {d.boris, want[:1]}, "guest": {d.guest, nil}} {
		if got := d.heard(each.seat); !slices.Equal(got, each.want) {
			t.Errorf("%s hears %q, want %q", name, got, each.want)
		}
		seen := d.seen(each.seat)
		for _, text := range want {
			if has := bytes.Contains(seen, []byte(text)); has != slices.Contains(each.want, text) {
				t.Errorf("%s's file has %q: %t", name, text, has)
			}
		}
		if _, err := verify.File(toys, words, bytes.NewReader(seen)); err != nil {
			t.Errorf("%s's file: %v", name, err)
		}
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	if err := d.boris.Story(t.Context(), &b, request.Telling{}); err != nil || strings.Contains(b.String(), "hands") {
		t.Errorf("the story tells %s, %v", b.String(), err)
	}
	for name, to := range map[string]string{"oneself": d.anna.ID(), "nobody": "s99", "a spectator": d.guest.ID()} {
		if _, err := table.Do(t.Context(), d.anna, act.Talk, act.TalkRequest{Text: "hi", To: to}, ""); !errors.As(err,
			new(*refusal.InvalidError)) {
			t.Errorf("whispered to %s: %v", name, err)
		}
	}
}

func TestInvalidOrForbiddenTalkIsRefused(t *testing.T) {
	d := newDesk(t)
	for name, each := range map[string]struct {
		seat *table.Seat
		talk act.TalkRequest
		want string
	}{
		"of a spectator": {d.guest, act.TalkRequest{Text: "hi"}, refusal.CodeForbidden},
		"nothing":        {d.anna, act.TalkRequest{Text: " \n "}, refusal.CodeInvalid},
		"too much": {
			d.anna,
			act.TalkRequest{Text: strings.Repeat("ы", request.MaxTalk+1)},
			refusal.CodeInvalid,
		},
		"control characters": {d.anna, act.TalkRequest{Text: "a\x00b"}, refusal.CodeInvalid},
		"as somebody else's hero": {
			d.boris,
			act.TalkRequest{Text: "hi", Character: form.Ref(d.hero)},
			refusal.CodeForbidden,
		},
		"as nobody": {d.anna, act.TalkRequest{Text: "hi", Character: "c99"}, refusal.CodeInvalid},
	} {
		_, err := table.Do(t.Context(), each.seat, act.Talk, each.talk, "")
		var refused refusal.Error
		if !errors.As(err, &refused) || refused.Code() != each.want {
			t.Errorf("%s: %v, want %s", name, err, each.want)
		}
	}
	if said := d.heard(d.gm); len(said) > 0 {
		t.Errorf("what was refused was said: %q", said)
	}
}
