package visibility

import (
	"reflect"

	"norn/table/internal/state"
)

// Who is hidden may stand on a sheet that players see, as in a fight that they were put into in secret, and in what is told of it. It
// isn't there for them: a text that is an id is empty, an item of a list that names it is missing. Nobody can make use of that to ask
// whether somebody is hidden, since their ids are drawn.

// unnamed is a value without the ids of those whom the seat mayn't know of; the same one where none stands in it.
func (e Eye) unnamed(value any) any {
	var hidden map[string]bool
	for _, c := range e.Table.Characters {
		if c.Hidden && !e.Viewer.IsGM() {
			hidden = state.Mark(hidden, c.ID, true)
		}
	}
	of := reflect.ValueOf(value)
	if len(hidden) == 0 || !names(of, hidden) {
		return value
	}
	return cleared(of, hidden).Interface()
}

// cleared is a copy of a value without ids.
func cleared(v reflect.Value, ids map[string]bool) reflect.Value {
	if !names(v, ids) {
		return v
	}
	is := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		is.Set(v)
		for i := range v.NumField() {
			if f := is.Field(i); f.CanSet() {
				f.Set(cleared(f, ids))
			}
		}
	case reflect.Slice:
		is.Set(reflect.MakeSlice(v.Type(), 0, v.Len()))
		for i := range v.Len() {
			if item := v.Index(i); !isOf(item, ids) {
				is.Set(reflect.Append(is, cleared(item, ids)))
			}
		}
	case reflect.Map:
		is.Set(reflect.MakeMap(v.Type()))
		for at := v.MapRange(); at.Next(); {
			if !names(at.Key(), ids) && !isOf(at.Value(), ids) {
				is.SetMapIndex(at.Key(), cleared(at.Value(), ids))
			}
		}
	case reflect.Interface:
		is.Set(cleared(v.Elem(), ids))
	case reflect.Pointer:
		is.Set(reflect.New(v.Type().Elem()))
		is.Elem().Set(cleared(v.Elem(), ids))
	}
	return is
}

// isOf tells whether an item of a list is an id, or names one itself.
func isOf(item reflect.Value, ids map[string]bool) bool {
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

// names tells whether an id stands anywhere in a value.
func names(v reflect.Value, ids map[string]bool) bool {
	switch v.Kind() {
	case reflect.String:
		return ids[v.String()]
	case reflect.Struct:
		for i := range v.NumField() {
			if names(v.Field(i), ids) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if names(v.Index(i), ids) {
				return true
			}
		}
	case reflect.Map:
		for at := v.MapRange(); at.Next(); {
			if names(at.Key(), ids) || names(at.Value(), ids) {
				return true
			}
		}
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && names(v.Elem(), ids)
	}
	return false
}
