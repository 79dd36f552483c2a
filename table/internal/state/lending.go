package state

import (
	"cmp"
	"slices"
	"strings"

	"norn/game"
	"norn/rule"
)

// A question may lend characters that its move holds: others act with them while it's open, and the
// rule goes on from what they have changed (rule.Run.Lend). The entry that opens the question names
// them, so the journal shows which characters are lent, without running a rule. Each such change
// becomes a step of the move's trail.
//
// An edit by hand is such a change, too, if the rule can go on from it.
//
// A move that goes on after others have acted with its characters is both before and after them in the
// characters' history. So they can't be undone alone, and undoing it undoes them, too.

// maxChangesMet bounds what others do while a move waits: each change is a step of its trail, over
// which its rule runs again. A move that has met so many lends nobody.
const maxChangesMet = 300

// lends reports whether every open question of the move lends a character.
func (m *OpenMove) lends(id string) bool {
	return m.Holds(id) && len(m.Asks) > 0 && m.changesMet() < maxChangesMet &&
		!slices.ContainsFunc(m.Asks, func(a Ask) bool { return !slices.Contains(a.Lends, id) })
}

// Blocks reports whether others must wait for the move before they act with a character: it holds
// the character and doesn't lend it, or can't go on.
func (m *OpenMove) Blocks(id string) bool {
	return m.Holds(id) && (m.Fault != nil || !m.lends(id))
}

// Blocking returns the open move that blocks a character, or nil.
func (all OpenMoves) Blocking(id string) *OpenMove {
	return first(all, func(u *OpenMove) bool { return u.Blocks(id) })
}

// BlockingOther returns another open move that blocks a character that a move may still change, and
// that character, or nil.
func (all OpenMoves) BlockingOther(m *OpenMove) (*OpenMove, string) {
	for _, u := range all {
		for _, id := range slices.Concat(m.Cast, m.Joined) {
			if u.ID != m.ID && m.Holds(id) && u.Blocks(id) {
				return u, id
			}
		}
	}
	return nil, ""
}

// newlyLent returns the characters that a question of a run lends. A secret move lends nobody: it's
// cancelled instead, see package act.
func (m *OpenMove) newlyLent(o rule.Open, result rule.Result[rule.Outcome]) []string {
	if m.Secret {
		return nil
	}
	var lent []string
	ids := o.Lends
	if o.LendsAll {
		ids = slices.Concat(m.Cast, m.Joined)
	}
	for _, id := range ids {
		if m.Holds(id) && !slices.Contains(result.Released, id) {
			lent = append(lent, id)
		}
	}
	return lent
}

// lend gives what a record has changed to the open moves that lend its characters.
func (st *State) lend(r *Record) {
	changes := st.changesBy(r)
	for i, u := range st.OpenMoves {
		if r.Of != nil && u.ID == r.Of.ID {
			continue
		}
		if met := u.meet(r.Since(), changes...); met != u {
			st.OpenMoves = altered(st.OpenMoves, i, func(u *OpenMove) { *u = *met })
		}
	}
}

// changesBy returns the changes that a record made to characters: those of its move, or one by hand.
func (st *State) changesBy(r *Record) (changes []rule.Event) {
	if r.Of != nil {
		return r.Decoded
	}
	if r.Facets&OfSheet == 0 || len(st.OpenMoves) == 0 {
		return nil
	}
	for _, id := range r.Touched {
		if c := st.Characters.Of(id); c != nil {
			if i := c.TouchedBy(r.Seq); i >= 0 {
				changes = append(changes, game.Edited{Who: id, Was: c.Past[i].Sheet, Is: c.Sheet})
			}
		}
	}
	return changes
}

