package html

import (
	"norn/game"
)

// Alert returns what interrupts the pages of the reader's seat. Spectators can't end it.
func (l *Look) Alert() Alert {
	return Alert{
		Raised: l.View.X > 0, MayEnd: l.View.Role != game.Spectator,
		Deleted: l.View.Deleted, MayCallBack: l.Master(),
	}
}

// Listener returns what a page needs that follows only alerts.
func (l *Look) Listener() *Listener {
	return &Listener{Page: l.Page, Alert: l.Alert(), Seat: l.View.Seat, Told: l.View.Told}
}
