package html

import (
	"slices"

	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// DrawerNotes is what the game master's drawer has to say after something was
// done in it.
type DrawerNotes struct {
	Said     SeatsSaid
	Settings *fields.Form // settings that couldn't be taken
}

// Seat is a seat as it's called now.
func (l *Look) Seat(s view.SeatShown) Seat {
	return Seat{ID: s.ID, Name: s.Name, Role: l.RoleName(s.Role), You: s.You}
}

// Seats are all of the table.
func (l *Look) Seats() []Seat {
	return game.Each(l.View.Seats, func(s view.SeatShown) Seat { return l.Seat(s) })
}

// Invites is where a game master invites people.
func (l *Look) Invites(notes DrawerNotes) Seats {
	roles := game.Each([]game.Role{game.Player, game.Spectator, game.Master}, func(role game.Role) fields.Option {
		return Option(string(role), l.RoleName(role), role == game.Player)
	})
	return Seats{All: l.Seats(), Roles: roles, Said: notes.Said}
}

// Playable are held seats as they are called now, each with where it's played.
func (l *Look) Playable(held []Holding) []Seat {
	var found []Seat
	for _, h := range held {
		for _, shown := range l.View.Seats {
			if shown.ID == h.Seat {
				seat := l.Seat(shown)
				seat.At = h.At
				found = append(found, seat)
			}
		}
	}
	return found
}

// SeatMenu is that of the seat that the page plays, with its link where that was asked for.
func (l *Look) SeatMenu(link Link) SeatMenu {
	m := SeatMenu{Me: l.Seat(l.Me()), Several: len(l.Held) > 1, Link: link}
	m.Others = slices.DeleteFunc(l.Playable(l.Held), func(s Seat) bool { return s.You })
	return m
}
