package game

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"sync"
)

// EmptyLists returns the value with empty lists and maps instead of nil ones, at every depth, so
// that its JSON has no null for them. A value without any is returned unchanged.
func EmptyLists(value any) any {
	v := reflect.ValueOf(value)
	if !v.IsValid() || !lacks(v) {
		return value
	}
	return emptyLists(v).Interface()
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// shape caches what reflection finds about a type.
type shape struct {
	whole  bool  // its values never contain nil lists or maps
	fields []int // fields of a struct whose values may
}

var shapes sync.Map // of reflect.Type, *shape

// shapeOf returns a type's shape; within lists the types that contain it.
func shapeOf(t reflect.Type, within ...reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	if slices.Contains(within, t) {
		return &shape{} // a recursive type: each value is examined
	}
	s, within := &shape{}, append(within, t)
	switch {
	case marshalsItself(t):
		s.whole = true
	case t.Kind() == reflect.Pointer:
		s.whole = shapeOf(t.Elem(), within...).whole
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !shapeOf(f.Type, within...).whole {
				s.fields = append(s.fields, i)
			}
		}
		s.whole = len(s.fields) == 0
	default:
		s.whole = t.Kind() != reflect.Interface && t.Kind() != reflect.Slice && t.Kind() != reflect.Map
	}
	shapes.Store(t, s)
	return s
}

// marshalsItself reports whether a type has its own JSON encoding.
func marshalsItself(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || t.Implements(textMarshaler) ||
		t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// lacks reports whether a value contains a nil list or map.
func lacks(v reflect.Value) bool {
	of := shapeOf(v.Type())
	if of.whole {
		return false
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return !v.IsNil() && lacks(v.Elem())
	case reflect.Struct:
		for _, i := range of.fields {
			if lacks(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return true
		}
		for i := range v.Len() {
			if lacks(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		if v.IsNil() {
			return true
		}
		one := reflect.New(v.Type().Elem()).Elem() // for all: the iterator's Value would allocate for each
		for all := v.MapRange(); all.Next(); {
			if one.SetIterValue(all); lacks(one) {
				return true
			}
		}
	}
	return false
}

// emptyLists returns the value with empty lists and maps instead of nil ones.
func emptyLists(v reflect.Value) reflect.Value {
	if !lacks(v) {
		return v
	}
	whole := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Interface:
		whole.Set(emptyLists(v.Elem()))
	case reflect.Pointer:
		whole.Set(reflect.New(v.Type().Elem()))
		whole.Elem().Set(emptyLists(v.Elem()))
	case reflect.Struct:
		whole.Set(v)
		for _, i := range shapeOf(v.Type()).fields {
			whole.Field(i).Set(emptyLists(v.Field(i)))
		}
	case reflect.Slice:
		whole.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			whole.Index(i).Set(emptyLists(v.Index(i)))
		}
	case reflect.Map:
		whole.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, key := range v.MapKeys() {
			whole.SetMapIndex(key, emptyLists(v.MapIndex(key)))
		}
	}
	return whole
}
