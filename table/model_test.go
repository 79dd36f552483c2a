package table_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/form"
	"norn/game"
	"norn/internal/relay/local"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// randomPlay is a desk where people do what rapid draws, on two nodes.
type randomPlay struct {
	*desk
	seats, elsewhere []*table.Seat // the same seats on the first and the second node
	steps            int
}

func newRandomPlay(t *testing.T, rt *rapid.T) (p *randomPlay, leave func() error) {
	p = &randomPlay{desk: newDeskOver(t, newMemory())}
	p.seats = []*table.Seat{p.gm, p.anna, p.boris, p.guest}
	node := newHost(p.journal, p.relay)
	for _, s := range p.seats {
		there, err := node.Enter(t.Context(), p.id, p.secrets[s.ID()], lang.En)
		if err != nil {
			rt.Fatal(err)
		}
		p.elsewhere = append(p.elsewhere, there)
	}
	return p, node.Close
}

func (p *randomPlay) seat(rt *rapid.T) *table.Seat {
	return rapid.SampledFrom(slices.Concat(p.seats, p.elsewhere)).Draw(rt, "seat")
}

func drawCharacter(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"c1", "c2", "c3", "c4", ""}).Draw(rt, "character")
}

func drawKey(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(rt, "key")
}

// try does something and checks that a refusal leaves no trace.
func (p *randomPlay) try(rt *rapid.T, do func() error) {
	before := len(p.log(p.gm))
	switch c := code(do()); c {
	case "":
	case refusal.CodeForbidden, refusal.CodeRefused, refusal.CodeInvalid, refusal.CodeBusy, refusal.CodeAnswered,
		refusal.CodeKeyReused, refusal.CodeLater:
		if len(p.log(p.gm)) != before {
			rt.Fatalf("refused as %s, but written", c)
		}
	default:
		rt.Fatalf("refused as %s", c)
	}
}

func (p *randomPlay) makeAny(rt *rapid.T) {
	r := request.Move{
		Move:      rapid.SampledFrom([]string{"strike", "rest", "swap", "omen", "haunt", "siege", "soothe"}).Draw(rt, "move"),
		Character: drawCharacter(rt), Secret: rapid.Bool().Draw(rt, "secret"), ByHand: rapid.Bool().Draw(rt, "by hand"),
		Key: drawKey(rt),
	}
	switch r.Move {
	case "strike":
		r.Args = raw(fmt.Sprintf(`{"target":%q,"bonus":%d}`, drawCharacter(rt), rapid.IntRange(0, 4).Draw(rt, "bonus")))
	case "haunt", "siege":
		r.Character, r.Args = "", raw(`{"who":["c1","c2"]}`)
	case "soothe":
		r.Args = raw(fmt.Sprintf(`{"whom":%q}`, drawCharacter(rt)))
	case "omen":
		r.Character = ""
	}
	s := p.seat(rt)
	p.try(rt, func() error { return second(s.Make(p.t.Context(), r)) })
}

func (p *randomPlay) answerAny(rt *rapid.T) {
	open := p.view(p.gm).Questions
	if len(open) == 0 {
		rt.Skip("nothing is asked")
	}
	q := rapid.SampledFrom(open).Draw(rt, "question")
	answer := rapid.SampledFrom([]string{
		`{}`, `{"dodge":true}`, `{"n":2}`, `{"faces":[4]}`, `{"roll":true}`,
		`{"faces":[2,5]}`, `{"faces":[1,1,6]}`,
	}).Draw(rt, "answer")
	s := p.seat(rt)
	p.try(rt, func() error {
		return second(s.Answer(p.t.Context(), request.Answer{Question: q.ID, Answer: raw(answer), Key: drawKey(rt)}))
	})
}

