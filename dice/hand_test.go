package dice_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/dice"
)

// handCase is a test of taking pools from typed faces.
type handCase struct {
	name  string
	faces []int
	take  []dice.Pool
	want  [][]int // taken before the error
	err   error
	text  string
}

func handCases() []handCase {
	return slices.Concat(enoughFaces(), miscountedFaces(), unusualFaces())
}

// handPool and handStress are what the cases' throws ask for.
var (
	handPool   = dice.Pool{N: 3, Sides: 10, For: "pool"}
	handStress = dice.Pool{N: 1, Sides: 6, For: "stress"}
)

func enoughFaces() []handCase {
	return []handCase{
		{"enough", []int{3, 10, 1, 6}, []dice.Pool{handPool, handStress}, [][]int{{3, 10, 1}, {6}}, nil, ""},
		{"nothing asked, nothing there", nil, nil, nil, nil, ""},
		{
			"empty pools take nothing",
			[]int{3},
			[]dice.Pool{{N: 0}, {N: -2, Sides: 6}, {N: 1, Sides: 3}},
			[][]int{nil, nil, {3}},
			nil, "",
		},
	}
}

// miscountedFaces lists hands with a face too few or too many.
func miscountedFaces() []handCase {
	return []handCase{
		{
			"too few",
			[]int{3, 10},
			[]dice.Pool{handPool},
			nil,
			&dice.TooFewError{Need: handPool, Have: 2, At: 3},
			"too few faces: face 3 is missing, 3d10 for pool has 2 of 3",
		},
		{
			"too few for the second pool",
			[]int{3, 10, 1},
			[]dice.Pool{handPool, handStress},
			[][]int{{3, 10, 1}},
			&dice.TooFewError{Need: handStress, Have: 0, At: 4},
			"too few faces: face 4 is missing, d6 for stress has 0 of 1",
		},
		{
			"too few, no purpose", nil,
			[]dice.Pool{{N: 2, Sides: 6}},
			nil,
			&dice.TooFewError{Need: dice.Pool{N: 2, Sides: 6}, At: 1},
			"too few faces: face 1 is missing, 2d6 has 0 of 2",
		},
		{
			"too many",
			[]int{3, 10, 1, 6, 2},
			[]dice.Pool{handPool},
			[][]int{{3, 10, 1}},
			&dice.TooManyError{Left: 2, At: 4},
			"too many faces: 2 left over, from face 4 on",
		},
		{
			"too many of none",
			[]int{9},
			nil, nil, &dice.TooManyError{Left: 1, At: 1},
			"too many faces: 1 left over, from face 1 on",
		},
	}
}

// unusualFaces lists hands with zeros and with faces that no die of theirs has.
func unusualFaces() []handCase {
	return []handCase{
		{
			"impossible",
			[]int{3, 10, 1, 7},
			[]dice.Pool{handPool, handStress},
			[][]int{{3, 10, 1}},
			&dice.FaceError{At: 4, Face: 7, Sides: 6},
			"face 4: 7 is not on a die of 6 sides",
		},
		{
			"as dice show ten and a hundred",
			[]int{3, 0, 1, 0},
			[]dice.Pool{handPool, {N: 1, Sides: 100}},
			[][]int{{3, 10, 1}, {100}},
			nil, "",
		},
		{
			"zero",
			[]int{3, 0},
			[]dice.Pool{{N: 2, Sides: 6}},
			nil, &dice.FaceError{At: 2, Face: 0, Sides: 6},
			"face 2: 0 is not on a die of 6 sides",
		},
		{
			"below zero",
			[]int{-1},
			[]dice.Pool{{N: 1, Sides: 10}},
			nil, &dice.FaceError{At: 1, Face: -1, Sides: 10},
			"face 1: -1 is not on a die of 10 sides",
		},
		{
			"impossible before too few",
			[]int{11},
			[]dice.Pool{handPool},
			nil, &dice.FaceError{At: 1, Face: 11, Sides: 10},
			"face 1: 11 is not on a die of 10 sides",
		},
	}
}

