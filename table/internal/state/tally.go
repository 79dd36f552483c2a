package state

import (
	"slices"

	"norn/game"
	"norn/table/view"
)

// CharacterTally counts a character's moves in the current session, secret ones apart, in enough
// detail for each seat to see what it may know. It doesn't change once it's in a state.
type CharacterTally struct {
	Actor  string         `json:"actor,omitempty"`
	Secret bool           `json:"secret,omitempty"`
	Moves  int            `json:"moves"`
	Dice   []diceTally    `json:"dice,omitempty"`
	Came   []outcomeTally `json:"came,omitempty"`
}

// diceTally counts dice of one sort.
type diceTally struct {
	Plain bool   `json:"plain,omitempty"` // rolled outside of the rules
	For   string `json:"for,omitempty"`
	Sides int    `json:"sides"`
	N     int    `json:"n"`
}

// outcomeTally counts an outcome of a move.
type outcomeTally struct {
	Move    string `json:"move"`
	Outcome string `json:"outcome"`
	N       int    `json:"n"`
}

func (t *CharacterTally) diceOf(sort diceTally) *diceTally {
	i := slices.IndexFunc(t.Dice, func(d diceTally) bool {
		return d.Plain == sort.Plain && d.For == sort.For && d.Sides == sort.Sides
	})
	if i < 0 {
		i, t.Dice = len(t.Dice), append(t.Dice, sort)
	}
	return &t.Dice[i]
}

func (t *CharacterTally) outcomesOf(way outcomeTally) *outcomeTally {
	i := slices.IndexFunc(t.Came, func(a outcomeTally) bool { return a.Move == way.Move && a.Outcome == way.Outcome })
	if i < 0 {
		i, t.Came = len(t.Came), append(t.Came, way)
	}
	return &t.Came[i]
}

// Tally counts records of a move with the sign 1, or stops counting them with -1.
func (st *State) Tally(m *Move, sign int, records ...*Record) {
	secret := st.SecretMove(m)
	i := slices.IndexFunc(st.Tallies, func(t *CharacterTally) bool { return t.Actor == m.Actor && t.Secret == secret })
	now := CharacterTally{Actor: m.Actor, Secret: secret}
	if i >= 0 {
		now = *st.Tallies[i]
		now.Dice, now.Came = slices.Clone(now.Dice), slices.Clone(now.Came)
	}
	for _, r := range records {
		if r.Kind == view.KindMove {
			now.Moves += sign
		}
		for _, step := range r.Steps {
			if d := step.Dice; d != nil {
				now.diceOf(diceTally{m.Def == &game.Plain, d.For, d.Sides, 0}).N += sign * len(d.Faces)
			}
		}
		if r.Result != nil {
			now.outcomesOf(outcomeTally{m.Def.ID, r.Result.ID, 0}).N += sign
		}
	}
	st.Tallies = slices.Clone(st.Tallies)
	if i < 0 {
		st.Tallies = append(st.Tallies, &now)
		return
	}
	st.Tallies[i] = &now
}

// TallyOpen counts the open moves in the session that begins, as after an import.
func (st *State) TallyOpen() {
	for _, u := range st.OpenMoves {
		st.tallyOpen(u, 1)
	}
}

// tallyOpen counts an open move with the sign 1, or stops counting it with -1.
func (st *State) tallyOpen(u *OpenMove, sign int) {
	st.Tally(u.Move, sign, &Record{
		Decoding: &Decoding{EntryBody: EntryBody{Kind: view.KindMove, Steps: u.Trail}},
		Result:   u.Resolved,
	})
}
