package table

import "slices"

// unpacked is how many of the newest records stand in memory as they were decoded. Of older ones of moves that have ended
// the body is kept as the journal holds it, a fraction of that, and read again when somebody looks.
const unpacked = 4

// pack packs the record that is old enough since the newest came.
func (st ledger) pack() {
	at := len(st.records) - 1 - unpacked
	if at < 0 {
		return
	}
	r := st.records[at]
	if r.move == nil || st.going(r.move.id) != nil {
		return
	}
	r.tossed, r.said = st.alike(r.tosses()), nil
}

// mostAlike is how many sorts of throws a table remembers, to share among records.
const mostAlike = 16

// alike gives one of several tosses that are the same, for nobody to change.
func (st *log) alike(tossed []toss) []toss {
	if i := slices.IndexFunc(st.tossed, func(known []toss) bool { return slices.Equal(known, tossed) }); i >= 0 {
		return st.tossed[i]
	}
	if len(st.tossed) < mostAlike {
		st.tossed = append(st.tossed, slices.Clip(tossed))
	}
	return tossed
}

// toss is a throw without its faces.
type toss struct {
	what     string // Thrown.For
	sides, n int
}

// tosses are the throws of a record, which are counted far more often than they're shown.
func (r *record) tosses() []toss {
	if r.said == nil {
		return r.tossed
	}
	var tossed []toss
	for _, step := range r.Steps {
		if d := step.Dice; d != nil {
			tossed = append(tossed, toss{d.For, d.Sides, len(d.Faces)})
		}
	}
	return tossed
}

// whole is a record with what it says, which nobody may change. It changes nothing itself: readers share the state.
func (st *state) whole(r *record) *record {
	if r.said != nil {
		return r
	}
	said, err := st.read(r.Body, nil)
	if err == nil && r.Kind == KindMove {
		said.args, err = r.move.def.Restore(said.Opening.Args)
	}
	if err != nil { // it was read once, or written by rules whose events and arguments are held to being read back
		panic(&UnreadableError{Table: st.id, Seq: r.Seq, Err: err})
	}
	whole := *r
	whole.said = said
	return &whole
}

// args are what the move of a whole record was made with.
func (st *state) args(r *record) any {
	if r.args != nil {
		return r.args
	}
	return st.whole(r.move.first).args
}
