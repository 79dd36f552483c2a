package html

import (
	"slices"

	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// DrawerNotes has messages of the game master's drawer after something was done in it.
type DrawerNotes struct {
	Said     SeatsSaid
	Settings *fields.Form // settings to correct
}

// Seat returns a seat with its current name.
func (l *Look) Seat(s view.SeatShown) Seat {
	return Seat{ID: s.ID, Name: s.Name, Role: l.RoleName(s.Role), You: s.You}
}

// Seats returns all seats of the table.
func (l *Look) Seats() []Seat {
	return game.Each(l.View.Seats, func(s view.SeatShown) Seat { return l.Seat(s) })
}

// Invites returns the form where a game master invites people.
func (l *Look) Invites(notes DrawerNotes) Seats {
	roles := game.Each([]game.Role{game.Player, game.Spectator, game.Master}, func(role game.Role) fields.Option {
		return Option(string(role), l.RoleName(role), role == game.Player)
	})
	return Seats{All: l.Seats(), Roles: roles, Said: notes.Said}
}

// Playable returns held seats with their current names and their addresses.
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

// SeatMenu returns the menu of the page's seat, with its link if that was requested.
func (l *Look) SeatMenu(link Link) SeatMenu {
	m := SeatMenu{
		Me: l.Seat(l.Me()), Several: len(l.Held) > 1, Link: link,
		Recovery: l.View.Role != game.Spectator,
	}
	m.Others = slices.DeleteFunc(l.Playable(l.Held), func(s Seat) bool { return s.You })
	return m
}
