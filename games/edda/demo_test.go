package edda

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// The demo's story can be played as it's told, and ends with both special
// efforts of a contest still to be answered.
func TestTheDemoCanBePlayed(t *testing.T) {
	for _, v := range voices(t) {
		d := Game.Demo(v.Speaker)
		s := game.Scene{Cast: map[string]game.Member{}, Settings: Game.Settings.Default}
		for i, c := range d.Cast {
			id := "c" + strconv.Itoa(i+1)
			s.Cast[id] = game.Member{ID: id, Kind: c.Kind, Name: c.Name, Sheet: c.Sheet}
			kind, ok := Game.Kind(c.Kind)
			sheet, err := json.Marshal(c.Sheet)
			if err != nil || !ok {
				t.Fatal(err)
			}
			if _, err := kind.Decode(sheet); err != nil {
				t.Errorf("%s: the sheet of %s: %v", v.Lang(), c.Name, err)
			}
		}
		var open []rule.Open
		for i, beat := range d.Story {
			if len(open) > 0 {
				t.Fatalf("beat %d begins while questions are open", i)
			}
			m, _ := Game.Move(beat.Move)
			s.Actor = beat.By
			args, err := json.Marshal(beat.Args)
			if err != nil {
				t.Fatal(err)
			}
			decoded, err := m.Decode(m.Fit(s, m.Form.For(form.AtTable)).Without(bare(m.Form)...), strip(t, args, m.Form))
			if err != nil {
				t.Fatalf("%s: beat %d: %v", v.Lang(), i, err)
			}
			if err := m.Allow(s, decoded); err != nil {
				t.Fatalf("%s: beat %d: %v", v.Lang(), i, err)
			}
			hand := dice.NewHand(beat.Dice)
			source := rule.ByHand(hand, false)
			result, err := rule.Play(m.Play(s, beat.Args), rule.Options{Source: source})
			for _, answer := range beat.Answers {
				if err != nil || len(result.Open) == 0 {
					t.Fatalf("beat %d: nobody asks: %v", i, err)
				}
				given, _ := json.Marshal(answer)
				step, refused := result.Open[0].Step(given, "")
				if refused != nil {
					t.Fatalf("beat %d: %v", i, refused)
				}
				result, err = rule.Play(m.Play(s, beat.Args), rule.Options{Trail: append(slices.Clone(result.Trail), step), Source: source})
			}
			if err == nil {
				err = hand.Done()
			}
			if err != nil {
				t.Fatalf("beat %d: %v", i, err)
			}
			open = result.Open
			for _, e := range result.Told {
				if c, ok := e.Event.(game.Change); ok {
					member := s.Cast[c.Whose()]
					member.Sheet = c.Apply(member.Sheet)
					s.Cast[c.Whose()] = member
				}
			}
		}
		var asked []string
		for _, o := range open {
			asked = append(asked, o.ID+" to "+o.To)
		}
		if diff := cmp.Diff([]string{"edda.effort to c1", "edda.effort to gm"}, asked); diff != "" {
			t.Error(diff)
		}
	}
}

// bare are the fields that aren't asked for at a table.
func bare(f *form.Form) []string {
	var names []string
	for _, field := range f.Fields {
		if field.Where == form.Bare {
			names = append(names, field.Name)
		}
	}
	return names
}

// strip takes those fields out of arguments.
func strip(t *testing.T, args []byte, f *form.Form) []byte {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(args, &members); err != nil {
		t.Fatal(err)
	}
	for _, name := range bare(f) {
		delete(members, name)
	}
	data, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
