package judge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"norn/game"
	"norn/internal/widget"
	"norn/lang"
	"norn/rule"
)

// read loads the game's words and those that its sheets need.
func (b *battery) read(t *report) {
	var err error
	if b.words, err = lang.Load(b.game.Words, widget.Words); err != nil {
		t.Fatal(err)
	}
}

// fits checks that a game's lists are consistent: headlines use outcomes of their move, and a bare
// move's fields don't have names that the command line needs itself.
func (b *battery) fits(t *report) {
	for _, m := range b.game.Moves {
		for _, f := range m.Form.All() {
			if m.Bare && slices.Contains(game.Reserved, f.Name) &&
				!f.Dice { // --dice takes faces, and may also be a move's own dice
				t.Errorf(
					"move %s: an argument can't be called %s: on the command line --%s is norn's own",
					m.ID,
					f.Name,
					f.Name,
				)
			}
		}
		for _, h := range m.Headlines {
			for _, o := range h.Outcomes {
				if !comesOut(&m, o) {
					t.Errorf(
						"move %s: the headline %s is of the outcome %q, which the move doesn't list",
						m.ID,
						h.ID,
						o,
					)
				}
			}
		}
	}
}

func comesOut(m *game.Move, outcome string) bool {
	return slices.ContainsFunc(m.Outcomes, func(o game.OutcomeKind) bool { return o.ID == outcome })
}

// marks checks that there is a mark for each die of a throw and no more, and that pages can draw
// each mark.
func marks(t *report, st staged, whole rule.Result[rule.Outcome]) {
	known := []game.Mark{"", game.Deciding, game.Cancelled, game.Natural}
	fit := func(whose string, thrown rule.Throw, marks []game.Mark) {
		if len(marks) != len(thrown.Faces) {
			t.Errorf("%s has %d marks for the %d dice of %s", whose, len(marks), len(thrown.Faces), thrown.For)
		}
		for _, mark := range marks {
			if !slices.Contains(known, mark) {
				t.Errorf("%s marks a die of %s as %q, which is no mark", whose, thrown.For, mark)
			}
		}
	}
	told := map[string][]game.Marked{} // by part, in order
	for _, e := range whole.Events {
		if marked, ok := e.Event.(game.Marked); ok {
			told[e.Part] = append(told[e.Part], marked)
		}
	}
	for _, step := range whole.Trail {
		if step.Dice == nil {
			continue
		}
		fit("the move", *step.Dice, st.move.Mark(st.args, *step.Dice))
		if of := told[step.Part]; len(of) > 0 {
			fit("an event", *step.Dice, of[0].Marks(step.Dice.Faces))
			told[step.Part] = of[1:]
		}
	}
}

// checkTexts makes the text of everything that the case recorded and asked, for a game master, a
// player and a spectator, in each language, and draws the sheets before and after.
func (b *battery) checkTexts(t *report, st staged, rec record) {
	if b.words == nil {
		t.Fatal("its words can't be read")
	}
	if rec.result.Done && !comesOut(st.move, rec.result.Value.ID) {
		t.Errorf("it comes out as %q, which the move doesn't list", rec.result.Value.ID)
	}
	owns := map[string]bool{}
	for id := range met(st.scene) {
		owns[id] = true
	}
	sheets := fold(st.scene, rec.result.Events)
	for _, l := range lang.All {
		voice := game.Voice{Speaker: b.words.In(l), Game: b.game.ID, Name: func(id string) string { return id }}
		says := func(what, text string) {
			if !SaysSomething(text) {
				t.fault("says-nothing", fmt.Sprintf("%s: %s says %q", l, what, text), "Lang", string(l), "What", what, "Text", text)
			}
		}
		for _, viewer := range []game.Viewer{
			{Role: game.Master},
			{Role: game.Player, Owns: owns},
			{Role: game.Spectator},
		} {
			for _, e := range rec.result.Events {
				seen, ok := b.game.View.ShowEvent(viewer, st.scene.Settings, e.Event)
				if ok && viewer.Role == game.Player {
					b.shown[game.TypeOf(e.Event)] = true
				}
				if !ok {
					continue
				}
				text, speaks := voice.Speak(seen)
				if speaks {
					says(game.TypeOf(e.Event), text)
				}
				b.speaks(t, l, game.TypeOf(seen), speaks)
			}
			for id, m := range met(st.scene) {
				kind, _ := b.game.Kind(m.Kind)
				for _, sheet := range []any{m.Sheet, sheets[id]} {
					b.game.TracksOf(kind, b.game.View.ShowSheet(viewer, st.scene.Settings, id, sheet))
					draws(t, kind, b.game.View.ShowSheet(viewer, st.scene.Settings, id, sheet), voice)
				}
			}
		}
		for _, q := range rec.asked {
			if text, ok := voice.Speak(q.About); ok {
				says("what "+q.ID+" is about", text)
			}
		}
	}
}

// speaks checks that something with a text in one language has one in all.
func (b *battery) speaks(t *report, l lang.Lang, what string, speaks bool) {
	if known, ok := b.worded[what]; !ok {
		b.worded[what] = speaks
	} else if known != speaks {
		t.Errorf("%s: that %s has words is %t, in another language it isn't so", l, what, speaks)
	}
}

// SaysSomething reports whether a text is complete: not empty, without missing words or data.
func SaysSomething(text string) bool {
	return strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "⟨⟩") && !strings.Contains(text, "<nil>") &&
		!strings.Contains(text, "%!")
}

// draws draws a sheet as a viewer sees it.
func draws(t *report, kind game.Kind, shown any, voice game.Voice) {
	if shown == nil {
		return
	}
	if kind.State != nil {
		if state := kind.State(shown); state.Word != "" && !voice.Has(state.Word) {
			t.Errorf("%s: the state %s has no word", voice.Lang(), state.Word)
		}
	}
	if kind.Sheet == nil {
		return
	}
	var drawn bytes.Buffer
	if err := kind.Sheet(shown, voice).Render(context.Background(), &drawn); err != nil {
		t.Errorf("%s: the sheet of a %s: %v", voice.Lang(), kind.ID, err)
	}
	if i := strings.Index(drawn.String(), "⟨"); i >= 0 {
		rest := drawn.String()[i:]
		t.Errorf("%s: the sheet of a %s lacks the word %s", voice.Lang(), kind.ID, rest[:min(len(rest), 60)])
	}
}
