package table

import (
	"context"
	"maps"
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
		from, last := of.from, e.st.log.tallied.Load()
		grows := e.viewer.IsGM() && of.to == 0
		if grows && last != nil && last.session == of.n && !slices.ContainsFunc(e.st.after(last.seq), rewrites) {
			from, tallies = last.seq, last.copied()
		}
		for _, r := range e.st.after(from) {
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
		if grows {
			now := &tallied{of.n, e.st.seq, tallies}
			tallies = now.copied()
			e.st.log.tallied.Store(now)
		}
		return nil
	})
	return tallies, err
}

// tallied is what the session that lasts came to for game masters up to a seq: their pages are told of it with each move.
type tallied struct {
	session int
	seq     uint64
	all     []Tally
}

func (t *tallied) copied() []Tally {
	all := make([]Tally, len(t.all))
	for i, one := range t.all {
		one.Tones = maps.Clone(one.Tones)
		all[i] = one
	}
	return all
}

// rewrites tells whether a record may have changed what those before it came to.
func rewrites(r *record) bool {
	switch r.Kind {
	case KindMove, KindAnswer, KindTalk, KindNote, KindStar, KindCall:
		return false
	}
	return true
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
