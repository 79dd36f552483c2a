package table_test

import (
	"bytes"
	"encoding/json"
	"errors"
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

// saved is the file of a character, by a seat.
func (d *desk) saved(s *table.Seat, id string) json.RawMessage {
	d.t.Helper()
	file, err := s.CharacterFile(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	data, err := json.MarshalIndent(file, "", "\t")
	if err != nil {
		d.t.Fatal(err)
	}
	return data
}

// character is one as a seat sees it.
func (d *desk) character(s *table.Seat, id string) (view.CharacterShown, bool) {
	d.t.Helper()
	for _, c := range d.view(s).Characters {
		if c.ID == id {
			return c, true
		}
	}
	return view.CharacterShown{}, false
}

func bring(t *testing.T, s *table.Seat, r act.ImportRequest, key string) (view.Character, error) {
	t.Helper()
	return table.Do(t.Context(), s, act.ImportCharacter, r, key)
}

// A character goes to another norn by a file, with the portrait, and the arrival can be undone by
// the person who imported it.
func TestCharacterIsMovedToAnotherServerByAFile(t *testing.T) {
	d := newDeskOver(t, newMemory())
	hero := d.add(d.anna, act.CharacterRequest{
		Name: "Vex", Kind: "hero",
		Sheet: raw(`{"luck":7,"bag":[{"name":"rope","for":"` + d.hero + `"}],"home":{"town":"Spire"}}`),
	})
	face, err := d.anna.AddPicture(t.Context(), painted(t, 20, 1), 512, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.SetPortrait,
		act.PortraitRequest{Character: hero, Picture: face.Hash}, ""); err != nil {
		t.Fatal(err)
	}
	file := d.saved(d.anna, hero)

	there := newDesk(t)
	came, err := bring(t, there.boris, act.ImportRequest{File: file}, "k")
	if err != nil {
		t.Fatal(err)
	}
	again, err := bring(t, there.boris, act.ImportRequest{File: file}, "k")
	same(t, "sent again", came.ID, again.ID)
	if err != nil {
		t.Fatal(err)
	}
	has := sheet[Hero](there, came.ID)
	same(t, "luck", 7, has.Luck)
	same(t, "town", "Spire", has.Home.Town)
	same(t, "a reference to somebody else", "", string(has.Bag[0].For))
	same(t, "told", "Vex arrives from a file.", came.Lines[0].Text)
	shown, _ := there.character(there.anna, came.ID)
	same(t, "whose", there.boris.ID(), shown.Owner)
	if shown.Portrait == "" {
		t.Error("the portrait didn't come along")
	}
	if _, err := bring(t, there.boris, act.ImportRequest{File: file}, ""); err != nil {
		t.Fatal(err)
	}
	same(t, "a second one", "Vex 2", there.view(there.gm).Characters[4].Name)

	there.reopen()
	undo := func(s *table.Seat) error {
		_, err := table.Do(t.Context(), s, act.Undo, act.UndoRequest{Seq: int(came.Seq)}, "")
		return err
	}
	same(t, "another player undoes it", refusal.CodeForbidden, code(undo(there.anna)))
	if err := undo(there.boris); err != nil {
		t.Fatal(err)
	}
	if _, here := there.character(there.gm, came.ID); here {
		t.Error("the arrival was undone, and the character is there")
	}
	if _, err := verify.File(toys, words, bytes.NewReader(there.export())); err != nil {
		t.Error(err)
	}
}

// A player's file has nothing that the player doesn't see, and says whose it is; nobody gets a file
// of somebody else's character.
func TestCharacterFileHoldsOnlyWhatItsSeatSees(t *testing.T) {
	d := newDesk(t)
	var own, whole view.CharacterFile
	if err := json.Unmarshal(d.saved(d.anna, d.hero), &own); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(d.saved(d.gm, d.hero), &whole); err != nil {
		t.Fatal(err)
	}
	same(t, "a player's", "player", own.Seen)
	same(t, "a game master's", "gm", whole.Seen)
	if text := string(own.Sheet); strings.Contains(text, "SECRET") || strings.Contains(text, "doom") {
		t.Errorf("a player's file: %s", text)
	}
	if !strings.Contains(string(whole.Sheet), "SECRET doom") {
		t.Errorf("a game master's file: %s", whole.Sheet)
	}
	for _, c := range []struct {
		seat *table.Seat
		id   string
		code string
	}{
		{d.boris, d.hero, refusal.CodeForbidden},
		{d.guest, d.hero, refusal.CodeForbidden},
		{d.anna, d.shade, refusal.CodeInvalid},
		{d.anna, "c99", refusal.CodeInvalid},
	} {
		_, err := c.seat.CharacterFile(t.Context(), c.id)
		same(t, c.seat.ID()+" "+c.id, c.code, code(err))
	}
}

// What doesn't fit is listed by field and nothing is taken; the rest is taken where that was asked
// for.
func TestCharacterFileListsFieldsThatDoNotFit(t *testing.T) {
	d := newDesk(t)
	file := raw(strings.Replace(string(d.saved(d.gm, d.hero)), `"luck": 3`, `"luck": 30, "wings": 2`, 1))
	before := len(d.view(d.gm).Characters)
	_, err := bring(t, d.gm, act.ImportRequest{File: file}, "")
	invalid, ok := errors.AsType[*refusal.InvalidError](err)
	if !ok || len(invalid.Problems) != 2 {
		t.Fatal(err)
	}
	same(t, "a number", "file.sheet.luck "+form.Range, invalid.Problems[0].Path+" "+invalid.Problems[0].Code)
	same(t, "a field that there isn't", form.Unknown, invalid.Problems[1].Code)
	same(t, "nothing is taken", before, len(d.view(d.gm).Characters))
	came, err := bring(t, d.gm, act.ImportRequest{File: file, Fitting: true, Hidden: true}, "")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the default", 3, sheet[Hero](d, came.ID).Luck)
	same(t, "the rest", "SECRET doom", sheet[Hero](d, came.ID).Doom)
	same(t, "told", "Lira 2 arrives from a file, without what doesn’t fit here.", came.Lines[0].Text)
	if sent := text(t, d.view(d.anna), d.log(d.anna)); strings.Contains(sent, "Lira 2") {
		t.Errorf("a player knows of who came hidden: %s", sent)
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// Whatever comes as a file is answered, before it's read where it's too large.
func TestFilesThatAreNoCharactersAreRefused(t *testing.T) {
	d := newDesk(t)
	good := string(d.saved(d.anna, d.hero))
	with := func(old, now string) string { return strings.Replace(good, old, now, 1) }
	for name, c := range map[string]struct{ file, code, says string }{
		"nothing":           {"", refusal.CodeRefused, "file-foreign"},
		"no JSON":           {"hello", refusal.CodeRefused, "file-foreign"},
		"half of a file":    {"{", refusal.CodeRefused, "foreign.problem.broken"},
		"a table's":         {`{"format":"norn table","version":1}`, refusal.CodeRefused, "file-foreign"},
		"a newer one":       {with(`"version": 1`, `"version": 2`), refusal.CodeRefused, "file-newer"},
		"a stranger member": {with(`"game"`, `"gaem"`), refusal.CodeRefused, "file-foreign"},
		"another game":      {with(`"toy"`, `"spire"`), refusal.CodeRefused, "file-game"},
		"no such kind":      {with(`"hero"`, `"king"`), refusal.CodeInvalid, "file.kind"},
		"a kind of the gm":  {with(`"hero"`, `"shade"`), refusal.CodeForbidden, ""},
		"no name":           {with(`"Lira"`, `" "`), refusal.CodeInvalid, "name"},
		"too large":         {strings.Repeat(" ", request.MaxCharacterFile) + good, refusal.CodeTooMany, ""},
		"a large sheet": {
			with(`"sheet": {`, `"sheet": { "x": "`+strings.Repeat("x", request.MaxSheet)+`",`), refusal.CodeTooMany, "",
		},
		"a sheet of many members": {
			with(`"sheet": {`, `"sheet": { `+manyMembers(300)), refusal.CodeInvalid, "file.sheet",
		},
		"a sheet that is a list": {
			with(`"sheet": {`, `"sheet": [], "norn": "", "portrait": {`), refusal.CodeRefused,
			"",
		},
		"no picture": {
			with(`"sheet"`, `"portrait": {"media":"image/png","data":"AAAA"}, "sheet"`), refusal.CodeRefused,
			"no-picture",
		},
	} {
		_, err := bring(t, d.anna, act.ImportRequest{File: raw(c.file)}, "")
		if code(err) != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := bring(t, d.guest, act.ImportRequest{File: raw(good)}, ""); code(err) != refusal.CodeForbidden {
		t.Errorf("a spectator brings one: %v", err)
	}
	if _, err := bring(t, d.anna, act.ImportRequest{
		File:    raw(with(`"sheet"`, `"portrait": {"media":"image/png","data":"AAAA"}, "sheet"`)),
		Fitting: true,
	}, ""); err != nil {
		t.Errorf("without what is no picture: %v", err)
	}
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"m` + strings.Repeat("x", i) + `":1,`)
	}
	return b.String()
}

// A log says nothing of a file's character that can't be.
func TestLogWithImpossibleArrivalsDoesNotVerify(t *testing.T) {
	type object = map[string]any
	d := newDesk(t)
	for name, data := range map[string]object{
		"another player's": {"id": "c4", "kind": "hero", "name": "x", "owner": "s3", "sheet": object{}},
		"another id":       {"id": "c9", "kind": "hero", "name": "x", "owner": "s2", "sheet": object{}},
		"a portrait": {
			"id": "c4", "kind": "hero", "name": "x", "owner": "s2", "sheet": object{}, "portrait": "ab",
		},
		"a sheet": {"id": "c4", "kind": "hero", "name": "x", "owner": "s2", "sheet": object{"luck": 99}},
	} {
		c := said{kind: "character", seat: "s2", events: []any{"table.character-imported", data}}
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(d.says("1", c)))); err == nil {
			t.Errorf("%s verifies", name)
		}
	}
}
