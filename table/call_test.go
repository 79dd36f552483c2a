package table_test

import (
	"bytes"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

func (d *desk) call(c act.CallRequest) view.Entry {
	d.t.Helper()
	entry, err := table.Do(d.t.Context(), d.gm, act.CallMove, c, "")
	if err != nil {
		d.t.Fatalf("call: %v", err)
	}
	return entry
}

// A call with its fixed arguments is in its player's view and in no other. Only a move with those
// arguments meets it.
func TestCallIsMetOnlyByAMoveWithItsArguments(t *testing.T) {
	d := newDesk(t)
	entry := d.call(act.CallRequest{
		Move: "strike", Character: form.Ref(d.hero), Args: raw(`{"bonus":2}`),
		Text: "the gate",
	})
	if entry.Kind != view.KindCall || len(entry.Lines) != 1 || !strings.Contains(entry.Lines[0].Text, "the gate") {
		t.Errorf("entry: %+v", entry)
	}
	for _, s := range []*table.Seat{d.gm, d.anna} {
		calls := d.view(s).Calls
		if len(calls) != 1 || calls[0].Move != "strike" || calls[0].Character != d.hero || calls[0].Text != "the gate" {
			t.Fatalf("%s sees %+v", s.ID(), calls)
		}
		same(t, "fixed", []string{"bonus"}, calls[0].Fixed)
		same(t, "args", map[string]any{"bonus": 2}, calls[0].Args)
		same(t, "values", "2", calls[0].Values.Get("bonus"))
	}
	if calls := d.view(d.boris).Calls; len(calls) != 0 {
		t.Errorf("another player sees %+v", calls)
	}
	strike := func(bonus string, dice ...int) view.Made {
		return d.make(d.anna, request.Move{
			Move: "strike", Character: d.hero,
			Args: raw(`{"target":"` + d.other + `","bonus":` + bonus + `}`), Dice: dice,
		})
	}
	_, err := d.anna.Make(t.Context(),
		request.Move{
			Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":1}`),
			Dice: []int{1, 1, 1},
		})
	if said := refusal.Say(table.VoiceOf(words.In("en")), err); code(err) != refusal.CodeRefused ||
		!strings.Contains(said, "Bonus 2") {
		t.Errorf("a move with another bonus: %v", said)
	}
	d.make(d.gm, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":1}`),
		Dice: []int{1, 1, 1},
	})
	if len(d.view(d.anna).Calls) != 1 {
		t.Error("a move with another bonus has met the call")
	}
	made := strike("2", 1, 1, 1, 1)
	if len(d.view(d.anna).Calls) != 0 {
		t.Error("the call is still open")
	}
	d.reopen()
	if len(d.view(d.anna).Calls) != 0 {
		t.Error("the call is open again after a restart")
	}
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(made.Entry.Seq)}, ""); err != nil {
		t.Fatal(err)
	}
	if len(d.view(d.anna).Calls) != 1 {
		t.Error("the call isn't open again though its move was undone")
	}
}

