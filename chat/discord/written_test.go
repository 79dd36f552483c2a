package discord_test

import (
	"context"
	"testing"

	"norn/chat/bridge"
)

// A question that was answered elsewhere is edited where it was asked, in the eyes of one alone.
func TestPrivateQuestionAnsweredElsewhereIsEdited(t *testing.T) {
	both(t, func(t *testing.T, s *scene) {
		edits := make(chan func(context.Context, bridge.Message) error, 1)
		s.answer = func(_ context.Context, u bridge.Update) (bridge.Answer, error) {
			a := bridge.Answer{Message: said("Which way, " + u.Press + "?"), Alone: true}
			a.Message.Controls = [][]bridge.Control{{{ID: "left", Label: "Left"}}}
			a.Written = func(edit func(context.Context, bridge.Message) error) { edits <- edit }
			return a, nil
		}
		s.ann.Command(s.at, "check")
		s.ann.Find(s.at, "Which way, ?")
		if err := (<-edits)(t.Context(), said("The move goes on.")); err != nil {
			t.Fatal(err)
		}
		if m := s.ann.Find(s.at, "The move goes on."); len(m.Controls) != 0 {
			t.Errorf("its buttons are %+v", m.Controls)
		}
	})
}
