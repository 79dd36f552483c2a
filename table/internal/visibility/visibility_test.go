package visibility_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/tabletest"
	"norn/table/internal/visibility"
	"norn/table/request"
	"norn/table/view"
)

const (
	gm, anna, boris, guest = tabletest.GM, tabletest.Anna, tabletest.Boris, tabletest.Guest
	lira, orm, ghost       = tabletest.Lira, tabletest.Orm, tabletest.Ghost
)

// seen checks for which seats something is true. want names them: "all", or some of "gm anna boris
// guest".
func seen(t *testing.T, tb *tabletest.Table, name, want string, is func(e *visibility.Eye) bool) {
	t.Helper()
	var got []string
	for _, seat := range [][2]string{{gm, "gm"}, {anna, "anna"}, {boris, "boris"}, {guest, "guest"}} {
		if is(tb.Eye(seat[0])) {
			got = append(got, seat[1])
		}
	}
	text := strings.Join(got, " ")
	if text == "gm anna boris guest" {
		text = "all"
	}
	if text != want {
		t.Errorf("%s: it's so for %q, want %q", name, text, want)
	}
}

// hide adds a hidden hero and returns its id.
func hide(t *testing.T, tb *tabletest.Table) string {
	t.Helper()
	tabletest.Do(t, tb, gm, act.AddCharacter, act.CharacterRequest{Name: "Gnasher", Kind: "hero", Hidden: true})
	return tb.Characters[len(tb.Characters)-1].ID
}

func TestHiddenCharactersAndValuesAreSeenOnlyByTheGM(t *testing.T) {
	tb := tabletest.New(t)
	hidden := hide(t, tb)
	sees := func(id string) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool { return e.Sees(id) }
	}
	seen(t, tb, "a hero", "all", sees(lira))
	seen(t, tb, "a shade that hasn't risen", "gm", sees(ghost))
	seen(t, tb, "a hidden hero", "gm", sees(hidden))
	seen(t, tb, "nobody", "", sees("c9"))
	seen(t, tb, "what only game masters see of a hero", "gm", func(e *visibility.Eye) bool {
		return strings.Contains(string(state.JSON(e.Sheet(tb.Characters.Of(lira)))), "SECRET")
	})
	seen(t, tb, "a hero's sheet completely", "gm", func(e *visibility.Eye) bool {
		return e.SeesWhole(lira, tb.Characters.Of(lira).Sheet)
	})
	seen(t, tb, "the sheet of a hidden hero", "gm", func(e *visibility.Eye) bool {
		return e.Sheet(tb.Characters.Of(hidden)) != nil
	})
	seen(t, tb, "the name of a hidden hero", "gm", func(e *visibility.Eye) bool { return e.Name(hidden) == "Gnasher" })
	seen(t, tb, "all characters", "gm", func(e *visibility.Eye) bool { return len(e.Characters()) == 4 })
	seen(t, tb, "the addressee of a shade's question", "gm", func(e *visibility.Eye) bool {
		return e.Addressee(ghost) == ghost
	})
	tabletest.Do(t, tb, gm, act.ShowCharacter, act.CharacterNamed{Character: hidden})
	seen(t, tb, "a hero that is shown", "all", sees(hidden))
	tabletest.Do(t, tb, gm, act.ChangeCharacter, act.ChangeRequest{ID: ghost, Sheet: []byte(`{"risen":true}`)})
	seen(t, tb, "a shade that has risen", "all", sees(ghost))
}

// Hidden is hidden, also where the game shows every sheet to everybody.
func TestGameCannotShowAHiddenCharacter(t *testing.T) {
	g := *tabletest.Toy
	g.View = game.View{Sees: game.SeesAll}
	tb := tabletest.Of(t, &g)
	hidden := hide(t, tb)
	seen(t, tb, "a shade", "all", func(e *visibility.Eye) bool { return e.Sees(ghost) })
	seen(t, tb, "a hidden hero", "gm", func(e *visibility.Eye) bool { return e.Sees(hidden) })
}

