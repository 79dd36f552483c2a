package main

import "fmt"

// script is how a game is played here: moves that its rules always allow, so that each of them is an entry.
type script struct {
	game, kind, sheet string
	move              func(n int) string // the n-th move of a character: the members "move" and "args"
}

var resistances = []string{"blood", "mind", "silver", "shadow", "reputation"}

var scripts = []script{
	{
		game: "spire", kind: "character", sheet: `{"skills":[{"name":"sneak"}],"domains":[{"name":"crime"}]}`,
		move: func(n int) string { // stress is taken and cleared again, with fallout now and then
			resistance := resistances[n/2%len(resistances)]
			if n%2 == 0 {
				return fmt.Sprintf(`"move":"check","args":{"skill":"sneak","domain":"crime","risk":"d3","resistance":%q}`, resistance)
			}
			return fmt.Sprintf(`"move":"act","args":{"die":"d8","resistance":%q}`, resistance)
		},
	},
	{
		game: "mage", kind: "character", sheet: `{}`,
		move: func(int) string { return `"move":"roll","args":{"alone":"willpower","difficulty":6}` },
	},
	{
		game: "eclipse", kind: "character", sheet: `{}`,
		move: func(int) string { return `"move":"test","args":{"on":"check:som"}` },
	},
	{
		game: "edda", kind: "hero", sheet: `{}`,
		move: func(int) string { return `"move":"act","args":{"deed":"Climb the wall","effort":"never","bonus":3}` },
	},
	{
		game: "godbound", kind: "hero", sheet: `{}`,
		move: func(int) string { return `"move":"check","args":{"tested":"strength"}` },
	},
}

// scriptsOf are the scripts that tables take in turn: of one game, or of all for "mix".
func scriptsOf(game string) ([]script, error) {
	if game == "mix" {
		return scripts, nil
	}
	for _, s := range scripts {
		if s.game == game {
			return []script{s}, nil
		}
	}
	return nil, fmt.Errorf("no game %q; spire, mage, eclipse, edda, godbound and mix are there", game)
}
