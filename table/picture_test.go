package table_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

func (d *desk) shows(hash string, to ...string) view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), d.gm, act.ShowPicture,
		act.ShowPictureRequest{Picture: hash, Alt: "A bridge", To: to}, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}

// holds checks which seats can load a picture and see its entry.
func (d *desk) holds(hash string, data []byte, want string) {
	d.t.Helper()
	for name, s := range map[string]*table.Seat{"gm": d.gm, "anna": d.anna, "boris": d.boris, "guest": d.guest} {
		listed, err := s.Pictures(d.t.Context())
		if err != nil {
			d.t.Fatal(err)
		}
		has := strings.Contains(want, name)
		if d.has(s, hash, data) != has || slices.ContainsFunc(listed, func(p view.PictureShown) bool {
			return p.Hash == hash
		}) != has {
			d.t.Errorf("%s has it: %v", name, !has)
		}
		if told := strings.Contains(text(d.t, d.log(s), d.view(s)), hash); told && !has {
			d.t.Errorf("%s is told of it", name)
		}
		if file := d.seen(s); bytes.Contains(file, []byte(hash)) && !has {
			d.t.Errorf("%s has it in their file", name)
		}
	}
}

func TestShownPictureIsSeenOnlyByItsAudience(t *testing.T) {
	d := newDeskOver(t, newMemory())
	data := painted(t, 20, 1)
	hash := d.attach(d.gm, data).Hash
	d.holds(hash, data, "gm")
	e := d.shows(hash, d.boris.ID())
	if e.Kind != view.KindPicture || !strings.Contains(string(e.Lines[0].Data), hash) ||
		!strings.Contains(string(e.Lines[0].Data), `"width":20`) {
		t.Errorf("shown %+v %s", e, e.Lines[0].Data)
	}
	d.holds(hash, data, "gm boris")
	var b strings.Builder
	if err := d.gm.Story(t.Context(), &b, request.Telling{}); err != nil || strings.Contains(b.String(), "bridge") {
		t.Errorf("the story tells of it, %v", err)
	}
	d.shows(hash, d.anna.ID())
	d.holds(hash, data, "gm anna boris")
	d.shows(hash)
	d.holds(hash, data, "gm anna boris guest")
	late := d.invite("Late", "player")
	if !d.has(late, hash, data) {
		t.Error("who comes late doesn't see what was shown to all")
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
	d.reopen()
	d.holds(hash, data, "gm anna boris guest")
	for name, c := range map[string]struct {
		seat *table.Seat
		w    act.ShowPictureRequest
		path string
	}{
		"without words":        {d.gm, act.ShowPictureRequest{Picture: hash}, "alt"},
		"one that isn't there": {d.gm, act.ShowPictureRequest{Picture: strings.Repeat("0", 64), Alt: "x"}, "picture"},
		"to nobody":            {d.gm, act.ShowPictureRequest{Picture: hash, Alt: "x", To: []string{"s99"}}, "to"},
		"to oneself":           {d.gm, act.ShowPictureRequest{Picture: hash, Alt: "x", To: []string{"s1"}}, "to"},
		"by a player":          {d.anna, act.ShowPictureRequest{Picture: hash, Alt: "x"}, ""},
	} {
		_, err := table.Do(t.Context(), c.seat, act.ShowPicture, c.w, "")
		invalid, ok := err.(*refusal.InvalidError)
		if ok != (c.path != "") || ok && invalid.Problems[0].Path != c.path || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A withdrawn picture is only for the game master: its bytes, its description in the log, search,
// file and story, also after a restart. Seats that could see it see that it was withdrawn.
func TestWithdrawnPictureIsSeenOnlyByTheGM(t *testing.T) {
	d := newDeskOver(t, newMemory())
	data := painted(t, 20, 1)
	hash := d.attach(d.gm, data).Hash
	some := d.shows(hash, d.boris.ID())
	for range 40 { // so that it's read from the journal again
		d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	}
	take := func(s *table.Seat) error {
		_, err := table.Do(t.Context(), s, act.HidePicture, act.PictureNamed{Picture: hash}, "")
		return err
	}
	if code(take(d.boris)) != refusal.CodeForbidden {
		t.Error("a player takes a picture back")
	}
	if err := take(d.gm); err != nil {
		t.Fatal(err)
	}
	told := watch(t.Context(), t, d.boris, uint64(len(d.stored()))-1, func(u view.Update) bool { return u.Entry != nil })
	if u := told[len(told)-1]; u.Entry.Lines[0].Type != "table.picture-taken" ||
		!slices.Equal(u.UndoabilityChanged, []uint64{some.Seq}) {
		t.Errorf("who saw it is told %+v", u)
	}
	if code(take(d.gm)) != refusal.CodeInvalid {
		t.Error("it's taken back twice")
	}
	for range 2 {
		d.holds(hash, data, "gm")
		if e := d.find(d.boris, some.Seq); e.Lines[0].Text != "A picture was shown here, and is hidden now" ||
			strings.Contains(text(t, d.log(d.boris), d.seen(d.boris)), "bridge") {
			t.Errorf("the log still tells of it: %+v", e)
		}
		if strings.Contains(text(t, d.log(d.anna)), "hidden now") {
			t.Error("who never saw it is told that it was taken back")
		}
		if found, err := d.boris.Find(t.Context(), request.Search{Text: "bridge"}); err != nil || found.N > 0 {
			t.Errorf("it's found: %+v, %v", found, err)
		}
		if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
			t.Error(err)
		}
		d.reopen()
	}
	d.shows(hash)
	var b strings.Builder
	if err := d.gm.Story(t.Context(), &b, request.Telling{}); err != nil || !strings.Contains(b.String(), "bridge") {
		t.Errorf("the story doesn't tell of it: %s, %v", &b, err)
	}
	if err := take(d.gm); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if err := d.gm.Story(t.Context(), &b, request.Telling{}); err != nil || strings.Contains(b.String(), "bridge") ||
		strings.Contains(b.String(), "taken") {
		t.Errorf("the story tells of it: %s, %v", &b, err)
	}
	d.holds(hash, data, "gm")
}

// A hidden character's portrait isn't visible until the character is shown; a copy has the same
// one.
func TestPortraitOfAHiddenCharacterIsHidden(t *testing.T) {
	d := newDeskOver(t, newMemory())
	data := painted(t, 20, 1)
	hash := d.attach(d.gm, data).Hash
	id := d.add(d.gm, act.CharacterRequest{Name: "Gnasher", Kind: "hero", Hidden: true})
	if _, err := table.Do(t.Context(), d.gm, act.SetPortrait, act.PortraitRequest{Character: id, Picture: hash},
		""); err != nil {
		t.Fatal(err)
	}
	copied := d.add(d.gm, act.CharacterRequest{Like: id})
	for range 2 {
		d.holds(hash, data, "gm")
		for _, c := range d.view(d.gm).Characters {
			if (c.ID == id || c.ID == copied) && c.Portrait != hash {
				t.Errorf("%s has the portrait %q", c.Name, c.Portrait)
			}
		}
		d.reopen()
	}
	if _, err := table.Do(t.Context(), d.gm, act.ShowCharacter, act.CharacterNamed{Character: copied}, ""); err != nil {
		t.Fatal(err)
	}
	d.holds(hash, data, "gm anna boris guest")
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

func TestPlayersSetOnlyTheirOwnPortraits(t *testing.T) {
	d := newDeskOver(t, newMemory())
	data, secret := painted(t, 20, 1), painted(t, 20, 2)
	mine, hidden := d.attach(d.anna, data).Hash, d.attach(d.gm, secret).Hash
	if _, err := table.Do(t.Context(), d.anna, act.SetPortrait, act.PortraitRequest{Character: d.hero, Picture: hidden},
		""); code(err) != refusal.CodeInvalid {
		t.Errorf("another's picture, guessed: %v", err)
	}
	if _, err := table.Do(t.Context(), d.boris, act.SetPortrait, act.PortraitRequest{Character: d.hero, Picture: ""},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("another's hero: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.SetPortrait, act.PortraitRequest{Character: d.hero, Picture: mine},
		""); err != nil {
		t.Fatal(err)
	}
	d.holds(mine, data, "gm anna boris guest")
	for _, c := range d.view(d.boris).Characters {
		if want := map[string]string{d.hero: mine}[c.ID]; c.Portrait != want {
			t.Errorf("%s has the portrait %q", c.ID, c.Portrait)
		}
	}
	if _, err := table.Do(t.Context(), d.gm, act.SetPortrait, act.PortraitRequest{Character: d.shade, Picture: hidden},
		""); err != nil {
		t.Fatal(err)
	}
	d.holds(hidden, secret, "gm") // that nobody sees
	d.reopen()
	d.holds(hidden, secret, "gm")
	if _, err := table.Do(t.Context(), d.gm, act.SetPortrait, act.PortraitRequest{Character: d.hero, Picture: ""},
		""); err != nil {
		t.Fatal(err)
	}
	if d.has(d.boris, mine, data) {
		t.Error("a portrait that was taken away is still there for others")
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// reads returns the shared notes that a seat can read.
func (d *desk) reads(s *table.Seat) string {
	d.t.Helper()
	all, err := s.Handouts(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	var texts []string
	for _, h := range all {
		texts = append(texts, h.Text)
	}
	return strings.Join(texts, ", ")
}

func TestNoteIsReadOnlyByThoseItIsSharedWith(t *testing.T) {
	d := newDeskOver(t, newMemory())
	if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "The cellar"},
		""); err != nil {
		t.Fatal(err)
	}
	id := d.view(d.gm).Notes[0].ID
	expect := func(gm, anna, boris, guest string) {
		t.Helper()
		if got := []string{d.reads(d.gm), d.reads(d.anna), d.reads(d.boris), d.reads(d.guest)}; !slices.Equal(got,
			[]string{gm, anna, boris, guest}) {
			t.Errorf("read are %q", got)
		}
		if file := d.seen(d.guest); bytes.Contains(file, []byte("cellar")) != (guest != "") {
			t.Error("the guest's file isn't what they read")
		}
	}
	share := func(to ...string) {
		t.Helper()
		if _, err := table.Do(t.Context(), d.gm, act.ShareNote, act.ShareNoteRequest{Note: id, To: to},
			""); err != nil {
			t.Fatal(err)
		}
	}
	expect("", "", "", "")
	share(d.anna.ID())
	expect("The cellar", "The cellar", "", "")
	if _, err := table.Do(t.Context(), d.gm, act.KeepNote, act.NoteRequest{ID: id, Text: "The cellar burns"},
		""); err != nil {
		t.Fatal(err)
	}
	expect("The cellar", "The cellar", "", "")
	share(d.boris.ID())
	expect("The cellar burns", "The cellar burns", "The cellar burns", "")
	if e := d.log(d.anna); e[len(e)-1].Kind != view.KindHandout {
		t.Error("who could read it before isn't told that its words have changed")
	}
	d.reopen()
	if _, err := table.Do(t.Context(), d.gm, act.HideNote, act.HideNoteRequest{Note: id}, ""); err != nil {
		t.Fatal(err)
	}
	expect("", "", "", "")
	share()
	expect("The cellar burns", "The cellar burns", "The cellar burns", "The cellar burns")
	share(d.anna.ID()) // still shared with all
	expect("The cellar burns", "The cellar burns", "The cellar burns", "The cellar burns")
	if _, err := table.Do(t.Context(), d.anna, act.ShareNote, act.ShareNoteRequest{Note: id, To: nil},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player shares: %v", err)
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// Only one X-card is on the table, for all, and nothing says who raised it.
func TestXCardIsRaisedOnceAndAnonymously(t *testing.T) {
	d := newDeskOver(t, newMemory())
	before := len(d.stored())
	for _, s := range []*table.Seat{d.boris, d.anna, d.boris} {
		if _, err := s.RaiseX(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	stored := d.stored()
	if len(stored) != before+2 { // the second raise is noted, the third changes nothing
		t.Fatalf("%d entries are new", len(stored)-before)
	}
	last := stored[before]
	if last.Seat != "" || last.Key != "" || last.Move != "" || strings.Contains(string(last.Body), `"s3"`) ||
		strings.Contains(string(last.Body), "request") {
		t.Errorf("it says %+v %s", last, last.Body)
	}
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris, d.guest} {
		if d.view(s).X != last.Seq {
			t.Errorf("%s doesn't see it", s.ID())
		}
		if e := d.log(s); e[len(e)-1].Kind != view.KindX || e[len(e)-1].Seat.ID != "" {
			t.Errorf("%s reads %+v", s.ID(), e[len(e)-1])
		}
		if _, err := verify.File(toys, words, bytes.NewReader(d.seen(s))); err != nil {
			t.Error(err)
		}
	}
	if _, err := d.guest.RaiseX(t.Context()); code(err) != refusal.CodeForbidden {
		t.Errorf("a spectator: %v", err)
	}
	if _, err := table.Do(t.Context(), d.guest, act.PutXAway, act.Nothing{}, ""); code(err) != refusal.CodeForbidden {
		t.Errorf("a spectator: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.PutXAway, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	// the clock advances with each call
	if _, err := d.boris.RaiseX(t.Context()); err != nil || d.view(d.gm).X != 0 {
		t.Errorf("it's there again at once: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.PutXAway, act.Nothing{}, ""); code(err) != refusal.CodeRefused {
		t.Errorf("what isn't there: %v", err)
	}
	for range act.XRests / time.Second {
		d.talk(d.gm, act.TalkRequest{Text: "x"})
	}
	if _, err := d.boris.RaiseX(t.Context()); err != nil || d.view(d.gm).X == 0 {
		t.Errorf("it isn't there again: %v", err)
	}
	d.reopen()
	if d.view(d.anna).X == 0 {
		t.Error("it's gone after a restart")
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
	named := d.says("1", said{kind: "x-card", seat: "s3", events: []any{"table.x-raised", map[string]any{}}})
	if _, err := verify.File(toys, words, bytes.NewReader(d.file(named))); err == nil {
		t.Error("an X-card that names a seat verifies")
	}
}

// A log with a picture or note that its seat couldn't show or share doesn't verify.
func TestLogWithForgedPicturesDoesNotVerify(t *testing.T) {
	d := newDeskOver(t, newMemory())
	hash := d.attach(d.gm, painted(t, 8, 1)).Hash
	shown := d.attach(d.gm, painted(t, 8, 2)).Hash
	at := d.shows(shown).Seq
	type object = map[string]any
	for name, c := range map[string]said{
		"a player shows one": {
			kind: "picture", seat: "s2",
			events: []any{"table.picture-shown", object{"hash": hash, "alt": "x"}},
		},
		"one that isn't there": {
			kind: "picture", seat: "s1",
			events: []any{"table.picture-shown", object{"hash": act.HashOf(nil), "alt": "x"}},
		},
		"one to a seat twice": {
			kind: "picture", seat: "s1",
			events: []any{"table.picture-shown", object{"hash": hash, "alt": "x", "to": []string{"s2", "s2"}}},
		},
		"one taken that isn't shown": {
			kind: "picture", seat: "s1",
			events: []any{"table.picture-taken", object{"hash": hash, "at": []int{}}},
		},
		"a player takes one": {
			kind: "picture", seat: "s2",
			events: []any{"table.picture-taken", object{"hash": shown, "at": []uint64{at}}},
		},
		"one taken of other entries": {
			kind: "picture", seat: "s1",
			events: []any{"table.picture-taken", object{"hash": shown, "at": []uint64{at, at}}},
		},
		"one taken of other seats": {
			kind: "picture", seat: "s1",
			events: []any{"table.picture-taken", object{"hash": shown, "at": []uint64{at}, "to": []string{"s2"}}},
		},
		"a player copies a face": {
			kind: "character", seat: "s2",
			events: []any{
				"table.character-copied",
				object{"id": "c4", "kind": "hero", "name": "x", "owner": "s2", "sheet": object{}, "portrait": shown},
			},
		},
		"a portrait of another's": {
			kind: "portrait", seat: "s3",
			events: []any{"table.portrait-set", object{"id": d.hero}},
		},
		"a portrait that isn't theirs": {
			kind: "portrait", seat: "s2",
			events: []any{"table.portrait-set", object{"id": d.hero, "hash": hash}},
		},
		"a note that there isn't": {
			kind: "handout", seat: "s1",
			events: []any{"table.note-shared", object{"id": "n3", "text": "x"}},
		},
		"what isn't shared, back": {
			kind: "handout", seat: "s1",
			events: []any{"table.note-hidden", object{"id": "n3"}},
		},
		"no X-card, away": {kind: "x-away", seat: "s1", events: []any{"table.x-put-away", object{}}},
	} {
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(d.says("1", c)))); err == nil {
			t.Errorf("%s verifies", name)
		}
	}
}
