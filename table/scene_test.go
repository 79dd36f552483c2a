package table_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"norn/form"
	"norn/internal/relay/local"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

func (d *desk) prepares(r act.SceneRequest) (id string, e view.Entry) {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), d.gm, act.PrepareScene, r, "")
	if err != nil {
		d.t.Fatal(err)
	}
	all := d.view(d.gm).Scenes
	return all[len(all)-1].ID, e
}

func (d *desk) setsScene(id string) view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), d.gm, act.SetScene, act.SetSceneRequest{Scene: id}, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}

// A scene is set from those that are prepared, and each change is undone in turn.
func TestEachChangeOfTheSceneIsUndone(t *testing.T) {
	d := newDesk(t)
	ferry, prepared := d.prepares(act.SceneRequest{Title: " The night ferry ", Note: "Nobody speaks."})
	same(t, "the line", "A scene is prepared: The night ferry", prepared.Lines[0].Text)
	tower, _ := d.prepares(act.SceneRequest{Title: "The tower"})
	set := d.setsScene(ferry)
	same(t, "the line", "Scene: The night ferry. Nobody speaks.", set.Lines[0].Text)
	if _, err := table.Do(t.Context(), d.gm, act.SetScene, act.SetSceneRequest{Scene: ferry}, ""); code(err) !=
		refusal.CodeRefused {
		t.Errorf("the same scene again: %v", err)
	}
	changed, err := table.Do(t.Context(), d.gm, act.PrepareScene,
		act.SceneRequest{ID: ferry, Title: "The ferry"}, "")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "players see the scene as it was set", "The night ferry", d.view(d.anna).Scene.Title)
	again, next, over := d.setsScene(ferry), d.setsScene(tower), d.setsScene("")
	same(t, "no scene", true, d.view(d.anna).Scene == nil)
	same(t, "the line", "The scene “The tower” is over", over.Lines[0].Text)
	removed, err := table.Do(t.Context(), d.gm, act.RemoveScene, act.SceneNamed{Scene: tower}, "")
	if err != nil {
		t.Fatal(err)
	}
	d.reopen()
	undo := func(e view.Entry) error {
		_, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(e.Seq)}, "")
		return err
	}
	if err := undo(next); code(err) != refusal.CodeLater {
		t.Errorf("an older change is undone first: %v", err)
	}
	for _, c := range []struct {
		of    view.Entry
		title string
	}{
		{over, "The tower"},
		{removed, "The tower"},
		{next, "The ferry"},
		{again, "The night ferry"},
		{changed, "The night ferry"},
	} {
		if err := undo(c.of); err != nil {
			t.Fatal(err)
		}
		same(t, "undone", c.title, d.view(d.anna).Scene.Title)
	}
	same(t, "prepared are", "The night ferry", d.view(d.gm).Scenes[0].Title)
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// Prepared scenes are the game master's alone: in no view, log, story or file of anybody else, nor
// are their pictures; a scene that is set says nothing of when it was prepared.
func TestPreparedScenesAreSeenOnlyByTheGM(t *testing.T) {
	d := newDeskOver(t, newMemory())
	data := painted(t, 20, 1)
	hash := d.attach(d.gm, data).Hash
	before := text(t, d.view(d.anna), d.log(d.anna))
	id, _ := d.prepares(act.SceneRequest{Title: "SECRET gate", Note: "SECRET note", Picture: hash})
	other, _ := d.prepares(act.SceneRequest{Title: "SECRET end"})
	d.holds(hash, data, "gm")
	same(t, "a player's table", before, text(t, d.view(d.anna), d.log(d.anna)))
	if file := d.seen(d.anna); bytes.Contains(file, []byte("SECRET gate")) || bytes.Contains(file, []byte("scene")) {
		t.Errorf("a player's file: %s", file)
	}
	set := d.setsScene(id)
	for name, s := range map[string]*table.Seat{"gm": d.gm, "anna": d.anna, "guest": d.guest} {
		if !d.has(s, hash, data) {
			t.Errorf("%s doesn't see the picture of the scene", name)
		}
	}
	seen := text(t, d.view(d.anna), d.log(d.anna))
	if !strings.Contains(seen, "SECRET gate") || strings.Contains(seen, "SECRET end") ||
		strings.Contains(seen, `"`+id+`"`) {
		t.Errorf("a player reads %s", seen)
	}
	next := d.setsScene(other)
	if !d.has(d.anna, hash, data) {
		t.Error("the picture of a scene that is over isn't in the log any more")
	}
	for what, err := range map[string]error{
		"prepares": doing(t, d.anna, act.PrepareScene, act.SceneRequest{Title: "x"}),
		"sets":     doing(t, d.anna, act.SetScene, act.SetSceneRequest{Scene: id}),
		"removes":  doing(t, d.anna, act.RemoveScene, act.SceneNamed{Scene: id}),
	} {
		if code(err) != refusal.CodeForbidden {
			t.Errorf("a player %s a scene: %v", what, err)
		}
	}
	d.undo(next.Seq)
	d.undo(set.Seq)
	if d.has(d.anna, hash, data) {
		t.Error("the picture of a scene that was taken back is still there")
	}
}

func doing[R, A any](t *testing.T, s *table.Seat, a act.Act[R, A], r R) error {
	_, err := table.Do(t.Context(), s, a, r, "")
	return err
}

