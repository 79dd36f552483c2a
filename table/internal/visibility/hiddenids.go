package visibility

import (
	"reflect"

	"norn/table/internal/state"
)

// A sheet that players see, such as a fight's, and events may name a hidden character. For players
// it isn't there: a text that is its id becomes empty, and a list's item that names it is removed.
// Players can't use this to find out whether a character is hidden, because such ids are drawn at
// random.

// withoutHidden returns a value without the ids of characters that the seat may not know of, or the
// value itself if it has none.
func (e *Eye) withoutHidden(value any) any {
	var hidden map[string]bool
	for _, c := range e.Table.Characters {
		if c.Hidden && !e.Viewer.IsGM() {
			hidden = state.Mark(hidden, c.ID, true)
		}
	}
	of := reflect.ValueOf(value)
	if len(hidden) == 0 || !containsID(of, hidden) {
		return value
	}
	return withoutIDs(of, hidden).Interface()
}

// withoutIDs returns a copy of a value without ids.
func withoutIDs(v reflect.Value, ids map[string]bool) reflect.Value {
	if !containsID(v, ids) {
		return v
	}
	is := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		is.Set(v)
		for i := range v.NumField() {
			if f := is.Field(i); f.CanSet() {
				f.Set(withoutIDs(f, ids))
			}
		}
	case reflect.Slice:
		is.Set(reflect.MakeSlice(v.Type(), 0, v.Len()))
		for i := range v.Len() {
			if item := v.Index(i); !isOrNamesID(item, ids) {
				is.Set(reflect.Append(is, withoutIDs(item, ids)))
			}
		}
	case reflect.Map:
		is.Set(reflect.MakeMap(v.Type()))
		for at := v.MapRange(); at.Next(); {
			if !containsID(at.Key(), ids) && !isOrNamesID(at.Value(), ids) {
				is.SetMapIndex(at.Key(), withoutIDs(at.Value(), ids))
			}
		}
	case reflect.Interface:
		is.Set(withoutIDs(v.Elem(), ids))
	case reflect.Pointer:
		is.Set(reflect.New(v.Type().Elem()))
		is.Elem().Set(withoutIDs(v.Elem(), ids))
	}
	return is
}

// isOrNamesID reports whether a list's item is one of the ids or has one as a field.
func isOrNamesID(item reflect.Value, ids map[string]bool) bool {
	switch item.Kind() {
	case reflect.String:
		return ids[item.String()]
	case reflect.Struct:
		for i := range item.NumField() {
			if f := item.Field(i); f.Kind() == reflect.String && ids[f.String()] {
				return true
			}
		}
	}
	return false
}

// containsID reports whether a value contains one of the ids.
func containsID(v reflect.Value, ids map[string]bool) bool {
	switch v.Kind() {
	case reflect.String:
		return ids[v.String()]
	case reflect.Struct:
		for i := range v.NumField() {
			if containsID(v.Field(i), ids) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if containsID(v.Index(i), ids) {
				return true
			}
		}
	case reflect.Map:
		for at := v.MapRange(); at.Next(); {
			if containsID(at.Key(), ids) || containsID(at.Value(), ids) {
				return true
			}
		}
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && containsID(v.Elem(), ids)
	}
	return false
}