func TestTypedFacesFillPoolsOrAreRefused(t *testing.T) {
	for _, tt := range handCases() {
		t.Run(tt.name, func(t *testing.T) {
			h := dice.NewHand(tt.faces)
			var got [][]int
			var err error
			for _, p := range tt.take {
				var faces []int
				if faces, err = h.Take(p); err != nil {
					break
				}
				got = append(got, faces)
			}
			if err == nil {
				err = h.CheckEmpty()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faces (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.err, err); diff != "" {
				t.Errorf("error (-want +got)\n%s", diff)
			}
			if err != nil && err.Error() != tt.text {
				t.Errorf("%q, want %q", err, tt.text)
			}
		})
	}
}

func TestHandLosesNoFacesToARefusedPool(t *testing.T) {
	h := dice.NewHand([]int{3, 9})
	for _, p := range []dice.Pool{{N: 3, Sides: 10}, {N: 2, Sides: 6}} {
		if faces, err := h.Take(p); err == nil || faces != nil {
			t.Errorf("%v: %v, %v", p, faces, err)
		}
	}
	if h.Remaining() != 2 {
		t.Errorf("%d left after two refusals, want 2", h.Remaining())
	}
}

func TestHandSharesNoSlicesWithItsCaller(t *testing.T) {
	typed := []int{1, 2, 3}
	h := dice.NewHand(typed)
	typed[0] = 6
	first, _ := h.Take(dice.Pool{N: 1, Sides: 6})
	if first[0] != 1 {
		t.Error("the hand changed with the slice it was made from")
	}
	_ = append(first, 6)
	if second, _ := h.Take(dice.Pool{N: 1, Sides: 6}); second[0] != 2 {
		t.Error("appending to taken faces changed those to come")
	}
}

func TestHandGivesBackTheThrownFaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pools := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) dice.Pool {
			return dice.Pool{N: rapid.IntRange(-1, 5).Draw(t, "n"), Sides: rapid.IntRange(1, 20).Draw(t, "sides")}
		}), 0, 6).Draw(t, "pools")
		s := dice.NewStream([32]byte{})
		var thrown [][]int
		var typed []int
		for _, p := range pools {
			faces := dice.Throw(s, p)
			thrown, typed = append(thrown, faces), append(typed, faces...)
		}
		h := dice.NewHand(typed)
		var taken [][]int
		for _, p := range pools {
			faces, err := h.Take(p)
			if err != nil {
				t.Fatal(err)
			}
			taken = append(taken, faces)
		}
		if err := h.CheckEmpty(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(thrown, taken); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestFacesAreReadAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string][]int{
		"":            nil,
		"  \n":        nil,
		"3":           {3},
		"3,10,1":      {3, 10, 1},
		" 3 , 10 ;1 ": {3, 10, 1},
		"3 10\t1":     {3, 10, 1},
		"3,\n10":      {3, 10},
		"007":         {7},
		"00 5":        {100, 5}, // as percentile dice show it
		"0 5":         {0, 5},   // Take knows whether the die has a 0
		"1000":        {1000},
		"3\u00a010":   {3, 10},
	} {
		got, err := dice.ParseFaces(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for text, want := range map[string]error{
		",":                     &dice.SyntaxError{At: 0, Want: dice.WantFace, Text: ","},
		"3,,1":                  &dice.SyntaxError{At: 2, Want: dice.WantFace, Text: "3,,1"},
		"3, ":                   &dice.SyntaxError{At: 3, Want: dice.WantFace, Text: "3, "},
		"3d6":                   &dice.SyntaxError{At: 1, Want: dice.WantSeparator, Text: "3d6"},
		"3 x":                   &dice.SyntaxError{At: 2, Want: dice.WantFace, Text: "3 x"},
		"3,*1":                  &dice.SyntaxError{At: 2, Want: dice.WantFace, Text: "3,*1"},
		"3,1.5":                 &dice.SyntaxError{At: 3, Want: dice.WantSeparator, Text: "3,1.5"},
		"ё":                     &dice.SyntaxError{At: 0, Want: dice.WantFace, Text: "ё"},
		"3 7 1001":              &dice.FaceError{At: 3, Face: 1001, Sides: 1000},
		strings.Repeat("9", 40): &dice.FaceError{At: 1, Face: math.MaxInt, Sides: 1000},
	} {
		got, err := dice.ParseFaces(text)
		if diff := cmp.Diff(want, err); got != nil || diff != "" {
			t.Errorf("%q: faces %v, error (-want +got)\n%s", text, got, diff)
		}
	}
}

func TestFateFacesAreTypedAsPlusMinusOrZero(t *testing.T) {
	fate := dice.Pool{N: 4, Sides: 3, For: dice.FateDice}
	for text, want := range map[string][]int{
		"+ 0 - +":    {3, 2, 1, 3},
		"+,0,−,–":    {3, 2, 1, 1},
		"+0-+":       {3, 2, 1, 3},
		"+1 0 -1 +1": {3, 2, 1, 3},
		"1 2 3 3":    {1, 2, 3, 3}, // as the log writes them
	} {
		faces, err := dice.ParseFaces(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got, err := dice.NewHand(faces).Take(fate)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for text, want := range map[string]string{"3 -": "−", "3 +": "+"} {
		faces, err := dice.ParseFaces(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = dice.NewHand(faces).Take(dice.Pool{N: 2, Sides: 6})
		if face, ok := errors.AsType[*dice.FaceError](err); !ok || face.At != 2 || face.Typed() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseFaces(f *testing.F) {
	for _, text := range []string{"", "3,10,1", "3;;1", " 3 10 ", "1001", "3d6", "٣", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		faces, err := dice.ParseFaces(text)
		if err == nil {
			for _, face := range faces {
				again, err := dice.ParseFaces(dice.FaceText(face))
				if face > dice.MaxSides || err != nil || !slices.Equal(again, []int{face}) {
					t.Fatalf("face %d is written %s, which is read as %d, %v", face, dice.FaceText(face), again, err)
				}
			}
			return
		}
		var syntax *dice.SyntaxError
		var face *dice.FaceError
		switch {
		case errors.As(err, &syntax):
			if syntax.At < 0 || syntax.At > len([]rune(text)) {
				t.Fatalf("error at %d", syntax.At)
			}
		case !errors.As(err, &face):
			t.Fatalf("error %T", err)
		}
	})
}

// If −, + or 0 is typed too, a 1 is what a Fate die shows; otherwise it is the first face.
func TestTypedFateFacesAreValuesBesideAValue(t *testing.T) {
	for text, want := range map[string][]int{
		"-1,0,1,1": {1, 2, 3, 3}, "0 1 1 1": {2, 3, 3, 3}, "+ 1 - 0": {3, 3, 1, 2}, "1,2,3,3": {1, 2, 3, 3}, "1 1 1 1": {1, 1, 1, 1},
	} {
		typed, err := dice.ParseFaces(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := dice.NewHand(typed).Take(dice.Pool{N: 4, Sides: 3, For: dice.FateDice})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
