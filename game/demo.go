package game

// Demo is a table for trying a game, with characters and a story so far. Its last moves may leave
// questions open, ideally one for the player and one for the game master. Visitors find the form
// filled in with the latest throw of one of the player's heroes.
type Demo struct {
	Name  string // of the table
	Cast  []Sample
	Story []Beat
}

// Sample is a ready character: of a demo, a game's stock or its heroes. Those of a demo have the
// ids c1, c2 … in order.
type Sample struct {
	ID     string // in a stock and among heroes; never reused for another character
	Kind   string
	Name   string
	Player bool // belongs to the demo's player, otherwise to the GM
	Sheet  any
}

// Asked is a field that the creator of a character fills in, with the id of the rule to read, or
// "".
type Asked struct{ Field, Rule string }

// Count says how much of a field a character has, and the most that a rule allows.
type Count struct {
	Field, Rule string
	Is, Most    int
}

// CountsOf returns the counts of a character's sheet, in the order of the fields.
func (g *Game) CountsOf(kind Kind, sheet any) []Count {
	if g.Count == nil {
		return nil
	}
	return g.Count(kind.ID, sheet)
}

// Beat is one move of a demo's story, with typed dice and the answers to its questions, in the
// order in which they're asked.
type Beat struct {
	Move    string
	By      string // id of the acting character, "" for none
	Player  bool   // made by the character's player, otherwise by the GM
	Args    any
	Dice    []int
	Answers []any // each in the form of decoded JSON
}
