package html

import (
	"norn/game"
	"norn/table/view"
)

// Clocks are the clocks that the reader sees, with the seats that a game master may show one to.
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
