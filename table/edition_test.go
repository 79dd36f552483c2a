package table_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// newer returns the toy game as another edition, with moves changed by change.
func newer(edition int, change func(m *game.Move)) *game.Game {
	g := *toy
	g.Edition, g.Moves = edition, slices.Clone(toy.Moves)
	for i := range g.Moves {
		if change != nil {
			change(&g.Moves[i])
		}
	}
	return &g
}

// omens adds a roll before each strike, so that no older trail fits.
func omens(m *game.Move) {
	if m.ID != "strike" {
		return
	}
	play := m.Play
	m.Play = func(s game.Scene, args any) func(*rule.Run) rule.Outcome {
		rest := play(s, args)
		return func(r *rule.Run) rule.Outcome {
			r.Throw(dice.Pool{N: 1, Sides: 6, For: "omen"})
			return rest(r)
		}
	}
}

// upgrade replaces the desk's host by a norn with another edition of the game.
func (d *desk) upgrade(g *game.Game) {
	d.t.Helper()
	d.host.Close()
	c := config(d.journal, d.relay)
	c.Games = game.Fixed{g}
	d.host = table.New(c)
	for _, s := range []**table.Seat{&d.gm, &d.anna, &d.boris, &d.guest} {
		*s = d.enter(d.secrets[(*s).ID()])
	}
}

func (d *desk) take() view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), d.gm, act.TakeEdition, act.Nothing{}, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}

