package state

import (
	"slices"
	"strings"
	"testing"

	"norn/table/view"
)

func replaceOnce(t *testing.T, text, old, with string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%s isn't in %s", old, text)
	}
	return strings.Replace(text, old, with, 1)
}

// TakeBack restores each facet that a record changed, and nothing else.
func TestUndoRestoresWhatARecordChanged(t *testing.T) {
	revoke := func(st *State) *Record {
		return entry(st, view.KindSeat, does(func(st *State, _ *Record) {
			st.Seats = st.Seats.With("s2", func(s *Seat) { s.Revoked = true })
			st.Alter("c1").Owner = ""
		}))
	}
	give := func(st *State) *Record {
		return changes(st, "c1", OfOwner, func(c *Character) { c.Owner = "s3" })
	}
	for name, c := range map[string]struct {
		do    func(*State) *Record
		then  []func(*State) *Record
		owner string
		name  string
		luck  int
	}{
		"a sheet": {do: func(st *State) *Record { return edits(st, "c1", 3) }, owner: "s2", name: "Lira", luck: 9},
		"a name": {do: func(st *State) *Record {
			return renames(st, "c1", "Lyra")
		}, owner: "s2", name: "Lira", luck: 9},
		"a removal": {do: func(st *State) *Record {
			return changes(st, "c1", OfBeing, func(c *Character) { c.Removed = true })
		}, owner: "s2", name: "Lira", luck: 9},
		"an owner":           {do: give, owner: "s2", name: "Lira", luck: 9},
		"an owner that left": {do: give, then: []func(*State) *Record{revoke}, name: "Lira", luck: 9},
		"a sheet, not a new name": {
			do:    func(st *State) *Record { return edits(st, "c1", 3) },
			then:  []func(*State) *Record{func(st *State) *Record { return renames(st, "c1", "Lyra") }},
			owner: "s2", name: "Lyra", luck: 9,
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := start()
			first := c.do(st)
			st = after(st.Next(first), c.then...)
			by := undoes(st, first)
			st = st.Next(by)
			got := st.Characters.Of("c1")
			if got.Owner != c.owner || got.Name != c.name || luck(st, "c1") != c.luck || got.Removed {
				t.Errorf("restored as %+v", got)
			}
			if !slices.Equal(by.Reverted, []string{"c1"}) || st.Undone.By(first.Seq) != by.Seq ||
				!st.Undone.Has(first) {
				t.Errorf("reverted %q, undone %v", by.Reverted, st.Undone)
			}
		})
	}
}

// later lists the seqs of the records that prevent the undo of a record.
func later(st *State, r *Record) (seqs []uint64) {
	for t := range st.Above(r) {
		seqs = append(seqs, t.By)
	}
	return seqs
}

func TestOnlyLaterChangesOfTheSameThingBlockUndo(t *testing.T) {
	type step = func(*State) *Record
	edit := func(st *State) *Record { return edits(st, "c1", 3) }
	sets := func(st *State) *Record {
		return entry(st, view.KindSettings, does(func(st *State, r *Record) { st.NoteSettings(r) }))
	}
	tick := func(id string) step {
		return func(st *State) *Record {
			return entry(st, view.KindClock, does(func(st *State, r *Record) {
				st.SetClock(r, id, &Clock{ID: id, Name: id, Max: 6, At: int(st.Seq)})
			}))
		}
	}
	takes := func(st *State) *Record {
		m := newMove(st, &sting)
		m.Offer = st.Offers[0].ID
		return run(t, st, view.KindMove, st.NewOpenMove(m), nil, nil)
	}
	takesAlone := func(st *State) *Record { // without those whom the offering move read
		m := newMove(st, &sting)
		m.Offer, m.Actor, m.Cast, m.Args = st.Offers[0].ID, "c3", []string{"c3"}, aim{"c3"}
		return run(t, st, view.KindMove, st.NewOpenMove(m), nil, nil)
	}
	duels := func(st *State) *Record { return made(t, st, duel, 4) }
	for name, c := range map[string]struct {
		first step
		then  step
		want  bool
	}{
		"an edit after an edit":            {edit, edit, true},
		"another's edit":                   {edit, func(st *State) *Record { return edits(st, "c2", 3) }, false},
		"a new name after an edit":         {edit, func(st *State) *Record { return renames(st, "c1", "Lyra") }, false},
		"a move reads the edited sheet":    {edit, duels, true},
		"a move after a new name":          {func(st *State) *Record { return renames(st, "c1", "L") }, duels, false},
		"settings after settings":          {sets, sets, true},
		"an edit after settings":           {sets, edit, false},
		"the same clock":                   {tick("k1"), tick("k1"), true},
		"another clock":                    {tick("k1"), tick("k2"), false},
		"a move that takes a move's offer": {func(st *State) *Record { return made(t, st, tempt) }, takes, true},
		"a move of others that takes it":   {func(st *State) *Record { return made(t, st, tempt) }, takesAlone, true},
	} {
		t.Run(name, func(t *testing.T) {
			st := start()
			first := c.first(st)
			st = st.Next(first)
			then := c.then(st)
			st = st.Next(then)
			got := later(st, first)
			if c.want != slices.Contains(got, then.Seq) || len(later(st, then)) > 0 {
				t.Errorf("in the way of it: %v, of the later one: %v", got, later(st, then))
			}
			if st = st.Next(undoes(st, then)); len(later(st, first)) > 0 {
				t.Errorf("once that is undone: %v", later(st, first))
			}
		})
	}
}

