package bridge_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"norn/chat/bridge"
	"norn/games"
	"norn/internal/wait"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// bloodied returns the usual answer to a question, and Blood where it asks for a resistance, which
// has no usual one.
func bloodied(q view.Question) json.RawMessage {
	if _, ok := q.Form.Field("resistance"); ok {
		return json.RawMessage(`{"resistance":"blood"}`)
	}
	return json.RawMessage(`{}`)
}

// fillIn answers a question by its dialog, with the first option of its first field. It returns the
// update that does so.
func (e *evening) fillIn(who, place string, question bridge.Message) bridge.Update {
	e.Helper()
	form := e.press(who, place, e.control(question, "Fill in")).Form
	u := e.update(who, place)
	u.Press, u.Fields = form.ID, map[string]string{form.Fields[0].Name: form.Fields[0].Options[0].Value}
	e.do(u)
	return u
}

// askFallout makes checks until the game master is asked for a fallout, and returns that question.
func (e *evening) askFallout() view.Question {
	e.Helper()
	v, err := e.gm.View(e.Context())
	e.must(err)
	lira := v.Characters[0].ID
	for range 40 {
		_, err := e.gm.Make(e.Context(),
			request.Move{Move: "check", Character: lira, Args: json.RawMessage(`{"risk":"d8"}`)})
		e.must(err)
		for range 6 {
			v, err := e.gm.View(e.Context())
			e.must(err)
			if len(v.Questions) == 0 {
				break
			}
			q := v.Questions[0]
			if f, ok := q.Form.Field("pick"); ok && len(f.Options) > 25 {
				return q
			}
			_, err = e.gm.Answer(e.Context(), request.Answer{Question: q.ID, Answer: bloodied(q)})
			e.must(err)
		}
	}
	e.Fatal("no fallout is ever asked for")
	return view.Question{}
}

// lastWithControls waits for a message with controls and returns it.
func (e *evening) lastWithControls(place string) bridge.Message {
	e.Helper()
	e.until(place, "controls", func(string) bool { return len(e.chat.last("fake:"+place).Controls) > 0 })
	return e.chat.last("fake:" + place).Message
}

// A quick answer names the fields that it sets: on its button or, without room for that, in the
// message. A dialog shows the current values by name and doesn't change untouched ones.
func TestQuickAnswerNamesEachFieldThatItSets(t *testing.T) {
	e := open(t)
	e.write("gaby", "dm:gaby", "sit "+e.code("gm", false))
	q := e.askFallout()
	e.reads("dm:gaby", q.Text)
	m := e.lastWithControls("dm:gaby")
	label := m.Controls[0][0].Label
	pick, _ := q.Form.Field("pick")
	name := e.words.In(lang.En).Say(pick.Options[0].Word) // is taken where nothing is picked
	if all := text(m); !strings.Contains(all, "As usual: ") || !strings.Contains(all, name) || label != "As usual" {
		t.Errorf("of %q it says:\n%s", name, all)
	}
	form := e.press("gaby", "dm:gaby", e.control(m, "Fill in")).Form
	u := e.update("gaby", "dm:gaby")
	u.Press, u.Fields = form.ID, map[string]string{}
	for _, f := range form.Fields {
		if f.Name == "pick" && f.Value != name {
			t.Errorf("the dialog begins with %q, not %q", f.Value, name)
		}
		u.Fields[f.Name] = f.Value
	}
	e.do(u)
	entries, err := e.gm.Log(t.Context(), 0, 0)
	e.must(err)
	if all := fmt.Sprint(entries[len(entries)-1].Lines); !strings.Contains(all, name) {
		t.Errorf("left as it was it becomes %s", all)
	}
}