func TestInvalidScenesAreRefused(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		field string
		act.SceneRequest
	}{
		{"title", act.SceneRequest{}},
		{"title", act.SceneRequest{Title: strings.Repeat("x", 81)}},
		{"note", act.SceneRequest{Title: "x", Note: strings.Repeat("x", 2001)}},
		{"picture", act.SceneRequest{Title: "x", Picture: strings.Repeat("0", 64)}},
		{"id", act.SceneRequest{ID: "sc99", Title: "x"}},
	} {
		err := doing(t, d.gm, act.PrepareScene, c.SceneRequest)
		if code(err) != refusal.CodeInvalid || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: %v", c.field, err)
		}
	}
	for range request.MaxScenes {
		d.prepares(act.SceneRequest{Title: "x"})
	}
	if err := doing(t, d.gm, act.PrepareScene, act.SceneRequest{Title: "x"}); code(err) != refusal.CodeTooMany {
		t.Errorf("one more: %v", err)
	}
}

// The story's chapters take the titles of the scenes that were set and not undone.
func TestStoryChaptersAreNamedAfterScenes(t *testing.T) {
	d := newDesk(t)
	ferry, _ := d.prepares(act.SceneRequest{Title: "The *ferry*", Note: "Fog."})
	tower, _ := d.prepares(act.SceneRequest{Title: "The tower"})
	wrong, _ := d.prepares(act.SceneRequest{Title: "Another"})
	d.setsScene(ferry)
	said := act.TalkRequest{Character: form.Ref(d.hero), Text: "I row."}
	if err := doing(t, d.anna, act.Talk, said); err != nil {
		t.Fatal(err)
	}
	mistake := d.setsScene(wrong)
	if err := doing(t, d.gm, act.Undo, act.UndoRequest{Seq: int(mistake.Seq)}); err != nil {
		t.Fatal(err)
	}
	d.setsScene(tower)
	var story strings.Builder
	if err := d.gm.Story(t.Context(), &story, request.Telling{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`: The \*ferry\* · The tower`, "\n### The \\*ferry\\*\n", "\n### The tower\n", "I row.",
	} {
		if !strings.Contains(story.String(), want) {
			t.Errorf("no %q in %s", want, story.String())
		}
	}
	before, _, _ := strings.Cut(story.String(), "### The tower")
	if strings.Contains(story.String(), "Another") || !strings.Contains(before, "I row.") {
		t.Errorf("the story tells %s", story.String())
	}
}

// The story has what everybody was shown: a scene's picture and note, pictures and handouts. What
// only some were shown, or is hidden again, isn't in it.
func TestStoryHasPicturesNotesAndHandouts(t *testing.T) {
	d := newDeskOver(t, newMemory())
	drawn := d.attach(d.gm, painted(t, 20, 1)).Hash
	shown, some := d.attach(d.gm, painted(t, 20, 2)).Hash, d.attach(d.gm, painted(t, 20, 3)).Hash
	id, _ := d.prepares(act.SceneRequest{Title: "The [ferry]", Note: "Fog.\nNobody *rows*.", Picture: drawn})
	d.setsScene(id)
	d.shows(shown)
	d.shows(some, d.anna.ID())
	share := func(text string, to ...string) string {
		t.Helper()
		if err := doing(t, d.gm, act.KeepNote, act.NoteRequest{Text: text}); err != nil {
			t.Fatal(err)
		}
		notes := d.view(d.gm).Notes
		note := notes[len(notes)-1].ID
		if err := doing(t, d.gm, act.ShareNote, act.ShareNoteRequest{Note: note, To: to}); err != nil {
			t.Fatal(err)
		}
		return note
	}
	share("A letter.\n\nCome at dawn.")
	share("For Anna alone", d.anna.ID())
	if err := doing(t, d.gm, act.HideNote, act.HideNoteRequest{Note: share("A mistake")}); err != nil {
		t.Fatal(err)
	}
	story := func(pictures string) string {
		t.Helper()
		var b strings.Builder
		if err := d.anna.Story(t.Context(), &b, request.Telling{Pictures: pictures}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got := story("/pictures/")
	for _, want := range []string{
		"\n### The \\[ferry\\]\n\n![The \\[ferry\\]](/pictures/" + drawn + ")\n\n> Fog.  \n> Nobody \\*rows\\*.\n",
		"\n![A bridge](/pictures/" + shown + ")\n", "\n> A letter.\n>\n> Come at dawn.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	for _, never := range []string{some, "Anna alone", "mistake"} {
		if strings.Contains(got, never) {
			t.Errorf("%q is in %s", never, got)
		}
	}
	if bare := story(""); strings.Contains(bare, "![") || !strings.Contains(bare, "> Fog.") {
		t.Errorf("without pictures: %s", bare)
	}
}

// A session begins with its first move: its dice were sealed days before, as the last one ended.
func TestStoryDatesASessionByItsFirstMove(t *testing.T) {
	now := newClock()
	c := config(newMemory(), local.New())
	c.Now = now.Now
	d := &desk{t: t, host: table.New(c), secrets: map[string]string{}}
	created, err := d.host.Create(t.Context(), request.NewTable{Game: "toy", Name: "Tuesday", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	d.id = created.ID
	d.gm = d.enter(created.Seat.Secret)
	hero := d.add(d.gm, act.CharacterRequest{Name: "Lira", Kind: "hero"})
	d.make(d.gm, request.Move{Move: "rest", Character: hero})
	d.endSession()
	now.add(7 * 24 * time.Hour)
	var story strings.Builder
	d.make(d.gm, request.Move{Move: "rest", Character: hero})
	if err := d.gm.Story(t.Context(), &story, request.Telling{}); err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(story.String(), "## Session 2")
	if !strings.Contains(first, "Mar") || !strings.Contains(second, "8 Mar") {
		t.Errorf("the story is dated %s", story.String())
	}
}
