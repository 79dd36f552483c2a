package game

import (
	"encoding"
	"encoding/json"
	"reflect"
)

// Listed is a value as JSON is to have it: a list or a map without anything in it
// is empty instead of null, however deep it lies. A value that lacks none comes
// back as it is, any other as a copy.
func Listed(value any) any {
	v := reflect.ValueOf(value)
	if !v.IsValid() || !lacks(v) {
		return value
	}
	return listed(v).Interface()
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// closed tells whether a value's JSON isn't made of its parts.
func closed(v reflect.Value) bool {
	t := v.Type()
	return t.Implements(jsonMarshaler) || t.Implements(textMarshaler) || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// lacks tells whether there is a list or a map that isn't there.
func lacks(v reflect.Value) bool {
	if closed(v) {
		return false
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return !v.IsNil() && lacks(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && lacks(v.Field(i)) {
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
		for _, key := range v.MapKeys() {
			if lacks(v.MapIndex(key)) {
				return true
			}
		}
	}
	return false
}

// listed is a value with all its lists and maps.
func listed(v reflect.Value) reflect.Value {
	if !lacks(v) {
		return v
	}
	whole := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Interface:
		whole.Set(listed(v.Elem()))
	case reflect.Pointer:
		whole.Set(reflect.New(v.Type().Elem()))
		whole.Elem().Set(listed(v.Elem()))
	case reflect.Struct:
		whole.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				whole.Field(i).Set(listed(v.Field(i)))
			}
		}
	case reflect.Slice:
		whole.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			whole.Index(i).Set(listed(v.Index(i)))
		}
	case reflect.Map:
		whole.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, key := range v.MapKeys() {
			whole.SetMapIndex(key, listed(v.MapIndex(key)))
		}
	}
	return whole
}
