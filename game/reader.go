package game

import (
	"encoding/json"
	"net/url"
	"reflect"

	"norn/form"
)

// reader reads values of one type through its form.
type reader struct {
	typ  reflect.Type
	form *form.Form
}

// readerOf returns a reader of values of type T or, if T is any, of the type of like.
func readerOf[T any](like T) reader {
	typ := reflect.TypeFor[T]()
	if typ.Kind() == reflect.Interface {
		typ = reflect.TypeOf(like)
	}
	return reader{typ, form.OfType(typ)}
}

// read reads into a new value. On an error it returns the zero value, as far as it was read.
func (r reader) read(read func(into any) error) (any, error) {
	into := reflect.New(r.typ)
	err := read(into.Interface())
	return into.Elem().Interface(), err
}

// readWhole reads a value and returns nil if that fails.
func (r reader) readWhole(read func(into any) error) (any, error) {
	v, err := r.read(read)
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (r reader) decode(data []byte) (any, error) {
	return r.readWhole(func(into any) error { return r.form.Decode(data, into) })
}

func (r reader) values(from any, v url.Values) (any, error) { return r.part(from, r.form, v) }

// part reads some fields; the others keep their values in from.
func (r reader) part(from any, part *form.Form, v url.Values) (any, error) {
	return r.readWhole(func(into any) error {
		reflect.ValueOf(into).Elem().Set(reflect.ValueOf(from))
		return part.Values(v, into)
	})
}

// restore reads what these rules or older ones wrote.
func (r reader) restore(data []byte) (any, error) {
	return r.readWhole(func(into any) error {
		r.form.Defaults(into)
		return json.Unmarshal(data, into)
	})
}