// A move without the fixed arguments of a call gets them, default values too, and so do its odds; a
// secret move doesn't.
func TestCallFillsInItsArgumentsInMoveAndOdds(t *testing.T) {
	d := newDesk(t)
	d.call(act.CallRequest{Move: "strike", Character: form.Ref(d.hero), Args: raw(`{"bonus":0}`)})
	d.call(act.CallRequest{Move: "strike", Character: form.Ref(d.hero), Args: raw(`{"bonus":3}`)})
	left := request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{1, 1},
	}
	if _, err := d.anna.Make(t.Context(),
		request.Move{
			Move: "strike", Character: d.hero,
			Args: raw(`{"target":"` + d.other + `","bonus":1}`),
		}); code(err) != refusal.CodeRefused ||
		!strings.Contains(refusal.Say(table.VoiceOf(words.In("en")), err), "Bonus 0") {
		t.Errorf("neither of two: %v", err)
	}
	d.make(d.gm, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":1}`),
		Dice: []int{1, 1, 1}, Secret: true,
	})
	same(t, "after a secret one", 2, len(d.view(d.anna).Calls))
	d.make(d.anna, left)
	same(t, "after the first", 1, len(d.view(d.anna).Calls))
	same(t, "what's left", map[string]any{"bonus": 3}, d.view(d.anna).Calls[0].Args)
	left.Dice = []int{1, 1, 1, 1, 1}
	made := d.make(d.anna, left)
	same(t, "what was thrown", any(3), made.Entry.Args["bonus"])
	same(t, "after both", 0, len(d.view(d.anna).Calls))
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// A log in which a player's move differs from a call doesn't verify, except in old logs, whose
// calls only asked.
func TestMoveThatDiffersFromItsCallDoesNotVerify(t *testing.T) {
	d := newDesk(t)
	d.call(act.CallRequest{Move: "strike", Character: form.Ref(d.hero), Args: raw(`{"bonus":1}`)})
	d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{1, 1, 1},
	})
	called := len(d.stored()) - 2
	for what, c := range map[string]struct {
		fixed string
		binds bool
		fits  bool
	}{"as it was": {`1`, true, true}, "otherwise": {`2`, true, false}, "otherwise, long ago": {`2`, false, true}} {
		entries := d.stored()
		body := string(entries[called].Body)
		body = strings.Replace(body, `"bonus":1`, `"bonus":`+c.fixed, 1)
		if !c.binds {
			body = strings.Replace(body, `,"binds":true`, "", 1)
		}
		entries[called].Body = raw(body)
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(entries))); (err == nil) != c.fits {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// In a plain form, arguments that differ from the defaults are fixed; a required argument without a
// value is left to the player.
func TestCallByFormFixesChangedArguments(t *testing.T) {
	d := newDesk(t)
	d.call(act.CallRequest{
		Move: "strike", Character: form.Ref(d.hero),
		Values: map[string][]string{"target": {""}, "bonus": {"2"}, "name": {""}},
	})
	calls := d.view(d.anna).Calls
	if len(calls) != 1 {
		t.Fatalf("calls: %+v", calls)
	}
	same(t, "fixed", []string{"bonus"}, calls[0].Fixed)
	d.call(act.CallRequest{Move: "rest", Character: form.Ref(d.hero), Values: map[string][]string{"n": {"1"}}})
	same(t, "fixed though it's the usual, for it's always said", []string{"n"}, d.view(d.anna).Calls[1].Fixed)
}

// A reference on a sheet can name any character, removed ones too.
func TestSheetReferencesOfferRemovedCharactersToo(t *testing.T) {
	d := newDesk(t)
	if _, err := table.Do(t.Context(), d.gm, act.RemoveCharacter, act.CharacterNamed{Character: d.shade},
		""); err != nil {
		t.Fatal(err)
	}
	shown, err := d.gm.SheetForm(t.Context(), d.hero)
	if err != nil {
		t.Fatal(err)
	}
	friend, _ := shown.Form.Field("bag.for")
	var names []string
	for _, o := range friend.Options {
		names = append(names, o.Text)
	}
	same(t, "offered", []string{"Lira", "Orm", "SECRET shade"}, names)
}

func TestInvalidOrForbiddenCallsAreRefused(t *testing.T) {
	d := newDesk(t)
	for name, c := range map[string]struct {
		call act.CallRequest
		seat *table.Seat
		code string
	}{
		"a player": {
			act.CallRequest{Move: "rest", Character: form.Ref(d.hero)},
			d.anna,
			refusal.CodeForbidden,
		},
		"no such move": {
			act.CallRequest{Move: "dance", Character: form.Ref(d.hero)},
			d.gm,
			refusal.CodeInvalid,
		},
		"a move of the GM's": {act.CallRequest{Move: "omen"}, d.gm, refusal.CodeInvalid},
		"nobody":             {act.CallRequest{Move: "rest"}, d.gm, refusal.CodeInvalid},
		"no such argument": {
			act.CallRequest{Move: "rest", Character: form.Ref(d.hero), Args: raw(`{"m":1}`)},
			d.gm, refusal.CodeInvalid,
		},
		"out of range": {
			act.CallRequest{Move: "rest", Character: form.Ref(d.hero), Args: raw(`{"n":9}`)},
			d.gm, refusal.CodeInvalid,
		},
		"whom the player can't see": {act.CallRequest{
			Move: "strike", Character: form.Ref(d.hero),
			Args: raw(`{"target":"` + d.shade + `"}`),
		}, d.gm, refusal.CodeInvalid},
	} {
		if _, err := table.Do(t.Context(), c.seat, act.CallMove, c.call, ""); code(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnlyGameMastersWithdrawACallOnce(t *testing.T) {
	d := newDesk(t)
	d.call(act.CallRequest{Move: "rest", Character: form.Ref(d.hero)})
	id := d.view(d.gm).Calls[0].ID
	if _, err := table.Do(t.Context(), d.anna, act.WithdrawCall, act.WithdrawRequest{Call: id},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player withdraws: %v", err)
	}
	for _, want := range []string{"", refusal.CodeInvalid} {
		if _, err := table.Do(t.Context(), d.gm, act.WithdrawCall, act.WithdrawRequest{Call: id},
			""); code(err) != want {
			t.Errorf("withdraw: %v, want %q", err, want)
		}
	}
	if len(d.view(d.anna).Calls) != 0 {
		t.Error("it's still open")
	}
}

// A player or a spectator gets nothing about a note, and the story has nothing about it either.
func TestNotesAreSeenOnlyByTheGM(t *testing.T) {
	d := newDesk(t)
	entry, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "SECRET the duke is dead"},
		"k")
	if err != nil {
		t.Fatal(err)
	}
	again, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "SECRET the duke is dead"},
		"k")
	if err != nil || again.Seq != entry.Seq {
		t.Errorf("the same key: %+v, %v", again, err)
	}
	notes := d.view(d.gm).Notes
	if len(notes) != 1 || notes[0].Text != "SECRET the duke is dead" {
		t.Fatalf("notes: %+v", notes)
	}
	for _, s := range []*table.Seat{d.anna, d.guest} {
		if sent := text(t, d.view(s), d.log(s)); strings.Contains(sent, "SECRET") ||
			strings.Contains(sent, view.KindNote+`"`) {
			t.Errorf("%s is sent %s", s.ID(), sent)
		}
		if _, err := table.Do(t.Context(), s, act.KeepNote, act.NoteRequest{ID: "", Text: "x"},
			""); code(err) != refusal.CodeForbidden {
			t.Errorf("%s keeps a note: %v", s.ID(), err)
		}
	}
	var story strings.Builder
	if err := d.gm.Story(t.Context(), &story, request.Telling{}); err != nil ||
		strings.Contains(story.String(), "SECRET") {
		t.Errorf("story: %s, %v", story.String(), err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: notes[0].ID, Text: "SECRET he lives"},
		""); err != nil {
		t.Fatal(err)
	}
	d.reopen()
	if notes := d.view(d.gm).Notes; len(notes) != 1 || notes[0].Text != "SECRET he lives" {
		t.Errorf("after a change: %+v", notes)
	}
	if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: notes[0].ID, Text: ""},
		""); err != nil || len(d.view(d.gm).Notes) != 0 {
		t.Errorf("thrown away: %v", err)
	}
	for path, bad := range map[string][2]string{"text": {"", ""}, "id": {"n99", "x"}} {
		if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: bad[0], Text: bad[1]},
			""); code(err) != refusal.CodeInvalid || !strings.Contains(err.Error(), path) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestStarredMovesComeFirst(t *testing.T) {
	d := newDesk(t)
	starred := func(s *table.Seat) []string {
		for _, c := range d.view(s).Characters {
			if c.ID == d.hero {
				return c.Starred
			}
		}
		return nil
	}
	for _, move := range []string{"strike", "rest", "strike"} {
		if _, err := table.Do(t.Context(), d.anna, act.StarMove,
			act.StarRequest{Character: form.Ref(d.hero), Move: move, On: true}, ""); err != nil {
			t.Fatal(err)
		}
	}
	d.reopen()
	same(t, "starred", []string{"rest", "strike"}, starred(d.anna))
	if other := starred(d.boris); other != nil {
		t.Errorf("another player sees %v", other)
	}
	if _, err := table.Do(t.Context(), d.anna, act.StarMove,
		act.StarRequest{Character: form.Ref(d.hero), Move: "rest", On: false}, ""); err != nil {
		t.Fatal(err)
	}
	same(t, "starred", []string{"strike"}, starred(d.anna))
	if _, err := table.Do(t.Context(), d.boris, act.StarMove,
		act.StarRequest{Character: form.Ref(d.hero), Move: "rest", On: true}, ""); code(err) != refusal.CodeForbidden {
		t.Errorf("another player stars: %v", err)
	}
}

