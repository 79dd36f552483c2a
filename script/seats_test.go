package script_test

import (
	"slices"
	"testing"

	"norn/script"
	"norn/table"
	"norn/table/act"
)

// A move is offered to those seats that can make it: with a character of theirs, or as game master.
func TestMovesAreOfferedOnlyToSeatsThatMayMakeThem(t *testing.T) {
	e := begin(t, script.Text{Game: `game("Seats")
hero = sheet("Hero", group("Body", hurt = track("Hurt", 6)), prone = flag("Prone"))
mage = sheet("Mage", power = number("Power", 0, 3))
enemy = npc("Enemy", hurt = track("Hurt", 6))
clock = thing("Clock", filled = track("Filled", 6))

def stand(me):
    change(me, prone = False)

def glow(me):
    change(me, power = me.power - 1)

def bite(me):
    change(me, hurt = 0)

def strike():
    tell("It strikes.")

def fill(whom):
    change(whom, filled = whom.filled + 1)

move(stand, "Stand up", by = hero)
move(glow, "Glow", by = mage)
move(bite, "Bite", by = enemy)
move(strike, "Strike the hour", by = gm)
move(fill, "Fill", whom = pick("Whom", clock, required = True), offered = True)
`})
	hero := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero"})
	wolf := e.add(e.gm, act.CharacterRequest{Name: "Wolf", Kind: "enemy"})
	offered := func(s *table.Seat) map[string][]string {
		t.Helper()
		v, err := s.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		moves := map[string][]string{}
		for _, m := range v.Moves {
			moves[m.ID] = m.Characters
		}
		return moves
	}
	for name, c := range map[string]struct {
		seat *table.Seat
		move string
		with []string // nil: it isn't offered
	}{
		"a player's own hero":          {e.ann, "stand", []string{hero}},
		"a sheet that nobody plays":    {e.ann, "glow", nil},
		"the game master's enemy":      {e.ann, "bite", nil},
		"the game master's move":       {e.ann, "strike", nil},
		"a move by offer":              {e.ann, "fill", nil},
		"an enemy of one's own":        {e.gm, "bite", []string{wolf}},
		"one's own move":               {e.gm, "strike", []string{}},
		"a move by offer, game master": {e.gm, "fill", nil},
	} {
		with, is := offered(c.seat)[c.move]
		if is != (c.with != nil) || len(with) != len(c.with) || len(c.with) > 0 && !slices.Equal(with, c.with) {
			t.Errorf("%s: %t, with %v, want %v", name, is, with, c.with)
		}
	}
}

// The fields of a sheet stay where its text puts them: groups first, as written, then the others.
func TestGroupedFieldsStayWhereTheTextPutsThem(t *testing.T) {
	g, err := script.Compile(script.Text{Game: `game("Order")
hero = sheet("Hero",
    group("Mind", wits = number("Wits", 1, 6), nerve = number("Nerve", 1, 6)),
    group("Body", hurt = track("Hurt", 6)),
    prone = flag("Prone"), notes = prose("Notes"))

def rest(me):
    change(me, hurt = 0)

move(rest, "Rest", by = hero)
`})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range g.Kinds[0].Form.Fields {
		got = append(got, f.Head+":"+f.Name)
	}
	if want := []string{"mind:wits", "mind:nerve", "body:hurt", ":prone", ":notes"}; !slices.Equal(got, want) {
		t.Errorf("the fields are %v, want %v", got, want)
	}
}
