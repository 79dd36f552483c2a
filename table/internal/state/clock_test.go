package state

import (
	"slices"
	"strconv"
	"testing"

	"norn/table/view"
)

func TestAudienceIncludesOnlyItsSeats(t *testing.T) {
	for name, c := range map[string]struct {
		of   Audience
		seat string
		want bool
	}{
		"all":                         {Audience{}, "s2", true},
		"all, and a nameless seat":    {Audience{}, "", true},
		"some, one of them":           {Audience{To: []string{"s2"}}, "s2", true},
		"some, another":               {Audience{To: []string{"s2"}}, "s3", false},
		"some, and a nameless seat":   {Audience{To: []string{""}}, "", false},
		"game masters alone":          {Audience{Hidden: true}, "s2", false},
		"game masters alone, for all": {Audience{Hidden: true, To: []string{"s2"}}, "s2", false},
	} {
		if got := c.of.Includes(c.seat); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAClockStopsAtItsEnds(t *testing.T) {
	for _, c := range []struct{ at, by, want int }{{2, 1, 3}, {2, 9, 6}, {2, -1, 1}, {2, -9, 0}, {2, 0, 2}} {
		if got := (Clock{Max: 6, At: c.at}).After(c.by); got != c.want {
			t.Errorf("%d and %+d is %d", c.at, c.by, got)
		}
	}
}

// clockSet returns the next record, which sets or, without a value, removes a clock.
func clockSet(st *State, id string, value *Clock) *Record {
	return entry(st, view.KindClock, does(func(st *State, r *Record) { st.SetClock(r, id, value) }))
}

// at returns a clock that is advanced so far.
func at(id string, at int) *Clock { return &Clock{ID: id, Name: "clock " + id, Max: 9, At: at} }

func clockIDs(st *State) (ids []string) {
	for _, c := range st.Clocks {
		ids = append(ids, c.ID)
	}
	return ids
}

// Clocks are in the order of their numbers, wherever undo puts one back.
func TestUndoPutsAClockBackInItsPlace(t *testing.T) {
	st := start()
	for _, id := range []string{"k2", "k10", "k9"} {
		st = st.Next(clockSet(st, id, at(id, 1)))
	}
	removed := clockSet(st, "k9", nil)
	st = st.Next(removed)
	if got := clockIDs(st); !slices.Equal(got, []string{"k2", "k10"}) {
		t.Errorf("removed: %q", got)
	}
	st = st.Next(undoes(st, removed))
	if got := clockIDs(st); !slices.Equal(got, []string{"k2", "k9", "k10"}) || st.Clocks[1].Name != "clock k9" {
		t.Errorf("put back: %q", got)
	}
	if i := st.Clocks.IndexByName(" CLOCK K10"); i != 2 {
		t.Errorf("found by another spelling of its name: %d", i)
	}
}

// Undo of a clock's earlier change keeps the later one, which then has the former value before it.
func TestUndoOfAnEarlierChangeOfAClockKeepsTheLaterOne(t *testing.T) {
	st := start()
	var rs []*Record
	for n := 1; n <= 3; n++ {
		rs = append(rs, clockSet(st, "k1", at("k1", n)))
		st = st.Next(rs[n-1])
	}
	if got := st.ThingChangesAfter(rs[0].Seq); len(got) != 2 || got[0].By != rs[2].Seq || got[1].By != rs[1].Seq {
		t.Errorf("after the first: %+v", got)
	}
	if got := st.ThingChangesBefore(rs[2].Seq, []string{"k1", "k7"}); !slices.Equal(got, []uint64{rs[1].Seq}) {
		t.Errorf("before the third: %v", got)
	}
	st = st.Next(undoes(st, rs[1]))
	if st.Clocks[0].At != 3 || len(st.ThingsChangedBy(rs[1].Seq)) > 0 {
		t.Errorf("the clock is at %d", st.Clocks[0].At)
	}
	st = st.Next(undoes(st, rs[2]))
	if st.Clocks[0].At != 1 {
		t.Errorf("then it's at %d", st.Clocks[0].At)
	}
	if st = st.Next(undoes(st, rs[0])); len(st.Clocks) > 0 {
		t.Errorf("then it's %+v", st.Clocks)
	}
}

func TestStateRemembersOnlyTheNewestThingChanges(t *testing.T) {
	st := start()
	whole := *st
	whole.WholeBefore = 1 << 20
	all := &whole
	for i := range maxThingChanges + 5 {
		id := "k" + strconv.Itoa(i)
		st, all = st.Next(clockSet(st, id, at(id, 1))), all.Next(clockSet(all, id, at(id, 1)))
	}
	if len(st.ThingChanges) != maxThingChanges || st.ThingChanges[0].ID != "k5" {
		t.Errorf("%d changes, the oldest of %s", len(st.ThingChanges), st.ThingChanges[0].ID)
	}
	if len(all.ThingChanges) != maxThingChanges+5 {
		t.Errorf("where all is remembered: %d", len(all.ThingChanges))
	}
}