func TestOnlyOwnersAndGMsActForACharacter(t *testing.T) {
	tb := tabletest.New(t)
	opened := tb.Strike(t).Of
	secret := *opened
	secret.Secret = true
	plays := func(id string) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool { return e.Plays(id) }
	}
	answers := func(m *state.Move, to string) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool { return e.MayAnswer(m, to) }
	}
	mine := func(m *state.Move, to string) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool { return e.Mine(m, to) }
	}
	seen(t, tb, "plays a hero", "gm anna", plays(lira))
	seen(t, tb, "plays a shade", "gm", plays(ghost))
	seen(t, tb, "answers a hero's question", "gm boris", answers(opened, orm))
	seen(t, tb, "answers the game master's", "gm", answers(opened, game.GM))
	seen(t, tb, "answers in a secret move", "gm", answers(&secret, orm))
	seen(t, tb, "is waited for by a hero's question", "boris", mine(opened, orm))
	seen(t, tb, "is waited for by the game master's", "gm", mine(opened, game.GM))
	seen(t, tb, "is waited for by a shade's", "gm", mine(opened, ghost))
	seen(t, tb, "is waited for in a secret move", "gm", mine(&secret, orm))
	tabletest.Do(t, tb, gm, act.RevokeSeat, act.SeatNamed{Seat: boris})
	seen(t, tb, "plays the hero of a revoked seat", "gm", plays(orm))
	seen(t, tb, "is waited for by nobody's hero", "gm", mine(opened, orm))
}

func TestRollsAndOddsAreSeenOnlyByThoseAllowed(t *testing.T) {
	g := *tabletest.Toy
	g.View.Odds = func(v game.Viewer, _ any, move string) bool { return v.IsGM() || move == "duel" }
	tb := tabletest.Of(t, &g)
	throw := func(why string) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool {
			return e.SeesThrow(&state.Move{Def: &g.Moves[0]}, rule.Throw{For: why, Sides: 6})
		}
	}
	odds := func(id string) func(*visibility.Eye) bool {
		def, _ := g.Move(id)
		return func(e *visibility.Eye) bool { return e.SeesOdds(def) }
	}
	seen(t, tb, "a roll", "all", throw("pool"))
	seen(t, tb, "a roll that the game hides", "gm", throw("fate"))
	seen(t, tb, "plain dice", "all", func(e *visibility.Eye) bool {
		return e.SeesThrow(&state.Move{Def: &game.Plain}, rule.Throw{For: "fate"})
	})
	seen(t, tb, "odds of a move", "all", odds("duel"))
	seen(t, tb, "odds that the game hides", "gm", odds("draw"))
	seen(t, tb, "odds of a move without chance", "", odds("rest"))
	seen(t, tb, "odds of plain dice", "all", func(e *visibility.Eye) bool { return e.SeesOdds(&game.Plain) })
	event := func(event rule.Event) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool { _, ok := e.Event(event); return ok }
	}
	seen(t, tb, "an event", "all", event(tabletest.Rested{Who: lira}))
	seen(t, tb, "an event that the game hides", "gm", event(tabletest.Whispered{Text: "SECRET"}))
	seen(t, tb, "a clock that there isn't", "gm", event(game.ClockTicked{Clock: "Watch"}))
}

func TestClockIsSeenOnlyByItsAudience(t *testing.T) {
	tb := tabletest.New(t)
	for _, c := range []act.ClockRequest{
		{Name: "for all", Max: 6},
		{Name: "hidden", Max: 6, Hidden: true},
		{Name: "for one", Max: 6, To: []string{anna}},
	} {
		tabletest.Do(t, tb, gm, act.SetClock, c)
	}
	for name, want := range map[string]string{
		"for all": "all", "FOR ALL": "all", "hidden": "gm", "for one": "gm anna", "none": "gm",
	} {
		seen(t, tb, "a clock: "+name, want, func(e *visibility.Eye) bool { return e.SeesClock(name) })
	}
}

