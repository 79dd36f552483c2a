package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"norn/game"
	"norn/table"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/tabletest"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// besieged returns a desk with a siege of both heroes that waits for both.
func besieged(t *testing.T) (d *desk, siege view.Entry) {
	d = newDesk(t)
	return d, d.make(d.gm, request.Move{
		Move: "siege", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`),
	}).Entry
}

func (d *desk) hurtOf(who string) int { return sheet[Hero](d, who).Hurt }

// aboutOf returns the subject of the question to a character.
func (d *desk) aboutOf(who string) string {
	d.t.Helper()
	for _, q := range d.view(d.gm).Questions {
		if q.To == who {
			return strings.Trim(text(d.t, q.About), "[]")
		}
	}
	d.t.Fatalf("nothing is asked of %s", who)
	return ""
}

// Who is asked something waits for nobody, nor do others with them: what they change is in the
// question, and the rule goes on from it.
func TestInstantMovesChangeWhatAnOpenQuestionAsks(t *testing.T) {
	d, _ := besieged(t)
	d.make(d.boris, request.Move{Move: "soothe", Character: d.other, Args: raw(`{"whom":"` + d.hero + `"}`)})
	d.reopen()
	if got := d.aboutOf(d.hero); got != "-1" {
		t.Errorf("the question is about %s", got)
	}
	d.make(d.anna, request.Move{Move: "soothe", Character: d.hero, Args: raw(`{"whom":"` + d.hero + `"}`)})
	d.answerOf(d.hero)
	if got := d.hurtOf(d.hero); got != -2+(-2+1) {
		t.Errorf("hurt %d, want -3", got)
	}
	d.make(d.anna, request.Move{Move: "soothe", Character: d.hero, Args: raw(`{"whom":"` + d.other + `"}`)})
	d.answerOf(d.other)
	if got := d.hurtOf(d.other); got != -1+0 {
		t.Errorf("hurt %d, want -1", got)
	}
	if got := d.aboutOf(game.GM); got != "-4" {
		t.Errorf("the game master is asked about %s", got)
	}
	d.make(d.boris, request.Move{Move: "soothe", Character: d.other, Args: raw(`{"whom":"` + d.other + `","n":3}`)})
	d.answerOf(game.GM)
	if hero, other := d.hurtOf(d.hero), d.hurtOf(d.other); hero != -3-7 || other != -4-7 {
		t.Errorf("hurt %d and %d, want -10 and -11", hero, other)
	}
	if found, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Errorf("%v after %+v", err, found)
	}
	if found, err := verify.File(toys, words, bytes.NewReader(d.seen(d.gm))); err != nil {
		t.Errorf("the game master's file: %v after %+v", err, found)
	}
}

// Other moves wait for the character that a question is about, and so do secret moves.
func TestOnlyInstantMovesGoOnMeanwhile(t *testing.T) {
	d, siege := besieged(t)
	for name, try := range map[string]func() error{
		"a rest": func() error {
			return second(d.anna.Make(t.Context(), request.Move{Move: "rest", Character: d.hero}))
		},
		"a secret move": func() error {
			return second(d.gm.Make(t.Context(), request.Move{
				Move: "soothe", Character: d.hero, Args: raw(`{"whom":"` + d.hero + `"}`), Secret: true,
			}))
		},
	} {
		if err := try(); code(err) != refusal.CodeBusy {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range d.view(d.gm).Characters {
		if c.ID == d.hero {
			same(t, "Lira is in", siege.Move, c.Busy)
		}
	}
}

// A sheet is edited meanwhile, too, whether its character's part waits or has continued: a number counts
// by as much as it was changed.
func TestEditsChangeWhatAnOpenQuestionAsks(t *testing.T) {
	d, siege := besieged(t)
	edit := func(by *table.Seat, who string, hurt int) view.Entry {
		t.Helper()
		made, err := table.Do(t.Context(), by, act.ChangeCharacter,
			act.ChangeRequest{ID: who, Sheet: raw(fmt.Sprintf(`{"hurt":%d}`, hurt))}, "")
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	d.undo(edit(d.gm, d.hero, 9).Seq)
	if got := d.aboutOf(d.hero); got != "0" {
		t.Errorf("once it's undone, the question is about %s", got)
	}
	edit(d.gm, d.hero, 2)
	d.reopen()
	if got := d.aboutOf(d.hero); got != "2" {
		t.Errorf("the question is about %s", got)
	}
	d.answerOf(d.hero)
	if got := d.hurtOf(d.hero); got != 2+(2+1) {
		t.Errorf("hurt %d, want 5", got)
	}
	within := edit(d.gm, d.hero, 1)
	d.answerOf(d.other)
	if got := d.aboutOf(game.GM); got != "2" {
		t.Errorf("the game master is asked about %s", got)
	}
	edit(d.gm, d.other, 4)
	d.answerOf(game.GM)
	if hero, other := d.hurtOf(d.hero), d.hurtOf(d.other); hero != 1+5 || other != 4+5 {
		t.Errorf("hurt %d and %d, want 6 and 9", hero, other)
	}
	for name, file := range map[string][]byte{"the log": d.export(), "the game master's file": d.seen(d.gm)} {
		if found, err := verify.File(toys, words, bytes.NewReader(file)); err != nil {
			t.Errorf("%s: %v after %+v", name, err, found)
		}
	}
	var later *refusal.LaterError
	if err := second(table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(within.Seq)}, "")); !errors.As(err,
		&later) || later.Later[0].Move != siege.Move {
		t.Errorf("undone alone: %v", err)
	}
	d.undo(siege.Seq)
	if hero, other := d.hurtOf(d.hero), d.hurtOf(d.other); hero != 0 || other != 0 {
		t.Errorf("all undone, they are hurt %d and %d", hero, other)
	}
}

// An edit from which the rule couldn't go on waits.
func TestEditThatBreaksTheRuleWaits(t *testing.T) {
	d := newDesk(t)
	d.make(d.gm, request.Move{Move: "siege", Args: raw(`{"who":["` + d.hero + `"]}`)})
	if err := second(table.Do(t.Context(), d.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Sheet: raw(fmt.Sprintf(`{"luck":7,"hurt":%d}`, tabletest.Beyond))}, "")); code(err) != refusal.CodeBusy {
		t.Errorf("the rule can't go on: %v", err)
	}
	if got := sheet[Hero](d, d.hero).Luck; got != 3 {
		t.Errorf("luck %d", got)
	}
}

// A secret move lends nobody: it's cancelled.
func TestSecretMoveLendsNobody(t *testing.T) {
	d := newDesk(t)
	siege := d.make(d.gm, request.Move{
		Move: "siege", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`), Secret: true,
	}).Entry
	d.make(d.anna, request.Move{Move: "soothe", Character: d.hero, Args: raw(`{"whom":"` + d.hero + `"}`)})
	if n := len(d.view(d.gm).Questions); n != 0 {
		t.Errorf("%s still asks %d questions", siege.Move, n)
	}
}

