package state

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"norn/game"
	"norn/rule"
	"norn/table/view"
)

// Each body has the lowest version that its reader needs.
func TestEntryBodyHasTheLowestSufficientVersion(t *testing.T) {
	rolled := rule.Trail{{Dice: &rule.Throw{Sides: 6, Faces: []int{3}}}}
	typed := rule.Trail{{Dice: &rule.Throw{Sides: 6, Faces: []int{3}, Hand: true}}}
	added := rule.Trail{{Dice: &rule.Throw{Sides: 6, Faces: []int{4, 3}, Hand: true, Total: true}}}
	for want, all := range map[int][]EntryBody{
		1: {
			{},
			{Secret: true},
			{Kind: view.KindCharacter},
			{Answers: "#0", Steps: typed},
			{Steps: rolled},
			{Opening: &Opening{}},
		},
		2: {{Yields: []string{"m3"}}},
		3: {{LetGo: []string{"c1"}, Yields: []string{"m3"}}},
		4: {{Edition: "2", LetGo: []string{"c1"}}},
		5: {{Kind: view.KindCharacter, Secret: true, Edition: "2"}},
		6: {{Reseals: true}, {Trusted: true, Edition: "2"}},
		7: {{Opening: &Opening{Offer: "m2:#0"}, Edition: "2"}},
		8: {{Answers: "#0", Steps: rolled, Edition: "2"}},
		9: {{Steps: added, Edition: "2"}, {Answers: "#0", Steps: slices.Concat(rolled, added)}},
		10: {
			{Asks: []Ask{{Place: ":0", Lends: []string{"c1"}}}, Edition: "2"},
			{Events: []Event{{N: -1, Type: "game.RolledBy"}}, Steps: added},
		},
	} {
		for _, b := range all {
			if got := b.Version(); got != want {
				t.Errorf("%+v is of version %d, want %d", b, got, want)
			}
		}
	}
	b := EntryBody{}
	if b.Sign(FirstEdition, "test"); b.Edition != "" || b.V != 1 || b.Rules != "test" || b.edition() != FirstEdition {
		t.Errorf("of the first edition: %+v", b)
	}
	if b.Sign("2", "test"); b.Edition != "2" || b.V != 4 || b.edition() != "2" {
		t.Errorf("of the second: %+v", b)
	}
}

func TestOnlyEventsOfTheGameAreEncoded(t *testing.T) {
	stored, err := EncodeEvents([]rule.PlacedEvent{{Part: "1.0", N: 2, Event: stung{"c1", 3}}}, toy.Version)
	want := []Event{{Part: "1.0", N: 2, Type: "toy.stung", V: 1, Data: []byte(`{"who":"c1","n":3}`)}}
	if err != nil || !reflect.DeepEqual(stored, want) {
		t.Errorf("%+v, %v", stored, err)
	}
	if _, err := EncodeEvents([]rule.PlacedEvent{{Event: told{}}}, toy.Version); err == nil {
		t.Error("an event that no norn could read is encoded")
	}
}

// told is an event of dice by a thrower.
type told struct{ who string }

func (told) Type() string                     { return "toy.told" }
func (e told) Thrower() string                { return e.who }
func (told) ThrowerName(v game.Voice) string  { return "" }
func (turned) Type() string                   { return "toy.turned" }
func (e turned) TurnedFace() (was, is int)    { return e.was, 6 }
func (counted) Marks(faces []int) []game.Mark { return nil }

type (
	turned  struct{ was int }
	counted struct{ told }
)

// Events about dice have a part, unless they say the default: the actor, in the main part.
func TestDiceEventsNameTheirPartUnlessItIsTheDefault(t *testing.T) {
	d := &Decoding{
		EntryBody: EntryBody{
			Opening: &Opening{Actor: "c1"},
			Events:  []Event{{Part: "1.0"}, {}, {}, {Part: "1.1"}, {}, {}, {Part: "1.0"}},
		},
		Decoded: []rule.Event{
			stung{}, told{"c1"}, told{"c2"}, told{"c2"}, turned{0}, turned{3}, counted{told{"c1"}},
		},
	}
	if d.FindParts(); !maps.Equal(d.Parts, map[int]string{2: "", 3: "1.1", 5: "", 6: "1.0"}) {
		t.Errorf("parts: %v", d.Parts)
	}
}