// A move that released its target is cancelled: the target keeps its later changes.
func TestCancelKeepsLaterChangesOfReleasedCharacters(t *testing.T) {
	st := after(start(), func(st *State) *Record { return made(t, st, duel, 4) },
		func(st *State) *Record { return answers(t, st, `{}`) })
	m := st.OpenMoves[0]
	if luck(st, "c2") != 5 || m.Holds("c2") || !m.Holds("c1") || st.OpenMoves.Holding("c1") != m {
		t.Fatalf("the duel took %d and holds %v", luck(st, "c2"), m.Cast)
	}
	st = after(st, func(st *State) *Record { return edits(st, "c2", 1) })
	r := entry(st, view.KindEdition)
	r.Yielded = []*Move{m.Move}
	st = st.Next(r)
	if luck(st, "c2") != 1 || luck(st, "c1") != 9 || len(st.OpenMoves) > 0 || st.Undone.By(m.Seq) != r.Seq {
		t.Errorf("after the duel was cancelled: %d and %d, undone %v", luck(st, "c1"), luck(st, "c2"), st.Undone)
	}
}

// The state remembers an open move's touch, however many later changes the released character has.
func TestChangeByAnOpenMoveIsNeverForgotten(t *testing.T) {
	st := after(start(), func(st *State) *Record { return made(t, st, duel, 4) },
		func(st *State) *Record { return answers(t, st, `{}`) })
	for i := range view.MostTouches + 5 {
		st = st.Next(edits(st, "c2", i))
	}
	c := st.Characters.Of("c2")
	if c.TouchedBy(st.OpenMoves[0].Seq) != 0 || len(c.Past) != view.MostTouches+1 {
		t.Errorf("%d touches, that of the open move at %d", len(c.Past), c.TouchedBy(st.OpenMoves[0].Seq))
	}
}

// The state remembers the newest changes of each facet, and all of them before WholeBefore.
func TestStateRemembersTheNewestChangesOfEachFacet(t *testing.T) {
	st := start()
	named, edited := renames(st, "c1", "Lyra"), (*Record)(nil)
	st = st.Next(named)
	edited = edits(st, "c1", 1)
	st = st.Next(edited)
	configured := entry(st, view.KindSettings, does(func(st *State, r *Record) { st.NoteSettings(r) }))
	st = st.Next(configured)
	whole := *st
	whole.WholeBefore = 1000
	for i := range view.MostTouches {
		edit := func(st *State) *Record { return edits(st, "c1", i) }
		set := func(st *State) *Record {
			return entry(st, view.KindSettings, does(func(st *State, r *Record) { st.NoteSettings(r) }))
		}
		st = after(st, edit, set)
		whole = *after(&whole, edit, set)
	}
	for _, c := range []struct {
		name string
		st   *State
		r    *Record
		want bool
	}{
		{"a name before many edits", st, named, true},
		{"an edit before many edits", st, edited, false},
		{"settings before many settings", st, configured, false},
		{"an edit where all is remembered", &whole, edited, true},
		{"settings where all is remembered", &whole, configured, true},
		{"a message", st, entry(st, view.KindTalk), true},
		{"a clock that nobody changed", st, entry(st, view.KindClock), false},
	} {
		if got := c.st.Remembers(c.r); got != c.want {
			t.Errorf("%s: remembered is %v", c.name, got)
		}
	}
}

// Undo of settings restores the table's values, except the time of the next session.
func TestUndoOfSettingsKeepsTheNextSession(t *testing.T) {
	st := start()
	first := entry(st, view.KindSettings, does(func(st *State, r *Record) {
		st.NoteSettings(r)
		st.Settings, st.Values.Room = house{7}, "https://room"
	}))
	st = st.Next(first)
	plan := &view.Planned{Zone: "UTC"}
	st = after(st, func(st *State) *Record {
		return entry(st, view.KindPlanned, does(func(st *State, _ *Record) { st.Values.Next = plan }))
	}, func(st *State) *Record { return undoes(st, first) })
	if st.Settings != (house{5}) || st.Values.Room != "" || st.Values.Next != plan || len(st.Configured) > 0 {
		t.Errorf("settings %v, values %+v", st.Settings, st.Values)
	}
}

// An undone roll for the order of turns, and an undone move, don't count any more.
func TestUndoneMoveIsNotCounted(t *testing.T) {
	st := start()
	first := made(t, st, lots, 4)
	st = st.Next(first)
	if n := st.Tallies[0]; len(st.Drawn) != 1 || n.Moves != 1 || n.Dice[0].N != 1 || n.Came[0].N != 1 {
		t.Fatalf("counted: %+v, order %v", n, st.Drawn)
	}
	by := undoes(st, first)
	by.Uncounted = []*Record{first}
	st = st.Next(by)
	if n := st.Tallies[0]; len(st.Drawn) != 0 || n.Moves != 0 || n.Dice[0].N != 0 || n.Came[0].N != 0 {
		t.Errorf("after undo: %+v, order %v", n, st.Drawn)
	}
}

