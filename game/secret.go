package game

import (
	"reflect"
	"strings"
	"sync"
)

// secrets are a struct's fields that are tagged secret.
type secrets struct {
	own   [][]int  // a game master's alone
	whole [][]int  // that make the whole value so
	names []string // of all of them, in JSON
}

var secretsOf sync.Map // of reflect.Type, *secrets

func secretsIn(t reflect.Type) *secrets {
	if known, ok := secretsOf.Load(t); ok {
		return known.(*secrets)
	}
	of := &secrets{}
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			tag := f.Tag.Get("secret")
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" {
				of.names = append(of.names, name)
			}
			switch tag {
			case "":
			case "gm":
				of.own = append(of.own, f.Index)
			case "whole":
				of.whole = append(of.whole, f.Index)
			default:
				panic(
					"game: " + t.String() + "." + f.Name + " is tagged secret:" + tag + ", which is neither gm nor whole",
				)
			}
		}
	}
	secretsOf.Store(t, of)
	return of
}

// open is a value without what is a game master's alone, false where that's all of it.
func open(v Viewer, value any) (any, bool) {
	if value == nil || v.IsGM() {
		return value, value != nil
	}
	if isSecret(value) {
		return nil, false
	}
	of := secretsIn(reflect.TypeOf(value))
	if len(of.own) == 0 {
		return value, true
	}
	shown := reflect.New(reflect.TypeOf(value)).Elem()
	shown.Set(reflect.ValueOf(value))
	for _, at := range of.own {
		shown.FieldByIndex(at).SetZero()
	}
	return shown.Interface(), true
}

// isSecret reports whether only game masters see the value.
func isSecret(value any) bool {
	for _, at := range secretsIn(reflect.TypeOf(value)).whole {
		if !reflect.ValueOf(value).FieldByIndex(at).IsZero() {
			return true
		}
	}
	return false
}
