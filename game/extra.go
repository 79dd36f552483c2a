package game

import (
	"reflect"
	"strings"
	"sync"
)

// MaxDescription limits the characters of a description.
const MaxDescription = 4000

// Extra describes something that a sheet keeps in words alone: gear, a spell, a trait, where somebody is from.
type Extra struct {
	Name        string `json:"name" form:"text,required"`
	Description string `json:"detail,omitempty" form:"prose,max=4000"`
}

// SayIn implements Sayer.
func (e Extra) SayIn(Voice) string { return e.Name }

// Described is a part of a sheet that has a name and a description.
type Described struct{ Name, Description string }

// DescribedIn returns the parts of a sheet that have a description: structs with the members "name" and
// "detail".
func DescribedIn(sheet any) []Described {
	var all []Described
	findDescribed(reflect.ValueOf(sheet), &all)
	return all
}

func findDescribed(v reflect.Value, all *[]Described) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || !holdsDescribed(v.Type()) {
		return
	}
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			findDescribed(v.Index(i), all)
		}
		return
	}
	if name, detail := stringMember(v, "name"), stringMember(v, "detail"); name != "" && detail != "" {
		*all = append(*all, Described{name, detail})
	}
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			findDescribed(v.Field(i), all)
		}
	}
}

// stringMember returns the text of a struct's member, "" if there is none.
func stringMember(v reflect.Value, name string) string {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Type.Kind() == reflect.String && memberName(f) == name {
			return v.Field(i).String()
		}
	}
	return ""
}

func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

var describedTypes sync.Map // whether values of a type may have descriptions

// holdsDescribed reports whether values of a type may have descriptions.
func holdsDescribed(t reflect.Type) bool {
	if known, there := describedTypes.Load(t); there {
		return known.(bool)
	}
	describedTypes.Store(t, false) // ends types that hold themselves
	holds := false
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		holds = holdsDescribed(t.Elem())
	case reflect.Interface:
		holds = true
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			holds = holds || f.IsExported() && (memberName(f) == "detail" || holdsDescribed(f.Type))
		}
	}
	describedTypes.Store(t, holds)
	return holds
}
