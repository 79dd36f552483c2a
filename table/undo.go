package table

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"slices"
	"strconv"
)

// facet is a side of a character that an entry changes, or stands on.
type facet uint8

const (
	ofSheet facet = 1 << iota
	ofName
	ofOwner
	ofBeing // whether it's in play
	whole   = ofSheet | ofName | ofOwner | ofBeing
)

// touch is an entry of a character's past: what changed it or read its sheet,
// and how it was before. What was undone is no part of the past.
type touch struct {
	by     uint64 // seq of the first entry of its move
	move   bool   // it was one
	secret bool   // made in secret
	facets facet
	sheet  any
	name   string
	owner  string
}

// MostTouches is how many touches of each facet a character's past goes back, and how many changes the settings': what
// is older can't be undone any more.
const MostTouches = 50

// touch gives a character to be changed by a record, and keeps how it was before; nil where there's no such character.
func (st *state) touch(r *record, id string, f facet) *character {
	c := st.change(id)
	if c == nil {
		return nil
	}
	by := r.since()
	if i := c.touchedBy(by); i < 0 {
		c.past = append(c.past, touch{by: by, move: r.move != nil, secret: r.Secret, facets: f, sheet: c.sheet, name: c.name, owner: c.owner})
		if st.seq >= st.deep {
			st.shorten(c)
		}
	} else if c.past[i].facets&f == 0 {
		c.past = slices.Clone(c.past)
		c.past[i].facets |= f
	}
	return c
}

// shorten drops a touch of a character's past that has become too old, if there is one. What an open move has touched stays.
func (st *state) shorten(c *character) {
	if len(c.past) <= MostTouches {
		return
	}
	n := map[facet]int{}
	for i, t := range slices.Backward(c.past) {
		needed := st.open.going(idOf(t.by)) != nil
		for f := ofSheet; f < whole; f <<= 1 {
			if t.facets&f != 0 {
				n[f]++
				needed = needed || n[f] <= MostTouches
			}
		}
		if !needed {
			c.past = append(slices.Clone(c.past[:i]), c.past[i+1:]...)
			return
		}
	}
}

// touchedBy is where in the character's past a first entry stands that touched it.
func (c *character) touchedBy(seq uint64) int {
	for i, t := range slices.Backward(c.past) {
		if t.by == seq {
			return i
		}
	}
	return -1
}

