package table_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/game"
	"norn/lang"
	"norn/relay/local"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// Whatever people do, what each of them sees is what a fresh host folds from
// the journal; and a trail, once written, is never told again.
func TestRandomPlay(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	rapid.Check(t, func(rt *rapid.T) {
		d := newDeskOver(t, newMemory())
		seats := []*table.Seat{d.gm, d.anna, d.boris, d.guest}
		node := newHost(d.journal, d.relay) // another one, at which some of them sit at times
		defer node.Close()
		elsewhere := make([]*table.Seat, len(seats))
		for i, s := range seats {
			var err error
			if elsewhere[i], err = node.Enter(t.Context(), d.id, d.secrets[s.ID()], lang.En); err != nil {
				rt.Fatal(err)
			}
		}
		who := func(rt *rapid.T) *table.Seat {
			return rapid.SampledFrom(slices.Concat(seats, elsewhere)).Draw(rt, "seat")
		}
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
			case refusal.CodeForbidden, refusal.CodeRefused, refusal.CodeInvalid, refusal.CodeBusy, refusal.CodeAnswered, refusal.CodeKeyReused, refusal.CodeLater:
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
				r := request.Move{
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
					return second(s.Answer(t.Context(), request.Answer{Question: q.ID, Answer: raw(answer), Key: key(rt)}))
				})
			},
			"change": func(rt *rapid.T) {
				patch := rapid.SampledFrom([]string{`{"luck":2}`, `{"hurt":1}`, `{"risen":true}`, `{"doom":null}`}).Draw(rt, "patch")
				s := who(rt)
				try(rt, func() error {
					return second(s.ChangeCharacter(t.Context(), request.Change{ID: character(rt), Sheet: raw(patch), Key: key(rt)}))
				})
			},
			"talk": func(rt *rapid.T) {
				said := request.Talk{Text: rapid.SampledFrom([]string{"hm", ""}).Draw(rt, "text"), Character: character(rt), ToGM: rapid.Bool().Draw(rt, "to the GM"), Key: key(rt)}
				s := who(rt)
				try(rt, func() error { return second(s.Talk(t.Context(), said)) })
			},
			"undo": func(rt *rapid.T) {
				log := d.log(d.gm)
				e := rapid.SampledFrom(log[max(0, len(log)-8):]).Draw(rt, "entry")
				s := who(rt)
				offered := slices.ContainsFunc(d.log(s), func(seen view.Entry) bool { return seen.Seq == e.Seq && seen.MayUndo })
				var err error
				try(rt, func() error { err = second(s.Undo(t.Context(), e.Seq, "")); return err })
				if taken := err == nil; taken != offered && s.Role() == game.Master {
					rt.Fatalf("undo of %d was offered: %v, and came out as %v", e.Seq, offered, err)
				}
				if s.Role() == game.Player && err == nil && (e.Kind != view.KindCharacter || e.Seat.ID != s.ID()) {
					rt.Fatalf("%s has undone entry %d", s.ID(), e.Seq)
				}
			},
			"undo at once": func(rt *rapid.T) {
				before, last := text(t, d.view(d.gm).Characters), len(d.log(d.gm))
				made, err := d.gm.Make(t.Context(), request.Move{
					Move: rapid.SampledFrom([]string{"rest", "swap"}).Draw(rt, "move"), Character: character(rt), Secret: rapid.Bool().Draw(rt, "secret"),
				})
				if err != nil {
					rt.Skip("not now")
				}
				if e := d.undo(made.Entry.Seq); len(d.log(d.gm)) != last+2 || e.Undoes != made.Entry.Seq {
					rt.Fatalf("undone: %+v", e)
				}
				if after := text(t, d.view(d.gm).Characters); after != before {
					rt.Fatalf("before\n%s\nand after a move was undone\n%s", before, after)
				}
			},
			"cancel": func(rt *rapid.T) {
				log, s := d.log(d.gm), who(rt)
				e := rapid.SampledFrom(log[max(0, len(log)-8):]).Draw(rt, "entry")
				thrown := slices.ContainsFunc(log, func(of view.Entry) bool { return of.Move == e.Move && len(of.Throws) > 0 })
				try(rt, func() error {
					err := second(s.Cancel(t.Context(), e.Move, key(rt)))
					if err == nil && s.Role() != game.Master && thrown {
						rt.Fatalf("%s has cancelled %s with its dice", s.ID(), e.Move)
					}
					return err
				})
			},
			"share": func(rt *rapid.T) {
				s := who(rt)
				try(rt, func() error {
					return second(s.AddShare(t.Context(), rapid.StringN(0, 3, -1).Draw(rt, "share"), key(rt)))
				})
			},
			"end session": func(rt *rapid.T) {
				s := who(rt)
				try(rt, func() error { return second(s.EndSession(t.Context(), key(rt))) })
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
					return second(s.AddCharacter(t.Context(), request.NewCharacter{Name: "More", Kind: "hero", Key: key(rt)}))
				})
			},
			"": func(rt *rapid.T) {
				if steps++; steps%4 != 0 {
					return // each fold starts from nothing
				}
				_, sealed := seals(t, d.journal, d.id)
				if found, err := verify.File(toys, words, bytes.NewReader(d.file(d.stored()))); err != nil {
					rt.Fatalf("what was played isn't borne out: %v after %+v", err, found)
				}
				other := newHost(d.journal, local.New())
				for i, s := range seats {
					if here, there := text(t, d.view(s), d.log(s)), text(t, d.view(elsewhere[i]), d.log(elsewhere[i])); here != there {
						rt.Fatalf("%s sees\n%s\nand at another node\n%s", s.Role(), here, there)
					}
					fresh, err := other.Enter(t.Context(), d.id, d.secrets[s.ID()], lang.En)
					if err != nil {
						rt.Fatal(err)
					}
					shown, err := fresh.View(t.Context())
					if err != nil {
						rt.Fatal(err)
					}
					log, err := fresh.Log(t.Context(), 0, 0)
					if err != nil {
						rt.Fatal(err)
					}
					if live, folded := text(t, d.view(s), d.log(s)), text(t, shown, log); live != folded {
						rt.Fatalf("%s sees\n%s\nand by a fresh fold\n%s", s.Role(), live, folded)
					}
					if bare, _, err := s.Bare(t.Context()); err != nil || text(t, bare) != text(t, log) {
						rt.Fatalf("%s sees\n%s\nand where nothing is packed\n%s\n%v", s.Role(), text(t, log), text(t, bare), err)
					}
					if strings.Contains(text(t, shown, log), sealed) {
						rt.Fatalf("%s sees a secret that wasn't opened", s.Role())
					}
					if s.Role() == game.Spectator && len(shown.Questions) > 0 {
						rt.Fatal("a spectator is asked")
					}
				}
			},
		})
	})
}
