package table

import (
	"slices"

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

// tally adds what the seat sees of a sum. It counts what entries show.
func addTally(e eye, tallies []Tally, of *tallied) []Tally {
	who := ""
	if e.sees(of.Actor) {
		who = of.Actor
	}
	i := slices.IndexFunc(tallies, func(t Tally) bool { return t.Character == who })
	if i < 0 {
		i = len(tallies)
		tallies = append(tallies, Tally{Character: who, Tones: map[game.Tone]int{}})
	}
	t := &tallies[i]
	t.Moves += of.Moves
	for _, thrown := range of.Dice {
		if thrown.Plain || e.st.game.View.SeesThrow(e.viewer, e.st.settings, rule.Thrown{For: thrown.For, Sides: thrown.Sides}) {
			t.Dice += thrown.N
		}
	}
	for _, came := range of.Came {
		def, _ := e.st.game.Move(came.Move)
		told, ok := e.resolved(&move{def: def}, game.Resolved{Who: of.Actor, Outcome: rule.Outcome{ID: came.Outcome}})
		if ok && came.N > 0 {
			t.Tones[outcomeOf(e.st.game, def, told.Outcome.ID).Tone] += came.N
		}
	}
	return tallies
}

// tallied is what a character's moves came to in the session that lasts, those that are secret apart, as far as it takes to
// say it to whoever may know of it. Nobody changes it once it's in a state.
type tallied struct {
	Actor  string    `json:"actor,omitempty"`
	Secret bool      `json:"secret,omitempty"`
	Moves  int       `json:"moves"`
	Dice   []tossed  `json:"dice,omitempty"`
	Came   []arrived `json:"came,omitempty"`
}

// tossed are dice of one sort.
type tossed struct {
	Plain bool   `json:"plain,omitempty"` // thrown for nothing in the rules
	For   string `json:"for,omitempty"`
	Sides int    `json:"sides"`
	N     int    `json:"n"`
}

// arrived is how often a move came out in one way.
type arrived struct {
	Move    string `json:"move"`
	Outcome string `json:"outcome"`
	N       int    `json:"n"`
}

// count counts records of a move, or with -1 no more.
func (st *state) count(m *move, sign int, records ...*record) {
	secret := st.secretMove(m)
	i := slices.IndexFunc(st.tallies, func(t *tallied) bool { return t.Actor == m.actor && t.Secret == secret })
	now := tallied{Actor: m.actor, Secret: secret}
	if i >= 0 {
		now = *st.tallies[i]
		now.Dice, now.Came = slices.Clone(now.Dice), slices.Clone(now.Came)
	}
	for _, r := range records {
		if r.Kind == KindMove {
			now.Moves += sign
		}
		for _, step := range r.Steps {
			if d := step.Dice; d != nil {
				now.toss(tossed{m.def == &game.Plain, d.For, d.Sides, 0}).N += sign * len(d.Faces)
			}
		}
		if r.outcome != nil {
			now.arrive(arrived{m.def.ID, r.outcome.ID, 0}).N += sign
		}
	}
	st.tallies = slices.Clone(st.tallies)
	if i < 0 {
		st.tallies = append(st.tallies, &now)
		return
	}
	st.tallies[i] = &now
}

func (t *tallied) toss(sort tossed) *tossed {
	i := slices.IndexFunc(t.Dice, func(d tossed) bool { return d.Plain == sort.Plain && d.For == sort.For && d.Sides == sort.Sides })
	if i < 0 {
		i, t.Dice = len(t.Dice), append(t.Dice, sort)
	}
	return &t.Dice[i]
}

func (t *tallied) arrive(way arrived) *arrived {
	i := slices.IndexFunc(t.Came, func(a arrived) bool { return a.Move == way.Move && a.Outcome == way.Outcome })
	if i < 0 {
		i, t.Came = len(t.Came), append(t.Came, way)
	}
	return &t.Came[i]
}

// counted are the records of a move that has ended, as far as they count in the session that lasts.
func (b ledger) counted(m *move) []*record {
	if m.session.n != b.sessions.now().n || b.open.going(m.id) != nil {
		return nil
	}
	return b.of(m)
}

// uncount has an open move count no more.
func (st *state) uncount(u *underway) {
	st.count(u.move, -1, &record{said: &said{body: body{Kind: KindMove, Steps: u.trail}}, outcome: u.resolved})
}

// tallies sums up the session of dice that lasts, by what the seat may see: who did how much, and how it came out, in the order
// in which they first did something.
func tallies(e eye) []Tally {
	tallies := []Tally{}
	for _, t := range e.st.tallies {
		if !t.Secret || e.viewer.IsGM() {
			tallies = addTally(e, tallies, t)
		}
	}
	return slices.DeleteFunc(tallies, func(t Tally) bool { return t.Moves == 0 })
}
