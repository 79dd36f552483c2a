package godbound_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/foreign"
	"norn/foreign/foreigntest"
	"norn/games/godbound"
)

func TestEachVersionOfFoundryGivesTheSameSheet(t *testing.T) {
	var first json.RawMessage
	for _, version := range []int{9, 11, 13} {
		file := foreigntest.Actor(version, "pc", "Oru", foreigntest.GodboundSystem, foreigntest.GodboundItems, "")
		p, _ := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
		if first == nil {
			first = p.Sheet
		}
		if d := cmp.Diff(string(first), string(p.Sheet)); d != "" {
			t.Error(version, d)
		}
		if p.Hero.Version != "1.2.3" {
			t.Error(version, "its version is", p.Hero.Version)
		}
	}
	wrapped := `{"__godboundExport":true,"schema":1,"system":"godbound","systemVersion":"1.2.3","actor":` +
		`{"name":"Oru","type":"pc","system":` + foreigntest.GodboundSystem + `,
  "items":[` + foreigntest.GodboundItems + `],"prototypeToken":{}}}`
	p, _ := foreigntest.Propose[godbound.Hero](t, godbound.New(), wrapped)
	if string(first) != string(p.Sheet) || p.Hero.Version != "1.2.3" {
		t.Error("in the wrapper of godbound-ru:", cmp.Diff(string(first), string(p.Sheet)), p.Hero.Version)
	}
}

// Saves, Armour Class and hit points are computed; what is left of the hit points becomes what is lost.
func TestGodboundOfRussianSystemIsComputed(t *testing.T) {
	file := foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, foreigntest.GodboundItems, "")
	p, h := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
	// 15 − 2 − 2 − 1; 15 − 1 − 2; 15 − 3 − 2
	if want := (godbound.Saves{Hardiness: 10, Evasion: 12, Spirit: 10}); h.Saves != want {
		t.Errorf("saves %+v, want %+v", h.Saves, want)
	}
	// 8 + 1 + 2 × (4 + 1); 5 − 1 − 1
	if h.HP != 19 || h.Lost != 4 || h.AC != 3 || h.Armour != "medium" || !h.Hampered.Evasion {
		t.Errorf("HP %d, lost %d, AC %d, %s, %+v", h.HP, h.Lost, h.AC, h.Armour, h.Hampered)
	}
	if h.Bonus != 4 || h.Effort.Total != 5 || len(h.Effort.Committed) != 3 || h.Fray != "1d8" {
		t.Errorf("bonus %d, Effort %+v, fray %s", h.Bonus, h.Effort, h.Fray)
	}
	if got := h.Effort.Committed[0].For; got != "Effort at will 1" {
		t.Errorf("the first point of Effort is for %q", got)
	}
	if h.Influence != (godbound.Influence{Total: 4, Committed: 2}) || h.Dominion != 4 || h.Experience != 7 {
		t.Errorf("Influence %+v, Dominion %d", h.Influence, h.Dominion)
	}
	want := []godbound.Gift{
		{Name: "Brine", Word: "Salt", Action: "on-turn", Cost: "scene", Description: "Rolls 2d6."},
		{Name: "Crust", Word: "Salt", Action: "instant"},
	}
	if d := cmp.Diff(want, h.Gifts); d != "" {
		t.Error(d)
	}
	if w := h.Weapons[0]; w.Dice != "1d8+1" || w.Attribute != "strength" || !w.Melee {
		t.Errorf("%+v", w)
	}
	if len(h.Facts) != 2 || h.Words[0].Description != "It keeps." {
		t.Errorf("%+v %+v", h.Facts, h.Words)
	}
	if len(p.Misfits) > 0 {
		t.Errorf("%+v", p.Misfits)
	}
	if !foreigntest.HasDoubt(p, foreign.Near) {
		t.Error("nothing is said of the constant gift:", p.Doubts())
	}
}

func TestGodboundWithCoreStatsIsComputed(t *testing.T) {
	file := foreigntest.Actor(10, "character", "Bey", foreigntest.GodboundCoreSystem, foreigntest.GodboundCoreItems, "")
	p, h := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
	// con 16: +2; 8 + 2 + 1 × (4 + 1) + 3
	if h.HP != 18 || h.Lost != 8 || h.AC != 3 {
		t.Errorf("HP %d, lost %d, AC %d", h.HP, h.Lost, h.AC)
	}
	if want := (godbound.Saves{Hardiness: 12, Evasion: 12, Spirit: 13}); h.Saves != want {
		t.Errorf("saves %+v, want %+v", h.Saves, want)
	}
	if h.Attributes.Constitution != 16 || h.Attributes.Wisdom != 12 || !foreigntest.HasDoubt(p, foreign.Recomputed) {
		t.Errorf("%+v %+v", h.Attributes, p.Doubts())
	}
	if w := h.Weapons[0]; w.Dice != "1d10" || !w.Straight || w.Attribute != "dexterity" {
		t.Errorf("%+v", w)
	}
	if h.Gifts[0].Cost != "day" || len(h.Effort.Committed) != 2 || h.Dominion != 3 || len(h.Facts) != 1 {
		t.Errorf("%+v", h)
	}
}

