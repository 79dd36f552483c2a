package html

import (
	"norn/game"
	"norn/table/view"
)

// ClocksOf returns the clocks that a seat sees, and for a game master the seats that one can be
// shown to.
func ClocksOf(v *view.View) Clocks {
	c := Clocks{Master: v.Role == game.Master, All: v.Clocks}
	if !c.Master {
		return c
	}
	for _, s := range v.Seats {
		if s.Role != game.Master {
			c.Seats = append(c.Seats, view.SeatShown{ID: s.ID, Name: s.Name})
		}
	}
	return c
}
