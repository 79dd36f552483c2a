package projection

import (
	"slices"

	"norn/game"
	"norn/rule"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// clocksSeen returns the clocks that the seat sees.
func clocksSeen(e *visibility.Eye) (seen []view.ClockShown) {
	for _, c := range e.Table.Clocks {
		if !e.Hears(c.Audience) {
			continue
		}
		shown := view.ClockShown{ID: c.ID, Name: c.Name, At: c.At, Max: c.Max, Number: c.Number}
		if e.Viewer.IsGM() {
			shown.Hidden, shown.To = c.Hidden, c.To
		}
		seen = append(seen, shown)
	}
	return seen
}

// ticksSeenClock reports whether a move's record ticks a clock that the seat sees.
func ticksSeenClock(e *visibility.Eye, r *state.Record) bool {
	return slices.ContainsFunc(r.Decoded, func(event rule.Event) bool {
		tick, ok := event.(game.ClockTicked)
		return ok && e.SeesClock(tick.Clock)
	})
}
