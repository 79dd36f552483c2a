package game_test

import (
	"encoding/json"
	"testing"
	"time"

	"norn/game"
)

func TestEmptyListsEncodeAsBracketsNotNull(t *testing.T) {
	type inner struct {
		Names []string        `json:"names"`
		Left  []int           `json:"left,omitempty"`
		Raw   json.RawMessage `json:"raw,omitempty"`
	}
	type Shown struct {
		Inner *inner           `json:"inner"`
		Gone  *inner           `json:"gone"`
		Any   any              `json:"any"`
		By    map[string]inner `json:"by"`
		None  map[string]int   `json:"none"`
		When  time.Time        `json:"when"`
		own   []int
	}
	given := &Shown{Inner: &inner{}, Any: []inner{{}}, By: map[string]inner{"a": {}}, own: []int{1}}
	data, err := json.Marshal(game.EmptyLists(given))
	want := `{"inner":{"names":[]},"gone":null,"any":[{"names":[]}],"by":{"a":{"names":[]}},"none":{},"when":"0001-01-01T00:00:00Z"}`
	if err != nil || string(data) != want {
		t.Errorf("%s, %v\nwant %s", data, err, want)
	}
	if given.Inner.Names != nil || given.None != nil {
		t.Error("what was given has changed")
	}
	if whole := []string{"a"}; game.EmptyLists(whole).([]string)[0] != "a" || game.EmptyLists(nil) != nil {
		t.Error("what lacks nothing changes")
	}
}

// A type may contain itself. Its shape is found once and used for all its values.
func TestEmptyListsHandlesRecursiveTypes(t *testing.T) {
	type link struct {
		Next  *link `json:"next"`
		Sides []int `json:"sides"`
	}
	for _, c := range []struct {
		given *link
		want  string
	}{
		{&link{Sides: []int{1}}, `{"next":null,"sides":[1]}`},
		{&link{Sides: []int{1}, Next: &link{}}, `{"next":{"next":null,"sides":[]},"sides":[1]}`},
		{&link{}, `{"next":null,"sides":[]}`},
	} {
		if data, err := json.Marshal(game.EmptyLists(c.given)); err != nil || string(data) != c.want {
			t.Errorf("%s, %v, want %s", data, err, c.want)
		}
	}
}
