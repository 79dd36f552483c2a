package table

import (
	"cmp"
	"context"
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
	facets facet
	sheet  any
	name   string
	owner  string
}

// touch gives a character to be changed by a record, and keeps how it was before; nil where there's no such character.
func (st *state) touch(r *record, id string, f facet) *character {
	c := st.change(id)
	if c == nil {
		return nil
	}
	by := r.head().Seq
	if r.move == nil {
		r.facets |= f
	}
	if !slices.Contains(r.touched, c.id) && (r.Kind != KindAnswer || !slices.Contains(st.going(r.Move).touched, c.id)) {
		r.touched = append(r.touched, c.id)
		c.past = append(c.past, touch{by: by, facets: f, sheet: c.sheet, name: c.name, owner: c.owner})
	} else if i := c.touchedBy(by); c.past[i].facets&f == 0 { // noted for this record: older states don't have it
		c.past[i].facets |= f
	}
	return c
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

// configured is a change of the settings and what they were before.
type configured struct {
	by  uint64
	was any
}

// takeBack undoes what began with a first record, by another: everything that
// it changed becomes what it was before.
func (st *state) takeBack(first, by *record) {
	st.undone = withMark(st.undone, first.Seq, by.Seq)
	if first.move != nil {
		st.end(first.move)
	}
	for _, c := range st.characters {
		i := c.touchedBy(first.Seq)
		if i < 0 {
			continue
		}
		c, was := st.change(c.id), c.past[i]
		for _, later := range c.past[i+1:] { // what others have changed since the move let go of it stays
			was.facets &^= later.facets
		}
		st.restore(c, was)
		c.past = slices.Delete(slices.Clone(c.past), i, i+1)
	}
	if i := slices.IndexFunc(st.configured, func(c configured) bool { return c.by == first.Seq }); i >= 0 {
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
		if s := st.seat(t.owner); s != nil && !s.revoked {
			c.owner = t.owner
		}
	}
	if t.facets&ofBeing != 0 {
		c.removed = false
	}
}

// later are the first records of what stands on a record, oldest first: what
// came after it, wasn't undone, and touched what it changed.
func (b ledger) later(first *record) []*record {
	return slices.SortedFunc(maps.Keys(set(b.above(first))), func(x, y *record) int { return cmp.Compare(x.Seq, y.Seq) })
}

func set[K comparable](items iter.Seq[K]) map[K]bool {
	all := map[K]bool{}
	for item := range items {
		all[item] = true
	}
	return all
}

// above gives what stands on a record, newest first in each thing touched.
func (b ledger) above(first *record) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		for _, id := range b.touched(first) {
			for _, t := range slices.Backward(b.character(id).past) {
				if t.by == first.Seq {
					break
				}
				if t.facets&first.facets != 0 && !yield(b.at(t.by)) {
					return
				}
			}
		}
		if first.Kind == KindSettings {
			for _, t := range slices.Backward(b.configured) {
				if t.by == first.Seq || !yield(b.at(t.by)) {
					return
				}
			}
		}
	}
}

// beneath are the changes on which a record is the first to stand, or on which nothing stands any more since it took back
// what did: whether they may be undone has changed.
func (e eye) beneath(r *record) []uint64 {
	first := r.head()
	if r.undoes != nil {
		first = r.undoes
	}
	seqs := e.beneathOf(first)
	if r.Kind == KindEdition {
		for _, m := range r.yields {
			seqs = append(seqs, e.beneathOf(m.first)...)
		}
	}
	return seqs
}