func TestEntryIsSeenOnlyByItsAudience(t *testing.T) {
	tb := tabletest.New(t)
	hidden := hide(t, tb)
	picture := tb.Attach(t, gm, 1)
	entry := func(name, want string, r *state.Record) {
		t.Helper()
		seen(t, tb, name, want, func(e *visibility.Eye) bool { return e.SeesEntry(r) })
	}
	talk := func(seat string, r act.TalkRequest) *state.Record {
		r.Text = "hush"
		return tabletest.Do(t, tb, seat, act.Talk, r)
	}
	clock := func(r act.ClockRequest) *state.Record {
		r.Name, r.Max = "Watch", 6
		return tabletest.Do(t, tb, gm, act.SetClock, r)
	}
	omen := func(secret bool) *state.Record {
		return tb.Roll(t, gm, request.Move{Move: "omen", Secret: secret})
	}
	entry("a message", "all", talk(boris, act.TalkRequest{}))
	entry("a message to the game master", "gm boris", talk(boris, act.TalkRequest{ToGM: true}))
	entry("a whisper", "gm anna boris", talk(boris, act.TalkRequest{To: anna}))
	entry("a whisper of the game master", "gm anna", talk(gm, act.TalkRequest{To: anna}))
	entry("a picture's bytes", "", tb.Recent[slices.IndexFunc(tb.Recent, func(r *state.Record) bool {
		return r.Kind == view.KindAttached
	})])
	entry("a picture for all", "all", tabletest.Do(t, tb, gm, act.ShowPicture,
		act.ShowPictureRequest{Picture: picture, Alt: "A bridge"}))
	entry("a note", "gm", tabletest.Do(t, tb, gm, act.KeepNote, act.NoteRequest{Text: "SECRET"}))
	entry("a clock", "all", clock(act.ClockRequest{}))
	entry("a list", "all", tb.List(t, false, "A key"))
	entry("a hidden list", "gm", tb.List(t, true, "SECRET key"))
	entry("a hidden clock", "gm", clock(act.ClockRequest{Hidden: true}))
	entry("a clock for one seat", "gm anna", clock(act.ClockRequest{To: []string{anna}}))
	entry("a change of a shade", "gm", tabletest.Do(t, tb, gm, act.ChangeCharacter,
		act.ChangeRequest{ID: ghost, Sheet: []byte(`{"hurt":1}`)}))
	entry("a change of a hidden hero", "gm", tabletest.Do(t, tb, gm, act.ChangeCharacter,
		act.ChangeRequest{ID: hidden, Sheet: []byte(`{"luck":1}`)}))
	entry("a change of a hero", "all", tabletest.Do(t, tb, anna, act.ChangeCharacter,
		act.ChangeRequest{ID: lira, Sheet: []byte(`{"luck":1}`)}))
	entry("a favourite", "gm anna", tabletest.Do(t, tb, anna, act.StarMove,
		act.StarRequest{Character: lira, Move: "rest", On: true}))
	entry("a call", "all", tabletest.Do(t, tb, gm, act.CallMove,
		act.CallRequest{Move: "rest", Character: orm, Args: []byte(`{}`)}))
	entry("a move", "all", omen(false))
	secret := omen(true)
	undone := tabletest.Do(t, tb, gm, act.Undo, act.UndoRequest{Seq: int(secret.Seq)})
	entry("a secret move", "gm", secret)
	entry("its undo", "gm", undone)
	shown := omen(true)
	tabletest.Do(t, tb, gm, act.ShowMove, act.MoveNamed{Move: shown.Move})
	entry("a secret move that was shown", "all", shown)
}

func TestPictureIsLoadedOnlyByThoseItWasShownTo(t *testing.T) {
	tb := tabletest.New(t)
	loads := func(hash string) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool { _, ok := e.Attachment(view.UsePicture, hash); return ok }
	}
	own := tb.Attach(t, boris, 100)
	seen(t, tb, "a seat's own", "gm boris", loads(own))
	seen(t, tb, "as something else", "", func(e *visibility.Eye) bool { _, ok := e.Attachment("text", own); return ok })
	seen(t, tb, "none", "", loads("ff"))
	tabletest.Do(t, tb, gm, act.ShowPicture, act.ShowPictureRequest{Picture: own, Alt: "A bridge", To: []string{anna}})
	seen(t, tb, "shown to one", "gm anna boris", loads(own))
	face := tb.Attach(t, gm, 200)
	tabletest.Do(t, tb, gm, act.SetPortrait, act.PortraitRequest{Character: ghost, Picture: face})
	seen(t, tb, "the portrait of a shade", "gm", loads(face))
	tabletest.Do(t, tb, gm, act.SetPortrait, act.PortraitRequest{Character: lira, Picture: face})
	seen(t, tb, "the portrait of a hero", "all", loads(face))
}

