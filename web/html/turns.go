package html

// Turns are what goes on, and whose turn it is there.
func (l *Look) Turns() []Turns {
	var all []Turns
	for i, t := range l.View.Turns {
		shown := Turns{Scene: t.Scene, Turn: t.Turn}
		for _, p := range t.Order {
			if n := len(shown.Sides); n == 0 || shown.Sides[n-1].Name != p.Side {
				shown.Sides = append(shown.Sides, TurnSide{Name: p.Side})
			}
			side := &shown.Sides[len(shown.Sides)-1]
			side.All = append(side.All, TurnOf{
				Name: l.Voice.Name(p.Character), Note: p.Note, Acted: p.Acted,
				Now: p.Now,
			})
		}
		if t.Pass != nil {
			shown.Pass = &Pass{At: i, Said: l.TurnSaid(i), Move: l.Voice.Word("move", t.Pass.Move)}
		}
		all = append(all, shown)
	}
	return all
}

// TurnSaid is what a part of the strip says of whose turn it is; "" for a part that isn't there.
func (l *Look) TurnSaid(at int) string {
	if at < 0 || at >= len(l.View.Turns) {
		return ""
	}
	t := l.View.Turns[at]
	return t.Scene + " " + t.Turn
}
