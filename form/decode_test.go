package form_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
)

func TestJSONIsDecodedIntoAForm(t *testing.T) {
	var got sheet
	err := whole.Decode([]byte(`{
		"name": " Anna ", "story": "one\r\ntwo", "skill": true, "difficulty": 2, "die": "d8", "tool": "rope", "lit": false,
		"resist": {"mind": {"stress": 3}}, "partial": null,
		"skills": [{"name": "Hunt", "dots": 3, "notes": [{"text": "x", "old": true}]}, {"name": "Hide"}],
		"ally": "c1", "team": ["c2", "c3"], "dice": [9, 10]
	}`), &got)
	if err != nil {
		t.Fatal(err)
	}
	want := usual()
	want.Story, want.Skill, want.Difficulty, want.Die, want.Tool, want.Lit = "one\ntwo", form.Yes, 2, "d8", "rope",
		false
	want.Resist.Mind.Stress = 3
	want.Skills = []skill{{Name: "Hunt", Dots: 3, Notes: []notes{{Text: "x", Old: true}}}, {Name: "Hide", Dots: 1}}
	want.Ally, want.Team, want.Faces = "c1", []form.Ref{"c2", "c3"}, form.Faces{9, 10}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeSetsDefaults(t *testing.T) {
	got := sheet{Story: "what stood here", Hidden: "kept", Secret: "kept"}
	if err := whole.Decode([]byte(`{"name":"Anna"}`), &got); err != nil {
		t.Fatal(err)
	}
	want := usual()
	want.Hidden, want.Secret = "kept", "kept"
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" {
		t.Error(diff)
	}
	var blank sheet
	whole.Defaults(&blank)
	want = usual()
	want.Name = ""
	if diff := cmp.Diff(want, blank, cmp.AllowUnexported(sheet{})); diff != "" {
		t.Error(diff)
	}
}

// Each case adds one mistake to a valid sheet.
func TestDecodeNamesTheFieldOfEachMistake(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`"difficulty":7`, `difficulty: must be 0 to 2, got 7`},
		{`"difficulty":-1`, `difficulty: must be 0 to 2, got -1`},
		{`"difficulty":99999999999999999999`, `difficulty: must be 0 to 2, got 99999999999999999999`},
		{`"difficulty":1.0`, `difficulty: must be a whole number without a point or an exponent, got 1.0`},
		{`"difficulty":1e0`, `difficulty: must be a whole number without a point or an exponent, got 1e0`},
		{`"difficulty":"1"`, `difficulty: must be a whole number without a point or an exponent, got "1"`},
		{`"difficulty":true`, `difficulty: must be a whole number without a point or an exponent, got true`},
		{`"modifier":-6`, `modifier: must be -5 to 5, got -6`},
		{`"partial":"yes"`, `partial: must be true or false, got "yes"`},
		{`"partial":1`, `partial: must be true or false, got 1`},
		{`"die":"d10"`, `die: must be one of d3, d6, d8, got "d10"`},
		{`"die":""`, `die: must be one of d3, d6, d8, got ""`},
		{`"die":6`, `die: must be a text, got 6`},
		{`"tool":"axe"`, `tool: must be one of "", knife, rope, got "axe"`},
		{`"story":"` + strings.Repeat("ж", 101) + `"`, `story: must have at most 100 characters, got 101`},
		{`"story":"a\u0000b"`, `story: has a control character or a line break that can't stand here`},
		{`"story":"a\u202eb"`, `story: has a control character or a line break that can't stand here`},
		{`"story":"\ud800"`, `story: is not UTF-8`},
		{`"story":["a"]`, `story: must be a text, got […]`},
		{`"skill":"a\nb"`, `skill: has a control character or a line break that can't stand here`},
		{`"skill":"` + strings.Repeat("x", 201) + `"`, `skill: must have at most 200 characters, got 201`},
		{`"skill":1`, `skill: must be true, false or a name, got 1`},
		{`"resist":[]`, `resist: must be an object, got […]`},
		{
			`"resist":{"blood":{"stress":13},"mind":{"strss":1}}`,
			`resist.blood.stress: must be 0 to 12, got 13; resist.mind.strss: there is no such field; the fields are stress, free`,
		},
		{`"skills":{}`, `skills: must be a list, got {…}`},
		{`"skills":[1]`, `skills.0: must be an object, got 1`},
		{`"skills":[{"name":"a"},{"dots":6}]`, `skills.1.name: must be given; skills.1.dots: must be 1 to 5, got 6`},
		{`"skills":[{},{},{},{}]`, `skills: must have at most 3 items, got 4`},
		{`"ally":"a b"`, `ally: must be an id, got "a b"`},
		{`"ally":7`, `ally: must be an id, got 7`},
		{`"team":["a","b","a"]`, `team.2: is given twice: a`},
		{`"team":["a",""]`, `team.1: must be an id, got ""`},
		{`"team":["a",null]`, `team.1: must be an id, got null`},
		{`"team":"a"`, `team: must be a list of ids, got "a"`},
		{`"team":["a","b","c","d"]`, `team: must have at most 3 items, got 4`},
		{`"dice":[1,"2",-3]`, `dice.1: must be a whole number without a point or an exponent, got "2"; dice.2: must be 0 to 1000000, got -3`},
		{`"dice":7`, `dice: must be a list of whole numbers, got 7`},
		{`"dice":[1,2,3,4,5]`, `dice: must have at most 4 items, got 5`},
		{`"partial":true,"partial":false`, `partial: is given twice: partial`},
		{`"hidden":"x"`, `hidden: there is no such field; the fields are name, story, skill, difficulty, modifier, die, tool, partial, lit, resist, skills, ally, team, dice`},
		{`"Difficulty":1,"difficulty":7`, `difficulty: must be 0 to 2, got 7; Difficulty: there is no such field; ` +
			`the fields are name, story, skill, difficulty, modifier, die, tool, partial, lit, resist, skills, ally, team, dice`},
	} {
		got := sheet{Story: "as it was"}
		err := whole.Decode([]byte(`{"name":"Anna",`+c.json+`}`), &got)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.json, err, c.want)
		}
		if diff := cmp.Diff(sheet{Story: "as it was"}, got, cmp.AllowUnexported(sheet{})); diff != "" {
			t.Errorf("%s: something was written:\n%s", c.json, diff)
		}
	}
}

