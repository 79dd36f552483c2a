package page

import (
	"reflect"
	"testing"
	"time"

	"norn/form"
	"norn/games"
	"norn/table/view"
	"norn/web/html"
)

// Values of sections are data, so that equal values give the same HTML: no functions, no interfaces
// except in games' sheets, and no language.
func TestSectionValuesArePlainData(t *testing.T) {
	l := looks(t)(view.View{
		X: 1, Characters: []view.CharacterShown{{ID: "c1"}, {ID: "c2"}},
		Moves: []view.MoveShown{{ID: "m"}},
	})
	l.At.Character = "c1"
	var check func(path string, typ reflect.Type, seen map[reflect.Type]bool)
	check = func(path string, typ reflect.Type, seen map[reflect.Type]bool) {
		switch typ {
		case reflect.TypeFor[time.Time](), reflect.TypeFor[form.Form](), reflect.TypeFor[form.Field]():
			return
		}
		if seen[typ] {
			return
		}
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Func, reflect.Chan, reflect.UnsafePointer:
			t.Errorf("%s is a %s", path, typ)
		case reflect.Interface:
			if typ.NumMethod() > 0 {
				t.Errorf("%s is a %s", path, typ)
			}
		case reflect.Pointer, reflect.Slice, reflect.Array:
			check(path+"[]", typ.Elem(), seen)
		case reflect.Map:
			check(path+"[key]", typ.Key(), seen)
			check(path+"[]", typ.Elem(), seen)
		case reflect.Struct:
			for f := range typ.Fields() {
				check(path+"."+f.Name, f.Type, seen)
			}
		}
	}
	var each func(all []section)
	each = func(all []section) {
		for _, s := range all {
			check(s.at, reflect.TypeOf(s.value), map[reflect.Type]bool{})
			each(s.parts)
		}
	}
	each(allSections(l, "c1"))
	check("card", reflect.TypeFor[html.Card](), map[reflect.Type]bool{})
	for _, g := range games.All() {
		check(g.ID+" settings", reflect.TypeOf(g.Settings.Default), map[reflect.Type]bool{})
		for _, k := range g.Kinds {
			check(g.ID+" "+k.ID, reflect.TypeOf(k.Blank), map[reflect.Type]bool{})
		}
	}
}
