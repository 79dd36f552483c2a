package page

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table/view"

	"norn/internal/widget"
	"norn/web/fields"
	"norn/web/html"
)

// looks returns a function that makes looks of a game master at a table of a minimal game.
func looks(t *testing.T) func(view.View) *html.Look {
	t.Helper()
	own := fstest.MapFS{}
	for _, l := range lang.All {
		own["words/"+string(l)+".toml"] = &fstest.MapFile{Data: []byte("[none.kind]\nhero = \"Hero\"\n")}
	}
	words, err := lang.Load(form.Words, widget.Words, os.DirFS(".."), own)
	if err != nil {
		t.Fatal(err)
	}
	speaker := words.In(lang.En)
	return func(v view.View) *html.Look {
		v.Role, v.Seat, v.Settings = game.Master, "s1", struct{}{}
		v.Seats = []view.SeatShown{{ID: "s1", Name: "Storyteller", Role: game.Master, You: true}}
		l := &html.Look{Page: html.Page{
			Reader: html.Reader{Speaker: speaker, Zone: time.UTC}, Base: "/t/abc",
			Shared: true,
		}, View: &v}
		l.Voice = fields.Voice{
			Voice: game.Voice{Speaker: speaker, Name: func(id string) string {
				return id
			}}, Game: &game.Game{ID: "none", Settings: game.Settings{Form: form.Of[struct{}](), Default: struct{}{}}},
			Labels: "field",
		}
		return l
	}
}

// sent returns what a page gets for a look, and what it shows then.
func sent(t *testing.T, from *progress, l *html.Look, sheet string) (string, *progress) {
	t.Helper()
	to, changed := from.Next(l, allSections(l, sheet))
	var b bytes.Buffer
	for _, s := range changed {
		if err := s.Write(context.Background(), &b, l.Page); err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), to
}

func castOf(x, y view.CharacterShown) view.View {
	return view.View{Characters: []view.CharacterShown{x, y}}
}

// Nothing is sent while nothing changes; then only what has changed.
func TestOnlyChangedSectionsAreSent(t *testing.T) {
	look := looks(t)
	lira, ivo := view.CharacterShown{ID: "c1", Name: "Lira", Kind: "hero", As: 1},
		view.CharacterShown{ID: "c2", Name: "Ivo", Kind: "hero", As: 1}
	drawn := look(castOf(lira, ivo))
	from := startProgress(drawn.At)
	from.noteDrawn(drawn, allSections(drawn, "c1"))
	_, from = sent(t, from, look(castOf(lira, ivo)), "c1") // who is online
	if text, _ := sent(t, from, look(castOf(lira, ivo)), "c1"); text != "" {
		t.Errorf("where nothing has changed it's sent\n%s", text)
	}

	hurt := ivo
	hurt.As, hurt.Tracks = 2, []game.Track{{Name: "blood", Now: 1, Max: 5}}
	text, from := sent(t, from, look(castOf(lira, hurt)), "c1")
	for _, want := range []string{`"#cast-c2"`, `"#gm-c2"`} {
		if !strings.Contains(text, want) {
			t.Errorf("a track of Ivo's has changed, and %s isn't sent:\n%s", want, text)
		}
	}
	for _, never := range []string{"cast-c1", "#sheet-", `"#cast"`, `"#seats"`} {
		if strings.Contains(text, never) {
			t.Errorf("a track of Ivo's has changed, and %s is sent:\n%s", never, text)
		}
	}

	renamed := lira
	renamed.As, renamed.Name = 3, "Lirana"
	if text, _ = sent(t, from, look(castOf(renamed, hurt)), "c1"); !strings.Contains(text, `"#cast-c1"`) ||
		!strings.Contains(text, "Lirana") {
		t.Errorf("a new name isn't sent:\n%s", text)
	}
}

// Cards with offers or questions that were drawn with the page aren't sent again before they
// change.
func TestOffersDrawnWithThePageAreNotSentAgain(t *testing.T) {
	look := looks(t)
	offered := view.View{
		Offers:  []view.OfferShown{{ID: "m3:0.0#1", From: "m3", Text: "Mark stress"}},
		Waiting: []view.Waiting{{Move: "m4", To: "s1"}},
	}
	from := startProgress(html.Selection{})
	drawn := look(offered)
	from.noteDrawn(drawn, nil)
	to, _ := from.Next(drawn, nil)
	if moves := to.noteQuestions(look(offered), from); len(moves) > 0 {
		t.Errorf("of what was drawn with the page %v are told again", moves)
	}
	if moves := startProgress(from.At).noteQuestions(look(view.View{}), to); !slices.Equal(moves, []string{"m3"}) {
		t.Errorf("once nothing is offered any more %v are told, want m3", moves)
	}
}