// touched are the characters in whose past it stands what began with a seq.
func (all characters) touched(since uint64) []string {
	var ids []string
	for _, c := range all {
		if c.touchedBy(since) >= 0 {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// remembers tells whether the state knows how all was before what a record is about, which wasn't undone.
func (st *state) remembers(r *record) bool {
	ids := r.touched
	if r.move != nil {
		ids = r.move.cast
	}
	for _, id := range ids {
		if c := st.characters.of(id); c != nil && c.touchedBy(r.since()) < 0 {
			return false
		}
	}
	return r.Kind != KindSettings || slices.ContainsFunc(st.configured, func(c configured) bool { return c.by == r.Seq })
}

// configured is a change of the settings and what they were before.
type configured struct {
	by  uint64
	was any
}

// taken says what was taken back, by the seq of its first entry, and by which entry. A table has many of them as the years go by,
// and never as many entries as these can count: with one a second it takes 136 years.
type taken [2]uint32

// undoings are by what was taken back.
type undoings []taken

// by is the seq of the entry that has taken back what began with a seq, 0 for none.
func (all undoings) by(since uint64) uint64 {
	if i, undone := all.at(since); undone {
		return uint64(all[i][1])
	}
	return 0
}

func (all undoings) at(since uint64) (int, bool) {
	return slices.BinarySearchFunc(all, since, func(t taken, since uint64) int { return cmp.Compare(uint64(t[0]), since) })
}

// isUndone tells whether what a record is about was taken back.
func (st *state) isUndone(r *record) bool { return st.undone.by(r.since()) > 0 }

// takeBack undoes what began with a seq, by a record: everything that it changed becomes what it was before.
func (st *state) takeBack(since uint64, by *record) {
	i, _ := st.undone.at(since)
	st.undone = slices.Insert(slices.Clone(st.undone), i, taken{uint32(since), uint32(by.Seq)})
	if u := st.open.going(idOf(since)); u != nil {
		st.uncount(u)
		st.end(u.id)
	} else if by.undoes != nil && by.undoes.Seq == since && len(by.counts) > 0 {
		st.count(by.counts[0].move, -1, by.counts...)
	}
	for _, c := range st.characters {
		i := c.touchedBy(since)
		if i < 0 {
			continue
		}
		c, was := st.change(c.id), c.past[i]
		for _, later := range c.past[i+1:] { // what others have changed since the move let go of it stays
			was.facets &^= later.facets
		}
		st.restore(c, was)
		c.past = slices.Delete(slices.Clone(c.past), i, i+1)
		by.took = append(by.took, c.id)
	}
	if i := slices.IndexFunc(st.configured, func(c configured) bool { return c.by == since }); i >= 0 {
		st.settings = st.configured[i].was
		st.configured = slices.Delete(slices.Clone(st.configured), i, i+1)
	}
}

func (st *state) restore(c *character, t touch) {
	if t.facets&ofSheet != 0 {
		c.sheet = t.sheet
	}
	if t.facets&ofName != 0 {
		c.name = t.name
	}
	if t.facets&ofOwner != 0 {
		c.owner = ""
		if s := st.seats.of(t.owner); s != nil && !s.revoked {
			c.owner = t.owner
		}
	}
	if t.facets&ofBeing != 0 {
		c.removed = false
	}
}

// above gives what stands on what a record is about, newest first in each thing touched: what came after it, wasn't undone, and
// touched what it changed.
func (st *state) above(r *record) iter.Seq[touch] {
	return func(yield func(touch) bool) {
		for _, id := range st.characters.touched(r.since()) {
			for _, t := range slices.Backward(st.characters.of(id).past) {
				if t.by == r.since() {
					break
				}
				if t.facets&r.facets != 0 && !yield(t) {
					return
				}
			}
		}
		if r.Kind == KindSettings {
			for _, t := range slices.Backward(st.configured) {
				if t.by <= r.Seq || !yield(touch{by: t.by}) {
					return
				}
			}
		}
	}
}

// later are the first records of what stands on what a record is about, oldest first.
func (b ledger) later(r *record) []*record {
	seqs := map[uint64]bool{}
	for t := range b.above(r) {
		seqs[t.by] = true
	}
	var later []*record
	for _, seq := range slices.Sorted(maps.Keys(seqs)) {
		later = append(later, b.at(seq))
	}
	return later
}

// seesTouch tells whether the seat may know of what touched a character.
func (e eye) seesTouch(t touch) bool {
	switch {
	case e.viewer.IsGM():
		return true
	case t.move:
		return !t.secret || e.st.shown[idOf(t.by)]
	}
	return e.seesEntry(e.st.at(t.by))
}

// beneath are the changes on which a record is the first to stand, or on which nothing stands any more since it took back
// what did: whether they may be undone has changed.
func beneathOf(e eye, r *record) []uint64 {
	of, touched, facets := r, e.st.characters.touched(r.since()), r.facets
	switch {
	case r.undoes != nil:
		of, touched, facets = r.undoes, r.took, r.undoes.facets
	case r.Kind == KindEdition:
		touched, facets = r.took, ofSheet
	}
	var seqs []uint64
	for _, id := range touched {
		c := e.st.characters.of(id)
		past := c.past
		if i := c.touchedBy(of.since()); i >= 0 {
			past = past[:i]
		}
		rest := facets
		for _, t := range slices.Backward(past) {
			if t.facets&rest != 0 && !t.move && !slices.Contains(seqs, t.by) {
				seqs = append(seqs, t.by)
			}
			if e.seesTouch(t) { // what may not be known of covers nothing
				rest &^= t.facets
			}
			if rest == 0 {
				break
			}
		}
	}
	if of.Kind == KindSettings {
		for _, t := range slices.Backward(e.st.configured) {
			if t.by < of.Seq {
				seqs = append(seqs, t.by)
				break
			}
		}
	}
	return seqs
}

type moveUndone struct{ ofMove }

type moveCancelled struct{ ofMove }

// changeUndone takes back a change of a character or of the settings.
type changeUndone struct {
	Seq uint64 `json:"seq"` // of the change
}

func (moveUndone) Type() string    { return "table.move-undone" }
func (moveCancelled) Type() string { return "table.move-cancelled" }
func (changeUndone) Type() string  { return "table.change-undone" }

// ofMove names the move that is taken back.
type ofMove struct {
	Move string `json:"move"`
}

func (of ofMove) about(b ledger) (move string, secret bool) {
	m := b.move(of.Move)
	return of.Move, m != nil && b.secretMove(m)
}

func (ofMove) fold(st *state, r *record)       { st.takeBack(r.undoes.Seq, r) }
func (changeUndone) fold(st *state, r *record) { st.takeBack(r.undoes.Seq, r) }

// takingBack is what takes back something: by its first record, nil for what isn't there.
type takingBack interface{ what(b ledger) *record }

func (of ofMove) what(b ledger) *record {
	if m := b.move(of.Move); m != nil {
		return b.at(m.seq)
	}
	return nil
}

func (ev changeUndone) what(b ledger) *record { return b.at(ev.Seq) }

// find finds what is taken back: a move that has ended, or is open when it's cancelled, or a change; not yet undone.
func (of ofMove) find(b ledger, r *record) error {
	first := of.what(b)
	if first == nil || b.isUndone(first) || (b.open.going(of.Move) != nil) != (r.Kind == KindCancelled) {
		return errNothingToUndo
	}
	r.undoes, r.counts = first, b.counted(first.move)
	return b.deepened(r)
}

// deepened is an error where a record takes back what the state has forgotten, as norns did that forgot nothing.
func (b ledger) deepened(r *record) error {
	if b.seq < b.deep || b.remembers(r.undoes) {
		return nil
	}
	return &deepError{r.Seq}
}

// deepError says that a table is to be folded from the first entry on, with all that there was before an entry.
type deepError struct{ seq uint64 }

func (e *deepError) Error() string { return "it takes back what is too old" }

func (ev changeUndone) find(b ledger, r *record) error {
	first := ev.what(b)
	if first == nil || first.move != nil || !first.undoable() || b.isUndone(first) {
		return errNothingToUndo
	}
	r.undoes = first
	return b.deepened(r)
}

var errNothingToUndo = errors.New("there is nothing that it could undo")

func undo(e eye, seq uint64) (draft, error) {
	first, err := undoingOf(e, seq)
	if err != nil {
		return draft{}, err
	}
	if m := first.move; m != nil {
		return draftActs(e, KindUndone, moveUndone{ofMove{m.id}})
	}
	d, err := draftActs(e, KindUndone, changeUndone{Seq: first.Seq})
	for _, by := range e.st.later(first) {
		if givesWay(e, by) {
			d.body.Yields = append(d.body.Yields, by.move.id)
		}
	}
	return d, err
}

func (moveUndone) judge(p *proposal) error { return p.takesBack() }

func (changeUndone) judge(p *proposal) error { return p.takesBack() }

// takesBack judges that the seat may take back what the record undoes, and that nothing stands on that.
func (p *proposal) takesBack() error {
	first := p.r.undoes
	if !mayTakeBack(p.eye, first) {
		return &ForbiddenError{}
	}
	if err := p.bare(first); err != nil {
		return err
	}
	if first.facets&ofBeing != 0 && people(p.eye) >= MaxCharacters {
		return &TooManyError{What: "characters", Max: MaxCharacters}
	}
	return nil
}

// bare tells what stands on something, but for what gives way to the record.
func (p *proposal) bare(first *record) error {
	later := slices.DeleteFunc(p.st.later(first), func(by *record) bool { return by.move != nil && gaveWay(p.r, by.move.id) })
	if len(later) > 0 {
		return standingOn(p.eye, later)
	}
	return nil
}

func (ev moveUndone) lines(e eye) []Line {
	return e.line(ev, "move-undone", nil, data{"move": ev.Move})
}

// lines tell what change was taken back.
func (ev changeUndone) lines(e eye) []Line {
	first, shown := ev.what(e.st), data{"seq": ev.Seq}
	if first.Kind == KindSettings {
		return e.line(ev, "settings-undone", nil, shown)
	}
	var lines []Line
	for _, id := range first.touched {
		if !e.sees(id) {
			continue
		}
		word := "change-undone"
		if first.facets&ofBeing != 0 {
			word = "removal-undone"
		}
		lines = append(lines, e.line(ev, word, data{"Name": e.name(id)}, data{"seq": ev.Seq, "id": id})...)
	}
	return lines
}

// undoing is what the seat asks to be undone by an entry's seq.
func undoingOf(e eye, seq uint64) (*record, error) {
	r := e.st.at(seq)
	if r == nil || !e.seesEntry(r) {
		return nil, noChoice("seq", strconv.FormatUint(seq, 10), nil)
	}
	switch {
	case !mayTakeBack(e, r):
		return nil, &ForbiddenError{}
	case !r.undoable():
		return nil, refused("no-undo", nil)
	case e.st.isUndone(r):
		return nil, refused("undone", nil)
	case r.move != nil && e.st.open.going(r.move.id) != nil:
		return nil, refused("open-to-undo", nil)
	case !e.st.remembers(r):
		return nil, refused("too-old-to-undo", data{"N": MostTouches})
	}
	return r, nil
}

// undoable tells whether a first record changed something that can be taken
// back: sheets, names, players, settings.
func (r *record) undoable() bool {
	return r.move != nil || r.Kind == KindSettings || r.Kind == KindCharacter && len(r.touched) > 0
}

// mayTakeBack tells whether the seat may undo such a record at all.
func mayTakeBack(e eye, first *record) bool {
	if e.viewer.IsGM() {
		return true
	}
	return first.Kind == KindCharacter && first.Seat == e.seat.id &&
		!slices.ContainsFunc(first.touched, func(id string) bool { return !e.plays(id) })
}

// mayUndo tells whether Undo would be taken now, as far as the seat may know.
func mayUndo(e eye, first *record) bool {
	if !mightUndo(e, first) || !e.st.remembers(first) {
		return false
	}
	for by := range e.st.above(first) {
		if e.seesTouch(by) {
			return false
		}
	}
	return true
}

// mightUndo is mayUndo, were nothing standing on it nor forgotten.
func mightUndo(e eye, r *record) bool {
	return mayTakeBack(e, r) && r.undoable() && !e.st.isUndone(r) && (r.move == nil || e.st.open.going(r.move.id) == nil)
}

// standing says what stands on something, as far as the seat may know.
func standingOn(e eye, later []*record) error {
	err := &LaterError{}
	for _, r := range later {
		if e.seesEntry(r) {
			err.Later = append(err.Later, Later{Seq: r.Seq, Move: r.Move, Text: laterText(e, r)})
		}
	}
	return err
}

// laterText names a first record in the reader's words.
func laterText(e eye, r *record) string {
	seq := strconv.FormatUint(r.Seq, 10)
	switch {
	case r.move != nil:
		return e.moveText(r.move)
	case r.Kind == KindSettings:
		return e.voice.Say("table.later.settings", "Seq", seq)
	}
	name := ""
	for _, id := range r.touched {
		name = e.name(id)
	}
	return e.voice.Say("table.later.change", "Name", name, "Seq", seq)
}

// moveText names a move in the reader's words.
func (e eye) moveText(m *move) string {
	seq, what := strconv.FormatUint(m.seq, 10), e.word("move", m.def.ID)
	if m.actor != "" {
		return e.voice.Say("table.later.move-of", "Name", e.name(m.actor), "Move", what, "Seq", seq)
	}
	return e.voice.Say("table.later.move", "Move", what, "Seq", seq)
}

func cancel(e eye, id string) (draft, error) {
	m := e.st.move(id)
	switch {
	case m == nil || e.st.secretMove(m) && !e.viewer.IsGM():
		return draft{}, noChoice("move", id, nil)
	case !e.viewer.IsGM() && m.seat != e.seat.id:
		return draft{}, &ForbiddenError{}
	case e.st.open.going(id) == nil:
		return draft{}, refused("not-open", nil)
	}
	return draftActs(e, KindCancelled, moveCancelled{ofMove{id}})
}

func (moveCancelled) judge(p *proposal) error {
	m := p.r.undoes.move
	if !p.viewer.IsGM() && m.seat != p.seat.id {
		return &ForbiddenError{}
	}
	if !mayCancel(p.eye, m) {
		return refused("begun", nil)
	}
	return p.bare(p.r.undoes)
}

func (ev moveCancelled) lines(e eye) []Line {
	return e.line(ev, "move-cancelled", nil, data{"move": ev.Move})
}

// mayCancel tells whether the seat may cancel a move now.
func mayCancel(e eye, m *move) bool {
	u := e.st.open.going(m.id)
	return u != nil && (e.viewer.IsGM() || m.seat == e.seat.id && len(u.trail) == 0 && len(u.gone) == 0)
}
