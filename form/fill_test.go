package form_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
)

func full() sheet {
	s := usual()
	s.Story, s.Skill, s.Partial = `a "b"`, "Hunt", true
	s.Skills = []skill{{Name: "Hide", Dots: 2, Notes: []notes{{Text: "x"}}}}
	s.Team, s.Faces = []form.Ref{"c1", "c2"}, form.Faces{3, 10}
	return s
}

func TestJSONWritesEveryFieldInOrder(t *testing.T) {
	const want = `{"name":"Anna","story":"a \"b\"","skill":"Hunt","difficulty":0,"modifier":1,"die":"d6","tool":"","partial":true,` +
		`"lit":true,"resist":{"blood":{"stress":0,"free":2},"mind":{"stress":0,"free":2}},` +
		`"skills":[{"name":"Hide","dots":2,"notes":[{"text":"x","old":false}]}],"ally":"","team":["c1","c2"],"dice":[3,10]}`
	if diff := cmp.Diff(want, string(whole.JSON(full()))); diff != "" {
		t.Error(diff)
	}
	filled, err := json.Marshal(whole.Fill(full()))
	if err != nil {
		t.Fatal(err)
	}
	var got sheet
	if err := whole.Decode(filled, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full(), got, cmp.AllowUnexported(sheet{})); diff != "" {
		t.Error(diff)
	}
	if got := string(whole.Only("team", "dice", "skill").JSON(usual())); got != `{"skill":false,"team":[],"dice":[]}` {
		t.Error(got)
	}
}

func TestInputsAreWhatAFormWouldSend(t *testing.T) {
	want := url.Values{
		"name": {"Anna"}, "story": {`a "b"`}, "skill": {"Hunt"}, "difficulty": {"0"}, "modifier": {"1"}, "die": {"d6"},
		"tool": {""}, "partial": {"on"}, "lit": {"on"},
		"resist.blood.stress": {
			"0",
		}, "resist.blood.free": {"2"}, "resist.mind.stress": {"0"}, "resist.mind.free": {"2"},
		"skills.0.name": {"Hide"}, "skills.0.dots": {"2"}, "skills.0.notes.0.text": {"x"},
		"ally": {""}, "team": {"c1", "c2"}, "dice": {"3 10"},
	}
	if diff := cmp.Diff(want, whole.Inputs(full())); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkDecode(b *testing.B) {
	data := whole.JSON(full())
	b.ReportAllocs()
	for b.Loop() {
		var s sheet
		if err := whole.Decode(data, &s); err != nil {
			b.Fatal(err)
		}
	}
}
