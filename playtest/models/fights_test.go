package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// fights is who begins a fight of Godbound. It isn't a model of the rules: what must hold in every
// fight is checked.
type fights struct{ model }

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

func (fights) now(string) any { return new(any) }

// fight is an evening that is all fight.
type fight struct {
	*evening
	moves, instants int // that were made
	refused         map[string]int
}

// make makes a move and returns why it can't be.
func (f *fight) make(move, by string, args map[string]any) error {
	data, err := json.Marshal(args)
	must(f.t, err)
	_, err = f.seat(f.owners[by]).Make(f.t.Context(), request.Move{Move: move, Character: by, Args: data})
	return err
}

// blow makes a move that waits for its turn: somebody attacks, a miracle harms, a foe tries a power,
// a round ends.
func (f *fight) blow() {
	hero, other := f.one("c1", "c2"), f.one("c1", "c2")
	foe, second := f.one("c3", "c4"), f.one("c3", "c4")
	var err error
	switch f.r.IntN(8) {
	case 0, 1:
		err = f.make("attack", hero, map[string]any{"weapon": "0", "target": f.one(foe, other), "reach": []string{second}, "bonus": 6})
	case 2, 3:
		err = f.make("strike", foe, map[string]any{
			"target": hero, "bonus": 9, "split": []map[string]any{{"target": other, "blows": 1, "attack": "0"}},
		})
	case 4:
		err = f.make("miracle", hero, map[string]any{
			"word": "0", "use": f.one("harm", "hinder"), "until": "scene", "targets": []string{foe}, "save": f.one("", "spirit"),
		})
	case 5:
		err = f.make("power", foe, map[string]any{
			"name": "Roar", "does": f.one("harm", "hinder"), "dice": "2d6", "targets": []string{"c1", "c2"},
			"save": f.one("", "hardiness"), "timing": "action", "cost": f.one("", "scene"),
		})
	case 6:
		err = f.make("fray", hero, map[string]any{"target": foe, "reach": []string{second}})
	default:
		err = f.make(f.one("next", "next", "next", "morale", "dawn", "scene", "rest"), "c5", map[string]any{})
	}
	f.count(err, &f.moves)
}

// instant makes a move that is possible at any time. It may be refused by the rules, and never
// because others are asked something.
func (f *fight) instant() {
	hero, other, foe := f.one("c1", "c2"), f.one("c1", "c2"), f.one("c3", "c4")
	var err error
	switch f.r.IntN(7) {
	case 0, 1:
		err = f.make("heal", hero, map[string]any{"patient": other, "points": 1 + f.r.IntN(9), "by": "word:0", "until": "day"})
	case 2:
		err = f.make("miracle", hero, map[string]any{"word": "0", "use": "guard", "protection": f.one("armour", "immunity"), "to": "fire", "until": "scene"})
	case 3:
		err = f.make("gift", hero, map[string]any{"gift": "0"})
	case 4:
		err = f.make("gift", hero, map[string]any{"gift": "1", "does": "hinder", "targets": []string{foe}})
	case 5:
		err = f.make(f.one("commit", "release"), hero, map[string]any{"for": "vow", "until": "sustained", "commitment": "0"})
	default:
		err = f.make("fury", hero, map[string]any{"fury": f.one("rise", "end")})
	}
	if busy, ok := errors.AsType[*refusal.BusyError](err); ok {
		f.t.Fatalf("an instant act of %s waits: %+v while\n%s", hero, busy, f.asked())
	}
	f.count(err, &f.instants)
}

func (f *fight) count(err error, made *int) {
	var refused *game.Refusal
	var invalid *refusal.InvalidError
	switch busy := (*refusal.BusyError)(nil); {
	case err == nil:
		*made++
	case errors.As(err, &refused):
		f.refused[refused.Rule]++
	case errors.As(err, &busy):
		f.refused["busy"]++
	case errors.As(err, &invalid):
		f.refused["invalid"]++
	default:
		f.t.Fatalf("%v while\n%s", err, f.asked())
	}
}

