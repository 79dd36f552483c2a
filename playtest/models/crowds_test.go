package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// crowded is a game whose evenings are played with instant acts between every two steps. It isn't a
// model of the rules: what must hold at any time is checked.
type crowded interface {
	model
	act(c *crowd)     // makes a move that waits for its turn
	instant(c *crowd) // makes a move that is possible at any time
	check(c *crowd, v *view.View, entries []view.Entry)
	reads(c *crowd, v *view.View) // takes what is on the sheets as it is, at the beginning and after an edit
	keeps() []string              // fields that aren't edited where it's checked
}

var crowds = map[string]func() crowded{
	"godbound": func() crowded { return fights{} },
	"spire":    func() crowded { return &heists{} },
	"eclipse":  func() crowded { return &missions{} },
	"mage":     func() crowded { return &chantries{} },
	"edda":     func() crowded { return &contests{} },
}

// unmodelled is the part of model that only random evenings next to a model need.
type unmodelled struct{ model }

func (unmodelled) now(string) any { return new(any) }

// crowd is an evening at which everybody acts at once.
type crowd struct {
	*evening
	moves, instants int            // that were made
	edited, within  int            // edits, and those of whom a question was open about
	refused         map[string]int // by the id of the rule
}

// acts makes a move that may be refused by the rules, and while others wait. A refusal then names
// the move that it waits for.
func (c *crowd) acts(move, by string, args map[string]any) {
	c.t.Helper()
	err := c.make(move, by, args)
	if busy, ok := errors.AsType[*refusal.BusyError](err); ok {
		open := slices.ContainsFunc(c.view().Questions, func(q view.Question) bool { return q.Move == busy.Move })
		if busy.Move == "" || busy.Name == "" || !open {
			c.t.Fatalf("%s of %s waits for nothing: %+v while\n%s", move, by, busy, c.asked())
		}
	}
	c.count(err, &c.moves)
}

// instantly makes an instant move. It may be refused by the rules, and never because others are asked
// something.
func (c *crowd) instantly(move, by string, args map[string]any) {
	c.t.Helper()
	err := c.make(move, by, args)
	if busy, ok := errors.AsType[*refusal.BusyError](err); ok {
		c.t.Fatalf("%s of %s waits: %+v while\n%s", move, by, busy, c.asked())
	}
	c.count(err, &c.instants)
}

// make makes a move and returns why it can't be made. Some dice are rolled by hand.
func (c *crowd) make(move, by string, args map[string]any) error {
	data, err := json.Marshal(args)
	must(c.t, err)
	r := request.Move{Move: move, Character: by, Args: data, ByHand: c.r.IntN(4) == 0}
	seat := c.seat(c.owners[by])
	if def, _ := c.game.FindMove(move); def.GMOnly {
		seat = c.gm
	}
	_, err = seat.Make(c.t.Context(), r)
	return err
}

// takes takes an offer, which is possible at any time unless what it would change is being acted with.
func (c *crowd) takes(o view.OfferShown, unless string) {
	c.t.Helper()
	seat := c.gm
	if o.To != game.GM {
		seat = c.seat(c.owners[o.To])
	}
	_, err := seat.Make(c.t.Context(), request.Move{Offer: o.ID})
	if busy, ok := errors.AsType[*refusal.BusyError](err); ok && busy.Character != unless {
		c.t.Fatalf("an offer of %s waits: %+v while\n%s", o.Move, busy, c.asked())
	}
	c.count(err, &c.instants)
}

func (c *crowd) count(err error, made *int) {
	c.t.Helper()
	var refused *game.Refusal
	var invalid *refusal.InvalidError
	switch busy := (*refusal.BusyError)(nil); {
	case err == nil:
		*made++
	case errors.As(err, &refused):
		c.refused[refused.Rule]++
	case errors.As(err, &busy):
		c.refused["busy"]++
	case errors.As(err, &invalid):
		c.refused["invalid"]++
	default:
		c.t.Fatalf("%v while\n%s", err, c.asked())
	}
}

func (c *crowd) one(of ...string) string { return of[c.r.IntN(len(of))] }

// some returns some of the names, in their order.
func (c *crowd) some(of ...string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(string) bool { return c.r.IntN(2) == 0 })
}

func (c *crowd) asked() (text string) {
	for _, q := range c.view().Questions {
		text += fmt.Sprintf("%s asks %s: %s %s\n", q.Name, q.To, q.Question, q.AboutText)
	}
	return text
}

