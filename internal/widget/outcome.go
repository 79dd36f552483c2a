package widget

// shape returns the drawing of a tone in a field of 16 by 16, so that an outcome is recognizable by
// its shape as well as by its colour: a star, a full disc with a tick, a half disc, a triangle on
// its point, a burst, a ring.
func shape(tone string) string {
	switch tone {
	case "triumph":
		return "M8 .6L10.1 5.6L15.5 6L11.4 9.5L12.7 14.8L8 12L3.3 14.8L4.6 9.5L.5 6L5.9 5.6Z"
	case "good":
		return "M8 1A7 7 0 1 1 8 15A7 7 0 1 1 8 1Z"
	case "mixed":
		return "M8 1A7 7 0 0 0 8 15ZM9.2 1.1A7 7 0 0 1 9.2 14.9V13.4A5.5 5.5 0 0 0 9.2 2.6Z"
	case "bad":
		return "M.8 2.2H15.2L8 15Z"
	case "disaster":
		return "M8 0L9.6 4.2L13.7 2.3L11.8 6.4L16 8L11.8 9.6L13.7 13.7L9.6 11.8L8 16L6.4 11.8L2.3 13.7L4.2 9.6L0 8L4.2 6.4L2.3 2.3L6.4 4.2Z"
	}
	return "M8 1A7 7 0 1 1 8 15A7 7 0 1 1 8 1ZM8 3A5 5 0 1 0 8 13A5 5 0 1 0 8 3Z"
}