// What was done meanwhile is undone alone until the move has continued; then only with it.
func TestMoveIsUndoneWithWhatWasDoneMeanwhile(t *testing.T) {
	d, siege := besieged(t)
	soothe := func() view.Entry {
		return d.make(d.boris, request.Move{Move: "soothe", Character: d.other, Args: raw(`{"whom":"` + d.hero + `"}`)}).Entry
	}
	before := text(t, d.view(d.gm).Characters)
	d.undo(soothe().Seq)
	if after := text(t, d.view(d.gm).Characters); after != before || d.aboutOf(d.hero) != "0" {
		t.Fatalf("asked about %s, and\n%s\nis, where it was\n%s", d.aboutOf(d.hero), after, before)
	}
	within := soothe()
	d.answerOf(d.hero)
	var later *refusal.LaterError
	if err := second(table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(within.Seq)}, "")); !errors.As(err,
		&later) || later.Later[0].Move != siege.Move {
		t.Errorf("undone alone: %v", err)
	}
	d.answerOf(d.other)
	d.answerOf(game.GM)
	d.reopen()
	undone := d.undo(siege.Seq)
	if got := []int{d.hurtOf(d.hero), d.hurtOf(d.other), sheet[Hero](d, d.other).Luck}; !slices.Equal(got, []int{0, 0, 3}) {
		t.Errorf("hurt, hurt and luck are %v", got)
	}
	if lines := text(t, undone.Lines); !strings.Contains(lines, fmt.Sprintf(`"seq":%d`, within.Seq)) {
		t.Errorf("the entry says %s", lines)
	}
	if found, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Errorf("%v after %+v", err, found)
	}
}