func TestListIsLoadedOnlyByThoseItIsSharedWith(t *testing.T) {
	tb := tabletest.New(t)
	loads := func(i int) func(*visibility.Eye) bool {
		return func(e *visibility.Eye) bool { _, ok := e.Attachment(view.UseList, tb.Lists[i].Hash); return ok }
	}
	tb.List(t, false, "A key")
	tb.List(t, true, "SECRET key")
	seen(t, tb, "a list for all", "all", loads(0))
	seen(t, tb, "a hidden list", "gm", loads(1))
	hidden := tb.Lists[1]
	tabletest.Do(t, tb, gm, act.SetList, act.ListRequest{ID: hidden.ID, Name: hidden.Name, To: []string{anna}})
	seen(t, tb, "a list for one", "gm anna", loads(1))
	tabletest.Do(t, tb, gm, act.RemoveList, act.ListNamed{List: tb.Lists[0].ID})
	first := tb.Attachments[0].Hash
	seen(t, tb, "a list that was removed", "gm", func(e *visibility.Eye) bool {
		_, ok := e.Attachment(view.UseList, first)
		return ok
	})
}

// A hidden character's id is in nothing that a player sees, wherever a value holds it.
func TestIDsOfHiddenCharactersAreLeftOut(t *testing.T) {
	tb := tabletest.New(t)
	hidden := hide(t, tb)
	named := hidden
	type item struct{ Who string }
	type names struct {
		One   string
		List  []string
		Items []item
		Map   map[string]item
		Any   any
		Ptr   *item
	}
	with := names{
		hidden,
		[]string{lira, hidden},
		[]item{{lira}, {hidden}},
		map[string]item{lira: {lira}, hidden: {lira}, "a": {named}},
		[]string{hidden},
		&item{hidden},
	}
	want := names{"", []string{lira}, []item{{lira}}, map[string]item{lira: {lira}}, []string{}, &item{}}
	g := *tabletest.Toy
	g.View.Event = func(_ game.Viewer, _ any, e rule.Event) (rule.Event, bool) { return e, true }
	for seat, want := range map[string]names{gm: with, anna: want, guest: want} {
		e := tb.Eye(seat)
		e.Table.Game = &g
		st := *tb.State
		st.Game = &g
		e.Table.State = &st
		if got, _ := e.Event(with); !reflect.DeepEqual(got, want) {
			t.Errorf("%s sees %+v, want %+v", seat, got, want)
		}
	}
	if with.List[1] != hidden || with.Ptr.Who != hidden || len(with.Map) != 3 {
		t.Errorf("the value itself changed: %+v", with)
	}
	plain := names{One: lira}
	e := tb.Eye(anna)
	e.Table.Game = &g
	if got, _ := e.Event(plain); !reflect.DeepEqual(got, plain) {
		t.Errorf("without hidden ids: %+v", got)
	}
}

// A form's values have no characters that the seat doesn't see, and no fields of game masters.
func TestFormOmitsUnseenCharactersAndGMFields(t *testing.T) {
	type leg struct {
		Who form.Ref `json:"who" form:"table"`
	}
	type aims struct {
		One  form.Ref   `json:"one" form:"table"`
		All  []form.Ref `json:"all" form:"max=5,table"`
		Legs []leg      `json:"legs" form:"max=3"`
		Via  leg        `json:"via"`
		N    int        `json:"n" form:"max=9,gm"`
	}
	tb := tabletest.New(t)
	f := form.Of[aims]()
	given := aims{ghost, []form.Ref{lira, ghost}, []leg{{ghost}, {orm}}, leg{ghost}, 5}
	for seat, want := range map[string]aims{
		gm: given, anna: {"", []form.Ref{lira}, []leg{{""}, {orm}}, leg{""}, 0},
	} {
		filled := f.Fill(given)
		if got := tb.Eye(seat).WithoutUnseen(f.Fields, filled); !reflect.DeepEqual(got, f.Fill(want)) {
			t.Errorf("%s: %v", seat, got)
		}
		if !reflect.DeepEqual(filled, f.Fill(given)) {
			t.Errorf("%s: the values themselves changed: %v", seat, filled)
		}
	}
}

