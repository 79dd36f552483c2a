package script_test

import (
	"encoding/json"
	"strings"
	"testing"

	"norn/script"
	"norn/table/act"
	"norn/table/request"
)

// scars offers a move to the game master and one to the hero's player.
const scars = `game("Scars")
hero = sheet("Hero", might = number("Might", 1, 6), hurt = track("Hurt", 6), prone = flag("Prone"))
enemy = npc("Foe", hurt = track("Hurt", 6))
won = good("won")
lost = bad("lost")

def hit(me, foe):
    how = came(won if roll(d6) + me.might > 5 else lost)
    if how == lost:
        offer(mark, to = gm, whom = me, n = 2)
        offer(rise, to = me)
    return how

def mark(whom, n):
    change(whom, hurt = whom.hurt + n)

def rise(me):
    if me.hurt > 3:
        refuse("Who is hurt so much stays here.")
    change(me, prone = False)

move(hit, "Hit", by = hero, foe = pick("Foe", enemy))
move(mark, "Mark harm", by = gm, whom = pick("Whom", hero, required = True), n = number("How much", 1, 6), ` +
	`offered = True)
move(rise, "Rise", by = hero)
`

// An offered move waits on the card for who may take it, has the arguments that the rule gave it,
// and is made once.
func TestOfferedMoveIsMadeOnceWithItsArguments(t *testing.T) {
	e := begin(t, script.Text{Game: scars})
	ann := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero", Sheet: json.RawMessage(`{"prone":true}`)})
	if err := e.move(e.gm, "", "mark", `{"whom":"`+ann+`","n":1}`); err == nil {
		t.Error("a move that must be offered is made without an offer")
	}
	if err := e.move(e.ann, ann, "hit", `{}`, 1); err != nil {
		t.Fatal(err)
	}
	view, err := e.ann.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(view.Offers) != 1 || !strings.Contains(view.Offers[0].Text, "Rise") {
		t.Fatalf("the player is offered %+v", view.Offers)
	}
	if view, err = e.gm.View(t.Context()); err != nil || len(view.Offers) != 2 {
		t.Fatalf("the game master is offered %+v, %v", view.Offers, err)
	}
	take := func(id string) error {
		_, err := e.gm.Make(t.Context(), request.Move{Offer: id})
		return err
	}
	mark := view.Offers[0].ID
	if err := take(mark); err != nil {
		t.Fatal(err)
	}
	if got := e.sheet(ann); !strings.Contains(got, `"hurt":2`) {
		t.Errorf("the sheet is %s", got)
	}
	if err := take(mark); err == nil {
		t.Error("an offer is taken twice")
	}
	if err := take(view.Offers[1].ID); err != nil || !strings.Contains(e.sheet(ann), `"prone":false`) {
		t.Errorf("the second: %v, %s", err, e.sheet(ann))
	}
}

func TestMistakesInOffersAreReported(t *testing.T) {
	for given, want := range map[string]string{
		"offer(mark, to = me, whom = me, n = 2)": "to must be gm or, for a move of sheets, somebody with a sheet",
		"offer(rise, to = gm)":                   "rise is a move of a sheet; say whose: offer(rise, to = gm, by = me)",
		"offer(mark, to = gm, who = me)":         "mark: there is no field who here; there are whom, n",
		"offer(mark, to = gm, n = \"two\")":      "n must be a whole number, but this is a text",
		"offer(mark, to = gm, whom = 2)":         "this must be somebody with a sheet, but it is a number",
		"offer(won, to = gm)":                    "put the function of a move first",
		"offer()":                                "offer: write offer(rule, ",
	} {
		e := begin(t, script.Text{Game: strings.Replace(scars, "offer(rise, to = me)", given, 1)})
		ann := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero", Sheet: json.RawMessage(`{}`)})
		if err := e.move(e.ann, ann, "hit", `{}`, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}
