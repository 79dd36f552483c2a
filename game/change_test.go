package game

import (
	"testing"
	"testing/fstest"

	"norn/lang"
)

type boat struct {
	Hull    int    `json:"hull"`
	Leak    bool   `json:"leak"`
	Draught int    `json:"draught,omitempty" secret:"gm"`
	Holds   []hold `json:"holds"`
}

type hold struct {
	Name string `json:"name"`
	Full int    `json:"full"`
}

type player struct {
	Hand int `json:"hand" secret:"own"`
}

func TestAChangeOfAnOwnFieldIsShownToItsPlayerAndGameMasters(t *testing.T) {
	e := Set("anna", player{Hand: 1}, "hand", 2)
	for _, c := range []struct {
		viewer Viewer
		want   bool
	}{
		{Viewer{Role: Master}, true},
		{Viewer{Role: Player, Owns: map[string]bool{"anna": true}}, true},
		{Viewer{Role: Player, Owns: map[string]bool{"boris": true}}, false},
		{Viewer{Role: Spectator}, false},
	} {
		if _, shown := (View{}).ShowEvent(c.viewer, nil, e); shown != c.want {
			t.Errorf("that %s with %v is shown it is %t", c.viewer.Role, c.viewer.Owns, shown)
		}
	}
}

// A change is made on a copy, has a text in the game's own words or general ones, and detects a
// sheet that has changed since.
func TestFieldChangeCopiesTheSheetAndHasAText(t *testing.T) {
	words := fstest.MapFS{}
	for _, l := range lang.All {
		words["words/"+string(l)+".toml"] = &fstest.MapFile{
			Data: []byte(
				"[sea.changed]\nhull-less = \"{{.Name}} loses {{.N}}, {{.To}} left\"\nholds-more = \"{{.Name}} takes {{.What}} in\"\n",
			),
		}
	}
	loaded, err := lang.Load(words)
	if err != nil {
		t.Fatal(err)
	}
	voice := Voice{Speaker: loaded.In(lang.En), Game: "sea", Name: func(id string) string { return id }}
	was := boat{Hull: 9, Draught: 2, Holds: []hold{{Name: "fore", Full: 1}}}
	for _, c := range []struct {
		field, says string
		to          any
		secret      bool
	}{
		{"hull", "otter loses 3, 6 left", 6, false},
		{"leak", "otter: Leak no → yes", true, false},
		{"draught", "otter: Draught 2 → 4", 4, true},
		{"holds.0.full", "otter: Full 1 → 3", 3, false},
		{"holds", "otter takes aft in", []hold{{Name: "fore", Full: 1}, {Name: "aft"}}, false},
		{"holds", "otter: Holds + aft, − fore", []hold{{Name: "aft"}}, false},
		{"holds", "otter: Holds − fore", []hold{}, false},
	} {
		e := Set("otter", was, c.field, c.to)
		if said, _ := voice.Speak(e); said != c.says {
			t.Errorf("%s: %q", c.field, said)
		}
		if _, shown := (View{}).ShowEvent(Viewer{Role: Player}, nil, e); shown == c.secret {
			t.Errorf("%s: that a player is told is %t", c.field, shown)
		}
		is := e.Apply(was)
		if e.Stale(was) || !e.Stale(is) {
			t.Errorf("%s: stale before is %t, after %t", c.field, e.Stale(was), e.Stale(is))
		}
		if back := Set("otter", is, c.field, nil); back.From != e.To {
			t.Errorf("%s became %s", c.field, back.From)
		}
	}
	if was.Holds[0].Full != 1 || len(was.Holds) != 1 {
		t.Errorf("the old sheet has changed: %+v", was)
	}
	if got := (Changed{Who: "otter", Field: "sail", To: "3"}).Apply(was); got.(boat).Hull != 9 {
		t.Errorf("another sheet became %+v", got)
	}
}

type NPCHarmed struct {
	Who  string
	By   string `say:"name"`
	Hurt int    `say:"N"`
}

func (e NPCHarmed) Apply(b *boat) { b.Hull -= e.Hurt }

// An event's type, character and text are found from its struct.
func TestEventTypeCharacterAndTextComeFromItsStruct(t *testing.T) {
	if got := TypeOf(NPCHarmed{}); got != "game.npc-harmed" {
		t.Error(got)
	}
	if got := TypeOf(Resolved{}); got != "game.resolved" {
		t.Error(got)
	}
	e := NPCHarmed{Who: "otter", Hurt: 2}
	c, ok := AsChange(e)
	if !ok || c.Whose() != "otter" {
		t.Fatal(ok)
	}
	if got := c.Apply(boat{Hull: 5}).(boat).Hull; got != 3 {
		t.Error(got)
	}
	if got := c.Apply(hold{Full: 5}); got != (hold{Full: 5}) {
		t.Error(got)
	}
	if got := After(boat{Hull: 5}, e).Hull; got != 3 {
		t.Error(got)
	}
	s := Scene{Cast: map[string]Member{"otter": {Sheet: boat{Hull: 5}}}}
	if now, _ := Sheet[boat](s.After(e), "otter"); now.Hull != 3 {
		t.Error(now)
	}
	if before, _ := Sheet[boat](s, "otter"); before.Hull != 5 {
		t.Error(before)
	}
}