// Choosing some of a list is a select of several, and buttons for none.
func TestQuestionAboutAListIsAMultipleSelect(t *testing.T) {
	source, err := script.Read(os.DirFS("../../examples/crossroads"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := script.Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	e := openOf(t, g.ID, append(slices.Clone(games.All()), g))
	e.invite("Ada")
	_, err = table.Do(t.Context(), e.seat("Ada"), act.AddCharacter, act.CharacterRequest{
		Name: "Ilse", Kind: "wanderer", Sheet: json.RawMessage(`{}`),
	}, "")
	e.must(err)
	_, err = table.Do(t.Context(), e.gm, act.AddCharacter, act.CharacterRequest{
		Name: "Table", Kind: "table", Sheet: json.RawMessage(`{}`),
	}, "")
	e.must(err)
	e.write("ada", "dm:ada", "sit "+e.code("Ada", false))
	for _, move := range []request.Move{
		{Move: "take", Character: "c1", Args: json.RawMessage(`{"on":"c2","n":3}`)},
		{Move: "play", Character: "c1", Args: json.RawMessage(`{"on":"c2"}`)},
	} {
		_, err = e.seat("Ada").Make(t.Context(), move)
		e.must(err)
	}
	asked := e.lastWithControls("dm:ada")
	c := asked.Controls[0][0]
	if c.Label != "Cards" || len(c.Options) == 0 || c.Most < 1 || asked.Controls[1][0].Label != "Nothing" {
		t.Fatalf("asked by\n%s", text(asked))
	}
	e.press("ada", "dm:ada", c.ID, c.Options[0].Value)
	e.reads("dm:ada", "Ilse plays "+c.Options[0].Label)
	_, err = e.seat("Ada").Make(t.Context(), request.Move{
		Move: "play", Character: "c1", Args: json.RawMessage(`{"on":"c2"}`),
	})
	e.must(err)
	left := e.lastWithControls("dm:ada").Controls[0][0].Options
	e.write("ada", "dm:ada", "answer cards: "+left[len(left)-1].Label)
	e.reads("dm:ada", "Ilse plays "+left[len(left)-1].Label)
}

// A game master advances a clock by a line, and its people read how far it is.
func TestGameMasterTicksAClockFromChat(t *testing.T) {
	e := open(t)
	e.tied()
	_, err := table.Do(t.Context(), e.gm, act.SetClock, act.ClockRequest{Name: "The watch", Max: 6}, "")
	e.must(err)
	e.write("gaby", "hall", "tick the watch 2")
	e.reads("hall", "The watch")
	v, err := e.gm.View(t.Context())
	e.must(err)
	if c := v.Clocks[0]; c.At != 2 {
		t.Errorf("the clock is at %d", c.At)
	}
}

// A player without a character who types a move's name learns that there is no character; the line
// isn't sent as talk.
func TestMoveNameWithoutACharacterIsRefusedNotSentAsTalk(t *testing.T) {
	e := open(t)
	e.tied()
	e.invite("Bo")
	e.write("bo", "dm:bo", "sit "+e.code("Bo", false))
	before := e.log()
	for _, line := range []string{"check sneak", "/check sneak"} {
		if a := e.write("bo", "hall", line); !a.Alone || !strings.Contains(text(a.Message), "no character yet") ||
			a.Message.Link == "" {
			t.Errorf("%s is answered by %q", line, text(a.Message))
		}
	}
	if e.log() != before {
		t.Error("it's said aloud")
	}
	e.write("bo", "hall", "Checked the door already?")
	e.write("bo", "hall", "roll 2d6")
	e.reads("hall", ">Checked the door already?", "🎲")
}

// A line with a typing error is offered corrected as a button. Before the press nothing is done or
// said.
func TestTypoIsOfferedCorrectedAsAButton(t *testing.T) {
	e := open(t)
	e.tied()
	before := e.log()
	for _, c := range []struct{ who, line, offered, other string }{
		{"ada", "/chekc sneak", "check sneak", ""},
		{"ada", "check snaek", "check sneak", ""},
		{"ada", "chekc sneak", "check sneak", "say chekc sneak"},
		{"gaby", "secret check snaek", "secret check sneak", ""},
		{"stranger", "odds spire chekc", "odds spire check", ""},
	} {
		a := e.write(c.who, "hall", c.line)
		if !a.Alone || len(a.Message.Controls) == 0 || a.Message.Controls[0][0].Label != c.offered {
			t.Errorf("%s: %s", c.line, text(a.Message))
			continue
		}
		if c.other != "" && e.control(a.Message, c.other) == "" || c.other == "" && len(a.Message.Controls) > 1 {
			t.Errorf("%s: %s", c.line, text(a.Message))
		}
		if e.log() != before {
			t.Fatalf("%s is done or said", c.line)
		}
	}
	if a := e.write("ada", "hall", "Chuck runs"); !a.Message.Empty() {
		t.Errorf("talk is answered by %s", text(a.Message))
	}
	a := e.write("ada", "hall", "chekc sneak")
	id := e.control(a.Message, "check")
	e.press("ada", "dm:ada", id) // Telegram shows it there
	e.reads("hall", "**Lira · Check**")
	after := e.log()
	e.press("ada", "dm:ada", id)
	if e.log() != after {
		t.Error("pressed twice it's done twice")
	}
	if a := e.press("gaby", "hall", id); !strings.Contains(text(a.Message), "too old") {
		t.Errorf("another presses it: %s", text(a.Message))
	}
	e.press("ada", "hall", e.control(a.Message, "say chekc"))
	e.reads("hall", ">chekc sneak")
}

// A question that was asked of one alone loses its buttons when it's answered elsewhere.
func TestAQuestionAnsweredElsewhereLosesItsButtons(t *testing.T) {
	e := open(t)
	e.tied()
	e.press("gaby", "hall", e.asked())
	if m := e.chat.last("fake:alone:gaby"); len(m.Controls) == 0 {
		t.Fatalf("asked is %s", text(m.Message))
	}
	v, err := e.gm.View(t.Context())
	e.must(err)
	_, err = e.gm.Answer(t.Context(), request.Answer{Question: v.Questions[0].ID, Answer: bloodied(v.Questions[0])})
	e.must(err)
	e.until("alone:gaby", "no buttons", func(read string) bool {
		return len(e.chat.last("fake:alone:gaby").Controls) == 0 && strings.Contains(read, "The move goes on.")
	})
}

// What is written in a group for the game master alone arrives once: in private.
func TestSecretWrittenInAGroupIsDeliveredOnceInPrivate(t *testing.T) {
	e := open(t)
	e.tied()
	for _, line := range []string{"secret roll 3d6", "gm a trap waits"} {
		if a := e.write("gaby", "hall", line); !a.Message.Empty() {
			t.Errorf("%s is answered by %s, too", line, text(a.Message))
		}
	}
	e.reads("dm:gaby", "🎲", "a trap waits")
}

// Who takes no private messages reads their own secret where they wrote it.
func TestAuthorWithoutPrivateChatSeesTheirSecretInPlace(t *testing.T) {
	e := open(t)
	e.chat.shutUp = map[string]bool{"fake:ada": true}
	e.tied()
	shown := func() bool {
		return strings.Contains(text(e.write("ada", "hall", "gm I look around").Message), "I look around")
	}
	wait.Until(t, "norn knows that the chat is shut", shown)
	if !shown() {
		t.Error("the next isn't shown")
	}
}

func TestSecretRollsAreCompletedForGameMastersOnly(t *testing.T) {
	e := open(t)
	e.tied()
	all := func(who, line string) (lines []string) {
		for _, s := range e.bridge.Complete(t.Context(), bridge.Person{ID: "fake:" + who}, "fake:hall", line) {
			lines = append(lines, s.Line)
		}
		return lines
	}
	if got := all("gaby", "sec"); !slices.Contains(got, "secret ") {
		t.Errorf("a game master is offered %q", got)
	}
	if got := all("gaby", "secret che"); !slices.Contains(got, "secret check ") {
		t.Errorf("behind the word there are %q", got)
	}
	if got := all("ada", "sec"); slices.Contains(got, "secret ") {
		t.Errorf("a player is offered %q", got)
	}
}
