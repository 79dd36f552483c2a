package present

import (
	"slices"

	"norn/game"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
)

// DrawerNotes is what the game master's drawer has to say after something was
// done in it.
type DrawerNotes struct {
	Said     html.SeatsSaid
	Settings *fields.Form // settings that couldn't be taken
}

// Seat is a seat as it's called now.
func Seat(l *Look, s view.SeatShown) html.Seat {
	return html.Seat{ID: s.ID, Name: s.Name, Role: l.RoleName(s.Role), You: s.You}
}

// Seats are all of the table.
func Seats(l *Look) []html.Seat {
	return game.Each(l.View.Seats, func(s view.SeatShown) html.Seat { return Seat(l, s) })
}

// Invites is where a game master invites people.
func Invites(l *Look, notes DrawerNotes) html.Seats {
	roles := game.Each([]game.Role{game.Player, game.Spectator, game.Master}, func(role game.Role) fields.Option {
		return Option(string(role), l.RoleName(role), role == game.Player)
	})
	return html.Seats{All: Seats(l), Roles: roles, Said: notes.Said}
}

// Playable are held seats as they are called now, each with where it's played.
func Playable(l *Look, held []Holding) []html.Seat {
	var found []html.Seat
	for _, h := range held {
		for _, shown := range l.View.Seats {
			if shown.ID == h.Seat {
				seat := Seat(l, shown)
				seat.At = h.At
				found = append(found, seat)
			}
		}
	}
	return found
}

// SeatMenu is that of the seat that the page plays, with its link where that was asked for.
func SeatMenu(l *Look, link html.Link) html.SeatMenu {
	m := html.SeatMenu{Me: Seat(l, l.Me()), Several: len(l.Held) > 1, Link: link}
	m.Others = slices.DeleteFunc(Playable(l, l.Held), func(s html.Seat) bool { return s.You })
	return m
}
