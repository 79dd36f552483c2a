package table

import (
	"context"
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
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
			if r.move == nil || e.st.undone[r.move.first.Seq] > 0 {
				continue
			}
			if e.seesEntry(r) {
				tallies = e.tally(tallies, r)
			}
		}
		return nil
	})
	return tallies, err
}

// tally adds what the seat sees of a move's record to what was done. It counts
// what entry shows, and leaves out what only makes words: game masters' pages
// and frames sum up a whole session.
func (e eye) tally(tallies []Tally, r *record) []Tally {
	m, who := r.move, ""
	if e.sees(m.actor) {
		who = m.actor
	}
	i := slices.IndexFunc(tallies, func(t Tally) bool { return t.Character == who })
	if i < 0 {
		i = len(tallies)
		tallies = append(tallies, Tally{Character: who, Tones: map[game.Tone]int{}})
	}
	t := &tallies[i]
	if r.Kind == KindMove {
		t.Moves++
	}
	for _, thrown := range r.tosses() {
		if e.seesThrow(m, rule.Thrown{For: thrown.what, Sides: thrown.sides}) {
			t.Dice += thrown.n
		}
	}
	if r.outcome != nil {
		if told, ok := e.resolved(m, game.Resolved{Who: m.actor, Outcome: *r.outcome}); ok {
			t.Tones[outcomeOf(e.st.game, m.def, told.Outcome.ID).Tone]++
		}
	}
	return tallies
}
