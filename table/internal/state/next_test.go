package state

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/game"
	"norn/table/view"
)

// Each kind of record changes these members of the state's encoding in addition to seq, and no
// others.
func TestEachRecordChangesOnlyItsPartOfTheState(t *testing.T) {
	type step = func(*State) *Record
	makes := func(def game.Move, faces ...int) step {
		return func(st *State) *Record { return made(t, st, def, faces...) }
	}
	answer := func(st *State) *Record { return answers(t, st, `{}`) }
	clock := func(st *State) *Record {
		return entry(st, view.KindClock, does(func(st *State, r *Record) {
			st.SetClock(r, "k1", &Clock{ID: "k1", Name: "Watch", Max: 6})
		}))
	}
	tick := func(name string) step {
		return func(st *State) *Record {
			return entry(st, view.KindUndone, game.ClockTicked{Clock: name, By: 1})
		}
	}
	for name, c := range map[string]struct {
		before []step
		record step
		want   []string
	}{
		"a message": {nil, func(st *State) *Record { return entry(st, view.KindTalk) }, nil},
		"an edit":   {nil, func(st *State) *Record { return edits(st, "c1", 3) }, []string{"characters"}},
		"harm of an unknown character": {nil, func(st *State) *Record {
			return entry(st, view.KindUndone, stung{"c9", 1})
		}, nil},
		"settings": {nil, func(st *State) *Record {
			return entry(st, view.KindSettings, does(func(st *State, r *Record) {
				st.NoteSettings(r)
				st.Settings = house{7}
			}))
		}, []string{"configured", "settings"}},
		"a clock":             {nil, clock, []string{"clocks", "thingChanges"}},
		"a clock that ticks":  {[]step{clock}, tick("WATCH"), []string{"clocks", "thingChanges"}},
		"no such clock":       {[]step{clock}, tick("Tide"), nil},
		"a move":              {nil, makes(sting), []string{"begun", "characters", "openly", "tallies"}},
		"a second move":       {[]step{makes(sting)}, makes(sting), []string{"characters", "tallies"}},
		"a move that asks":    {nil, makes(duel, 4), []string{"begun", "characters", "open", "openly", "tallies"}},
		"an answer that ends": {[]step{makes(duel, 4), answer}, answer, []string{"open", "tallies"}},
		"an answer that stings": {
			[]step{makes(duel, 4)},
			answer,
			[]string{"characters", "open"},
		},
		"a roll for the order": {
			nil, makes(lots, 4),
			[]string{"begun", "characters", "drawn", "openly", "tallies"},
		},
		"an offer": {nil, makes(tempt), []string{"begun", "characters", "offers", "openly", "tallies"}},
		"a secret move": {nil, func(st *State) *Record {
			m := newMove(st, &sting)
			m.Secret = true
			return run(t, st, view.KindMove, st.NewOpenMove(m), nil, nil)
		}, []string{"begun", "characters", "secrets", "tallies"}},
		"a move gives way": {[]step{makes(duel, 4)}, func(st *State) *Record {
			r := entry(st, view.KindTalk)
			r.Yielded = []*Move{st.OpenMoves[0].Move}
			return r
		}, []string{"characters", "open", "tallies", "undone"}},
	} {
		t.Run(name, func(t *testing.T) {
			st := after(start(), c.before...)
			was, _ := encoded(t, st)
			is, _ := encoded(t, after(st, c.record))
			got := slices.DeleteFunc(Differing(was, is), func(name string) bool { return name == "seq" })
			if !slices.Equal(got, c.want) {
				t.Errorf("it changed %q, want %q", got, c.want)
			}
		})
	}
}

