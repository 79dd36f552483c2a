package games_test

import (
	"encoding/json"
	"testing"

	"norn/games"
)

// Any stored event, sheet or settings are either refused or read, and what is read can be written
// and read again.
func FuzzStoredEventsSheetsAndSettings(f *testing.F) {
	all := games.All()
	for i, g := range all {
		for n := range g.Events {
			for version := range g.Events[n].Version + 2 {
				f.Add(byte(i), byte(n), byte(version), []byte(`{}`))
			}
		}
		for _, data := range []string{
			`null`, `{"character":"c1","n":-1,"value":1e99}`, `{"move":"m1","lines":[{"x":null}]}`, `[`, `"x"`,
			`{"sheet":{"a":1}}`,
		} {
			f.Add(byte(i), byte(0), byte(g.Events[0].Version), []byte(data))
		}
	}
	f.Fuzz(func(t *testing.T, which, event, version byte, data []byte) {
		g := all[int(which)%len(all)]
		kind := g.Events[int(event)%len(g.Events)]
		if e, err := g.Decode(kind.Type, int(version), data); err == nil {
			again, err := json.Marshal(e)
			if err != nil {
				t.Fatalf("%s can't be written again: %v", kind.Type, err)
			}
			if _, err := g.Decode(kind.Type, kind.Version, again); err != nil {
				t.Fatalf("%s can't be read again: %v\n%s", kind.Type, err, again)
			}
		}
		for _, k := range g.Kinds {
			if sheet, err := k.Decode(data); err == nil {
				if _, err := json.Marshal(sheet); err != nil {
					t.Fatalf("a sheet of %s can't be written: %v", k.ID, err)
				}
			}
		}
		if settings, err := g.Settings.Decode(data); err == nil {
			if _, err := json.Marshal(settings); err != nil {
				t.Fatalf("settings can't be written: %v", err)
			}
		}
		for _, m := range g.Moves {
			if args, err := m.Decode(m.Form, data); err == nil {
				if _, err := json.Marshal(args); err != nil {
					t.Fatalf("arguments of %s can't be written: %v", m.ID, err)
				}
			}
		}
	})
}
