package form_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
)

// decode reads JSON with a form and returns the sheet, or the error's text.
func decode(f *form.Form, json string) (sheet, string) {
	var s sheet
	if err := f.Decode([]byte(json), &s); err != nil {
		return s, err.Error()
	}
	return s, ""
}

func TestWithNarrowsTheOptionsOfAField(t *testing.T) {
	narrowed := whole.With("die", form.Option{Value: "d3"}, form.Option{Value: "d12"}).
		With("skill", form.Option{Value: "Hunt"}).
		With("ally", form.Option{Value: "c1", Text: "Boris"}).
		With("team")
	for _, c := range []struct{ json, want string }{
		{`{"name":"Anna","die":"d12","skill":"Hunt","ally":"c1"}`, ""},
		{`{"name":"Anna","skill":true,"ally":"","team":[]}`, ""},
		{
			`{"name":"Anna","die":"d6","skill":"Hide","ally":"c2","team":["c1"]}`,
			`skill: must be one of Hunt, got "Hide"; die: must be one of d3, d12, got "d6"; ` +
				`ally: must be one of c1, got "c2"; team.0: there is nothing to choose from, got "c1"`,
		},
	} {
		if _, got := decode(narrowed, c.json); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.json, got, c.want)
		}
	}
	if got, problem := decode(narrowed, `{"name":"Anna"}`); problem != "" || got.Die != "d3" {
		t.Errorf("the default that is gone gives way to %q, %s", got.Die, problem)
	}
	if got, problem := decode(whole, `{"name":"Anna","skill":"Hide","team":["c1"]}`); problem != "" || got.Die != "d6" {
		t.Errorf("the original has changed: %+v, %s", got, problem)
	}
}

func TestDefaultSetsMissingFields(t *testing.T) {
	changed := whole.Default("die", die("d8")).Default("difficulty", 2).Default("skill", form.Trait("Hunt")).
		Default("resist.blood.stress", 5).Default("team", []form.Ref{"c1"}).Default("name", "Boris").
		Default("modifier", 6).Default("tool", "axe") // neither is allowed
	want := usual()
	want.Name, want.Die, want.Difficulty, want.Skill, want.Resist.Blood.Stress = "Boris", "d8", 2, "Hunt", 5
	want.Team = []form.Ref{"c1"}
	got, problem := decode(changed, `{}`)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" || problem != "" {
		t.Error(problem, diff)
	}
	got.Team[0] = "c2"
	if again, _ := decode(changed, `{}`); again.Team[0] != "c1" {
		t.Error("a default is shared with a value")
	}
}

func TestFromKeepsFieldsThatAreNotGiven(t *testing.T) {
	before := usual()
	before.Story, before.Difficulty, before.Team = "old", 9, []form.Ref{"c1"} // 9 was allowed before
	before.Resist.Mind.Stress = 4
	before.Skills = []skill{{Name: "Hunt", Dots: 3}}
	want := before
	want.Story, want.Resist.Blood.Stress = "new", 2
	got, problem := decode(whole.From(before), `{"story":"new","resist":{"blood":{"stress":2}}}`)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sheet{})); diff != "" || problem != "" {
		t.Error(problem, diff)
	}
	var emptied sheet // a page that sends no list and no box empties them
	if err := whole.From(before).Values(query(t, "name=Anna&difficulty=1"), &emptied); err != nil {
		t.Fatal(err)
	}
	if emptied.Lit || emptied.Team != nil || emptied.Skills != nil || emptied.Story != "old" {
		t.Errorf("got %+v", emptied)
	}
}

func TestOnlyWithoutAndForSelectFields(t *testing.T) {
	names := func(f *form.Form) string {
		var paths []string
		for path := range f.All() {
			paths = append(paths, path)
		}
		return strings.Join(paths, " ")
	}
	for _, c := range []struct {
		form *form.Form
		want string
	}{
		{whole.Only("die", "name"), "name die"},
		{
			whole.Only("resist.mind.stress", "skills"),
			"resist resist.mind resist.mind.stress skills skills.name skills.dots skills.notes skills.notes.text skills.notes.old",
		},
		{whole.Only("name", "die", "ally", "team").For(form.Bare), "name die"},
		{whole.Only("name", "die", "ally", "team").For(form.AtTable), "name ally team"},
		{whole.Only("name", "ally").For(form.Both), "name ally"},
		{whole.Only("resist").Without("resist.blood", "resist.mind.free"), "resist resist.mind resist.mind.stress"},
		{whole.Only("resist", "name").Without("resist.blood", "resist.mind.free", "resist.mind.stress"), "name"},
		{whole.Only("name").With("die", form.Option{Value: "d3"}).Default("skill", true), "name"},
	} {
		if got := names(c.form); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	kept := sheet{Story: "kept"}
	if err := whole.Only("name").Decode([]byte(`{"name":"Anna"}`), &kept); err != nil || kept.Story != "kept" ||
		kept.Die != "" {
		t.Errorf("what the form leaves out has changed: %+v, %v", kept, err)
	}
	if _, got := decode(whole.For(form.AtTable), `{"name":"Anna","die":"d6"}`); !strings.HasPrefix(
		got,
		"die: there is no such field",
	) {
		t.Errorf("got %s", got)
	}
}

func TestChangesOfUnknownFieldsPanic(t *testing.T) {
	for name, change := range map[string]func(){
		"With":       func() { whole.With("nobody") },
		"With int":   func() { whole.With("difficulty") },
		"Default":    func() { whole.Default("resist.x", 1) },
		"Only":       func() { whole.Only("nobody") },
		"Without":    func() { whole.Without("resist.blod") },
		"Fill":       func() { whole.Fill(track{}) },
		"Fill (nil)": func() { whole.Fill((*sheet)(nil)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s doesn't panic", name)
				}
			}()
			change()
		}()
	}
}
