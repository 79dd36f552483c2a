package telegram_test

import (
	"context"
	"strings"
	"testing"

	"norn/chat/bridge"
)

// A question that was answered elsewhere is edited where it was asked: in a person's own chat.
func TestPrivateQuestionAnsweredElsewhereIsEdited(t *testing.T) {
	edits := make(chan func(context.Context, bridge.Message) error, 1)
	s := play(t, func(bridge.Update) (bridge.Answer, error) {
		a := says("Which way? " + strings.Repeat("Think well. ", 20))
		a.Alone = true
		a.Message.Controls = [][]bridge.Control{{{ID: "left", Label: "Left"}}}
		a.Written = func(edit func(context.Context, bridge.Message) error) { edits <- edit }
		return a, nil
	})
	s.Person(anna, "Anna", "en").Writes(group, "/norn check")
	if m := s.last(anna, "Which way?"); len(m.Labels()) != 1 {
		t.Fatalf("its buttons are %q", m.Labels())
	}
	if err := (<-edits)(t.Context(), says("The move goes on.").Message); err != nil {
		t.Fatal(err)
	}
	if m := s.last(anna, "The move goes on."); len(m.Labels()) != 0 {
		t.Errorf("its buttons are %q", m.Labels())
	}
}