// An update is computed once for pages that show the same, and separately for others.
func TestUpdateIsComputedOnceForEqualPages(t *testing.T) {
	var all audiences
	key := audienceKey{Seat: "s1"}
	one, two, other := all.Join(key), all.Join(key), all.Join(audienceKey{Seat: "s1", Zone: "Europe/Kyiv"})
	if one != two || one == other {
		t.Fatal("pages that see the same are one audience, and others aren't")
	}
	here, there := startProgress(html.Selection{}), startProgress(html.Selection{})
	news := batch{Seq: 7, IDs: []string{"m7"}}
	found := 0
	find := func() (*event, *progress, error) {
		found++
		return frameEvent("id: 7\n", []byte("<p>seven</p>")), startProgress(here.At), nil
	}
	var events []*event
	for _, from := range []*progress{here, here, there} {
		e, _, err := one.Next(from, news, find)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if found != 2 || events[0] != events[1] || events[0] == events[2] {
		t.Errorf("found %d times, want once where pages stand at the same, and once elsewhere", found)
	}
	all.Leave(one)
	all.Leave(two)
	if all.Join(key) == one {
		t.Error("an audience that all have left is kept")
	}
}

// Entries that arrive together are a batch, and each card in it is drawn once.
func TestEntriesThatArriveTogetherAreOneBatch(t *testing.T) {
	news := gather([]view.Update{
		{Seq: 4, Entry: &view.Entry{Seq: 4, Kind: view.KindMove, Move: "m4"}},
		{Seq: 5, Entry: &view.Entry{Seq: 5, Kind: view.KindAnswer, Move: "m4"}, UndoabilityChanged: []uint64{2}},
		{Seq: 6, Entry: &view.Entry{Seq: 6, Kind: view.KindShare}},
	})
	if news.Seq != 6 || !slices.Equal(news.IDs, []string{"m4", "m4"}) || !slices.Equal(news.Undoable, []string{"e2"}) {
		t.Errorf("gathered %+v", news)
	}
}

// Each change sends the sections that show it, and no others.
func TestChangeSendsOnlyTheSectionsThatShowIt(t *testing.T) {
	table := func() view.View {
		return view.View{
			Characters: []view.CharacterShown{
				{ID: "c1", Name: "Lira", Kind: "hero", Owner: "s1", As: 1},
				{ID: "c2", Name: "Ivo", Kind: "hero", Owner: "s1", As: 1},
			},
			Clocks: []view.ClockShown{{ID: "k1", Name: "Storm", At: 1, Max: 4}},
			Notes:  []view.NoteShown{{ID: "n1", Text: "The door is false."}},
		}
	}
	for _, c := range []struct {
		name   string
		change func(*view.View)
		want   []string // elements, in the order of the page
	}{
		{"nothing", func(*view.View) {}, nil},
		{
			"a clock ticks", func(v *view.View) { v.Clocks = []view.ClockShown{{ID: "k1", Name: "Storm", At: 2, Max: 4}} },
			[]string{"#clocks", "#gm-clocks"},
		},
		{
			"a scene is set", func(v *view.View) { v.Scene = &view.SceneShown{Title: "The gate"} },
			[]string{"#scene", "#scene-said", "#gm-scenes"}, // which marks the one that is set
		},
		{
			"a scene is prepared", func(v *view.View) { v.Scenes = []view.SceneShown{{ID: "z1", Title: "The gate"}} },
			[]string{"#gm-scenes"},
		},
		{
			"a note is kept", func(v *view.View) { v.Notes = append(v.Notes, view.NoteShown{ID: "n2", Text: "Ivo lies."}) },
			[]string{"#gm-notes"},
		},
		{"the X-card is raised", func(v *view.View) { v.X = 7 }, []string{html.AlertPlace}},
		{
			"turns begin", func(v *view.View) { v.Turns = []view.Turns{{Scene: "Hunt", Order: []view.TurnOf{{Character: "c1"}}}} },
			[]string{"#turns"},
		},
		{
			"a track of a character that isn't shown", func(v *view.View) {
				v.Characters[1].As, v.Characters[1].Tracks = 2, []game.Track{{Name: "blood", Now: 1, Max: 5}}
			},
			[]string{"#cast-c2", "#gm-c2"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			look := looks(t)
			drawn := look(table())
			from, _ := startProgress(drawn.At).Next(drawn, allSections(drawn, "c1"))
			v := table()
			c.change(&v)
			now := look(v)
			_, changed := from.Next(now, allSections(now, "c1"))
			got := game.Each(changed, func(s section) string { return s.at })
			if !slices.Equal(got, c.want) {
				t.Errorf("sends %q, want %q", got, c.want)
			}
		})
	}
}

// What a game master keeps isn't among the sections of a player's page.
func TestPlayersPageHasNoSectionsOfTheGameMaster(t *testing.T) {
	look := looks(t)
	l := look(castOf(view.CharacterShown{ID: "c1", Name: "Lira", Kind: "hero"}, view.CharacterShown{ID: "c2", Kind: "hero"}))
	all := func() []string {
		return game.Each(allSections(l, "c1"), func(s section) string { return s.at })
	}
	if !slices.Contains(all(), "#gm-notes") {
		t.Error("a game master's page has no notes")
	}
	l.View.Role, l.View.Seat = game.Player, "s2"
	for _, at := range all() {
		if strings.HasPrefix(at, "#gm-") || strings.HasPrefix(at, "#drawer-") || at == "#seats" {
			t.Errorf("a player's page has the section %s", at)
		}
	}
}
