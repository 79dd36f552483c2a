package state

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"norn/game"
)

// JSON returns the JSON of a line's data.
func JSON(value any) json.RawMessage {
	data, err := json.Marshal(game.EmptyLists(value))
	if err != nil { // can't happen: it was decoded from JSON
		return nil
	}
	return data
}

// Members returns the members of a value's JSON.
func Members(value any) map[string]any {
	data, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	var m map[string]any
	_ = json.Unmarshal(data, &m) // a value that isn't an object has no members
	return m
}

// NonEmpty returns JSON without empty values, since an empty list is sometimes null and sometimes
// missing.
func NonEmpty(value any) any {
	switch value := value.(type) {
	case map[string]any:
		full := map[string]any{}
		for name, v := range value {
			if v = NonEmpty(v); v != nil {
				full[name] = v
			}
		}
		return full
	case []any:
		if len(value) == 0 {
			return nil
		}
		items := make([]any, len(value))
		for i, v := range value {
			items[i] = NonEmpty(v)
		}
		return items
	}
	return value
}

// Differing returns the names of members in which two values differ, in alphabetical order.
func Differing(before, after any) []string {
	was, is := Members(before), Members(after)
	all := map[string]bool{}
	for name := range was {
		all[name] = true
	}
	for name := range is {
		all[name] = true
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		return reflect.DeepEqual(NonEmpty(was[name]), NonEmpty(is[name]))
	})
}

// first returns the first item for which is holds, or nil.
func first[T any](all []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// altered returns the list with a changed copy of one item.
func altered[T any](items []*T, i int, change func(*T)) []*T {
	if i < 0 {
		return items
	}
	one := *items[i]
	change(&one)
	items = slices.Clone(items)
	items[i] = &one
	return items
}

// Mark returns a copy of the map with one more mark.
func Mark[K comparable, V any](marks map[K]V, key K, value V) map[K]V {
	marks = maps.Clone(marks)
	if marks == nil {
		marks = map[K]V{}
	}
	marks[key] = value
	return marks
}