// meet returns the move after changes by others to characters that it lends; itself if there are
// none.
func (m *OpenMove) meet(by uint64, changes ...rule.Event) *OpenMove {
	n := m.changesMet()
	var steps rule.Trail
	for _, event := range changes {
		if change, ok := game.AsChange(event); !ok || !m.lends(change.Whose()) {
			continue
		}
		for _, ask := range m.Asks {
			part, _, _ := strings.Cut(ask.Place, ":")
			steps = append(steps, rule.Step{Part: part, Meanwhile: &rule.Meanwhile{Event: event, By: by, N: n}})
		}
		n++
	}
	if len(steps) == 0 {
		return m
	}
	met := *m
	met.Trail, met.Pending = slices.Concat(m.Trail, steps), nil
	return &met
}

// StoppedBy returns an open move that lends a character and whose rule can't go on from a change by
// hand, such as one that takes away what it's about; nil for none.
func (all OpenMoves) StoppedBy(change game.Edited) *OpenMove {
	for _, m := range all {
		if met := m.meet(0, change); met != m {
			if _, err := met.rerun(); err != nil {
				return m
			}
		}
	}
	return nil
}

// changesMet returns the number that the next change by others gets.
func (m *OpenMove) changesMet() int {
	for _, step := range slices.Backward(m.Trail) {
		if step.Meanwhile != nil {
			return step.Meanwhile.N + 1
		}
	}
	return 0
}

// returnLent takes the changes of an undone move out of the open moves that met them.
func (st *State) returnLent(since uint64) {
	met := func(s rule.Step) bool { return s.Meanwhile != nil && s.Meanwhile.By == since }
	for i, u := range st.OpenMoves {
		if slices.ContainsFunc(u.Trail, met) {
			st.OpenMoves = altered(st.OpenMoves, i, func(u *OpenMove) {
				u.Trail, u.Pending = slices.DeleteFunc(slices.Clone(u.Trail), met), nil
			})
		}
	}
}

// touchAgain puts a move that goes on above those who have acted meanwhile with the characters that
// it holds.
func (st *State) touchAgain(r *Record, u *OpenMove) {
	for _, id := range slices.Concat(u.Cast, u.Joined) {
		c := st.Characters.Of(id)
		if c == nil || !u.Holds(id) {
			continue
		}
		if i := c.TouchedBy(u.Seq); i >= 0 && i < len(c.Past)-1 {
			c = st.Alter(id)
			c.Past = append(slices.Clone(c.Past), Touch{By: u.Seq, Move: true, Secret: r.Secret, Facets: OfSheet, Sheet: c.Sheet})
		}
	}
}

// Entangled returns what is undone together with what began with a seq, newest first and itself among
// them: each must be undone before each other, since a move went on after others had acted with its
// characters.
func (st *State) Entangled(since uint64) []uint64 {
	if !slices.ContainsFunc(st.Characters, (*Character).wentOn) { // which is usual
		return []uint64{since}
	}
	later, earlier := st.reach(since, true), st.reach(since, false)
	all := []uint64{since}
	for seq := range later {
		if earlier[seq] && seq != since {
			all = append(all, seq)
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return all
}

// wentOn reports whether an older move is above a newer one in the character's past.
func (c *Character) wentOn() bool {
	return !slices.IsSortedFunc(c.Past, func(a, b Touch) int { return cmp.Compare(a.By, b.By) })
}

// reach returns what must be undone before what began with a seq or, if not later, only after it.
func (st *State) reach(since uint64, later bool) map[uint64]bool {
	found, next := map[uint64]bool{}, []uint64{since}
	for len(next) > 0 {
		seq := next[0]
		next = next[1:]
		for _, c := range st.Characters {
			by := func(t Touch) bool { return t.By == seq }
			last := c.TouchedBy(seq)
			if last < 0 {
				continue
			}
			beside := c.Past[:last]
			if later {
				beside = c.Past[slices.IndexFunc(c.Past, by):]
			}
			for _, t := range beside {
				if t.By != seq && t.Facets&OfSheet != 0 && !found[t.By] {
					found[t.By] = true
					next = append(next, t.By)
				}
			}
		}
	}
	return found
}