func TestOnlySomeKindsOfEntriesCanBeUndone(t *testing.T) {
	st := start()
	for name, c := range map[string]struct {
		r    *Record
		want bool
	}{
		"a move":                       {made(t, st, sting), true},
		"settings":                     {entry(st, view.KindSettings), true},
		"a clock":                      {entry(st, view.KindClock), true},
		"a change of a character":      {edits(st, "c1", 1), true},
		"a new character":              {entry(st, view.KindCharacter), false},
		"a message":                    {entry(st, view.KindTalk), false},
		"a seat":                       {entry(st, view.KindSeat), false},
		"an undo":                      {entry(st, view.KindUndone), false},
		"the time of the next session": {entry(st, view.KindPlanned), false},
	} {
		if got := c.r.Undoable(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestSecretEntriesStaySecretUntilTheirMoveIsShown(t *testing.T) {
	st := start()
	secret := func() *Record {
		m := newMove(st, &sting)
		m.Secret = true
		r := entry(st, view.KindMove)
		r.Of, r.Secret = m, true
		return r
	}()
	whisper, public := entry(st, view.KindTalk), made(t, st, sting)
	whisper.Secret = true
	shown := *st
	shown.ShownMoves = Mark(st.ShownMoves, secret.Of.ID, true)
	for name, c := range map[string]struct {
		st   *State
		r    *Record
		want bool
	}{
		"a secret move":               {st, secret, true},
		"its undo":                    {st, undoes(st, secret), true},
		"a secret move that is shown": {&shown, secret, false},
		"the undo of that":            {&shown, undoes(st, secret), false},
		"a whisper":                   {st, whisper, true},
		"a move":                      {st, public, false},
	} {
		if got := c.st.IsSecret(c.r); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if len(st.ShownMoves) > 0 {
		t.Error("the former state shows the move, too")
	}
}

func TestMoveIDsAreParsedStrictly(t *testing.T) {
	for id, want := range map[string]uint64{
		"m1": 1, "m120": 120, "m0": 0, "": 0, "m": 0, "1": 0, "m01": 0, "m-1": 0, "m1:#0": 0,
		"m18446744073709551616": 0,
	} {
		if got := MoveSeq(id); got != want {
			t.Errorf("%q is of entry %d", id, got)
		}
	}
	if got := QuestionID(&Move{ID: "m7"}, Place("1.0", 2)); got != "m7:1.0#2" {
		t.Errorf("a question is %s", got)
	}
}

// Values differ in members with different content. An empty value equals a missing one.
func TestDifferingListsChangedMembers(t *testing.T) {
	type object = map[string]any
	for _, c := range []struct {
		before, after any
		want          []string
	}{
		{object{"a": 1, "b": 2}, object{"a": 1, "b": 3, "c": 4}, []string{"b", "c"}},
		{object{"a": []int{}}, object{"a": nil}, nil},
		{object{}, object{"a": []object{}}, nil},
		{object{"a": object{"b": []int{}}}, object{"a": object{}}, nil},
		{object{"a": []int{1, 2}}, object{"a": []int{2, 1}}, []string{"a"}},
		{hero{1}, hero{2}, []string{"luck"}},
		{1, 2, nil},
	} {
		if got := Differing(c.before, c.after); !slices.Equal(got, c.want) {
			t.Errorf("%v and %v differ in %q", c.before, c.after, got)
		}
	}
}

func TestAttachmentsNotesAndHandoutsAreFound(t *testing.T) {
	all := Attachments{
		{Seq: 3, Seat: "s1", Use: "picture", Hash: "a", Size: 10},
		{Seq: 5, Seat: "s2", Use: "text", Hash: "a", Size: 5},
		{Seq: 8, Seat: "s2", Use: "picture", Hash: "a", Size: 10},
	}
	if len(all.Of("picture", "a")) != 2 || len(all.Of("picture", "b")) != 0 || all.By("s2").Bytes() != 15 ||
		len(all) != 3 {
		t.Errorf("pictures %v, of s2 %d bytes", all.Of("picture", "a"), all.By("s2").Bytes())
	}
	for seq, want := range map[uint64]uint64{1: 3, 3: 3, 4: 5, 8: 8, 9: 0} {
		if a, ok := all.Next(seq); a.Seq != want || ok != (want > 0) {
			t.Errorf("from %d on: %d, %v", seq, a.Seq, ok)
		}
	}
	notes, handouts := Notes{{ID: "n1"}, {ID: "n2"}}, Handouts{{ID: "n1"}, {ID: "n2"}}
	_, there := handouts.Of("n1")
	_, gone := handouts.Without("n1").Of("n1")
	if notes.Index("n2") != 1 || notes.Index("n3") != -1 || !there || gone || len(handouts) != 2 {
		t.Error("notes and handouts")
	}
	if (Picture{To: []string{"s2"}}).For() == nil || (Picture{All: true, To: []string{"s2"}}).For() != nil {
		t.Error("a picture for all is for nobody in particular")
	}
}
