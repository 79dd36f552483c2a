package table_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"norn/game"
	"norn/lang"
	"norn/relay/local"
	"norn/table"
)

// Whatever people do, what each of them sees is what a fresh host folds from
// the journal; and a trail, once written, is never told again.
func TestRandomPlay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDeskOver(t, newMemory())
		seats := []*table.Seat{d.gm, d.anna, d.boris, d.guest}
		who := func(rt *rapid.T) *table.Seat { return rapid.SampledFrom(seats).Draw(rt, "seat") }
		character := func(rt *rapid.T) string {
			return rapid.SampledFrom([]string{"c1", "c2", "c3", "c4", ""}).Draw(rt, "character")
		}
		key := func(rt *rapid.T) string { return rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(rt, "key") }
		length := func() int { return len(d.log(d.gm)) }
		// try does something and checks that what was refused left no trace.
		try := func(rt *rapid.T, err func() error) {
			before := length()
			switch c := code(err()); c {
			case "":
			case table.CodeForbidden, table.CodeRefused, table.CodeInvalid, table.CodeBusy, table.CodeAnswered, table.CodeKeyReused:
				if length() != before {
					rt.Fatalf("refused as %s, but written", c)
				}
			default:
				rt.Fatalf("refused as %s", c)
			}
		}
		steps := 0
		rt.Repeat(map[string]func(*rapid.T){
			"move": func(rt *rapid.T) {
				r := table.Request{
					Move:      rapid.SampledFrom([]string{"strike", "rest", "swap", "omen", "haunt"}).Draw(rt, "move"),
					Character: character(rt), Secret: rapid.Bool().Draw(rt, "secret"), ByHand: rapid.Bool().Draw(rt, "by hand"), Key: key(rt),
				}
				switch r.Move {
				case "strike":
					r.Args = raw(fmt.Sprintf(`{"target":%q,"bonus":%d}`, character(rt), rapid.IntRange(0, 4).Draw(rt, "bonus")))
				case "haunt":
					r.Character, r.Args = "", raw(`{"who":["c1","c2"]}`)
				case "omen":
					r.Character = ""
				}
				s := who(rt)
				try(rt, func() error { return second(s.Make(t.Context(), r)) })
			},
			"answer": func(rt *rapid.T) {
				open := d.view(d.gm).Questions
				if len(open) == 0 {
					rt.Skip("nothing is asked")
				}
				q := rapid.SampledFrom(open).Draw(rt, "question")
				answer := rapid.SampledFrom([]string{`{}`, `{"dodge":true}`, `{"n":2}`, `{"faces":[4]}`, `{"faces":[2,5]}`, `{"faces":[1,1,6]}`}).Draw(rt, "answer")
				s := who(rt)
				try(rt, func() error {
					return second(s.Answer(t.Context(), table.Reply{Question: q.ID, Answer: raw(answer), Key: key(rt)}))
				})
			},
			"change": func(rt *rapid.T) {
				patch := rapid.SampledFrom([]string{`{"luck":2}`, `{"hurt":1}`, `{"risen":true}`, `{"doom":null}`}).Draw(rt, "patch")
				s := who(rt)
				try(rt, func() error {
					return second(s.ChangeCharacter(t.Context(), table.Change{ID: character(rt), Sheet: raw(patch), Key: key(rt)}))
				})
			},
			"settings": func(rt *rapid.T) {
				s := who(rt)
				try(rt, func() error {
					return second(s.Configure(t.Context(), raw(fmt.Sprintf(`{"limit":%d}`, rapid.IntRange(0, 11).Draw(rt, "limit"))), ""))
				})
			},
			"add": func(rt *rapid.T) {
				if len(d.view(d.gm).Characters) > 3 {
					rt.Skip("enough")
				}
				s := who(rt)
				try(rt, func() error {
					return second(s.AddCharacter(t.Context(), table.NewCharacter{Name: "More", Kind: "hero", Key: key(rt)}))
				})
			},
			"": func(rt *rapid.T) {
				if steps++; steps%4 != 0 {
					return // each fold starts from nothing
				}
				other := newHost(d.journal, local.New())
				for _, s := range seats {
					fresh, err := other.Enter(t.Context(), d.id, d.secrets[s.ID()], lang.En)
					if err != nil {
						rt.Fatal(err)
					}
					view, err := fresh.View(t.Context())
					if err != nil {
						rt.Fatal(err)
					}
					log, err := fresh.Log(t.Context(), 0, 0)
					if err != nil {
						rt.Fatal(err)
					}
					if live, folded := text(t, d.view(s), d.log(s)), text(t, view, log); live != folded {
						rt.Fatalf("%s sees\n%s\nand by a fresh fold\n%s", s.Role(), live, folded)
					}
					if s.Role() == game.Spectator && len(view.Questions) > 0 {
						rt.Fatal("a spectator is asked")
					}
				}
			},
		})
	})
}