// Newer rules apply only after a game master has taken them.
func TestNewerRulesApplyOnceTheGMTakesThem(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.hit()
	if v := d.view(d.gm); v.Edition != "1" || v.Newer != "" || v.Stranded != nil {
		t.Errorf("as it was opened: %q, %q, %v", v.Edition, v.Newer, v.Stranded)
	}
	if _, err := table.Do(t.Context(), d.gm, act.TakeEdition, act.Nothing{}, ""); code(err) != refusal.CodeRefused {
		t.Errorf("there's no newer one: %v", err)
	}
	d.upgrade(newer(3, nil))
	question := d.view(d.gm).Questions[0].ID
	if v := d.view(d.anna); v.Edition != "1" || v.Newer != "3" || len(v.Stranded) != 0 {
		t.Errorf("after the upgrade: %q, %q, %v", v.Edition, v.Newer, v.Stranded)
	}
	rest := request.Move{Move: "rest", Character: d.other}
	if _, err := d.boris.Make(t.Context(), rest); code(err) != refusal.CodeRefused {
		t.Errorf("a move by newer rules: %v", err)
	}
	if _, err := d.gm.Answer(t.Context(),
		request.Answer{Question: question, Answer: raw(`{"n":1}`)}); code(err) != refusal.CodeRefused {
		t.Errorf("an answer by newer rules: %v", err)
	}
	for _, s := range []*table.Seat{d.anna, d.guest} {
		if _, err := table.Do(t.Context(), s, act.TakeEdition, act.Nothing{}, ""); code(err) != refusal.CodeForbidden {
			t.Errorf("taken by %s: %v", s.Role(), err)
		}
	}
	if said, err := table.Do(t.Context(), d.anna, act.Talk, act.TalkRequest{Text: "and now?"}, ""); err != nil ||
		said.Edition != "1" {
		t.Errorf("talk: %+v, %v", said, err)
	}
	e := d.take()
	if e.Kind != view.KindEdition || e.Edition != "3" || len(e.Yields) != 0 || e.Lines[0].Text == "" ||
		!bytes.Contains(e.Lines[0].Data, []byte(`"was":"1"`)) {
		t.Errorf("taken: %+v", e)
	}
	if v := d.view(d.guest); v.Edition != "3" || v.Newer != "" {
		t.Errorf("once taken: %q, %q", v.Edition, v.Newer)
	}
	d.answer(d.gm, question, `{"n":1}`) // an open move that fits continues
	for open := d.view(d.gm).Questions; len(open) > 0; open = d.view(d.gm).Questions {
		d.answer(d.gm, open[0].ID, map[string]string{
			"toy.dodge":       `{"dodge":false}`,
			rule.DiceQuestion: `{"faces":[3]}`,
		}[open[0].Question])
	}
	if made := d.make(d.gm, rest); made.Entry.Edition != "3" ||
		made.Entry.Seq != d.log(d.guest)[len(d.log(d.guest))-1].Seq {
		t.Errorf("made: %+v", made.Entry)
	}
	found, err := verify.File([]*game.Game{newer(3, nil)}, words, bytes.NewReader(d.export()))
	if err != nil || found.Older != nil || found.Moves != 2 {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err == nil {
		t.Error("a norn that knows the first edition alone reads what it doesn't know")
	}
}

// A game master can cancel a move that newer rules can't continue; everything is as before it.
func TestMoveThatNewerRulesCannotContinueIsCancelled(t *testing.T) {
	t.Parallel()
	d, other := newDesk(t), open(t)
	before := text(t, d.view(d.gm).Characters)
	hit := d.hit()
	d.answer(d.gm, d.view(d.gm).Questions[0].ID, `{"n":2}`)
	d.answer(d.boris, d.view(d.boris).Questions[0].ID, `{"dodge":false}`) // the hurt hero's question
	open := d.view(d.gm).Questions
	d.answer(d.gm, open[slices.IndexFunc(open, func(q view.Question) bool {
		return q.Question == rule.DiceQuestion
	})].ID, `{"faces":[3]}`)
	g := newer(2, omens)
	d.upgrade(g)
	v := d.view(d.gm)
	if len(v.Questions) != 0 || len(v.Stranded) != 1 || v.Stranded[0].Move != hit.Entry.Move ||
		!strings.Contains(v.Stranded[0].Text, "Lira") {
		t.Errorf("game master: %v, %+v", v.Questions, v.Stranded)
	}
	if v := d.view(d.anna); v.Stranded != nil || len(v.Waiting) != 1 || v.Waiting[0].To != game.GM {
		t.Errorf("player: %+v, %+v", v.Stranded, v.Waiting)
	}
	_, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":5}`)}, "")
	if voice, _ := d.anna.Voice(t.Context()); code(err) != refusal.CodeBusy ||
		!strings.Contains(refusal.Say(voice, err), "rules have changed") {
		t.Errorf("whom it holds: %v", err)
	}
	e := d.take()
	if !slices.Equal(e.Yields, []string{hit.Entry.Move}) || len(e.Lines) != 2 {
		t.Errorf("taken: %+v", e)
	}
	for _, s := range []*table.Seat{d.gm, d.anna, d.guest} {
		shown := d.find(s, hit.Entry.Seq)
		if shown.Undone == nil || !shown.Undone.Cancelled || shown.Undone.Yielded {
			t.Errorf("%s: %+v", s.ID(), shown.Undone)
		}
	}
	same(t, "as before", before, text(t, d.view(d.gm).Characters))
	if v := d.view(d.gm); v.Stranded != nil {
		t.Errorf("still stranded: %+v", v.Stranded)
	}
	if made := d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{4, 1, 1},
	}); len(made.Entry.Throws) != 2 {
		t.Errorf("by the newer rules: %+v", made.Entry)
	}
	seen := text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna))
	d.upgrade(g)
	same(t, "after a restart", seen, text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna)))
	file := d.export()
	found, err := verify.File([]*game.Game{g}, words, bytes.NewReader(file))
	if want := []verify.Older{{Edition: "1", Entries: 4}}; err != nil || !slices.Equal(found.Older, want) ||
		found.Moves != 1 || found.Hand == 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	var own bytes.Buffer
	if err := d.anna.ExportSeen(t.Context(), &own); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.File([]*game.Game{g}, words, &own); err != nil {
		t.Errorf("a seat's file: %v", err)
	}
	arriving, err := verify.ReadImport([]*game.Game{g}, words, bytes.NewReader(file), true)
	if err != nil {
		t.Fatal(err)
	}
	c := config(other, d.relay)
	c.Games = game.Fixed{g}
	if _, err := table.New(c).Import(t.Context(), arriving); err != nil {
		t.Error(err)
	}
}

// A seat's file counts the moves of an older edition separately from those that were run again.
func TestSeatFileCountsMovesOfAnOlderEditionSeparately(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{1, 1},
	})
	d.make(d.anna, request.Move{Move: game.PlainDice, Args: raw(`{"notation":"2d6"}`)})
	var before bytes.Buffer
	if err := d.gm.ExportSeen(t.Context(), &before); err != nil {
		t.Fatal(err)
	}
	found, err := verify.File([]*game.Game{newer(2, omens)}, words, bytes.NewReader(before.Bytes()))
	if err != nil || found.Moves != 1 || !slices.Equal(found.Older, []verify.Older{{Edition: "1", Entries: 1}}) {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err = verify.File([]*game.Game{newer(1, omens)}, words, bytes.NewReader(before.Bytes())); err == nil {
		t.Errorf("rules that changed without an edition of their own: %+v", found)
	}
}

