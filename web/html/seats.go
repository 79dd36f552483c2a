package html

import (
	"slices"

	"norn/game"
	"norn/table/view"
)

// WithoutOnline returns seats without who is online, so that nothing is sent again when somebody
// comes or goes.
func WithoutOnline(all []view.SeatShown) []view.SeatShown { return game.Each(all, withoutOnline) }

func withoutOnline(s view.SeatShown) view.SeatShown {
	s.Online = false
	return s
}

// HeldSeats returns held seats as a table has them now.
func HeldSeats(all []view.SeatShown, held []Holding) (seats []Holding) {
	for _, h := range held {
		if shown, ok := found(all, func(s view.SeatShown) bool { return s.ID == h.ID }); ok {
			seats = append(seats, Holding{withoutOnline(shown), h.At})
		}
	}
	return seats
}

// SeatMenu returns the menu of the page's seat, with its link if that was requested.
func (l *Look) SeatMenu(link Link) SeatMenu {
	m := SeatMenu{
		Me: withoutOnline(l.View.Me()), Several: len(l.Held) > 1, Link: link,
		Recovery: l.View.Role != game.Spectator,
	}
	m.Others = slices.DeleteFunc(HeldSeats(l.View.Seats, l.Held), func(s Holding) bool { return s.You })
	return m
}
