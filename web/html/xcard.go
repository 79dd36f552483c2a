package html

import (
	"norn/game"
	"norn/table/view"
)

// AlertOf returns what interrupts the pages of a seat. Spectators can't end it.
func AlertOf(v *view.View) Alert {
	return Alert{
		Raised: v.X > 0, MayEnd: v.Role != game.Spectator,
		Deleted: v.Deleted, MayCallBack: v.Role == game.Master,
	}
}

// ListenerOf returns what a page needs that follows only alerts.
func ListenerOf(p Page, v *view.View) *Listener {
	return &Listener{Page: p, Alert: AlertOf(v), Seat: v.Seat, Told: v.Told}
}