// Claiming another edition doesn't exempt an entry from being checked.
func TestClaimingAnotherEditionDoesNotEvadeChecks(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	g := newer(2, omens)
	d.upgrade(g)
	d.take()
	made := d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{4, 1, 1},
	})
	taken := made.Entry.Seq - 1
	set := func(seq uint64, member string, value any) []byte {
		entries := d.stored()
		var body map[string]any
		if err := json.Unmarshal(entries[seq-1].Body, &body); err != nil {
			t.Fatal(err)
		}
		if body[member] = value; value == nil {
			delete(body, member)
			body["v"] = 1
		}
		entries[seq-1].Body = raw(plain(t, body))
		return d.file(entries)
	}
	taking := func(was, is string) []any {
		return []any{map[string]any{
			"n": 0, "type": "table.edition-taken", "v": 1,
			"data": map[string]string{"was": was, "is": is},
		}}
	}
	for name, c := range map[string]struct {
		file []byte
		code string
	}{
		"an older one":               {set(made.Entry.Seq, "edition", nil), refusal.MisfitEdition},
		"the version of an older":    {set(made.Entry.Seq, "v", 1), refusal.MisfitUnreadable},
		"one that nobody knows":      {set(made.Entry.Seq, "edition", "7"), refusal.MisfitUnreadable},
		"taken by a player":          {d.by("s2", taken), refusal.MisfitSeat},
		"taken from another":         {set(taken, "events", taking("2", "2")), refusal.MisfitID},
		"taken as another":           {set(taken, "events", taking("1", "1")), refusal.MisfitUnreadable},
		"that it takes with another": {set(taken, "secret", true), refusal.MisfitUnreadable},
	} {
		_, err := verify.File([]*game.Game{g}, words, bytes.NewReader(c.file))
		misfit, ok := err.(*refusal.MisfitError)
		if !ok || misfit.Code != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	if _, err := verify.File([]*game.Game{g}, words, bytes.NewReader(d.file(d.stored()))); err != nil {
		t.Errorf("as it was made: %v", err)
	}
}

// by returns the table's file with another seat as an entry's author.
func (d *desk) by(seat string, seq uint64) []byte {
	entries := d.stored()
	entries[seq-1].Seat = seat
	return d.file(entries)
}

// Entries of an older edition are checked for consistency, and their dice against the secret.
func TestEntriesOfOlderEditionsAreChecked(t *testing.T) {
	t.Parallel()
	d := played(t)
	d.endSession()
	var blow uint64
	for _, e := range d.stored() {
		if bytes.Contains(e.Body, []byte(`"move":"strike"`)) && bytes.Contains(e.Body, []byte(`"asks"`)) {
			blow = e.Seq
		}
	}
	g := newer(2, omens)
	found, err := verify.File([]*game.Game{g}, words, bytes.NewReader(d.export()))
	if err != nil || len(found.Older) != 1 || found.Older[0].Edition != "1" || found.Dice == 0 || found.Moves == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	change := func(seq uint64, was, is string) []byte {
		entries := d.stored()
		body := string(entries[seq-1].Body)
		if !strings.Contains(body, was) {
			t.Fatalf("%s has no %s", body, was)
		}
		entries[seq-1].Body = raw(strings.Replace(body, was, is, 1))
		return d.file(entries)
	}
	for name, c := range map[string]struct {
		file []byte
		code string
	}{
		"dice called thrown by hand": {change(blow, `"faces":[`, `"hand":true,"faces":[`), refusal.MisfitHand},
		"no such die":                {change(blow, `"faces":[`, `"faces":[9,`), refusal.MisfitFace},
		"another question answered":  {change(blow+1, `"answers":"`, `"answers":"9`), refusal.MisfitMissing},
		"another question's answer": {
			change(blow+1, `"question":"toy.weight"`, `"question":"toy.dodge"`),
			refusal.MisfitID,
		},
		"somebody else's answer": {d.by("s3", blow+1), refusal.MisfitSeat},
		"who answers":            {change(blow+1, `"seat":"s1"`, `"seat":"s2"`), refusal.MisfitSeat},
		"that it's over":         {change(blow, `"rules":"test"`, `"rules":"test","done":true`), refusal.MisfitEnd},
	} {
		_, err := verify.File([]*game.Game{g}, words, bytes.NewReader(c.file))
		misfit, ok := err.(*refusal.MisfitError)
		if !ok || misfit.Code != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
}
