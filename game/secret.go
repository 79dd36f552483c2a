package game

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// secrets lists a struct's fields that are tagged secret.
type secrets struct {
	own   [][]int  // for game masters only
	whole [][]int  // fields that make the whole value secret
	mine  [][]int  // for the player of the sheet and game masters
	names []string // JSON names of the fields for game masters
	held  []string // JSON names of the fields for the player
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
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag == "own" {
				of.held = append(of.held, name)
			} else if tag != "" {
				of.names = append(of.names, name)
			}
			switch tag {
			case "":
			case "gm":
				of.own = append(of.own, f.Index)
			case "whole":
				of.whole = append(of.whole, f.Index)
			case "own":
				of.mine = append(of.mine, f.Index)
			default:
				panic("game: " + t.String() + "." + f.Name + " is tagged secret:" + tag +
					", which is none of gm, own and whole")
			}
		}
	}
	secretsOf.Store(t, of)
	return of
}

// open returns a character's value without the fields that the viewer may not see, or false if the
// viewer may see nothing.
func open(v Viewer, who string, value any) (any, bool) {
	if value == nil || v.IsGM() {
		return value, value != nil
	}
	if isSecret(value) {
		return nil, false
	}
	of := secretsIn(reflect.TypeOf(value))
	hidden := of.own
	if !v.Owns[who] {
		hidden = slices.Concat(hidden, of.mine)
	}
	if len(hidden) == 0 {
		return value, true
	}
	shown := reflect.New(reflect.TypeOf(value)).Elem()
	shown.Set(reflect.ValueOf(value))
	for _, at := range hidden {
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