// answer answers one of the open questions as chance will have it or, if that's refused, by default.
func (c *crowd) answer() {
	open := c.view().Questions
	if len(open) == 0 {
		return
	}
	q := open[c.r.IntN(len(open))]
	given := map[string]any{}
	for _, field := range q.Form.Fields {
		options := slices.DeleteFunc(slices.Clone(field.CurrentOptions()), func(o form.Option) bool { return o.Past })
		switch field.Kind {
		case form.KindBool:
			given[field.Name] = c.r.IntN(2) == 0
		case form.KindChoice, form.KindRef:
			if len(options) > 0 {
				given[field.Name] = options[c.r.IntN(len(options))].Value
			}
		case form.KindRefs:
			given[field.Name] = c.some(game.Each(options, func(o form.Option) string { return o.Value })...)
		case form.KindProse:
			if given["with"] != "" {
				given[field.Name] = "light"
			}
		}
	}
	answers := []map[string]any{given, {"text": "light"}, {}}
	if q.Question == "dice" {
		answers = []map[string]any{{"roll": true}}
	}
	seat := c.seat(c.owners[q.To])
	var err error
	for _, a := range answers {
		data, wrong := json.Marshal(a)
		must(c.t, wrong)
		if _, err = seat.Answer(c.t.Context(), request.Answer{Question: q.ID, Answer: data}); err == nil {
			return
		}
	}
	var refused *game.Refusal
	if !errors.As(err, &refused) {
		c.t.Fatalf("%s %s: %v while\n%s", q.Question, given, err, c.asked())
	}
}

// checks checks what holds at any time.
func (c *crowd) checks(game crowded) {
	c.t.Helper()
	c.asksOn()
	game.check(c, c.view(), c.entries())
}

// TestInstantActsGoOnBetweenEverySteps plays random evenings with instant acts between every two steps.
// No such act waits for another's question, what is on the sheets makes sense after each step, norn
// verify plays all of it again, and undone it is as it was. GB-02, ED-19, ED-23, SP-21, MG-09, EP-20
func TestInstantActsGoOnBetweenEverySteps(t *testing.T) {
	for id, create := range crowds {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			g, _ := game.Find(games.All(), id)
			n := seeds
			if testing.Short() {
				n = sample
			}
			moves, instants, refused := 0, 0, map[string]int{}
			for seed := range n {
				t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
					m := create()
					c := &crowd{evening: begin(t, g, m, uint64(seed+1)), refused: refused}
					before := c.sheets()
					m.reads(c, c.view())
					for range steps {
						switch c.r.IntN(5) {
						case 0, 1:
							m.act(c)
						case 2:
							c.answer()
						default:
							m.instant(c)
						}
						c.checks(m)
					}
					for range 100 {
						if len(c.view().Questions) == 0 {
							break
						}
						c.answer()
						c.checks(m)
					}
					c.verifies()
					c.undoAll()
					if after := c.sheets(); before != after {
						t.Errorf("all undone, they are\n%s\nand were\n%s", after, before)
					}
					moves, instants = moves+c.moves, instants+c.instants
				})
			}
			t.Logf("%d evenings: %d moves, %d instant acts, refused %v", n, moves, instants, refused)
		})
	}
}

// TestSheetsAreEditedBetweenEverySteps plays evenings in which game masters edit any value of any sheet
// between every two steps. Questions go on from it, no edit breaks a rule, all of it is verified, and
// undone it is as it was. At half of them each line of the log says what was there at that moment.
func TestSheetsAreEditedBetweenEverySteps(t *testing.T) {
	for id, create := range crowds {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			g, _ := game.Find(games.All(), id)
			n := seeds / 5
			if testing.Short() {
				n = sample
			}
			edits, within, refused := 0, 0, map[string]int{}
			for seed := range n {
				t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
					m := create()
					c := &crowd{evening: begin(t, g, m, uint64(seed+1)), refused: refused}
					before := c.sheets()
					m.reads(c, c.view())
					kept, check := m.keeps(), func() { c.checks(m) }
					if seed%2 > 0 { // what is written by hand needn't make sense
						kept, check = nil, c.asksOn
					}
					for range steps {
						switch c.r.IntN(6) {
						case 0, 1:
							m.act(c)
						case 2:
							c.answer()
						case 3:
							m.instant(c)
						default:
							c.edits(kept)
							c.entries()
							m.reads(c, c.view())
						}
						check()
					}
					for range 100 {
						if len(c.view().Questions) == 0 {
							break
						}
						c.answer()
						check()
					}
					c.verifies()
					c.undoAll()
					if after := c.sheets(); before != after {
						t.Errorf("all undone, they are\n%s\nand were\n%s", after, before)
					}
					edits, within = edits+c.edited, within+c.within
				})
			}
			t.Logf("%d evenings: %d edits, %d of whom a question is open about, refused %v", n, edits, within, refused)
		})
	}
}

