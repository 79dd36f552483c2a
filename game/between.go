package game

// Suggestion is a move that the rules provide between sessions: for an evening played, for time
// that passes, or for what is due on a sheet. The page between sessions offers it as a line, which
// makes the move as any other way does.
type Suggestion struct {
	Move   string
	Args   any  // nil: as the move's form begins
	Ticked bool // the rules give it for the session itself, or as a rule by the next one
	// arguments that the line leaves as they are, since the rule asks for them
	Asked []string
}

// Suggest returns what the rules suggest between sessions, in order: for everybody at once with who
// "", else for one character. s has the sheets that the seat sees.
func (g *Game) Suggest(s Scene, who string) []Suggestion {
	if g.Between == nil {
		return nil
	}
	return g.Between(s, who)
}
