package html

import (
	"norn/game"
	"norn/table/view"
)

// Clocks returns the clocks that the reader sees, and for a game master the seats that one can be
// shown to.
func (l *Look) Clocks() Clocks {
	c := Clocks{Master: l.Master(), All: l.View.Clocks}
	if !c.Master {
		return c
	}
	for _, s := range l.View.Seats {
		if s.Role != game.Master {
			c.Seats = append(c.Seats, view.SeatShown{ID: s.ID, Name: s.Name})
		}
	}
	return c
}
