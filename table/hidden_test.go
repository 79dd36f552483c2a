package table_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// lurking returns a desk where a game master has prepared a hidden character and done much with it;
// id is its id.
func lurking(t *testing.T) (d *desk, id string) {
	t.Helper()
	d = newDesk(t)
	id = d.add(d.gm, act.CharacterRequest{Name: "Gnasher", Kind: "hero", Hidden: true})
	d.change(d.gm, act.ChangeRequest{ID: id, Sheet: raw(`{"luck":7}`)})
	d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"bag":[{"name":"rope"}]}`)})
	if _, err := table.Do(t.Context(), d.gm, act.StarMove,
		act.StarRequest{Character: form.Ref(id), Move: "rest", On: true}, ""); err != nil {
		t.Fatal(err)
	}
	rests := d.make(d.gm, request.Move{Move: "rest", Character: id})
	hits := d.make(d.gm, request.Move{
		Move: "strike", Character: id, Args: raw(`{"target":"` + d.other + `"}`),
		Dice: []int{6, 1},
	})
	if !rests.Entry.Secret || !hits.Entry.Secret {
		t.Error("what is hidden moves in the open")
	}
	return d, id
}

// alone returns the same desk without the hidden character.
func alone(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"bag":[{"name":"rope"}]}`)})
	return d
}

// lookAsPlayer returns all that a seat sees of a desk, and checks that its file names nobody hidden.
func lookAsPlayer(t *testing.T, d *desk, seat *table.Seat, id string) []any {
	t.Helper()
	lucks, _ := seat.Luck(t.Context(), 1)
	sums, _ := seat.Tally(t.Context())
	found, _ := seat.Find(t.Context(), request.Search{Text: "gnasher"})
	var story, seen bytes.Buffer
	if err := seat.Story(t.Context(), &story, request.Telling{}); err != nil {
		t.Fatal(err)
	}
	if err := seat.ExportSeen(t.Context(), &seen); err != nil {
		t.Fatal(err)
	}
	f, _ := seat.MoveForm(t.Context(), "strike", d.hero)
	if strings.Contains(seen.String(), "Gnasher") || strings.Contains(seen.String(), id) {
		t.Errorf("%s's file tells of them", seat.ID())
	}
	if _, err := verify.File(toys, words, bytes.NewReader(seen.Bytes())); err != nil {
		t.Errorf("%s's file: %v", seat.ID(), err)
	}
	return []any{d.view(seat), d.log(seat), lucks, sums, found.Entries, found.N, story.String(), f}
}

// guesses returns requests of Anna's about a character whose id she guesses.
func guesses(t *testing.T, d *desk, guess string) []func() error {
	return []func() error{
		func() error {
			_, err := d.anna.Make(t.Context(),
				request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"` + guess + `"}`)})
			return err
		},
		func() error {
			_, err := d.anna.Make(t.Context(), request.Move{Move: "rest", Character: guess})
			return err
		},
		func() error {
			_, err := d.anna.Odds(t.Context(),
				request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"` + guess + `"}`)})
			return err
		},
		func() error {
			_, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
				act.ChangeRequest{ID: guess, Sheet: raw(`{}`)}, "")
			return err
		},
		func() error { _, err := d.anna.SheetForm(t.Context(), guess); return err },
		func() error {
			_, err := table.Do(t.Context(), d.anna, act.RemoveCharacter, act.CharacterNamed{Character: guess}, "")
			return err
		},
		func() error {
			_, err := table.Do(t.Context(), d.anna, act.ShowCharacter, act.CharacterNamed{Character: guess}, "")
			return err
		},
		func() error {
			_, err := table.Do(t.Context(), d.anna, act.StarMove,
				act.StarRequest{Character: form.Ref(guess), Move: "rest", On: true}, "")
			return err
		},
		func() error {
			_, err := table.Do(t.Context(), d.anna, act.Talk,
				act.TalkRequest{Text: "boo", Character: form.Ref(guess)}, "")
			return err
		},
		func() error {
			_, err := table.Do(t.Context(), d.anna, act.AddCharacter, act.CharacterRequest{Like: guess}, "")
			return err
		},
		func() error {
			_, err := table.Do(t.Context(), d.anna, act.AddCharacter,
				act.CharacterRequest{Name: "x", Kind: "hero", Hidden: true}, "")
			return err
		},
	}
}

