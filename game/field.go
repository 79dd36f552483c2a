package game

import (
	"reflect"
	"strings"
	"sync"
)

// FieldValue returns the value of a sheet's field, or the zero value if the sheet has none.
func FieldValue[T any](sheet any, field string) (held T) {
	v := reflect.ValueOf(sheet)
	if at := fieldOf(v, field, reflect.TypeFor[T]()); at != nil {
		held = v.FieldByIndex(at).Interface().(T)
	}
	return held
}

// WithField returns a copy of a sheet with a field changed, or the sheet itself if it has no such
// field. Use Add, Drop and Edit to change lists.
func WithField[T any](sheet any, field string, change func(*T)) any {
	v := reflect.ValueOf(sheet)
	at := fieldOf(v, field, reflect.TypeFor[T]())
	if at == nil {
		return sheet
	}
	whole := reflect.New(v.Type()).Elem()
	whole.Set(v)
	change(whole.FieldByIndex(at).Addr().Interface().(*T))
	return whole.Interface()
}

type fieldKey struct {
	of, is reflect.Type
	name   string
}

var fieldsOf sync.Map // of fieldKey, []int

// fieldOf returns the index of the struct field with a JSON name and a type, or nil.
func fieldOf(v reflect.Value, name string, is reflect.Type) []int {
	if v.Kind() != reflect.Struct {
		return nil
	}
	key := fieldKey{v.Type(), is, name}
	if known, ok := fieldsOf.Load(key); ok {
		return known.([]int)
	}
	var at []int
	for _, f := range reflect.VisibleFields(v.Type()) {
		if called, _, _ := strings.Cut(f.Tag.Get("json"), ","); called == name && f.Type == is && f.IsExported() {
			at = f.Index
		}
	}
	fieldsOf.Store(key, at)
	return at
}
