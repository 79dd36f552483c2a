package bridge_test

import (
	"strings"
	"testing"

	"norn/chat/bridge"
)

// untilAsked makes checks in a place until the game master is asked, and returns what the line was
// answered with.
func (e *evening) untilAsked(who, place string) bridge.Message {
	e.Helper()
	for range 40 {
		said := e.write(who, place, "check sneak").Message
		v, err := e.gm.View(e.Context())
		e.must(err)
		if len(v.Questions) > 0 {
			return said
		}
	}
	e.Fatal("no check ever asks")
	return bridge.Message{}
}

// What is answered on a message changes that message, instead of a second one that says the same.
func TestAnAnswerChangesTheMessageThatAsked(t *testing.T) {
	e := open(t)
	e.tied()
	card := e.untilAsked("gaby", "dm:gaby")
	e.fillIn("gaby", "dm:gaby", card)
	e.reads("alone:gaby", "Blood +")
	if read := e.chat.read("fake:alone:gaby"); strings.Count(read, "Lira · Check") != 1 {
		t.Errorf("the card stands there several times:\n%s", read)
	}

	e = open(t)
	e.tied()
	e.untilAsked("ada", "dm:ada")
	e.reads("alone:ada", "Waits for")
	e.reads("hall", "[Answer]")
	asked := e.press("gaby", "hall", e.control(e.chat.last("fake:hall").Message, "Answer")).Message
	form := e.press("gaby", "hall", e.control(asked, "Fill in")).Form
	u := e.update("gaby", "hall")
	u.Press, u.Fields = form.ID, map[string]string{form.Fields[0].Name: form.Fields[0].Options[0].Value}
	if a := e.do(u); !a.Message.Empty() {
		t.Errorf("the answer is answered with %q", text(a.Message))
	}
	if read := e.reads("alone:gaby", "Answered: Resistance: "); strings.Contains(read, "Fill in") {
		t.Errorf("the question keeps its buttons:\n%s", read)
	}
	e.reads("alone:ada", "Blood +")
}

// Hints say a command as it is heard where they are read.
func TestHintsSayCommandsAsTheyAreHeardThere(t *testing.T) {
	e := open(t)
	e.invite("Bo")
	if said := text(e.write("gaby", "hall", "sit "+e.code("gm", true)).Message); !strings.Contains(said, "“/norn table”") {
		t.Errorf("a code for a table: %s", said)
	}
	if said := text(e.write("gaby", "hall", "table "+e.code("gm", true)).Message); !strings.Contains(said, "“/norn sit CODE”") {
		t.Errorf("the table: %s", said)
	}
	if said := text(e.write("bo", "hall", "check").Message); !strings.Contains(said, "“/norn sit CODE”") {
		t.Errorf("without a seat: %s", said)
	}
	if said := text(e.write("ada", "dm:ada", "sit "+e.code("Ada", false)).Message); !strings.Contains(said, "“/help”") {
		t.Errorf("a seat in private: %s", said)
	}
	if said := text(e.write("ada", "hall", "secret 2d6").Message); strings.Contains(said, "/secret") {
		t.Errorf("in secret: %s", said)
	}
	for place, lead := range map[string]string{"hall": "/norn ", "dm:ada": "/"} {
		said := text(e.write("ada", place, "help").Message)
		for _, want := range []string{lead + "roll – Plain dice: " + lead + "roll 3d6+2", lead + "say …", lead + "leave"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: help hasn't %q:\n%s", place, want, said)
			}
		}
	}
	if said := text(e.write("ada", "hall", "help").Message); !strings.Contains(said, "/norn /me shrugs") {
		t.Errorf("an emote is a message without its slash: %s", said)
	}
	e.write("ada", "hall", "/me shrugs")
	e.reads("hall", "shrugs")
	e.write("bo", "dm:bo", "sit "+e.code("Bo", false))
	if said := text(e.write("bo", "hall", "check").Message); !strings.Contains(said, "“/norn say …”") {
		t.Errorf("without a character: %s", said)
	}
}
