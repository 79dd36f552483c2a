package script_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/script"
	"norn/table/act"
	"norn/table/request"
	"norn/table/verify"
)

// satchel is a game in which people choose from lists: their own in a move, another's in a question.
const satchel = `game("Satchel")
gear = items("Gear", name = text("Name"), edge = number("Edge", 0, 6))
hero = sheet("Hero", gear = gear, wits = number("Wits", 1, 6))
foe = npc("Foe", gear = items("Gear", edge = number("Edge", 0, 6), name = text("Name")))
won = good("won")
lost = bad("lost")
drops = question("What falls?", what = pick_item("What", "gear"))
takes = question("What do you take?", what = pick_item("What", "gear", required = True))

def hit(me, tool, whom):
    how = came(won if roll(d6) + (tool.edge if tool else 0) > 6 else lost)
    if how == lost:
        fell = ask(drops, to = me).what
        if fell:
            tell("{what} falls.", what = fell.name)
            change(me, gear = [g for g in me.gear if g != fell])
    elif whom and len(whom.gear) > 0:
        taken = ask(takes, to = me, offer = {"what": whom.gear}).what
        change(me, gear = me.gear + [dict(name = taken.name, edge = taken.edge)])
        change(whom, gear = [g for g in whom.gear if g != taken])
    return how

move(hit, "Hit", by = hero, tool = pick_item("With what", "gear"), whom = pick("Whom", foe))
`

// What is chosen from a list of the sheet reaches the rule and its odds, is listed by name and can't
// be chosen once it's removed.
func TestEntriesOfASheetsListCanBeChosen(t *testing.T) {
	e := begin(t, script.Text{Game: satchel})
	ann := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero", Sheet: json.RawMessage(
		`{"gear":[{"name":"Rope","edge":1},{"name":"Axe","edge":3},{"name":" Rope ","edge":5},{"name":""}]}`)})
	wolf := e.add(e.gm, act.CharacterRequest{Name: "Wolf", Kind: "foe", Sheet: json.RawMessage(
		`{"gear":[{"name":"Bone","edge":2}]}`)})
	for args, want := range map[string]string{
		`{}`: "0", `{"tool":"Rope"}`: "1/6", `{"tool":"Axe"}`: "1/2", `{"tool":"Rope (2)"}`: "5/6",
	} {
		odds, err := e.ann.Odds(t.Context(), request.Move{Character: ann, Move: "hit", Args: json.RawMessage(args)})
		if err != nil || odds.Any("won").RatString() != want {
			t.Errorf("%s: %v, %v, want %s", args, odds, err, want)
		}
	}
	var problems form.Problems
	err := e.move(e.ann, ann, "hit", `{"tool":"Sword"}`, 1)
	if !errors.As(err, &problems) || problems[0].Path != "args.tool" {
		t.Errorf("a sword that nobody has: %v", err)
	}

	// the player's own list is asked for
	if err := e.move(e.ann, ann, "hit", `{"tool":"Axe"}`, 1); err != nil {
		t.Fatal(err)
	}
	if got := e.options(); got != "|Rope|Axe|Rope (2)" {
		t.Errorf("what falls: %s", got)
	}
	e.answer(e.ann, `{"what":"Rope"}`)
	const left = `"gear":[{"name":"Axe","edge":3},{"name":"Rope","edge":5},{"name":"","edge":0}]`
	if got := e.sheet(ann); !strings.Contains(got, left) {
		t.Errorf("the first rope fell: %s", got)
	}
	if !strings.Contains(e.said(e.ann), "Rope falls.") {
		t.Errorf("the log says %s", e.said(e.ann))
	}
	if err := e.move(e.ann, ann, "hit", `{"tool":"Rope (2)"}`, 1); err == nil {
		t.Error("there's one rope left, and a second is chosen")
	}

	// another's list, by what the rule offers; nothing isn't an answer there
	if err := e.move(e.ann, ann, "hit", `{"tool":"Axe","whom":"`+wolf+`"}`, 6); err != nil {
		t.Fatal(err)
	}
	if got := e.options(); got != "Bone" {
		t.Errorf("what is taken: %s", got)
	}
	e.serve(script.Text{Game: satchel})
	e.answer(e.ann, `{"what":"Bone"}`)
	if got := e.sheet(wolf); !strings.Contains(got, `"gear":null`) {
		t.Errorf("the wolf still has %s", got)
	}
	found, err := verify.File(e.games, e.host.Words, bytes.NewReader(e.exported()))
	if err != nil || found.Older != nil {
		t.Errorf("verification: %+v, %v", found, err)
	}
}

// options returns the values of the first choice in the player's first question, joined by "|".
func (e *evening) options() string {
	e.t.Helper()
	v, err := e.ann.View(e.t.Context())
	if err != nil || len(v.Questions) == 0 {
		e.t.Fatalf("nothing is asked: %v", err)
	}
	var values []string
	for _, o := range v.Questions[0].Form.Fields[0].Options {
		values = append(values, o.Value)
	}
	return strings.Join(values, "|")
}

func TestMistakesInPickItemAreReported(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"no list": {
			`pick_item("With what", "gear")`,
			`pick_item("With what")`,
			`write pick_item("Label", "list", …)`,
		},
		"a list not there": {
			`pick_item("With what", "gear")`,
			`pick_item("With what", "tools")`,
			"tool: the sheet Hero needs tools = items",
		},
		"a secret list": {
			`hero = sheet("Hero", gear = gear`,
			`hero = sheet("Hero", gear = items("Gear", name = text("Name"), secret = True)`,
			"isn’t secret",
		},
		"a list of numbers": {
			`hero = sheet("Hero", gear = gear`,
			`hero = sheet("Hero", gear = items("Gear", n = number("N", 0, 3))`,
			"needs gear = items",
		},
		"nobody's list": {
			`move(hit, "Hit", by = hero,`,
			`move(hit, "Hit", by = gm, me = pick("Who", hero),`,
			"write by = a sheet",
		},
		"on a sheet": {
			`wits = number("Wits", 1, 6)`,
			`wits = pick_item("Wits", "gear")`,
			"wits: a sheet can’t have pick",
		},
		"in a list": {
			`edge = number("Edge", 0, 6))` + "\nhero",
			`edge = pick_item("Edge", "gear"))` + "\nhero",
			"edge: a list’s items",
		},
		"a start": {
			`pick_item("With what", "gear")`,
			`pick_item("With what", "gear", start = "Rope")`,
			"only number, track, flag, choice can have start",
		},
	} {
		text := strings.Replace(satchel, c.from, c.to, 1)
		if text == satchel {
			t.Fatalf("%s: the text has no %q", name, c.from)
		}
		if _, err := script.Compile(script.Text{Game: text}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A rule that asks without a list, or from an empty one, ends with a mistake that says what to do.
func TestQuestionsNeedAListToChooseFrom(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"the game master's": {"ask(drops, to = me)", "ask(drops, to = gm)", `offer = {"what": who.gear}`},
		"an empty one":      {"ask(drops, to = me)", `ask(takes, to = me, offer = {"what": []})`, "isn’t empty"},
	} {
		e := begin(t, script.Text{Game: strings.Replace(satchel, c.from, c.to, 1)})
		ann := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero", Sheet: json.RawMessage(`{}`)})
		err := e.move(e.ann, ann, "hit", `{}`, 1)
		if problem, ok := game.AsDefect(err); !ok || !strings.Contains(problem.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
