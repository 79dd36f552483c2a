package spire

import (
	"testing"

	"norn/form"
	"norn/game"
)

func TestOpponentFillsInTheDieOfItsWeapon(t *testing.T) { // SP-11
	s := game.Scene{Actor: "lira", Settings: standard, Ruled: game.Ruled{All: true}, Cast: map[string]game.Member{
		"lira":  {ID: "lira", Kind: "character", Name: "Lira", Sheet: Character{}},
		"tam":   {ID: "tam", Kind: "character", Name: "Tam", Sheet: Character{}},
		"guard": {ID: "guard", Kind: "npc", Name: "Otho", Sheet: NPC{Die: "d8"}},
	}}
	want := map[string]form.Fill{"guard": {Field: "risk", Value: "d8"}, "tam": {}}
	for _, m := range []game.Move{checkMove, groupMove} {
		against, _ := m.Fit(s, m.Form.For(form.AtTable)).Field("against")
		for _, o := range against.Options {
			if o.Fill != want[o.Value] {
				t.Errorf("%s against %s fills in %v, want %v", m.ID, o.Value, o.Fill, want[o.Value])
			}
		}
		if len(against.Options) != len(want) {
			t.Errorf("%s offers %d opponents, want %d", m.ID, len(against.Options), len(want))
		}
	}
}
