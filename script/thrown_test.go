package script_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"norn/table/act"
	"norn/table/request"
)

// throwing has a move for each function that throws dice.
const throwing = `
def omens(me, foe):
    one = roll(d8, called = "Moon")
    two = roll(d8, called = "Wind")
    if one + two > 2:
        roll(d20, called = "Storm")
    if foe:
        throws(foe)
        roll(d10)
        throws(me)
    bent = part(lambda: sum(2, d6, called = "River"))
    how = came(clean if one + two + bent > 14 else wrong)
    roll(d4)
    return how
move(omens, "Read the omens", by = ferryman, foe = pick("Against", ferryman), bare = False)

def waits(me):
    roll(d8)
    ask(resist, to = me)
    return clean if roll(d8) > 2 else wrong
move(waits, "Wait", by = ferryman, bare = False)

def side(me):
    left, mid, right = together(lambda: roll(d8), lambda: roll(d8), lambda: roll(d8))
    return clean if left + mid + right > 12 else wrong
move(side, "Side by side", by = ferryman, bare = False)

def duel(me):
    return clean if against(lambda: roll(d8), lambda: roll(d12)) > 0 else wrong
move(duel, "Fight it out", by = ferryman, bare = False)

def bursts(me):
    most = 0
    for _ in range(20):
        fell = roll(d6)
        most += fell
        if fell < 6:
            break
    return clean if most > 5 else wrong
move(bursts, "Burst", by = ferryman, bare = False)
`

// Before a throw a player sees all dice that are thrown in any case, and none that depend on the
// faces or on answers.
func TestPreviewShowsTheDiceThatAreAlwaysThrown(t *testing.T) {
	text := nightferry(t)
	text.Game += throwing
	e := begin(t, text)
	vera := e.add(e.ann, act.CharacterRequest{Name: "Vera", Kind: "ferryman", Sheet: json.RawMessage(`{"row":2}`)})
	for _, one := range []struct{ move, args, want string }{
		{"omens", `{}`, "d8 d8"}, // the storm doesn't always come
		{"waits", `{}`, "d8"},
		{"bursts", `{}`, "d6"},
		{"side", `{}`, "d8 d8 d8"},
		{"duel", `{}`, "d8"},
		{"act", `{"action":"row"}`, "2d6"},
		{"rest", `{}`, "d6"},
	} {
		before, err := e.ann.Preview(t.Context(),
			request.Move{Character: vera, Move: one.move, Args: json.RawMessage(one.args)})
		if err != nil {
			t.Fatalf("%s: %v", one.move, err)
		}
		var got []string
		for _, p := range before.Pools {
			got = append(got, p.String())
		}
		if strings.Join(got, " ") != one.want {
			t.Errorf("%s throws %q, want %q", one.move, got, one.want)
		}
	}
}

func TestPreviewLeavesOutTheOtherSidesDice(t *testing.T) {
	text := nightferry(t)
	text.Game += throwing
	plain := strings.Replace(text.Game, "    if one + two > 2:\n        roll(d20, called = \"Storm\")\n", "", 1)
	if plain == text.Game {
		t.Fatal("the text has no storm")
	}
	text.Game = plain
	e := begin(t, text)
	vera := e.add(e.ann, act.CharacterRequest{Name: "Vera", Kind: "ferryman", Sheet: json.RawMessage(`{"row":2}`)})
	mila := e.add(e.ann, act.CharacterRequest{Name: "Mila", Kind: "ferryman", Sheet: json.RawMessage(`{"row":2}`)})
	before, err := e.ann.Preview(t.Context(),
		request.Move{Character: vera, Move: "omens", Args: json.RawMessage(`{"foe":"` + mila + `"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if p := before.Pools; len(p) != 3 || p[0].String() != "d8" || p[1].String() != "d8" || p[2].String() != "2d6" {
		t.Errorf("against somebody who throws, too, %v are thrown", p)
	}
}

// A thing in which people act is the heading of the story if the script says so. A clock isn't: the
// story mentions it with the action.
func TestOnlyASceneThingIsAHeadingOfTheStory(t *testing.T) {
	for _, one := range []struct {
		thing string
		head  bool
	}{{`"Clock",`, false}, {`"Clock", scene = True,`, true}} {
		e := begin(t, nightferry(t, "\"Clock\",\n    segments", one.thing+"\n    segments"))
		vera := e.add(e.ann, act.CharacterRequest{
			Name: "Vera", Kind: "ferryman",
			Sheet: json.RawMessage(`{"row":2,"talk":1}`),
		})
		far := e.add(e.gm, act.CharacterRequest{
			Name: "The far shore", Kind: "clock",
			Sheet: json.RawMessage(`{"segments":8}`),
		})
		if err := e.move(e.ann, vera, "act", `{"action":"row","clock":"`+far+`"}`, 6, 5); err != nil {
			t.Fatal(err)
		}
		var story bytes.Buffer
		if err := e.gm.Story(t.Context(), &story, request.Telling{}); err != nil {
			t.Fatal(err)
		}
		if head := strings.Contains(story.String(), "### The far shore"); head != one.head {
			t.Errorf("with %s the story has the head: %t\n%s", one.thing, head, &story)
		}
		if named := strings.Contains(story.String(), "lock: The far shore"); named == one.head {
			t.Errorf("with %s what was done names the clock: %t\n%s", one.thing, named, &story)
		}
	}
}

// A sealed answer stays secret until all are given: a game master who plays the other side doesn't
// see it earlier.
func TestSealedAnswerStaysSecretUntilAllAreGiven(t *testing.T) {
	text := nightferry(t)
	text.Game += `
def duel(me, foe):
    mine, theirs = together(lambda: ask(resist, to = me, sealed = True).resist, lambda: ask(resist, ` +
		`to = foe, sealed = True).resist)
    return clean if mine != theirs else wrong
move(duel, "Duel", by = ferryman, foe = pick("Whom", ferryman, required = True), bare = False)
`
	e := begin(t, text)
	vera := e.add(e.ann, act.CharacterRequest{Name: "Vera", Kind: "ferryman", Sheet: json.RawMessage(`{"row":2}`)})
	mila := e.add(e.gm, act.CharacterRequest{Name: "Mila", Kind: "ferryman", Sheet: json.RawMessage(`{"row":2}`)})
	if err := e.move(e.ann, vera, "duel", `{"foe":"`+mila+`"}`); err != nil {
		t.Fatal(err)
	}
	knows := func() bool {
		entries, err := e.gm.Log(t.Context(), 0, 0)
		data, _ := json.Marshal(entries)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(data), `"resist":true`)
	}
	e.answer(e.ann, `{"resist":true}`)
	if knows() {
		t.Error("the other side's answer is known while the own isn't given")
	}
	e.answer(e.gm, `{"resist":false}`)
	if !knows() {
		t.Error("when all are given, the game master doesn't know what was answered")
	}
}
