package present

import (
	"norn/game"
	"norn/web/html"
)

// Alert returns what interrupts the pages of the reader's seat. Spectators can't end it.
func Alert(l *Look) html.Alert {
	return html.Alert{Raised: l.View.X > 0, MayEnd: l.View.Role != game.Spectator}
}

// Listener returns what a page hears that doesn't follow the whole table.
func Listener(l *Look) *html.Listener {
	return &html.Listener{Page: l.Page, Alert: Alert(l), Seat: l.View.Seat, Told: l.View.Told}
}