func TestDecodeRefusesMalformedInput(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{``, `is not JSON, or nested too deeply, at byte 0`},
		{`{"name":"Anna"`, `is not JSON, or nested too deeply, at byte 14`},
		{`{"name":"Anna",}`, `is not JSON, or nested too deeply, at byte 16`},
		{`{"name":"Anna"} x`, `is not JSON, or nested too deeply, at byte 17`},
		{`{'name':1}`, `is not JSON, or nested too deeply, at byte 2`},
		{
			`{"skills":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`,
			`is not JSON, or nested too deeply, at byte 43`,
		},
		{"{\"name\":\"\xff\"}", `is not UTF-8`},
		{`[]`, `must be an object, got […]`},
		{`null`, `must be an object, got null`},
		{`{}`, `name: must be given`},
		{`{"name":null}`, `name: must be given`},
		{`{"name":" \n "}`, `name: must be given`},
		{`{"name":"a\nb"}`, `name: has a control character or a line break that can't stand here`},
	} {
		var got sheet
		if err := whole.Decode([]byte(c.json), &got); err == nil || err.Error() != c.want {
			t.Errorf("%q\ngot  %v\nwant %s", c.json, err, c.want)
		}
	}
}

func TestProblemsAreTypedAndBounded(t *testing.T) {
	var got sheet
	var problems form.Problems
	if !errors.As(whole.Decode([]byte(`{"name":"Anna","die":"d4"}`), &got), &problems) {
		t.Fatal("no Problems")
	}
	want := form.Problems{{Path: "die", Code: form.NoChoice, Given: "d4", Allowed: []string{"d3", "d6", "d8"}}}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
	many := map[string]int{}
	for i := range 1000 {
		many[strings.Repeat("x", i)+"\n"] = i
	}
	data, _ := json.Marshal(many)
	if !errors.As(whole.Decode(data, &got), &problems) || len(problems) != 100 {
		t.Errorf("got %d problems", len(problems))
	}
	for _, problem := range problems {
		if len(problem.Path) > 70 || strings.Contains(problem.Path, "\n") {
			t.Errorf("the path %q is what was sent", problem.Path)
		}
	}
}

func TestDecodePanicsOnAnotherType(t *testing.T) {
	for _, into := range []any{nil, sheet{}, &track{}, (*sheet)(nil)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("takes a %T", into)
				}
			}()
			_ = whole.Decode([]byte(`{"name":"Anna"}`), into)
		}()
	}
}

func TestTraitIsReadFromAndWrittenToJSON(t *testing.T) {
	for _, c := range []struct {
		json string
		want form.Trait
	}{{`true`, form.Yes}, {`false`, ""}, {`"Hunt"`, "Hunt"}, {`""`, ""}, {`"*"`, form.Yes}, {`"no"`, ""}} {
		var got form.Trait
		if err := json.Unmarshal([]byte(c.json), &got); err != nil || got != c.want {
			t.Errorf("%s is %q, %v", c.json, got, err)
		}
		data, err := json.Marshal(got)
		var again form.Trait
		if err != nil || json.Unmarshal(data, &again) != nil || again != got {
			t.Errorf("%q prints as %s and reads as %q", got, data, again)
		}
	}
	var trait form.Trait
	if err := json.Unmarshal([]byte(`1`), &trait); err == nil {
		t.Error("1 is a trait")
	}
	if form.Yes.Name() != "" || !form.Yes.Has() || form.Trait("").Has() || form.Trait("Hunt").Name() != "Hunt" {
		t.Error("Has or Name is wrong")
	}
}

// FuzzDecode checks that Decode never panics, and that what it accepts survives printing and
// decoding.
func FuzzDecode(f *testing.F) {
	f.Add(
		`{"name":"Anna","difficulty":2,"skill":true,"team":["a","b"],"dice":[1,2],"skills":[{"name":"x","notes":[{}]}]}`,
	)
	f.Add(`{"name":"\ufffd","skill":"off","story":"\u2028","resist":{"mind":null},"tool":""}`)
	f.Add(`{"name":"a","name":"b"}`)
	f.Fuzz(func(t *testing.T, data string) {
		var got, again sheet
		if whole.Decode([]byte(data), &got) != nil {
			if diff := cmp.Diff(sheet{}, got, cmp.AllowUnexported(sheet{})); diff != "" {
				t.Fatalf("something was written:\n%s", diff)
			}
			return
		}
		printed := whole.JSON(got)
		if err := whole.Decode(printed, &again); err != nil {
			t.Fatalf("%s: %v", printed, err)
		}
		if diff := cmp.Diff(got, again, cmp.AllowUnexported(sheet{})); diff != "" {
			t.Fatal(diff)
		}
	})
}
