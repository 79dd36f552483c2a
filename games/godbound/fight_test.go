package godbound

import (
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// onTheBridge returns a scene with a fight from which one has fled, while two others wait.
func onTheBridge(actor string) game.Scene {
	cast := map[string]game.Member{}
	for _, m := range []game.Member{
		{ID: "arren", Kind: "hero", Sheet: Hero{Level: 1, HP: 8, Effort: Effort{Total: 4, Committed: []Commitment{
			{For: "Sun", Purpose: "miracle", Until: "day"},
			{For: "Aegis", Purpose: "gift", Until: "sustained"},
			{Purpose: "save", Until: "day"},
		}}}},
		{ID: "sefa", Kind: "hero", Sheet: Hero{
			Level: 1, HP: 8,
			Effort: Effort{Total: 1, Committed: []Commitment{{Purpose: "save", Until: "day"}}},
		}},
		{ID: "guards", Kind: "foe", Sheet: Foe{HD: 1, Count: 6}},
		{ID: "king", Kind: "foe", Sheet: Foe{HD: 9, Count: 1, Fate: "flees"}},
		{ID: "hound", Kind: "foe", Sheet: Foe{HD: 2, Count: 1}},
		{ID: "bridge", Kind: "fight", Sheet: Fight{
			Round: 1, First: "heroes", Turn: "heroes",
			Fighters: fighters([]form.Ref{"arren"}, []form.Ref{"guards", "king"}),
		}},
	} {
		m.Name = m.ID
		cast[m.ID] = m
	}
	return game.Scene{Actor: actor, Cast: cast, Settings: standard}
}

// Options that a rule would refuse aren't offered.
func TestOptionsThatARuleRefusesAreNotOffered(t *testing.T) {
	for _, c := range []struct {
		actor, move, field string
		want               []string
	}{
		{"arren", "attack", "target", []string{"guards", "hound", "sefa"}}, // GB-15, GB-27
		{"arren", "attack", "reach", []string{"guards", "hound"}},
		{"guards", "strike", "target", []string{"arren", "sefa", "hound"}}, // GB-27
		{"arren", "release", "commitment", []string{"1"}},                  // GB-18
		{"sefa", "release", "commitment", nil},
		{"bridge", "join", "heroes", []string{"hound", "sefa"}}, // GB-27
		{"bridge", "join", "foes", []string{"hound", "sefa"}},
	} {
		m, _ := New().Move(c.move)
		field, _ := m.Fit(onTheBridge(c.actor), m.Form).Field(c.field)
		var got []string
		for _, o := range field.CurrentOptions() {
			got = append(got, o.Value)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s is offered %v for %s of %s, want %v", c.actor, got, c.field, c.move, c.want)
		}
	}
}

// A character's state is shown next to the name, and the name of one who is out of the fight is
// crossed out.
func TestStateIsShownNextToTheCharactersName(t *testing.T) {
	player := game.Viewer{Role: game.Player}
	for word, sheet := range map[string]any{
		"":                     Hero{},
		"godbound.state.fury":  Hero{State: "fury"},
		"godbound.state.gone":  Hero{State: "gone"},
		"godbound.fate.beaten": Foe{HD: 3, Fate: "beaten"},
	} {
		kind := "hero"
		if _, foe := sheet.(Foe); foe {
			kind = "foe"
		}
		k, _ := New().Kind(kind)
		want := game.State{Word: word, Out: word == "godbound.state.gone" || kind == "foe"}
		if got := k.State(showSheet(player, standard, "", sheet)); got != want {
			t.Errorf("%+v: %+v, want %+v", sheet, got, want)
		}
	}
}

// The attribute of a check or a save is mentioned even if it's the default; a foe has one save for
// all.
func TestDefaultAttributeAndSaveAreMentioned(t *testing.T) {
	en := voices(t)[0]
	for _, c := range []struct {
		actor, move, want string
	}{
		{"arren", "check", "Attribute: Strength"},
		{"arren", "save", "Save: Hardiness"},
		{"guards", "save", ""},
	} {
		m, _ := New().Move(c.move)
		whole := m.Form.For(form.AtTable)
		args, err := m.Decode(m.Fit(onTheBridge(c.actor), whole), []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(New().Choices(en, whole, whole.Fill(args)), ", "); got != c.want {
			t.Errorf("%s of %s says %q, want %q", c.move, c.actor, got, c.want)
		}
	}
}

// The strip shows the running fights: the side first whose turn it is, and who has acted; a foe
// with several actions may act again. GB-01, GB-02, GB-04
func TestStripShowsRunningFightsAndWhoHasActed(t *testing.T) {
	foe := form.Blank[Foe]()
	foe.Actions = 2
	on := Fight{Round: 2, First: "heroes", Turn: "foes", Fighters: []Fighter{
		{Who: "a", Side: "heroes", Acted: 1}, {Who: "b", Side: "foes", Acted: 1}, {Who: "c", Side: "foes", Acted: 1},
	}}
	s := game.Scene{Cast: map[string]game.Member{
		"f": {
			ID:    "f",
			Name:  "The gate",
			Sheet: on,
		}, "g": {ID: "g", Sheet: Fight{}}, "a": {ID: "a", Sheet: form.Blank[Hero]()},
		"b": {ID: "b", Sheet: foe}, "c": {ID: "c", Sheet: ShownFoe{Count: 1}},
	}}
	all := fightsOn(s, nil)
	if len(all) != 1 {
		t.Fatalf("%d fights", len(all))
	}
	words, err := lang.Load(wordFiles)
	if err != nil {
		t.Fatal(err)
	}
	v := game.Voice{Speaker: words.In(lang.En)}
	var got string
	for _, p := range all[0].Order(v) {
		got += p.Who
		if p.Acted {
			got += "✓"
		}
		if p.Now {
			got += "!"
		}
	}
	if got != "b!c✓a✓" {
		t.Errorf("the order is %s", got)
	}
	if scene := all[0].Scene(v); scene != "The gate · round 2" || all[0].Turn(v) != "Their foes act" {
		t.Errorf("%q, %q", scene, all[0].Turn(v))
	}
	if move, actor, _ := all[0].Pass(); move != "next" || actor != "f" {
		t.Errorf("passed by %s of %s", move, actor)
	}
}

// A natural 20 is marked if it decides by itself: on attacks and saves, not on checks. GB-06,
// GB-07, GB-09
func TestNaturalTwentyIsMarkedOnAttacksAndSavesOnly(t *testing.T) {
	for purpose, want := range map[string]game.Mark{
		"attack": game.Natural, "save": game.Natural,
		"check": game.Deciding,
	} {
		if marks := deciding(rule.Throw{For: purpose, Sides: 20, Faces: []int{20, 19}}); marks[0] != want ||
			marks[1] != game.Deciding ||
			!marks[0].Decides() {
			t.Errorf("%s: %q", purpose, marks)
		}
	}
}

// Only the GM makes time pass, but players may ask for all such moves. GB-28
func TestOnlyTheGMMakesTimePass(t *testing.T) {
	for _, id := range []string{"rest", "month", "dawn", "scene"} {
		if m, _ := New().Move(id); !m.GMOnly {
			t.Errorf("players make %s themselves", id)
		}
	}
	ask, _ := New().Move("ask")
	field, _ := ask.Form.Field("time")
	var may []string
	for _, o := range field.CurrentOptions() {
		may = append(may, o.Value)
	}
	if want := []string{"hour", "day", "month", "dawn", "scene"}; ask.GMOnly || !slices.Equal(may, want) {
		t.Errorf("players may ask for %v, want %v", may, want)
	}
}
