package eclipse

import (
	"testing"

	"norn/game"
	"norn/lang"
	"norn/rule"
)

// Those who paid to go first come first, then the higher throws; invisible characters are left out.
// EP-23
func TestPayingToGoFirstBeatsHigherInitiative(t *testing.T) {
	words, err := lang.Load(wordFiles)
	if err != nil {
		t.Fatal(err)
	}
	v := game.Voice{Speaker: words.In(lang.En)}
	s := game.Scene{Cast: map[string]game.Member{"a": {ID: "a"}, "b": {ID: "b"}, "c": {ID: "c"}}}
	drew := func(who, how string, n int) game.OrderThrow {
		return game.OrderThrow{Who: who, Outcome: rule.Outcome{ID: how, N: n}}
	}
	all := turnOrder(
		s,
		[]game.OrderThrow{
			drew("a", "initiative", 9),
			drew("unseen", "initiative", 12),
			drew("b", "initiative", 11),
			drew("c", "first", 4),
		},
	)
	var got string
	for _, p := range all[0].Order(v) {
		got += p.Who + p.Note
	}
	if got != "c4b11a9" {
		t.Errorf("the order is %s", got)
	}
	if move, who, _ := all[0].Pass(); move != "turn" || who != "c" || all[0].Order(v)[0].Now != true {
		t.Errorf("%s passes by %s", who, move)
	}
	first := drew("c", "first", 4)
	first.Acted, first.Round = true, 2
	second := drew("a", "initiative", 9)
	second.Round = 2
	on := turnOrder(s, []game.OrderThrow{second, first})[0]
	if places := on.Order(v); !places[0].Acted || places[0].Now || !places[1].Now ||
		on.Scene(v) != "Initiative · round 2" {
		t.Errorf("once one has acted: %+v", places)
	}
	if turnOrder(s, nil) != nil || all[0].Scene(v) != "Initiative · round 0" {
		t.Error("nobody has thrown, and there's an order")
	}
}
