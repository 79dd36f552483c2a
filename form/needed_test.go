package form_test

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
)

type choosing struct {
	Take  string     `json:"take" form:"choice=gold|name|title"`
	Name  string     `json:"name" form:"text,for=take:name|title"`
	Write bool       `json:"write"`
	Wound form.Trait `json:"wound" form:"choice=cut,open,required,default=cut,for=write"`
}

// Text that no chosen option uses is refused, from any source, and never dropped.
func TestTextOfAnUnchosenOptionIsRefused(t *testing.T) {
	t.Parallel()
	f := form.Of[choosing]()
	for _, c := range []struct {
		json   string
		values url.Values
		want   form.Problems
	}{
		{`{}`, url.Values{"take": {"gold"}, "name": {""}, "wound": {"cut"}}, nil},
		{`{"take":"name","name":"Ash"}`, url.Values{"take": {"name"}, "name": {"Ash"}, "wound": {"cut"}}, nil},
		{`{"take":"title","name":"Ash"}`, url.Values{"take": {"title"}, "name": {"Ash"}, "wound": {"cut"}}, nil},
		{
			`{"name":"Ash"}`,
			url.Values{"take": {"gold"}, "name": {"Ash"}, "wound": {"cut"}},
			form.Problems{{Path: "name", Code: form.Unneeded, Given: "Ash", Allowed: []string{"take"}}},
		},
		{`{"write":true,"wound":"frost"}`, url.Values{"write": {"on"}, "wound": {"frost"}}, nil},
		{
			`{"wound":"frost"}`,
			url.Values{"wound": {"frost"}},
			form.Problems{{Path: "wound", Code: form.Unneeded, Given: "frost", Allowed: []string{"write"}}},
		},
	} {
		var a, b choosing
		for how, err := range map[string]error{"json": f.Decode([]byte(c.json), &a), "values": f.Values(c.values, &b)} {
			got, _ := err.(form.Problems)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s %s: %s", c.json, how, diff)
			}
		}
	}
}