// siegeModel is a second, plain model of sieges and soothing: what everybody's harm and luck are, and
// what is asked.
type siegeModel struct {
	hurt, luck map[string]int
	waits      []string // whom the open siege still asks
	master     bool     // it asks the game master
}

// press does what a seat presses, and does it in the model.
func (m *siegeModel) press(t *testing.T, tb *tabletest.Table, d *rand.Rand) {
	heroes := []string{tabletest.Lira, tabletest.Orm}
	seats := map[string]string{tabletest.Lira: tabletest.Anna, tabletest.Orm: tabletest.Boris}
	who, whom := heroes[d.IntN(2)], heroes[d.IntN(2)]
	open := len(m.waits) > 0 || m.master
	switch d.IntN(7) {
	case 6: // a sheet is edited
		if m.hurt[whom] >= 0 && d.IntN(2) == 0 { // a sheet below 0 isn't valid
			m.luck[whom] = d.IntN(5)
			tabletest.Do(t, tb, seats[whom], act.ChangeCharacter,
				act.ChangeRequest{ID: whom, Sheet: raw(fmt.Sprintf(`{"luck":%d}`, m.luck[whom]))})
			return
		}
		m.hurt[whom] = d.IntN(9)
		tabletest.Do(t, tb, tabletest.GM, act.ChangeCharacter,
			act.ChangeRequest{ID: whom, Sheet: raw(fmt.Sprintf(`{"hurt":%d}`, m.hurt[whom]))})
	case 4, 5: // soothing or an edit is undone, if nothing stands on it
		r := tb.Recent[len(tb.Recent)-1-d.IntN(2)]
		if r.Of != nil && r.Of.Def.ID != "soothe" || r.Undoes != nil || tb.Undone.Has(r) || !r.Undoable() {
			return
		}
		_, err := tabletest.Try(tb, tabletest.GM, act.Undo, act.UndoRequest{Seq: int(r.Seq)})
		var later *refusal.LaterError
		if err != nil && !errors.As(err, &later) {
			t.Fatal(err)
		}
		switch event := r.Decoded[len(r.Decoded)-1].(type) {
		case tabletest.Hurt:
			if err == nil {
				m.luck[r.Of.Actor]++
				m.hurt[event.Who] -= event.N
			}
		case act.CharacterChanged:
			if err == nil {
				luck, hurt := edited(t, event)
				m.luck[event.ID] -= luck
				m.hurt[event.ID] -= hurt
			}
		}
	case 0: // a new siege
		if !open {
			tb.Make(t, tabletest.GM, request.Move{Move: "siege", Args: raw(`{"who":["c1","c2"]}`)})
			m.waits = slices.Clone(heroes)
		}
	case 1: // an answer
		at := slices.Index(m.waits, who)
		switch {
		case at >= 0:
			dodge := d.IntN(2) == 0
			tb.Answer(t, seats[who], who, fmt.Sprintf(`{"dodge":%t}`, dodge))
			if !dodge {
				m.hurt[who] += m.hurt[who] + 1
			}
			m.waits = slices.Delete(m.waits, at, at+1)
			m.master = len(m.waits) == 0
		case m.master:
			tb.Answer(t, tabletest.GM, game.GM, `{}`)
			sum := m.hurt[heroes[0]] + m.hurt[heroes[1]]
			m.hurt[heroes[0]], m.hurt[heroes[1]] = m.hurt[heroes[0]]+sum, m.hurt[heroes[1]]+sum
			m.master = false
		}
	default: // soothing, at any time
		if m.luck[who] > 0 {
			tb.Make(t, seats[who], request.Move{
				Move: "soothe", Character: who, Args: raw(fmt.Sprintf(`{"whom":%q,"n":%d}`, whom, 1+d.IntN(3))),
			})
			e := tb.Recent[len(tb.Recent)-1]
			m.luck[who]--
			m.hurt[whom] += e.Decoded[1].(tabletest.Hurt).N
		}
	}
}

