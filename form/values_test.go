package form_test

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/form"
)

func query(t *testing.T, text string) url.Values {
	t.Helper()
	values, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestSentValuesAreReadIntoAForm(t *testing.T) {
	var got sheet
	err := whole.Values(
		query(t, "name=+Anna+&story=one%0D%0Atwo&skill=on&difficulty=2&modifier=&die=d8&tool=&partial=off&partial=on"+
			"&resist.mind.stress=3&skills.7.name=Hide&skills.7.dots=2&skills.2.name=Hunt&skills.2.dots=&skills.9.name=&skills.9.dots=1"+
			"&ally=&team=c2&team=c3&dice=9,+10&csrf=1"),
		&got,
		"csrf",
	)
	if err != nil {
		t.Fatal(err)
	}
	want := usual()
	want.Story, want.Skill, want.Difficulty, want.Die, want.Partial, want.Lit = "one\ntwo", form.Yes, 2, "d8", true,
		false
	want.Resist.Mind.Stress = 3
	want.Skills = []skill{{Name: "Hunt", Dots: 1}, {Name: "Hide", Dots: 2}}
	want.Team, want.Faces = []form.Ref{"c2", "c3"}, form.Faces{9, 10}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" {
		t.Error(diff)
	}
}

func TestValuesNamesTheFieldOfEachMistake(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"difficulty=7", "difficulty: must be 0 to 2, got 7"},
		{"difficulty=x", `difficulty: must be a whole number without a point or an exponent, got "x"`},
		{"difficulty=1.0", `difficulty: must be a whole number without a point or an exponent, got "1.0"`},
		{"difficulty=1&difficulty=2", "difficulty: is given twice: 1, 2"},
		{"difficulty.low=1", "difficulty.low: there is no such field"},
		{"partial=maybe", `partial: must be true or false, got "maybe"`},
		{"die=d10", `die: must be one of d3, d6, d8, got "d10"`},
		{"story=%ff", "story: is not UTF-8"},
		{"story=a%00b", "story: has a control character or a line break that can't stand here"},
		{"skill=a%0Ab", "skill: has a control character or a line break that can't stand here"},
		{"resist=1", `resist: must be an object, got "1"`},
		{
			"resist.blood.stress=13&resist.mind.x=1",
			"resist.blood.stress: must be 0 to 12, got 13; resist.mind.x: there is no such field; the fields are stress, free",
		},
		{"skills=1", `skills: must be a list, got "1"`},
		{"skills.x.name=1", "skills.x: there is no such field; the fields are name, dots, notes"},
		{"skills.07.name=1", "skills.07: there is no such field; the fields are name, dots, notes"},
		{"skills.7.dots=6&skills.7.name=", "skills.7.name: must be given; skills.7.dots: must be 1 to 5, got 6"},
		{"skills.1.name=a&skills.2.name=b&skills.3.name=c&skills.4.name=d", "skills: must have at most 3 items, got 4"},
		{
			"skills.1.name=a&skills.1.notes.5.txt=a",
			"skills.1.notes.5.txt: there is no such field; the fields are text, old",
		},
		{"team=a&team=b&team=a", "team.2: is given twice: a"},
		{"dice=1+x", `dice.1: must be a whole number without a point or an exponent, got "x"`},
		{"nobody=1&hidden=1", "hidden: there is no such field; the fields are name; nobody: there is no such field; the fields are name"},
	} {
		form := whole
		if c.query[0] == 'n' {
			form = whole.Only("name")
		}
		got := sheet{Story: "as it was"}
		values := query(t, c.query)
		values.Set("name", "Anna")
		if err := form.Values(values, &got); err == nil || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.query, err, c.want)
		}
		if diff := cmp.Diff(sheet{Story: "as it was"}, got, cmp.AllowUnexported(sheet{})); diff != "" {
			t.Errorf("%s: something was written:\n%s", c.query, diff)
		}
	}
}

// Dice can be typed with the letter of any language and are stored with d. JSON isn't changed.
func TestDiceLettersOfAnyLanguageAreStoredAsD(t *testing.T) {
	type weapon struct {
		Name string `json:"name"`
		Dice string `json:"dice" form:"text,dice,default=1d8"`
	}
	type armed struct {
		Dice string   `json:"dice" form:"text,dice"`
		Arms []weapon `json:"arms"`
		Note string   `json:"note"`
	}
	f := form.Of[armed]()
	var got armed
	err := f.Values(
		url.Values{
			"dice":        {"2К6+1к%"},
			"note":        {"к6"},
			"arms.0.name": {"spear"},
			"arms.0.dice": {"1д10"},
			"arms.1.dice": {"1к8"},
		},
		&got,
	)
	want := armed{Dice: "2d6+1d%", Note: "к6", Arms: []weapon{{"spear", "1d10"}}} // the second is dropped
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("from a page: %v %+v, want %+v", err, got, want)
	}
	if err := f.Texts(map[string]string{"dice": "к20"}, &got); err != nil || got.Dice != "d20" {
		t.Errorf("from a line: %v %q", err, got.Dice)
	}
	if err := f.Decode([]byte(`{"dice":"1к8"}`), &got); err != nil || got.Dice != "1к8" {
		t.Errorf("from JSON: %v %q", err, got.Dice)
	}
}

