package table

import (
	"context"
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
)

// Tally is what one character, or nobody in particular, did in a session.
type Tally struct {
	Character string            `json:"character"` // "" for moves that nobody in particular makes
	Moves     int               `json:"moves"`     // that weren't undone
	Dice      int               `json:"dice"`      // that fell in them
	Tones     map[game.Tone]int `json:"tones"`     // of their outcomes
}

// Tally sums up a session of dice, 0 for the one that lasts, by what the seat
// may see: who did how much, and how it came out, in the order in which they
// first did something. The error is an *InvalidError for a session that isn't
// there.
func (s *Seat) Tally(ctx context.Context, session int) ([]Tally, error) {
	tallies := []Tally{}
	err := s.look(ctx, func(e eye) error {
		if session < 0 || session > len(e.st.sessions) {
			return invalid("session", form.Range, func(p *form.Problem) {
				p.Min, p.Max, p.Given = 1, len(e.st.sessions), strconv.Itoa(session)
			})
		}
		of := e.st.now()
		if session > 0 {
			of = e.st.sessions[session-1]
		}
		for _, r := range e.st.after(of.from) {
			if of.to > 0 && r.Seq >= of.to {
				break
			}
			if r.move == nil || r.move.first.undone != nil {
				continue
			}
			if shown, ok := e.entry(r); ok {
				tallies = tally(tallies, shown)
			}
		}
		return nil
	})
	return tallies, err
}

// tally adds one entry to what was done.
func tally(tallies []Tally, shown Entry) []Tally {
	i := slices.IndexFunc(tallies, func(t Tally) bool { return t.Character == shown.Character })
	if i < 0 {
		i = len(tallies)
		tallies = append(tallies, Tally{Character: shown.Character, Tones: map[game.Tone]int{}})
	}
	t := &tallies[i]
	if shown.Kind == KindMove {
		t.Moves++
	}
	for _, throw := range shown.Throws {
		t.Dice += len(throw.Faces)
	}
	if shown.Outcome != nil {
		t.Tones[shown.Outcome.Tone]++
	}
	return tallies
}