// edits changes any value of somebody's sheet by hand, but not in the fields kept.
func (c *crowd) edits(kept []string) {
	c.t.Helper()
	all := c.view().Characters
	who := all[c.r.IntN(len(all))]
	f, err := c.gm.SheetForm(c.t.Context(), who.ID)
	must(c.t, err)
	field := f.Form.Fields[c.r.IntN(len(f.Form.Fields))]
	if slices.Contains(kept, field.Name) {
		return
	}
	data, err := json.Marshal(map[string]any{field.Name: c.changed(field, f.Sheet[field.Name])})
	must(c.t, err)
	_, err = table.Do(c.t.Context(), c.gm, act.ChangeCharacter, act.ChangeRequest{ID: who.ID, Sheet: data}, "")
	if err == nil && who.Busy != "" {
		c.within++
	}
	if busy, ok := errors.AsType[*refusal.BusyError](err); ok && who.Kind != "task" { // which isn't lent
		c.t.Fatalf("an edit of %s to %s waits: %+v while\n%s", who.Name, data, busy, c.asked())
	}
	c.count(err, &c.edited)
}

// changed returns another value of a field.
func (c *crowd) changed(f form.Field, is any) any {
	switch is := is.(type) {
	case int:
		return min(max(f.Min, is+c.r.IntN(9)-4), f.Max)
	case bool:
		return !is
	case map[string]any:
		inner := f.Fields[c.r.IntN(len(f.Fields))]
		is[inner.Name] = c.changed(inner, is[inner.Name])
		return is
	case []map[string]any:
		if len(is) == 0 {
			return is
		}
		switch at := c.r.IntN(len(is)); c.r.IntN(4) {
		case 0:
			return slices.Delete(is, at, at+1)
		case 1:
			return append(is, is[at])
		case 2:
			return append(is[at:], is[:at]...)
		default:
			inner := f.Fields[c.r.IntN(len(f.Fields))]
			is[at][inner.Name] = c.changed(inner, is[at][inner.Name])
			return is
		}
	}
	if options := f.CurrentOptions(); len(options) > 0 {
		return options[c.r.IntN(len(options))].Value
	}
	if f.Kind == form.KindText || f.Kind == form.KindProse {
		return c.one("", "edited")
	}
	return is
}

// asksOn checks that every open question can go on.
func (c *crowd) asksOn() {
	c.t.Helper()
	for _, q := range c.view().Questions {
		if q.Question == "" || q.Text == "" {
			c.t.Fatalf("a question can't go on: %+v", q)
		}
	}
}

// sheets returns all characters as JSON.
func (c *crowd) sheets() string {
	data, err := json.Marshal(c.view().Characters)
	must(c.t, err)
	return string(data)
}

func (c *crowd) verifies() {
	var file bytes.Buffer
	must(c.t, c.gm.Export(c.t.Context(), &file))
	if found, err := verify.File(games.All(), spoken(), bytes.NewReader(file.Bytes())); err != nil {
		c.t.Fatalf("%v after %+v", err, found)
	}
}

// undoAll undoes every move and edit, the newest first.
func (c *crowd) undoAll() {
	for range 400 {
		log, err := c.gm.Log(c.t.Context(), 0, 0)
		must(c.t, err)
		i := len(log) - 1
		for ; i >= 0; i-- {
			if e := log[i]; (e.Kind == view.KindMove || e.Kind == view.KindCharacter && e.Seq > c.began) && (e.MayUndo || e.MayCancel) {
				break
			}
		}
		if i < 0 {
			return
		}
		if log[i].MayUndo {
			_, err = table.Do(c.t.Context(), c.gm, act.Undo, act.UndoRequest{Seq: int(log[i].Seq)}, "")
		} else {
			_, err = table.Do(c.t.Context(), c.gm, act.Cancel, act.CancelRequest{Move: log[i].Move}, "")
		}
		must(c.t, err)
	}
}