// drawRecord draws any next record of a table.
func drawRecord(t *testing.T, rt *rapid.T, st *State, all []*Record) *Record {
	id := rapid.SampledFrom([]string{"c1", "c2", "c3"}).Draw(rt, "character")
	n := rapid.IntRange(1, 6).Draw(rt, "n")
	kinds := []string{"edit", "rename", "give", "settings", "clock", "undo", "move", "answer", "seat"}
	switch rapid.SampledFrom(kinds).Draw(rt, "kind") {
	case "edit":
		return edits(st, id, n)
	case "rename":
		return renames(st, id, string(rune('a'+n)))
	case "give":
		return changes(st, id, OfOwner, func(c *Character) { c.Owner = []string{"", "s2", "s3"}[n%3] })
	case "settings":
		return entry(st, view.KindSettings, does(func(st *State, r *Record) {
			st.NoteSettings(r)
			st.Settings, st.Values.Room = house{n}, "https://room"
		}))
	case "clock":
		c := Clock{ID: "k" + string(rune('0'+n)), Name: "Clock", Max: 6, At: n, Audience: Audience{To: []string{"s2"}}}
		return entry(st, view.KindClock, does(func(st *State, r *Record) { st.SetClock(r, c.ID, &c) }))
	case "undo":
		for _, r := range slices.Backward(all) {
			if r.Undoable() && !st.Undone.Has(r) && len(slices.Collect(st.Above(r))) == 0 {
				return undoes(st, r)
			}
		}
	case "move":
		if len(st.OpenMoves) == 0 {
			return made(t, st, rapid.SampledFrom([]game.Move{sting, duel, tempt, calm, lots}).Draw(rt, "move"), n)
		}
	case "answer":
		if len(st.OpenMoves) > 0 && len(st.OpenMoves[0].Pending) > 0 &&
			st.OpenMoves[0].Pending[0].Dice == nil {
			return answers(t, st, rapid.SampledFrom([]string{`{}`, `{"block":true}`}).Draw(rt, "answer"))
		}
	case "seat":
		return entry(st, view.KindSeat, does(func(st *State, _ *Record) {
			st.Seats = st.Seats.With("s2", func(s *Seat) { s.Revoked = !s.Revoked })
		}))
	}
	return entry(st, view.KindTalk)
}

// Later records don't change a state, and decoding its encoding returns the same state.
func TestStateIsImmutableAndSurvivesEncoding(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		states, texts, all := []*State{start()}, []string{}, []*Record{}
		for range rapid.IntRange(1, 30).Draw(rt, "records") {
			st := states[len(states)-1]
			_, text := encoded(t, st)
			r := drawRecord(t, rt, st, all)
			states, texts, all = append(states, after(st, func(*State) *Record { return r })), append(texts, text),
				append(all, r)
		}
		for i, text := range texts {
			if _, now := encoded(t, states[i]); now != text {
				rt.Fatalf("state %d was\n%s\nand is now\n%s", i, text, now)
			}
		}
		_, last := encoded(t, states[len(states)-1])
		again, err := Decode([]*game.Game{toy}, []byte(last))
		if err != nil {
			rt.Fatal(err)
		}
		if _, text := encoded(t, again); text != last {
			rt.Fatalf("encoded\n%s\nand decoded\n%s", last, text)
		}
	})
}

func TestDecodeRefusesDamagedOrUnknownStates(t *testing.T) {
	_, text := encoded(t, after(start(), func(st *State) *Record { return made(t, st, tempt) }))
	for name, change := range map[string][2]string{
		"another game":     {`"game":"toy"`, `"game":"chess"`},
		"an unknown kind":  {`"kind":"hero"`, `"kind":"villain"`},
		"damaged settings": {`"ofGame":[{"limit":5}`, `"ofGame":[{"limit":"x"}`},
		"a value missing":  {`"ofGame":[{"limit":5},`, `"ofGame":[`},
		"a seal missing":   {`"seals":[""]`, `"seals":[]`},
		"damaged text":     {`}`, ``},
	} {
		damaged := replaceOnce(t, text, change[0], change[1])
		if st, err := Decode([]*game.Game{toy}, []byte(damaged)); err == nil {
			t.Errorf("%s: decoded as %+v", name, st)
		}
	}
	st, err := Decode([]*game.Game{toy}, []byte(replaceOnce(t, text, `"move":"sting"`, `"move":"old"`)))
	if err != nil || len(st.Offers) != 0 {
		t.Errorf("an offer of a move that is gone isn't dropped: %v, %v", st, err)
	}
}

// A snapshot of other types has another version, however deep they are.
func TestVersionFollowsTypes(t *testing.T) {
	write := func(of reflect.Type) string {
		var b strings.Builder
		writeType(&b, of, map[reflect.Type]bool{})
		return b.String()
	}
	type thing struct {
		N int `json:"n"`
	}
	type holder struct{ Things []map[string]*thing }
	written := write(reflect.TypeFor[holder]())
	{
		type thing struct {
			N int `json:"m"`
		}
		type holder struct{ Things []map[string]*thing }
		if write(reflect.TypeFor[holder]()) == written {
			t.Errorf("another tag makes no other version:\n%s", written)
		}
	}
	t.Log("the version is", Version())
	all := write(reflect.TypeFor[snapshot]())
	for _, part := range []string{
		"Facets json:\"facets\"", "state.Clock\n", "view.Values\n", "rule.Throw\n", "state.storedMeanwhile\n",
	} {
		if !strings.Contains(all, part) {
			t.Errorf("the version doesn't depend on %q", part)
		}
	}
}
