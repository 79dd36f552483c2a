package html

// Turns returns encounters and scenes for display.
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

// TurnSaid returns the text of a part of the strip about whose turn it is; "" for an unknown part.
func (l *Look) TurnSaid(at int) string {
	if at < 0 || at >= len(l.View.Turns) {
		return ""
	}
	t := l.View.Turns[at]
	return t.Scene + " " + t.Turn
}