func (f *fight) one(of ...string) string { return of[f.r.IntN(len(of))] }

func (f *fight) asked() (text string) {
	for _, q := range f.view().Questions {
		text += fmt.Sprintf("%s asks %s: %s %s\n", q.Name, q.To, q.Question, q.AboutText)
	}
	return text
}

// answer answers one of the open questions as chance will have it.
func (f *fight) answer() {
	open := f.view().Questions
	if len(open) == 0 {
		return
	}
	q := open[f.r.IntN(len(open))]
	given := map[string]any{}
	for _, field := range q.Form.Fields {
		switch field.Kind {
		case form.KindBool:
			given[field.Name] = f.r.IntN(2) == 0
		case form.KindChoice:
			options := slices.DeleteFunc(slices.Clone(field.CurrentOptions()), func(o form.Option) bool { return o.Past })
			given[field.Name] = options[f.r.IntN(len(options))].Value
		case form.KindProse:
			if given["with"] != "" {
				given[field.Name] = "light"
			}
		}
	}
	data, err := json.Marshal(given)
	must(f.t, err)
	_, err = f.seat(f.owners[q.To]).Answer(f.t.Context(), request.Answer{Question: q.ID, Answer: data})
	var refused *game.Refusal
	if err != nil && !errors.As(err, &refused) {
		f.t.Fatalf("%s %s: %v while\n%s", q.Question, data, err, f.asked())
	}
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
func (f *fight) check(v *view.View) {
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
	for _, q := range v.Questions {
		if q.Question == "" || q.Text == "" {
			f.t.Fatalf("a question can't go on: %+v", q)
		}
	}
}

// TestInstantActsGoOnBetweenEverySteps plays random fights of Godbound with instant acts between every
// two steps. No such act waits for another's question, what is on the sheets makes sense after each
// step, norn verify plays all of it again, and undone it is as it was. GB-02
func TestInstantActsGoOnBetweenEverySteps(t *testing.T) {
	t.Parallel()
	g, _ := game.Find(games.All(), "godbound")
	n := seeds
	if testing.Short() {
		n = sample
	}
	moves, instants, refused := 0, 0, map[string]int{}
	for seed := range n {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			f := &fight{evening: begin(t, g, fights{}, uint64(seed+1)), refused: refused}
			before, err := json.Marshal(f.view().Characters)
			must(t, err)
			for range steps {
				switch f.r.IntN(4) {
				case 0:
					f.blow()
				case 1:
					f.answer()
				default:
					f.instant()
				}
				f.check(f.view())
			}
			for range 100 {
				f.answer()
			}
			var file bytes.Buffer
			must(t, f.gm.Export(t.Context(), &file))
			if found, err := verify.File(games.All(), spoken(), bytes.NewReader(file.Bytes())); err != nil {
				t.Fatalf("%v after %+v", err, found)
			}
			f.undoAll()
			after, err := json.Marshal(f.view().Characters)
			must(t, err)
			if !bytes.Equal(before, after) {
				t.Errorf("all undone, they are\n%s\nand were\n%s", after, before)
			}
			moves, instants = moves+f.moves, instants+f.instants
		})
	}
	t.Logf("%d fights: %d moves, %d instant acts, refused %v", n, moves, instants, refused)
}

// undoAll undoes every move, the newest first.
func (f *fight) undoAll() {
	for range 200 {
		log, err := f.gm.Log(f.t.Context(), 0, 0)
		must(f.t, err)
		i := len(log) - 1
		for ; i >= 0; i-- {
			if e := log[i]; e.Kind == view.KindMove && (e.MayUndo || e.MayCancel) {
				break
			}
		}
		if i < 0 {
			return
		}
		if log[i].MayUndo {
			_, err = table.Do(f.t.Context(), f.gm, act.Undo, act.UndoRequest{Seq: int(log[i].Seq)}, "")
		} else {
			_, err = table.Do(f.t.Context(), f.gm, act.Cancel, act.CancelRequest{Move: log[i].Move}, "")
		}
		must(f.t, err)
	}
}
