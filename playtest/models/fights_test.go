package models

import (
	"encoding/json"
	"math/rand/v2"

	"norn/table/view"
)

// fights are fights of Godbound.
type fights struct{ unmodelled }

func (fights) begins(*rand.Rand) (map[string]any, []entrant) {
	hero := `{"level":3,"hp":14,"ac":5,"bonus":3,"fray":"1d8","effort":{"total":5},"words":[{"name":"Sun"}],
		"attributes":{"strength":16,"dexterity":10,"constitution":10,"intelligence":10,"wisdom":10,"charisma":10},
		"gifts":[{"name":"Aegis","action":"instant","cost":"sustained"},{"name":"Ray","action":"instant","cost":"scene"}],
		"weapons":[{"name":"Spear","dice":"1d8","attribute":"strength","melee":true}]}`
	foe := `{"hd":6,"count":1,"ac":6,"bonus":5,"save":13,"morale":6,"actions":2,"effort":{"total":2},
		"attacks":[{"name":"Claws","dice":"1d10","times":2}]}`
	return map[string]any{"healing-effort": "ask", "ask-die": true}, []entrant{
		{"Arren", "hero", 1, hero},
		{"Sefa", "hero", 2, hero},
		{"Kirou", "foe", 0, foe},
		{"Hound", "foe", 0, foe},
		{"Bridge", "fight", 0, `{"round":1,"first":"heroes","turn":"heroes","fighters":[
			{"who":"c1","side":"heroes"},{"who":"c2","side":"heroes"},{"who":"c3","side":"foes"},{"who":"c4","side":"foes"}]}`},
	}
}

// act makes a move that waits for its turn: somebody attacks, a miracle harms, a foe tries a power,
// a round ends.
func (fights) act(f *crowd) {
	hero, other := f.one("c1", "c2"), f.one("c1", "c2")
	foe, second := f.one("c3", "c4"), f.one("c3", "c4")
	switch f.r.IntN(8) {
	case 0, 1:
		f.acts("attack", hero, map[string]any{"weapon": "0", "target": f.one(foe, other), "reach": []string{second}, "bonus": 6})
	case 2, 3:
		f.acts("strike", foe, map[string]any{
			"target": hero, "bonus": 9, "split": []map[string]any{{"target": other, "blows": 1, "attack": "0"}},
		})
	case 4:
		f.acts("miracle", hero, map[string]any{
			"word": "0", "use": f.one("harm", "hinder"), "until": "scene", "targets": []string{foe}, "save": f.one("", "spirit"),
		})
	case 5:
		f.acts("power", foe, map[string]any{
			"name": "Roar", "does": f.one("harm", "hinder"), "dice": "2d6", "targets": []string{"c1", "c2"},
			"save": f.one("", "hardiness"), "timing": "action", "cost": f.one("", "scene"),
		})
	case 6:
		f.acts("fray", hero, map[string]any{"target": foe, "reach": []string{second}})
	default:
		f.acts(f.one("next", "next", "next", "morale", "dawn", "scene", "rest"), "c5", map[string]any{})
	}
}

func (fights) instant(f *crowd) {
	hero, other, foe := f.one("c1", "c2"), f.one("c1", "c2"), f.one("c3", "c4")
	switch f.r.IntN(8) {
	case 0, 1:
		f.instantly("heal", hero, map[string]any{"patient": other, "points": 1 + f.r.IntN(9), "by": "word:0", "until": "day"})
	case 2:
		f.instantly("miracle", hero, map[string]any{"word": "0", "use": "guard", "protection": f.one("armour", "immunity"), "to": "fire", "until": "scene"})
	case 3:
		f.instantly("gift", hero, map[string]any{"gift": "0"})
	case 4:
		f.instantly("gift", hero, map[string]any{"gift": "1", "does": "hinder", "targets": []string{foe}})
	case 5:
		f.instantly("commit", hero, map[string]any{"for": "vow", "until": "sustained"})
	case 6:
		f.instantly("release", hero, map[string]any{"commitment": "0"})
	default:
		f.instantly("fury", hero, map[string]any{"fury": f.one("rise", "end")})
	}
}

func (fights) reads(*crowd, *view.View) {}

func (fights) keeps() []string {
	return []string{"hp", "lost", "hd", "count", "effort", "state", "fate"}
}

// fighter is what is checked of a sheet.
type fighter struct {
	HP, Lost, HD, Count int
	State, Fate         string
	Effort              struct {
		Total     int
		Committed []struct{ N int }
	}
}

// check checks what holds for everybody at any time.
func (fights) check(f *crowd, v *view.View, _ []view.Entry) {
	f.t.Helper()
	for _, c := range v.Characters {
		data, err := json.Marshal(c.Sheet)
		must(f.t, err)
		var is fighter
		must(f.t, json.Unmarshal(data, &is))
		numbers := map[int]bool{}
		for _, point := range is.Effort.Committed {
			numbers[point.N] = true
		}
		if is.Lost < 0 || c.Kind == "hero" && is.Lost > is.HP || c.Kind == "foe" && is.Lost > is.HD ||
			len(is.Effort.Committed) > is.Effort.Total || len(numbers) < len(is.Effort.Committed) ||
			(is.State == "dying" || is.State == "dead") && is.Lost < is.HP ||
			is.State == "fury" && is.Lost == is.HP && len(v.Questions) == 0 {
			f.t.Fatalf("%s is %s while\n%s", c.Name, data, f.asked())
		}
	}
}