func TestOfferIsOpenUntilTakenEndedOrItsMoveUndone(t *testing.T) {
	offered := func() (*State, *Record) {
		st := start()
		r := made(t, st, tempt)
		return st.Next(r), r
	}
	for name, c := range map[string]func(st *State, tempted *Record) *Record{
		"taken": func(st *State, _ *Record) *Record {
			m := newMove(st, &sting)
			m.Offer = st.Offers[0].ID
			return run(t, st, view.KindMove, st.NewOpenMove(m), nil, nil)
		},
		"ended":  func(st *State, _ *Record) *Record { return made(t, st, calm) },
		"undone": func(st *State, tempted *Record) *Record { return undoes(st, tempted) },
		"its actor leaves": func(st *State, _ *Record) *Record {
			return changes(st, "c1", OfBeing, func(c *Character) { c.Removed = true })
		},
	} {
		t.Run(name, func(t *testing.T) {
			st, tempted := offered()
			if open := st.OffersOpen(); len(open) != 1 || open[0].ID != "m2:#0" || open[0].To != "c1" ||
				open[0].Args != (aim{"c2"}) {
				t.Fatalf("offered: %+v", open)
			}
			r := c(st, tempted)
			if st = st.Next(r); len(st.OffersOpen()) > 0 {
				t.Errorf("still open: %+v", st.OffersOpen()[0])
			}
			if r.Kind == view.KindUndone {
				return
			}
			if st = st.Next(undoes(st, r)); len(st.OffersOpen()) != 1 {
				t.Error("it isn't open again after undo")
			}
		})
	}
}

// A public move that meets a call closes it; undoing the move opens the call again.
func TestCallIsOpenUntilAMoveMeetsIt(t *testing.T) {
	st := start()
	st.Calls = Calls{{ID: st.Calls.Next(), Actor: "c1", Def: &sting, Args: aim{"c2"}, Fixed: []string{"target"}}}
	if c := st.CallMetBy(&sting, "c1", aim{"c2"}); c == nil || c.ID != "call1" ||
		st.CallMetBy(&sting, "c1", aim{"c3"}) != nil || st.CallMetBy(&sting, "c2", aim{"c2"}) != nil ||
		st.CallMetBy(&duel, "c1", aim{"c2"}) != nil {
		t.Errorf("met: %+v", c)
	}
	ruled := st.RuledArgs(&sting, "c1", aim{"c2"}, false)
	if !ruled.Asked || !slices.Equal(ruled.Fixed, []string{"target"}) || !st.RuledArgs(&sting, "c1", nil, true).All ||
		st.RuledArgs(&sting, "c1", aim{"c3"}, false).Asked {
		t.Errorf("decided by a game master: %+v", ruled)
	}
	met := made(t, st, sting)
	st = st.Next(met)
	if len(st.CallsOpen()) > 0 {
		t.Error("still open")
	}
	if st = st.Next(undoes(st, met)); len(st.CallsOpen()) != 1 {
		t.Error("not open again")
	}
	for name, change := range map[string]func(*State){
		"withdrawn": func(st *State) { st.Calls = st.Calls.With("call1", func(c *Call) { c.Withdrawn = true }) },
		"no actor":  func(st *State) { st.Alter("c1").Removed = true },
	} {
		other := *st
		if change(&other); len(other.CallsOpen()) > 0 || len(st.CallsOpen()) != 1 {
			t.Errorf("%s: %d open, before %d", name, len(other.CallsOpen()), len(st.CallsOpen()))
		}
	}
}

// A past that is too long forgets a move whole: with what others did before it went on, except for
// what is still open.
func TestPastForgetsAMoveWithWhatWasWithinIt(t *testing.T) {
	c := &Character{Past: []Touch{
		{By: 1, Facets: OfSheet, Sheet: house{}},
		{By: 2, Facets: OfName},
		{By: 3, Facets: OfSheet},
		{By: 4, Facets: OfSheet, Sheet: []int{1}},
		{By: 5, Facets: OfSheet, Sheet: []int{2}},
		{By: 3, Facets: OfSheet},
	}}
	for by := range uint64(view.MostTouches) {
		c.Past = append(c.Past, Touch{By: 10 + by, Facets: OfSheet, Sheet: []int{3}})
	}
	open := OpenMoves{{Move: &Move{ID: MoveID(1)}}, {Move: &Move{ID: MoveID(5)}}}
	c.shorten(open)
	var left []uint64
	for _, t := range c.Past[:5] {
		left = append(left, t.By)
	}
	if want := []uint64{1, 2, 5, 10, 11}; !slices.Equal(left, want) {
		t.Errorf("the past begins with %v, want %v", left, want)
	}
}