// For players everything is as without the hidden character: what they see, search, get offered,
// and are refused.
func TestHiddenCharacterChangesNothingForPlayers(t *testing.T) {
	with, id := lurking(t)
	without := alone(t)
	look := func(d *desk, guess string) string {
		var all []any
		for _, s := range []interface {
			ID() string
		}{d.anna, d.boris, d.guest} {
			seat := d.enter(d.secrets[s.ID()])
			all = append(all, lookAsPlayer(t, d, seat, id)...)
		}
		for _, ask := range guesses(t, d, guess) {
			err := ask()
			if err == nil {
				t.Error("it's taken")
			}
			all = append(all, code(err), strings.ReplaceAll(text(t, err), guess, "?"))
		}
		// its id would reveal a gap
		all = append(all, d.add(d.boris, act.CharacterRequest{Name: "Newt", Kind: "hero"}))
		return strings.ReplaceAll(numbers(t, all), guess, "?")
	}
	same(t, "what players know", look(without, "uaaaaaaaaaaaaaaaaaaaaaaaa"), look(with, id))
}

// A shown character is visible from then on; its earlier entries stay secret.
func TestShownCharacterIsVisibleFromThenOn(t *testing.T) {
	d, id := lurking(t)
	before := len(d.log(d.anna))
	for what, err := range map[string]error{
		"talk": second(table.Do(t.Context(), d.gm, act.Talk, act.TalkRequest{Text: "boo", Character: form.Ref(id)},
			"")),
		"call": second(table.Do(t.Context(), d.gm, act.CallMove, act.CallRequest{Move: "rest", Character: form.Ref(id)},
			"")),
		"own": second(table.Do(t.Context(), d.gm, act.ChangeCharacter,
			act.ChangeRequest{ID: id, Owner: new(d.anna.ID())}, "")),
		"twin": second(table.Do(t.Context(), d.gm, act.AddCharacter,
			act.CharacterRequest{Name: "x", Kind: "hero", Hidden: true, Owner: d.anna.ID()}, "")),
		"show": second(table.Do(t.Context(), d.gm, act.ShowCharacter, act.CharacterNamed{Character: d.hero}, "")),
	} {
		if code(err) != refusal.CodeRefused {
			t.Errorf("%s: %v", what, err)
		}
	}
	copied := d.add(d.gm, act.CharacterRequest{Like: id})
	if len(d.log(d.anna)) != before {
		t.Error("a copy is told")
	}
	d.reopen()
	entry, err := table.Do(t.Context(), d.gm, act.ShowCharacter, act.CharacterNamed{Character: id}, "k")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the line", "Gnasher joined the story.", entry.Lines[0].Text)
	log := d.log(d.anna)
	if len(log) != before+1 || log[before].Seq != entry.Seq {
		t.Errorf("a player is told of %d entries", len(log)-before)
	}
	sees := func(id string) bool {
		return slices.ContainsFunc(d.view(d.anna).Characters, func(c view.CharacterShown) bool { return c.ID == id })
	}
	if !sees(id) || sees(copied) {
		t.Error("the wrong ones are there")
	}
	d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + id + `"}`),
		Dice: []int{1, 1},
	})
	if e := d.make(d.gm, request.Move{Move: "rest", Character: id}).Entry; e.Secret {
		t.Error("it still moves in secret")
	}
	state := text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna))
	d.reopen()
	same(t, "after a restart", state, text(t, d.view(d.gm), d.log(d.gm), d.log(d.anna)))
	for _, file := range [][]byte{d.export(), d.seen(d.anna)} {
		if _, err := verify.File(toys, words, bytes.NewReader(file)); err != nil {
			t.Error(err)
		}
	}
	if bytes.Contains(d.seen(d.anna), []byte(copied)) {
		t.Error("a player's file has who is hidden")
	}
}

// A sheet that players see doesn't name hidden characters, and a public move can't either.
func TestVisibleSheetsNameNoHiddenCharacters(t *testing.T) {
	d, id := lurking(t)
	d.change(d.gm, act.ChangeRequest{
		ID:    d.hero,
		Sheet: raw(`{"bag":[{"name":"rope"},{"name":"zzz","for":"` + id + `"}]}`),
	})
	for _, s := range []*struct{ what, said string }{
		{"the view", text(t, d.view(d.anna))},
		{"the log", text(t, d.log(d.anna))},
		{"the file", string(d.seen(d.anna))},
	} {
		if strings.Contains(s.said, id) || strings.Contains(s.said, "Gnasher") {
			t.Errorf("%s names them: %s", s.what, regexp.MustCompile(`.{80}(`+id+`|Gnasher).{40}`).FindString(s.said))
		}
	}
	lured := d.make(d.anna, request.Move{Move: "lure", Character: d.hero})
	for _, o := range lured.Open {
		if strings.Contains(text(t, o), id) {
			t.Error("a question offers them")
		}
	}
	for _, q := range d.view(d.gm).Questions {
		if q.Question == "toy.lured" && strings.Contains(text(t, q.Schema), id) {
			t.Error("the game master may name them where all hear it")
		}
	}
}
