package game

// Demo is a table to try a game at: who is there and what happened so far. The last moves may leave
// questions open: one for the player and one for the game master are best. With the newest throw of
// a hero of the player's who is free then, visitors find the form filled in.
type Demo struct {
	Name  string // of the table
	Cast  []Sample
	Story []Beat
}

// Sample is one character of a demo, or of a game's stock or its heroes. Those of a demo get
// the ids c1, c2 … in order.
type Sample struct {
	ID     string // in a stock and among heroes, where it's never used again for another
	Kind   string
	Name   string
	Player bool // belongs to the demo's player, otherwise to the GM
	Sheet  any
}

// Asked is a field that the creator of a character decides, with the rule that reads it, or "".
type Asked struct{ Field, Rule string }

// Beat is one move of a demo's story, with its dice thrown by hand and the
// answers to its questions in the order in which they're asked.
type Beat struct {
	Move    string
	By      string // id of the acting character, "" for nobody in particular
	Args    any
	Dice    []int
	Answers []any // each as JSON has it
}