func (p *randomPlay) changeAny(rt *rapid.T) {
	patch := rapid.SampledFrom([]string{`{"luck":2}`, `{"hurt":1}`, `{"risen":true}`, `{"doom":null}`}).Draw(rt,
		"patch")
	s := p.seat(rt)
	p.try(rt, func() error {
		return second(table.Do(p.t.Context(), s, act.ChangeCharacter,
			act.ChangeRequest{ID: drawCharacter(rt), Sheet: raw(patch)}, drawKey(rt)))
	})
}

func (p *randomPlay) sayAnything(rt *rapid.T) {
	said := act.TalkRequest{
		Text:      rapid.SampledFrom([]string{"hm", ""}).Draw(rt, "text"),
		Character: form.Ref(drawCharacter(rt)), ToGM: rapid.Bool().Draw(rt, "to the GM"),
	}
	key := drawKey(rt)
	s := p.seat(rt)
	p.try(rt, func() error { return second(table.Do(p.t.Context(), s, act.Talk, said, key)) })
}

// undoAny undoes one of the last entries. A game master can whenever it's offered, a player only
// their own change.
func (p *randomPlay) undoAny(rt *rapid.T) {
	log := p.log(p.gm)
	e := rapid.SampledFrom(log[max(0, len(log)-8):]).Draw(rt, "entry")
	s := p.seat(rt)
	offered := slices.ContainsFunc(p.log(s), func(seen view.Entry) bool { return seen.Seq == e.Seq && seen.MayUndo })
	var err error
	p.try(rt, func() error {
		err = second(table.Do(p.t.Context(), s, act.Undo, act.UndoRequest{Seq: int(e.Seq)}, ""))
		return err
	})
	if taken := err == nil; taken != offered && s.Role() == game.Master {
		rt.Fatalf("undo of %d was offered: %v, and came out as %v", e.Seq, offered, err)
	}
	if s.Role() == game.Player && err == nil && (e.Kind != view.KindCharacter || e.Seat.ID != s.ID()) {
		rt.Fatalf("%s has undone entry %d", s.ID(), e.Seq)
	}
}

// undoAtOnce makes a move and undoes it, which must leave every character as before.
func (p *randomPlay) undoAtOnce(rt *rapid.T) {
	before, last := text(p.t, p.view(p.gm).Characters), len(p.log(p.gm))
	made, err := p.gm.Make(p.t.Context(), request.Move{
		Move: rapid.SampledFrom([]string{"rest", "swap"}).Draw(rt, "move"), Character: drawCharacter(rt),
		Secret: rapid.Bool().Draw(rt, "secret"),
	})
	if err != nil {
		rt.Skip("not now")
	}
	if e := p.undo(made.Entry.Seq); len(p.log(p.gm)) != last+2 || e.Undoes != made.Entry.Seq {
		rt.Fatalf("undone: %+v", e)
	}
	if after := text(p.t, p.view(p.gm).Characters); after != before {
		rt.Fatalf("before\n%s\nand after a move was undone\n%s", before, after)
	}
}

// cancelAny cancels one of the last moves; after a roll only the game master can.
func (p *randomPlay) cancelAny(rt *rapid.T) {
	log, s := p.log(p.gm), p.seat(rt)
	e := rapid.SampledFrom(log[max(0, len(log)-8):]).Draw(rt, "entry")
	thrown := slices.ContainsFunc(log, func(of view.Entry) bool { return of.Move == e.Move && len(of.Throws) > 0 })
	p.try(rt, func() error {
		err := second(table.Do(p.t.Context(), s, act.Cancel, act.CancelRequest{Move: e.Move}, drawKey(rt)))
		if err == nil && s.Role() != game.Master && thrown {
			rt.Fatalf("%s has cancelled %s with its dice", s.ID(), e.Move)
		}
		return err
	})
}

func (p *randomPlay) shareAnything(rt *rapid.T) {
	s := p.seat(rt)
	p.try(rt, func() error {
		return second(table.Do(p.t.Context(), s, act.AddShare,
			act.ShareRequest{Share: rapid.StringN(0, 3, -1).Draw(rt, "share")}, drawKey(rt)))
	})
}