// The level follows from experience and from Dominion that was spent.
func TestGodboundWithDetailsIsComputed(t *testing.T) {
	file := foreigntest.Actor(12, "character", "Cen", foreigntest.GodboundDetailsSystem, foreigntest.GodboundDetailsItems, "")
	p, h := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
	if h.Level != 3 || h.HP != 16 || h.Lost != 13 || h.AC != 5 || h.Fray != "1d10" {
		t.Errorf("level %d, HP %d, lost %d, AC %d, fray %s", h.Level, h.HP, h.Lost, h.AC, h.Fray)
	}
	if h.Attributes.Strength != 10 {
		t.Error("a score above 19 is 10 there:", h.Attributes.Strength)
	}
	if want := (godbound.Saves{Hardiness: 13, Evasion: 12, Spirit: 11}); h.Saves != want {
		t.Errorf("saves %+v, want %+v", h.Saves, want)
	}
	if h.Effort.Total != 5 || len(h.Effort.Committed) != 2 || h.Influence.Committed != 1 || h.Dominion != 2 {
		t.Errorf("%+v %+v %d", h.Effort, h.Influence, h.Dominion)
	}
	if h.Weapons[0].Dice != "1d8" || h.Gifts[0].Action != "on-turn" || !foreigntest.HasDoubt(p, foreign.Recomputed) {
		t.Errorf("%+v %+v", h.Weapons, h.Gifts)
	}
}

// What doesn't fit goes into the notes and is reported, value by value; the rest is taken.
func TestWhatDoesNotFitIsKeptAndSaid(t *testing.T) {
	system := strings.NewReplacer(
		`"str":{"score":16}`, `"str":{"score":40}`, `"penalizeEvasion":true`, `"penalizeSpirit":false`,
		`"contributed":1}`, `"contributed":50}`, `"current":15`, `"current":99`, `"xp":7`, `"xp":"many"`,
		`"atWill":1`, `"atWill":9`,
	).Replace(foreigntest.GodboundSystem)
	file := foreigntest.Actor(13, "pc", "Oru", system, foreigntest.GodboundItems, "")
	p, h := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
	if h.Attributes.Strength != 10 || h.Attributes.Dexterity != 13 || h.Effort.Total != 5 || h.Influence.Total != 4 {
		t.Errorf("%+v", h)
	}
	said := map[string]bool{}
	for _, m := range p.Misfits {
		said[m.Path] = true
		if m.Problem.Code == "" && m.Refusal == nil {
			t.Errorf("no reason for %+v", m)
		}
	}
	for _, path := range []string{"attributes.strength", "armour", "influence.committed", "effort.committed.5"} {
		if !said[path] {
			t.Errorf("nothing is said of %s: %+v", path, p.Misfits)
		}
	}
	if !foreigntest.HasDoubt(p, foreign.NoNumber) || !foreigntest.HasDoubt(p, foreign.Recomputed) {
		t.Error("doubts", p.Doubts())
	}
	if !strings.Contains(h.More[0].Description, "Strength: 40") {
		t.Error("a value that doesn't fit isn't kept:", h.More[0])
	}
}

// Texts that are too long for one field are divided, not cut.
func TestLongDescriptionsAreKeptWhole(t *testing.T) {
	long := strings.Repeat("Слово и соль. ", 1000)
	items := `{"type":"boundWord","name":"Salt","system":{"description":` + quote(long) + `}}`
	file := foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, items, "")
	_, h := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
	all := h.Words[0].Description
	for _, e := range h.More {
		all += e.Description
	}
	if got, want := strings.Count(all, "соль"), 1000; got != want {
		t.Errorf("%d of %d words are left", got, want)
	}
}

func quote(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// A hero with more text than a sheet may have is taken without some of it, and each text is named.
func TestTextsThatASheetHasNoRoomForAreNamed(t *testing.T) {
	var items []string
	for i := range 90 {
		items = append(items, fmt.Sprintf(`{"type":"art","name":"Rite %d","system":{"description":%s}}`,
			i, quote(strings.Repeat("Соль. ", 500))))
	}
	file := foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, strings.Join(items, ","), "")
	p, h := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
	if len(p.Sheet) > 128<<10 || len(p.Sheet) < 100<<10 {
		t.Errorf("the sheet has %d bytes", len(p.Sheet))
	}
	without := 0
	for _, e := range h.More {
		if e.Description == "" {
			without++
		}
	}
	if without == 0 || len(h.More) < 90 || len(p.Misfits) != without {
		t.Fatalf("%d of %d notes are without their text, and %d misfits say so", without, len(h.More), len(p.Misfits))
	}
	if why := p.Misfits[0].Refusal.Word; why != "foreign.refusal.no-room" || p.Misfits[0].Item != "Rite 89" {
		t.Errorf("%+v", p.Misfits[0])
	}
}

// Only the value that a rule refuses leaves an item, and an item that is refused as a whole is preserved with
// all that it has.
func TestOneRefusedValueDoesNotTakeItsItemAlong(t *testing.T) {
	items := `{"type":"attack","name":"Oar","system":{"attr":"str","damageRoll":"a lot","range":"Melee / 30ft",
	 "notes":"It creaks."}},
	{"type":"attack","name":"","system":{"attr":"dex","damageRoll":"1d6","notes":"Nobody named it."}}`
	file := foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, items, "")
	p, h := foreigntest.Propose[godbound.Hero](t, godbound.New(), file)
	if len(h.Weapons) != 2 || h.Weapons[1].Name != "attack" || h.Weapons[0].Name != "Oar" || h.Weapons[0].Attribute != "strength" ||
		!strings.HasPrefix(h.Weapons[0].Description, "It creaks.") {
		t.Fatalf("%+v", h.Weapons)
	}
	all := string(p.Sheet)
	for _, want := range []string{"Oar: Damage dice: a lot", "range Melee / 30ft", "Nobody named it."} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is lost: %s", want, all)
		}
	}
	if len(p.Misfits) == 0 || p.Misfits[0].Path != "weapons.0.dice" {
		t.Errorf("%+v", p.Misfits)
	}
}