func (e eye) beneathOf(first *record) []uint64 {
	var seqs []uint64
	add := func(by *record) {
		if by.move == nil && !slices.Contains(seqs, by.Seq) {
			seqs = append(seqs, by.Seq)
		}
	}
	for _, id := range e.st.touched(first) {
		c := e.st.character(id)
		past := c.past
		if i := c.touchedBy(first.Seq); i >= 0 {
			past = past[:i]
		}
		rest := first.facets
		for _, t := range slices.Backward(past) {
			by := e.st.at(t.by)
			if t.facets&rest != 0 {
				add(by)
			}
			if e.seesEntry(by) { // what may not be known of covers nothing
				rest &^= t.facets
			}
			if rest == 0 {
				break
			}
		}
	}
	if first.Kind == KindSettings {
		for _, t := range slices.Backward(e.st.configured) {
			if t.by < first.Seq {
				add(e.st.at(t.by))
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

func (ofMove) fold(st *state, r *record)       { st.takeBack(r.undoes, r) }
func (changeUndone) fold(st *state, r *record) { st.takeBack(r.undoes, r) }

// find finds what is taken back: a move that has ended, or is open when it's cancelled, or a change; not yet undone.
func (of ofMove) find(b ledger, r *record) error {
	m := b.move(of.Move)
	if m == nil || b.undone[m.first.Seq] > 0 || (b.going(m.id) != nil) != (r.Kind == KindCancelled) {
		return errNothingToUndo
	}
	r.undoes = m.first
	return nil
}

func (ev changeUndone) find(b ledger, r *record) error {
	first := b.at(ev.Seq)
	if first == nil || first.move != nil || !first.undoable() || b.undone[first.Seq] > 0 {
		return errNothingToUndo
	}
	r.undoes = first
	return nil
}

var errNothingToUndo = errors.New("there is nothing that it could undo")

// Undo takes back a move with all that came of it, or a change of a character
// or of the settings, by the seq of any of its entries. A GM may; a player
// their own changes of characters that they play. What it changed becomes what
// it was before; it stays in the log, as undone. Made again, it is a new move.
//
// Errors are *InvalidError for an entry that isn't there, *LaterError where
// something later stands on it, and *RefusedError for what can't be undone, is
// undone already or is still open.
func (s *Seat) Undo(ctx context.Context, seq uint64, key string) (Entry, error) {
	return s.entry(ctx, key, "undo", seq, func(e eye) (draft, error) {
		first, err := e.undoing(seq)
		if err != nil {
			return draft{}, err
		}
		if m := first.move; m != nil {
			return e.acts(KindUndone, moveUndone{ofMove{m.id}})
		}
		d, err := e.acts(KindUndone, changeUndone{Seq: first.Seq})
		for _, by := range e.st.later(first) {
			if e.givesWay(by) {
				d.body.Yields = append(d.body.Yields, by.move.id)
			}
		}
		return d, err
	})
}

func (moveUndone) judge(p *proposal) error { return p.takesBack() }

func (changeUndone) judge(p *proposal) error { return p.takesBack() }

// takesBack judges that the seat may take back what the record undoes, and that nothing stands on that.
func (p *proposal) takesBack() error {
	first := p.r.undoes
	if !p.mayTakeBack(first) {
		return &ForbiddenError{}
	}
	if err := p.bare(first); err != nil {
		return err
	}
	if first.facets&ofBeing != 0 && p.people() >= MaxCharacters {
		return &TooManyError{What: "characters", Max: MaxCharacters}
	}
	return nil
}

// bare tells what stands on something, but for what gives way to the record.
func (p *proposal) bare(first *record) error {
	later := slices.DeleteFunc(p.st.later(first), func(by *record) bool { return slices.Contains(p.r.yields, by.move) })
	if len(later) > 0 {
		return p.standing(later)
	}
	return nil
}

func (ev moveUndone) lines(e eye) []Line {
	return e.line(ev, "move-undone", nil, data{"move": ev.Move})
}

// lines tell what change was taken back.
func (ev changeUndone) lines(e eye) []Line {
	first, shown := e.st.at(ev.Seq), data{"seq": ev.Seq}
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

// undoing is what the seat asks to be undone by an entry's seq: its first record.
func (e eye) undoing(seq uint64) (*record, error) {
	r := e.st.at(seq)
	if r == nil || !e.seesEntry(r) {
		return nil, noChoice("seq", strconv.FormatUint(seq, 10), nil)
	}
	first := r.head()
	switch {
	case !e.mayTakeBack(first):
		return nil, &ForbiddenError{}
	case !first.undoable():
		return nil, refused("no-undo", nil)
	case e.st.undone[first.Seq] > 0:
		return nil, refused("undone", nil)
	case first.move != nil && e.st.going(first.move.id) != nil:
		return nil, refused("open-to-undo", nil)
	}
	return first, nil
}

// undoable tells whether a first record changed something that can be taken
// back: sheets, names, players, settings.
func (r *record) undoable() bool {
	return r.move != nil || r.Kind == KindSettings || r.Kind == KindCharacter && len(r.touched) > 0
}

// mayTakeBack tells whether the seat may undo such a record at all.
func (e eye) mayTakeBack(first *record) bool {
	if e.viewer.IsGM() {
		return true
	}
	return first.Kind == KindCharacter && first.Seat == e.seat.id &&
		!slices.ContainsFunc(first.touched, func(id string) bool { return !e.plays(id) })
}

// mayUndo tells whether Undo would be taken now, as far as the seat may know.
func (e eye) mayUndo(first *record) bool {
	if !e.mayTakeBack(first) || !first.undoable() || e.st.undone[first.Seq] > 0 || first.move != nil && e.st.going(first.move.id) != nil {
		return false
	}
	for by := range e.st.above(first) {
		if e.seesEntry(by) {
			return false
		}
	}
	return true
}

// standing says what stands on something, as far as the seat may know.
func (e eye) standing(later []*record) error {
	err := &LaterError{}
	for _, r := range later {
		if e.seesEntry(r) {
			err.Later = append(err.Later, Later{Seq: r.Seq, Move: r.Move, Text: e.laterText(r)})
		}
	}
	return err
}

// laterText names a first record in the reader's words.
func (e eye) laterText(r *record) string {
	seq := strconv.FormatUint(r.Seq, 10)
	switch {
	case r.move != nil && r.move.actor != "":
		return e.voice.Say("table.later.move-of", "Name", e.name(r.move.actor), "Move", e.word("move", r.move.def.ID), "Seq", seq)
	case r.move != nil:
		return e.voice.Say("table.later.move", "Move", e.word("move", r.move.def.ID), "Seq", seq)
	case r.Kind == KindSettings:
		return e.voice.Say("table.later.settings", "Seq", seq)
	}
	name := ""
	for _, id := range r.touched {
		name = e.name(id)
	}
	return e.voice.Say("table.later.change", "Name", name, "Seq", seq)
}

// Cancel ends an open move. Its questions are gone and what it has changed is
// taken back; the dice that it threw stay on record. A GM may, and a player who
// made the move as long as no die was thrown in it and nothing answered.
//
// Errors are *InvalidError for a move that isn't there, and *RefusedError for
// one that isn't open, or that has gone too far for a player, and *LaterError where
// something stands on it, since it has let go of somebody.
func (s *Seat) Cancel(ctx context.Context, id, key string) (Entry, error) {
	return s.entry(ctx, key, "cancel", id, func(e eye) (draft, error) {
		m := e.st.move(id)
		switch {
		case m == nil || e.st.secretMove(m) && !e.viewer.IsGM():
			return draft{}, noChoice("move", id, nil)
		case !e.viewer.IsGM() && m.seat != e.seat.id:
			return draft{}, &ForbiddenError{}
		case e.st.going(id) == nil:
			return draft{}, refused("not-open", nil)
		}
		return e.acts(KindCancelled, moveCancelled{ofMove{id}})
	})
}

func (moveCancelled) judge(p *proposal) error {
	m := p.r.undoes.move
	if !p.viewer.IsGM() && m.seat != p.seat.id {
		return &ForbiddenError{}
	}
	if !p.mayCancel(m) {
		return refused("begun", nil)
	}
	return p.bare(m.first)
}

func (ev moveCancelled) lines(e eye) []Line {
	return e.line(ev, "move-cancelled", nil, data{"move": ev.Move})
}

// mayCancel tells whether the seat may cancel a move now.
func (e eye) mayCancel(m *move) bool {
	u := e.st.going(m.id)
	return u != nil && (e.viewer.IsGM() || m.seat == e.seat.id && len(u.trail) == 0 && len(u.gone) == 0)
}