func (p *randomPlay) endAnySession(rt *rapid.T) {
	s := p.seat(rt)
	p.try(rt, func() error { return second(table.Do(p.t.Context(), s, act.EndSession, act.Nothing{}, drawKey(rt))) })
}

func (p *randomPlay) configure(rt *rapid.T) {
	s := p.seat(rt)
	p.try(rt, func() error {
		return second(table.Do(p.t.Context(), s, act.Configure,
			act.ConfigureRequest{Settings: raw(fmt.Sprintf(`{"limit":%d}`, rapid.IntRange(0, 11).Draw(rt, "limit")))},
			""))
	})
}

// addAnother adds a character, at most four.
func (p *randomPlay) addAnother(rt *rapid.T) {
	if len(p.view(p.gm).Characters) > 3 {
		rt.Skip("enough")
	}
	s := p.seat(rt)
	p.try(rt, func() error {
		return second(table.Do(p.t.Context(), s, act.AddCharacter, act.CharacterRequest{Name: "More", Kind: "hero"},
			drawKey(rt)))
	})
}

// check checks after every fourth action what everybody sees.
func (p *randomPlay) check(rt *rapid.T) {
	if p.steps++; p.steps%4 != 0 {
		return // it folds the whole log, which takes long
	}
	_, sealed := seals(p.t, p.journal, p.id)
	if found, err := verify.File(toys, words, bytes.NewReader(p.file(p.stored()))); err != nil {
		rt.Fatalf("what was played isn't borne out: %v after %+v", err, found)
	}
	other := newHost(p.journal, local.New())
	for i, s := range p.seats {
		if here, there := text(p.t, p.view(s), p.log(s)),
			text(p.t, p.view(p.elsewhere[i]), p.log(p.elsewhere[i])); here != there {
			rt.Fatalf("%s sees\n%s\nand at another node\n%s", s.Role(), here, there)
		}
		fresh, err := other.Enter(p.t.Context(), p.id, p.secrets[s.ID()], lang.En)
		if err != nil {
			rt.Fatal(err)
		}
		shown, err := fresh.View(p.t.Context())
		if err != nil {
			rt.Fatal(err)
		}
		log, err := fresh.Log(p.t.Context(), 0, 0)
		if err != nil {
			rt.Fatal(err)
		}
		if live, folded := text(p.t, p.view(s), p.log(s)), text(p.t, shown, log); live != folded {
			rt.Fatalf("%s sees\n%s\nand by a fresh fold\n%s", s.Role(), live, folded)
		}
		if bare, _, err := s.Bare(p.t.Context()); err != nil || text(p.t, bare) != text(p.t, log) {
			rt.Fatalf("%s sees\n%s\nand where nothing is packed\n%s\n%v", s.Role(), text(p.t, log), text(p.t, bare),
				err)
		}
		if strings.Contains(text(p.t, shown, log), sealed) {
			rt.Fatalf("%s sees a secret that wasn't opened", s.Role())
		}
		if s.Role() == game.Spectator && len(shown.Questions) > 0 {
			rt.Fatal("a spectator is asked")
		}
	}
}

// Whatever people do, each of them sees what a new host folds from the journal, and no entry
// changes after it was written.
func TestNewHostShowsTheSameAfterAnyActions(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	rapid.Check(t, func(rt *rapid.T) {
		p, leave := newRandomPlay(t, rt)
		defer leave()
		rt.Repeat(map[string]func(*rapid.T){
			"move":         p.makeAny,
			"answer":       p.answerAny,
			"change":       p.changeAny,
			"talk":         p.sayAnything,
			"undo":         p.undoAny,
			"undo at once": p.undoAtOnce,
			"cancel":       p.cancelAny,
			"share":        p.shareAnything,
			"end session":  p.endAnySession,
			"settings":     p.configure,
			"add":          p.addAnother,
			"":             p.check,
		})
	})
}