// Three seats press in any order, and what the table has is what a plain model of the two moves has,
// after each press; undone in any order that the table allows, everything is as it was.
func TestThreeSeatsPressInAnyOrder(t *testing.T) {
	schedules := 2000
	if testing.Short() {
		schedules = 100
	}
	for n := range schedules {
		d, tb := rand.New(rand.NewPCG(uint64(n), 62)), tabletest.New(t)
		m := siegeModel{hurt: map[string]int{}, luck: map[string]int{tabletest.Lira: 3, tabletest.Orm: 3}}
		begun := tb.Seq
		for range 12 {
			m.press(t, tb, d)
			for _, id := range []string{tabletest.Lira, tabletest.Orm} {
				if hero := tb.Characters.Of(id).Sheet.(Hero); hero.Hurt != m.hurt[id] || hero.Luck != m.luck[id] {
					t.Fatalf("schedule %d: %s is %+v, want hurt %d and luck %d", n, id, hero, m.hurt[id], m.luck[id])
				}
			}
		}
		snapshot, err := tb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := state.Decode(toys, snapshot)
		if err != nil {
			t.Fatalf("schedule %d: %v", n, err)
		}
		if again, err := loaded.Encode(); err != nil || !bytes.Equal(snapshot, again) {
			t.Fatalf("schedule %d: %v, a snapshot is\n%s\nand loaded\n%s", n, err, snapshot, again)
		}
		undoAll(t, tb, begun, d)
		for _, id := range []string{tabletest.Lira, tabletest.Orm} {
			if hero := tb.Characters.Of(id).Sheet.(Hero); hero.Hurt != 0 || hero.Luck != 3 {
				t.Fatalf("schedule %d, all undone: %s is %+v", n, id, hero)
			}
		}
	}
}

// checkSums checks that everybody's hurt is the sum of the entries that weren't undone.
func checkSums(t *testing.T, tb *tabletest.Table) {
	t.Helper()
	want := map[string]int{}
	for seq := range tb.Seq {
		r := tb.Record(seq + 1)
		if tb.Undone.Has(r) {
			continue
		}
		for _, event := range r.Decoded {
			switch event := event.(type) {
			case tabletest.Hurt:
				want[event.Who] += event.N
			case act.CharacterChanged:
				_, hurt := edited(t, event)
				want[event.ID] += hurt
			}
		}
	}
	for _, id := range []string{tabletest.Lira, tabletest.Orm} {
		if got := tb.Characters.Of(id).Sheet.(tabletest.Hero).Hurt; got != want[id] {
			t.Fatalf("%s is hurt %d, and what stands adds up to %d", id, got, want[id])
		}
	}
}

// edited returns by how much an edit changed luck and harm.
func edited(t *testing.T, ev act.CharacterChanged) (luck, hurt int) {
	t.Helper()
	for _, e := range ev.Edits {
		var was, is int
		if _, err := fmt.Sscan(fmt.Sprint(e.Was, " ", e.Is), &was, &is); err != nil {
			t.Fatal(err)
		}
		if e.Path == "luck" {
			luck += is - was
		} else {
			hurt += is - was
		}
	}
	return luck, hurt
}

// undoAll undoes moves and edits that the table allows to undo, in any order, until none is left of what came
// after a seq.
func undoAll(t *testing.T, tb *tabletest.Table, begun uint64, d *rand.Rand) {
	t.Helper()
	for {
		var left []uint64
		for seq := range tb.Seq {
			if r := tb.Record(seq + 1); !tb.Undone.Has(r) && r.Seq > begun && r.Undoes == nil &&
				(r.Of == nil || r.Of.Seq == r.Seq) {
				left = append(left, r.Seq)
			}
		}
		if len(left) == 0 {
			return
		}
		d.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		done := false
		for _, seq := range left {
			r := tb.Record(seq)
			if tb.Undone.Has(r) { // with another
				continue
			}
			var err error
			if r.Of != nil && tb.OpenMoves.Of(r.Of.ID) != nil {
				_, err = tabletest.Try(tb, tabletest.GM, act.Cancel, act.CancelRequest{Move: r.Of.ID})
			} else {
				_, err = tabletest.Try(tb, tabletest.GM, act.Undo, act.UndoRequest{Seq: int(seq)})
			}
			var later *refusal.LaterError
			if err != nil && !errors.As(err, &later) {
				t.Fatal(err)
			}
			done = done || err == nil
			checkSums(t, tb)
		}
		if !done {
			t.Fatal("nothing can be undone")
		}
	}
}
