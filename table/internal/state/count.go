package state

import (
	"slices"

	"norn/game"
	"norn/table/view"
)

// Tally counts records of a move, or with -1 no more.
func (st *State) Tally(m *Move, sign int, records ...*Record) {
	secret := st.SecretMove(m)
	i := slices.IndexFunc(st.Tallies, func(t *Tallied) bool { return t.Actor == m.Actor && t.Secret == secret })
	now := Tallied{Actor: m.Actor, Secret: secret}
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
				now.toss(tossed{m.Def == &game.Plain, d.For, d.Sides, 0}).N += sign * len(d.Faces)
			}
		}
		if r.Result != nil {
			now.arrive(arrived{m.Def.ID, r.Result.ID, 0}).N += sign
		}
	}
	st.Tallies = slices.Clone(st.Tallies)
	if i < 0 {
		st.Tallies = append(st.Tallies, &now)
		return
	}
	st.Tallies[i] = &now
}

// untally has an open move count no more.
func untally(st *State, u *OpenMove) {
	st.Tally(u.Move, -1, &Record{Decoding: &Decoding{Content: Content{Kind: view.KindMove, Steps: u.Trail}}, Result: u.Resolved})
}
