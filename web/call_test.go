//go:build !race

package web_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// otherThan returns values of a field that differ from its default, as a page posts them; nil for a
// field that has just one.
func otherThan(f form.Field, usual url.Values) url.Values {
	is := usual.Get(f.Name)
	switch f.Kind {
	case form.KindBool:
		if is == "" {
			return url.Values{f.Name: {"on"}}
		}
		return url.Values{}
	case form.KindInt:
		for n := f.Max; n >= f.Min; n-- {
			if text := strconv.Itoa(n); text != is && n <= f.Min+3 {
				return url.Values{f.Name: {text}}
			}
		}
	case form.KindText, form.KindProse:
		return url.Values{f.Name: {"Over the roof"}}
	case form.KindChoice, form.KindRef, form.KindTrait:
		for _, o := range f.CurrentOptions() {
			if o.Value != is && o.Value != "" {
				return url.Values{f.Name: {o.Value}}
			}
		}
	case form.KindRefs:
		for _, o := range f.CurrentOptions() {
			if !slices.Contains(usual[f.Name], o.Value) {
				return url.Values{f.Name: append(slices.Clone(usual[f.Name]), o.Value)}
			}
		}
	}
	return nil
}

// Whatever a game master fills in before asking a player for a move is refused at once, or is in the
// move that the player makes, also what players don't see.
func TestCallCarriesEveryFieldToThePlayersMove(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			h, gm := hosted(t, g)
			seat, err := table.Do(ctx, gm, act.AddSeat, act.SeatRequest{Name: "anna", Role: string(game.Player)}, "")
			must(t, err)
			anna, err := h.host.Enter(ctx, h.table, seat.Secret, lang.En)
			must(t, err)
			hero := g.ReadyHeroes(gm.Speaker())[0]
			who := added(t, gm, act.CharacterRequest{Name: "Oak", Hero: hero.ID, Owner: seat.ID})
			shown, err := anna.View(ctx)
			must(t, err)
			carried := map[string]bool{}
			for _, m := range shown.Moves {
				if !slices.Contains(m.Characters, who) {
					continue
				}
				f, err := gm.MoveForm(ctx, m.ID, who)
				must(t, err)
				f = f.WithoutAssumed()
				usual := f.DefaultInputs()
				if _, ok := f.Field("attribute"); ok {
					usual.Set("attribute", "strength") // without one nothing can be rolled
				}
				for _, field := range f.Fields {
					set := otherThan(field, usual)
					if set == nil {
						continue
					}
					values := maps.Clone(usual)
					delete(values, field.Name)
					maps.Copy(values, set)
					called, err := table.Do(ctx, gm, act.CallMove, act.CallRequest{
						Move: m.ID, Character: form.Ref(who), Text: field.Name, Values: values,
					}, "")
					if err != nil {
						continue // it says so at once
					}
					var call struct{ ID string }
					must(t, json.Unmarshal(called.Lines[0].Data, &call))
					own, err := anna.View(ctx)
					must(t, err)
					open := own.Calls[slices.IndexFunc(own.Calls, func(c view.CallShown) bool { return c.ID == call.ID })]
					if said, _ := json.Marshal(open); field.GM && strings.Contains(string(said), `"`+field.Name+`":`) {
						t.Errorf("%s: the player sees %s of the call: %s", m.ID, field.Name, said)
					}
					made, err := anna.Make(ctx, request.Move{Move: m.ID, Character: who, Args: json.RawMessage(`{}`)})
					if err != nil { // the rules want more
						_, err = table.Do(ctx, gm, act.WithdrawCall, act.WithdrawRequest{Call: call.ID}, "")
						must(t, err)
						continue
					}
					entries, err := gm.Log(ctx, made.Entry.Seq-1, 1)
					must(t, err)
					def, _ := g.Move(m.ID)
					args, err := def.Values(f.Only(field.Name), set)
					must(t, err)
					want := f.Only(field.Name).Fill(args)
					if got := entries[0].Args[field.Name]; !reflect.DeepEqual(got, want[field.Name]) {
						t.Errorf("%s: asked with %s %v, made with %v", m.ID, field.Name, want[field.Name], got)
					}
					carried[field.Name] = true
					if seen, err := anna.Log(ctx, made.Entry.Seq-1, 1); field.GM {
						must(t, err)
						if reflect.DeepEqual(seen[0].Args[field.Name], want[field.Name]) {
							t.Errorf("%s: the player sees %s in the log", m.ID, field.Name)
						}
					}
					if len(made.Open)+len(made.Waiting) > 0 {
						_, err = table.Do(ctx, gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, "")
						must(t, err)
						_, err = table.Do(ctx, gm, act.WithdrawCall, act.WithdrawRequest{Call: call.ID}, "") // it's open again
						must(t, err)
					}
				}
			}
			if len(carried) < 3 {
				t.Errorf("only %v were carried", slices.Sorted(maps.Keys(carried)))
			}
			if g.ID == "mage" && !carried["tease"] {
				t.Error("an impossible action that is thrown all the same isn't carried")
			}
		})
	}
}
