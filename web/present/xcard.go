package present

import (
	"norn/game"
	"norn/web/html"
)

// XCardListener is what a page beside the table's own hears.
func XCardListener(l *Look) html.XCardListener {
	return html.XCardListener{Seat: l.View.Seat, Told: l.View.Told, X: l.View.X > 0, MayPutXAway: MayPutXAway(l)}
}

// MayPutXAway tells whether the reader may put an X-card away.
func MayPutXAway(l *Look) bool { return l.View.Role != game.Spectator }
