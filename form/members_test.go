package form

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

func TestMembersAgreeWithEncodingJSON(t *testing.T) {
	for _, text := range []string{
		`{}`, ` { } `, `[]`, `7`, `"{"`, `null`,
		`{"a":1}`, "{ \"a\" :\n[1, {\"b\":\"}\\\"]\"}] , \"\\u0062\\n\":{\"c\":{}} }", `{"a":1,"a":"2,3"}`,
		`{"":-1.5e3,"x":true,"y":null ,"z":[]}`,
		`[1 , "a,]" , [[]], {"b":[{}]},false]`,
	} {
		var members, want []string
		for m := range Members([]byte(text)) {
			members = append(members, fmt.Sprintf("%s %s %s", m.Name, m.Quoted, m.Value))
			var name string
			if err := json.Unmarshal(m.Quoted, &name); err != nil || name != string(m.Name) || !json.Valid(m.Value) {
				t.Errorf("%s: member %q %q", text, m.Name, m.Value)
			}
		}
		for item := range Items([]byte(text)) {
			members = append(members, string(item))
		}
		var list []json.RawMessage
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &list) == nil {
			for _, item := range list {
				want = append(want, string(item))
			}
		} else if json.Unmarshal([]byte(text), &object) == nil {
			for m := range Members([]byte(text)) {
				if _, known := object[string(m.Name)]; !known {
					t.Errorf("%s has no member %q", text, m.Name)
				}
				delete(object, string(m.Name))
				if string(m.Name) == "a" {
					object["a"] = nil // it may occur again
				}
			}
			delete(object, "a")
			if len(object) > 0 {
				t.Errorf("%s: %v is missing", text, object)
			}
			continue
		}
		if !slices.Equal(members, want) {
			t.Errorf("%s: %q, want %q", text, members, want)
		}
	}
}
