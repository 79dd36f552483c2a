package script_test

import (
	"encoding/json"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/script"
)

// hexes is a game whose moves read the actor's hand and the sheet of somebody they pick.
const hexes = `game("Hexes")
cards = dict(sun = "The Sun", moon = "The Moon")
fate = deck("Fate", copies = 2, **cards)
hero = sheet("Hero", might = number("Might", 1, 6), hand = hand("Hand", fate, max = 3), ` +
	`gifts = some("Gifts", 1, sight = "Sight", luck = "Luck"))
enemy = npc("Enemy", guard = number("Guard", 1, 6, start = 3), mood = choice("Mood", calm = "Calm", wild = "Wild"))
well = good("well")
ill = bad("ill")
which = question("Which card?", card = choice("Card", **cards))

def strike(me, foe):
    return well if roll(d6) + me.might > foe.guard + (2 if foe.mood == "wild" else 0) else ill

def hex(me):
    if len(me.hand) == 0:
        refuse("Your hand is empty.")
    played = ask(which, to = me, offer = {"card": me.hand}).card
    again = "luck" in me.gifts
    fell = draw(fate, 2 if again else 1)
    return well if played in fell else ill

move(strike, "Strike", by = hero, foe = pick("Whom", enemy, required = True), bare = ["might", "foe.guard", "foe.mood"])
move(hex, "Hex", by = hero, bare = ["hand", "gifts"])
`

// Without a table a move asks for what it reads of somebody it picks, and for the cards and choices
// of lists. Its odds are those at a table.
func TestWithoutATableAMoveAsksForPickedSheetsAndCards(t *testing.T) {
	g, err := script.Compile(script.Text{Game: hexes})
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		`strike {"might":1,"foe-guard":6}`:                     "1/6",
		`strike {"might":1,"foe-guard":3}`:                     "2/3",
		`strike {"might":1}`:                                   "2/3",
		`strike {"might":1,"foe-guard":3,"foe-mood":"wild"}`:   "1/3",
		`strike {"might":1,"Whom: Guard":3,"foe.mood":"calm"}`: "2/3",
		`hex {"hand-sun":1}`:                                   "1/3",
		`hex {"hand-sun":1,"hand-moon":1}`:                     "1/2",
		`hex {"hand-sun":2,"hand-moon":1}`:                     "0",
		`hex {"hand-sun":1,"gifts-luck":true}`:                 "2/3",
	} {
		name, args, _ := strings.Cut(given, " ")
		m, _ := g.Move(name)
		read, err := m.Decode(m.Form.For(form.Bare), []byte(args))
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		law, err := rule.Walk(m.Price(game.Scene{}, read), nil, rule.Limits{Branches: 1000})
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		if got := law.Of(rule.Outcome{ID: "well"}).RatString(); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

func TestStripPutsSheetNumbersIntoTheArguments(t *testing.T) {
	g, err := script.Compile(script.Text{Game: hexes})
	if err != nil {
		t.Fatal(err)
	}
	member := func(kind, sheet string) game.Member {
		k, _ := g.FindKind(kind)
		patched, err := k.Patch(k.Blank, []byte(sheet))
		if err != nil {
			t.Fatal(err)
		}
		return game.Member{ID: kind, Name: kind, Kind: k.ID, Sheet: patched}
	}
	at := game.Scene{Actor: "hero", Cast: map[string]game.Member{
		"hero":  member("hero", `{"might":4,"hand":["sun","moon","sun"],"gifts":["luck"]}`),
		"enemy": member("enemy", `{"guard":5,"mood":"wild"}`),
	}}
	for move, want := range map[string]string{
		"strike": `{"foe-guard":5,"foe-mood":"wild","might":4}`,
		"hex":    `{"gifts-luck":true,"gifts-sight":false,"hand-moon":1,"hand-sun":2}`,
	} {
		m, _ := g.Move(move)
		args, err := m.Decode(m.Form, []byte(map[string]string{"strike": `{"foe":"enemy"}`, "hex": "{}"}[move]))
		if err != nil {
			t.Fatal(err)
		}
		var stripped map[string]any
		bare := m.Form.For(form.Bare)
		if err := json.Unmarshal(bare.JSON(m.Strip(at, args)), &stripped); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(stripped); string(got) != want {
			t.Errorf("%s: %s, want %s", move, got, want)
		}
	}
}

func TestMistakesInBareAreReported(t *testing.T) {
	for given, want := range map[string]string{
		`["might", "foe.hurt"]`:  "bare: Enemy: there is no field hurt here",
		`["might", "them.hurt"]`: "bare: them isn’t a pick of this move",
		`["might", "might"]`:     "bare: might is already a field of the move",
		`["luck"]`:               "bare: Hero: there is no field luck here",
	} {
		_, err := script.Compile(script.Text{Game: strings.Replace(hexes, `["might", "foe.guard", "foe.mood"]`, given, 1)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}