// One request adds a ready character; a second one with the same name, also a copy, gets a number.
func TestReadyCharacterWithATakenNameGetsANumber(t *testing.T) {
	d := newDesk(t)
	names := func() []string {
		var names []string
		for _, c := range d.view(d.gm).Characters[3:] {
			names = append(names, c.Name)
		}
		return names
	}
	d.add(d.gm, act.CharacterRequest{Stock: "wisp"})
	d.add(d.gm, act.CharacterRequest{Stock: "wisp"})
	copied := d.add(d.gm, act.CharacterRequest{Like: d.add(d.gm, act.CharacterRequest{Stock: "wisp"})})
	same(t, "names", []string{"Wisp", "Wisp 2", "Wisp 3", "Wisp 4"}, names())
	if s := sheet[Shade](d, copied); s.Hurt != 2 || s.Note != "SECRET wisp" {
		t.Errorf("copy: %+v", s)
	}
	for name, c := range map[string]struct {
		n    act.CharacterRequest
		seat *table.Seat
		code string
	}{
		"a player":     {act.CharacterRequest{Stock: "wisp"}, d.anna, refusal.CodeForbidden},
		"not in stock": {act.CharacterRequest{Stock: "dragon"}, d.gm, refusal.CodeInvalid},
		"like nobody":  {act.CharacterRequest{Like: "c99"}, d.gm, refusal.CodeInvalid},
	} {
		if _, err := table.Do(t.Context(), c.seat, act.AddCharacter, c.n, ""); code(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A tally counts moves that weren't undone and that the seat sees.
func TestTallyCountsOnlyMovesItsSeatSees(t *testing.T) {
	d := newDesk(t)
	d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{1, 2},
	})
	undone := d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{1, 1},
	})
	d.make(d.gm, request.Move{Move: "omen", Secret: true})
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(undone.Entry.Seq)}, ""); err != nil {
		t.Fatal(err)
	}
	hero := view.Tally{Character: d.hero, Moves: 2, Dice: 2, Tones: map[game.Tone]int{game.Good: 1, game.Bad: 1}}
	for s, want := range map[*table.Seat][]view.Tally{
		d.guest: {hero}, d.gm: {hero, {Moves: 1, Dice: 1, Tones: map[game.Tone]int{game.Neutral: 1}}},
	} {
		got, err := s.Tally(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "tally", want, got)
	}
}
