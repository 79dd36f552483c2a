package foreign_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"norn/foreign"
	"norn/foreign/foreigntest"
)

// systemFiles has a hero's file of each system of Foundry and each of its shapes, with the game.
var systemFiles = map[string]struct{ game, file string }{
	"ep2e": {"eclipse", foreigntest.Actor(11, "character", "Ilm",
		foreigntest.EclipseSystem, foreigntest.EclipseItems, foreigntest.EclipseFlags)},
	"ep2e before 10": {"eclipse", foreigntest.Actor(9, "character", "Ilm", foreigntest.EclipseSystem,
		foreigntest.EclipseItems, strings.ReplaceAll(foreigntest.EclipseFlags, `"system"`, `"data"`))},
	"Mage":             {"mage", foreigntest.Mage(12, false, "Wen")},
	"PC":               {"mage", foreigntest.Mage(13, true, "Wen")},
	"Mage and bonuses": {"mage", foreigntest.MageWithBonuses(false, "Wen")},
	"PC and bonuses":   {"mage", foreigntest.MageWithBonuses(true, "Wen")},
	"godbound-ru": {"godbound", foreigntest.Actor(13, "pc", "Oru",
		foreigntest.GodboundSystem, foreigntest.GodboundItems, "")},
	"godbound with coreStats": {"godbound", foreigntest.Actor(10, "character", "Bey",
		foreigntest.GodboundCoreSystem, foreigntest.GodboundCoreItems, "")},
	"godbound with details": {"godbound", foreigntest.Actor(12, "character", "Cen",
		foreigntest.GodboundDetailsSystem, foreigntest.GodboundDetailsItems, "")},
}

// programs lists members that hold settings of a program: nobody wants them on a sheet.
var programs = []string{"settings", "resolve"}

// A reader doesn't know each member of a file, and of newer versions none. What it doesn't know is on the
// sheet all the same: a text in each object of the file, of the sleeve and of each item.
func TestNothingThatAReaderDoesNotKnowIsLost(t *testing.T) {
	for name, c := range systemFiles {
		t.Run(name, func(t *testing.T) {
			var actor map[string]any
			if err := json.Unmarshal([]byte(c.file), &actor); err != nil {
				t.Fatal(err)
			}
			marked := 0
			var mark func(value any)
			mark = func(value any) {
				switch value := value.(type) {
				case map[string]any:
					for _, name := range slices.Sorted(maps.Keys(value)) {
						if !slices.Contains(programs, name) {
							mark(value[name])
						}
					}
					value["zzCrumb"] = fmt.Sprintf("<p>Crumb%03d</p>", marked)
					value["zzCount"] = 70_000 + marked
					marked++
				case []any:
					for _, inner := range value {
						mark(inner)
					}
				}
			}
			for _, name := range []string{"system", "data"} {
				mark(actor[name])
			}
			if flags, is := actor["flags"].(map[string]any); is {
				mark(flags["ep2e"])
			}
			for _, item := range actor["items"].([]any) {
				mark(item.(map[string]any)["system"])
				mark(item.(map[string]any)["data"])
			}
			data, err := json.Marshal(actor)
			if err != nil {
				t.Fatal(err)
			}
			h, err := foreign.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			g := found(t, c.game)
			p, err := foreign.Propose(g, h, nil, foreigntest.Words(t, g))
			if err != nil {
				t.Fatal(err)
			}
			var lost []string
			for i := range marked {
				if !strings.Contains(string(p.Sheet), fmt.Sprintf("Crumb%03d", i)) ||
					!strings.Contains(string(p.Sheet), fmt.Sprintf("count %d", 70_000+i)) {
					lost = append(lost, fmt.Sprint(i))
				}
			}
			if marked < 10 || lost != nil {
				t.Errorf("%d of %d are lost: %v\n%s", len(lost), marked, lost, p.Sheet)
			}
		})
	}
}

// leaves calls f for each value of JSON that holds no others, with its path and a function that sets it.
func leaves(value any, path string, set func(any), f func(path string, set func(any))) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			leaves(value[name], path+"."+name, func(v any) { value[name] = v }, f)
		}
	case []any:
		for i, inner := range value {
			leaves(inner, fmt.Sprintf("%s.%d", path, i), func(v any) { value[i] = v }, f)
		}
	default:
		f(path, set)
		set(value)
	}
}

// saysSomething reports whether a place of a file is one of the hero's values, and not of the program or
// computed by it.
func saysSomething(path string) bool {
	if !strings.Contains(path, ".system.") && !strings.Contains(path, ".data.") {
		return false
	}
	computed := []string{"type", "id", "max", "total", "score", "dc", "resources.effort.value"}
	return !slices.ContainsFunc(computed, func(name string) bool { return strings.HasSuffix(path, "."+name) }) &&
		!slices.ContainsFunc(programs, func(name string) bool { return strings.Contains(path, "."+name+".") })
}

// Whatever a file has where its system has something else, the hero is taken: a text of that place is on
// the sheet, and a number that the sheet refuses is a misfit.
func TestWrongKindsOfValuesAreKeptAndRefuseNoHero(t *testing.T) {
	wrong := []any{
		"Wrench", 987654, -3, 1.5, 1e300, true, nil,
		[]any{"Wrench"},
		map[string]any{"a": "Wrench"},
		"<b>Wrench</b>", "9",
		strings.Repeat("Ъ", 60), "\x00\u202e",
	}
	for name, c := range systemFiles {
		t.Run(name, func(t *testing.T) {
			g := found(t, c.game)
			s := foreigntest.Words(t, g)
			tried := 0
			var actor any
			if err := json.Unmarshal([]byte(c.file), &actor); err != nil {
				t.Fatal(err)
			}
			leaves(actor, "", nil, func(path string, set func(any)) {
				for i, value := range wrong {
					if tried++; i > 0 && (testing.Short() || tried%8 > 0) || testing.Short() && tried%3 > 0 {
						continue
					}
					set(value)
					data, err := json.Marshal(actor)
					if err != nil {
						t.Fatal(err)
					}
					h, err := foreign.Read(data)
					if err != nil { // another type of actor, or no longer its system's
						if _, is := err.(*foreign.Problem); !is {
							t.Errorf("%s = %v: %v", path, value, err)
						}
						continue
					}
					p, err := foreign.Propose(g, h, nil, s)
					if err != nil {
						t.Errorf("%s = %v: %v", path, value, err)
						continue
					}
					k, _ := g.Kind(p.Kind)
					if _, err := k.Decode(p.Sheet); err != nil {
						t.Errorf("%s = %v: the sheet isn't one: %v", path, value, err)
					}
					said := string(p.Sheet) + fmt.Sprint(p.Misfits, p.Doubts())
					if value == "Wrench" && saysSomething(path) && !strings.Contains(said, "Wrench") {
						t.Errorf("%s: a text there is lost: %s", path, p.Sheet)
					}
				}
			})
		})
	}
}