func TestTextsAreReadIntoAForm(t *testing.T) {
	var got sheet
	err := whole.Texts(map[string]string{
		"name": "Anna", "skill": "true", "difficulty": "2", "partial": "yes", "tool": "knife", "team": "c2,c3",
		"dice":                "3,10,1",
		"resist.blood.stress": "4", "skills.0.name": "Hunt",
	}, &got)
	if err != nil {
		t.Fatal(err)
	}
	want := usual() // lit wasn't given and stays on
	want.Skill, want.Difficulty, want.Partial, want.Tool = form.Yes, 2, true, "knife"
	want.Team, want.Faces = []form.Ref{"c2", "c3"}, form.Faces{3, 10, 1}
	want.Resist.Blood.Stress, want.Skills = 4, []skill{{Name: "Hunt", Dots: 1}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" {
		t.Error(diff)
	}
	for text, wanted := range map[string]form.Trait{
		"": "", "no": "", "false": "", "yes": form.Yes, "*": form.Yes,
		"Pursue ": "Pursue",
	} {
		if err := whole.Texts(map[string]string{"name": "Anna", "skill": text}, &got); err != nil ||
			got.Skill != wanted {
			t.Errorf("%q is %q, %v", text, got.Skill, err)
		}
	}
	want = got
	err = whole.Texts(map[string]string{"dificulty": "1", "die": "d4"}, &got)
	if err == nil || len(err.(form.Problems)) != 3 {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" {
		t.Error(diff)
	}
}

// someSheet draws sheets as Decode returns them, without empty list items.
func someSheet() *rapid.Generator[sheet] {
	word := rapid.StringMatching(
		`[a-zа-яіїєґ][a-z '’&=.%]{0,8}[a-z]`,
	).Filter(
		func(s string) bool { return s != "no" && s != "on" && s != "off" && s != "yes" },
	)
	maybe := rapid.OneOf(rapid.Just(""), word)
	id := rapid.StringMatching(`[a-z0-9-]{1,5}`)
	note := rapid.Custom(
		func(t *rapid.T) notes { return notes{Text: word.Draw(t, "text"), Old: rapid.Bool().Draw(t, "old")} },
	)
	someTrack := rapid.Custom(func(t *rapid.T) track {
		return track{Stress: rapid.UintRange(0, 12).Draw(t, "stress"), Free: rapid.IntRange(0, 9).Draw(t, "free")}
	})
	someSkill := rapid.Custom(func(t *rapid.T) skill {
		return skill{
			Name:  word.Draw(t, "name"),
			Dots:  rapid.IntRange(1, 5).Draw(t, "dots"),
			Notes: some(note, 2).Draw(t, "notes"),
		}
	})
	return rapid.Custom(func(t *rapid.T) sheet {
		s := sheet{
			Name:   word.Draw(t, "name"),
			Story:  rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[a-zж]([a-z \n]{0,50}[a-z])?`)).Draw(t, "story"),
			Skill:  form.Trait(rapid.OneOf(rapid.SampledFrom([]string{"", "*"}), word).Draw(t, "skill")),
			Skills: some(someSkill, 3).Draw(t, "skills"),
			Ally:   form.Ref(rapid.OneOf(rapid.Just(""), id).Draw(t, "ally")),
			Faces:  some(rapid.IntRange(0, 1000), 4).Draw(t, "dice"),
		}
		for _, ref := range rapid.SliceOfNDistinct(id, 0, 3, rapid.ID).Draw(t, "team") {
			s.Team = append(s.Team, form.Ref(ref))
		}
		s.Difficulty = rapid.Int8Range(0, 2).Draw(t, "difficulty")
		s.Modifier = rapid.IntRange(-5, 5).Draw(t, "modifier")
		s.Die = rapid.SampledFrom([]die{"d3", "d6", "d8"}).Draw(t, "die")
		s.Tool = rapid.SampledFrom([]string{"", "knife", "rope"}).Draw(t, "tool")
		s.Partial, s.Lit = rapid.Bool().Draw(t, "partial"), rapid.Bool().Draw(t, "lit")
		s.Resist.Blood, s.Resist.Mind = someTrack.Draw(t, "blood"), someTrack.Draw(t, "mind")
		s.Hidden = maybe.Draw(t, "hidden")
		return s
	})
}

// some draws lists of at most n items; an empty one is nil.
func some[T any](item *rapid.Generator[T], n int) *rapid.Generator[[]T] {
	return rapid.Custom(func(t *rapid.T) []T {
		if items := rapid.SliceOfN(item, 0, n).Draw(t, "items"); len(items) > 0 {
			return items
		}
		return nil
	})
}

// A value that is shown and sent back unchanged must be the same, through every input format.
func TestValuesReadWhatInputsShow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := someSheet().Draw(t, "sheet")
		fromPage, fromJSON, unchanged := sheet{
			Hidden: want.Hidden,
		}, sheet{
			Hidden: want.Hidden,
		}, sheet{
			Hidden: want.Hidden,
		}
		if err := whole.Values(whole.Inputs(want), &fromPage); err != nil {
			t.Fatal(err)
		}
		if err := whole.Decode(whole.JSON(&want), &fromJSON); err != nil {
			t.Fatal(err)
		}
		if err := whole.From(want).Decode([]byte(`{}`), &unchanged); err != nil {
			t.Fatal(err)
		}
		for _, got := range []sheet{fromPage, fromJSON, unchanged} {
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// FuzzValues checks that Values never panics, and that what it accepts survives being shown and
// read.
func FuzzValues(f *testing.F) {
	f.Add("name=Anna&difficulty=2&skill=on&team=a&team=b&dice=1+2&skills.3.name=x&skills.3.notes.0.text=y")
	f.Add("name=a&name.b=c&skills.0=1&resist.blood.stress=1&skill=*&.=1&..=&skills..name=1")
	f.Fuzz(func(t *testing.T, text string) {
		values, _ := url.ParseQuery(text)
		var got, again sheet
		if whole.Values(values, &got) != nil {
			return
		}
		if err := whole.Values(whole.Inputs(got), &again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, again, cmp.AllowUnexported(sheet{})); diff != "" {
			t.Fatal(diff)
		}
	})
}