// Odds use the sheets that the seat plays or sees completely.
func TestKnownSceneHasOnlySheetsTheSeatSeesCompletely(t *testing.T) {
	tb := tabletest.New(t)
	scene := tb.Scene(lira, tb.Characters)
	for seat, want := range map[string][]string{
		gm: nil, anna: {orm, ghost}, boris: {lira, ghost}, guest: {lira, orm, ghost},
	} {
		known := tb.Eye(seat).KnownScene(scene)
		if got := visibility.WithoutSheet(known); !slices.Equal(got, want) {
			t.Errorf("%s knows no sheet of %q, want %q", seat, got, want)
		}
	}
	lure, _ := tb.Game.Move("lure")
	known := tb.Eye(anna).KnownScene(tb.Scene(lira, tb.Characters.WithIDs([]string{lira})))
	if got := tb.Eye(anna).SceneAhead(lure, known); !slices.Equal(got.IDs(), known.IDs()) {
		t.Errorf("looking ahead changes the cast: %q", got.IDs())
	}
}

func TestPlayersMayNotChangeLockedFields(t *testing.T) {
	tb := tabletest.New(t)
	for seat, want := range map[string][]string{gm: nil, anna: {"hurt", "doom"}, boris: {"hurt", "doom"}} {
		got := tb.Eye(seat).LockedMembers(tb.Characters.Of(lira))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s may not change %q, want %q", seat, got, want)
		}
	}
}

// What touched a character is known to those who see its entry.
func TestChangeIsKnownOnlyToThoseWhoSeeItsEntry(t *testing.T) {
	tb := tabletest.New(t)
	rests := func(secret bool) state.Touch {
		r := tb.Make(t, gm, request.Move{Move: "rest", Character: lira, Secret: secret})
		return state.Touch{By: r.Seq, Move: true, Secret: secret}
	}
	edits := tabletest.Do(t, tb, gm, act.ChangeCharacter, act.ChangeRequest{ID: ghost, Sheet: []byte(`{"hurt":1}`)})
	public, secret := rests(false), rests(true)
	for name, c := range map[string]struct {
		touch state.Touch
		want  string
	}{
		"a move": {public, "all"}, "a secret move": {secret, "gm"},
		"an edit of a shade": {state.Touch{By: edits.Seq}, "gm"},
	} {
		seen(t, tb, name, c.want, func(e *visibility.Eye) bool { return e.SeesTouch(c.touch) })
	}
	tabletest.Do(t, tb, gm, act.ShowMove, act.MoveNamed{Move: state.MoveID(secret.By)})
	seen(t, tb, "a secret move that was shown", "all", func(e *visibility.Eye) bool { return e.SeesTouch(secret) })
}

// A question that adds a character offers those that the seat sees and that aren't in the move.
func TestQuestionOffersOnlyVisibleCharacters(t *testing.T) {
	tb := tabletest.New(t)
	hidden := hide(t, tb)
	tb.Make(t, anna, request.Move{Move: "lure", Character: lira, Dice: []int{3}})
	m := tb.OpenMoves[0]
	for seat, want := range map[string][]string{gm: {orm, ghost}, anna: {orm}} {
		f, _ := tb.Eye(seat).OfferedQuestion(m, m.Pending[0]).Form.Field("who")
		var got []string
		for _, o := range f.Options {
			if o.Value != "" {
				got = append(got, o.Value)
			}
		}
		if !slices.Equal(got, want) || slices.Contains(got, hidden) {
			t.Errorf("%s may name %q, want %q", seat, got, want)
		}
	}
	if got := tb.Eye(anna).MoveText(m.Move); !strings.Contains(got, "Lira") || !strings.Contains(got, "9") {
		t.Errorf("the move is called %q", got)
	}
}
