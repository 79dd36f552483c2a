package mage

import (
	"encoding/json"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Players see sheets, throws and what happened. Nobody sees the clock's bookkeeping, since
// TimePassed reports it.
func TestPlayersSeeSheetsRollsAndEvents(t *testing.T) {
	for _, role := range []game.Role{game.Master, game.Player, game.Spectator} {
		v := game.Viewer{Role: role}
		for _, e := range []rule.Event{game.Resolved{}, Rolled{}, Gathered{}, TimePassed{}} {
			if _, shown := showEvent(v, standard, e); !shown {
				t.Errorf("a %s doesn't see %s", role, game.TypeOf(e))
			}
		}
		if _, shown := showEvent(v, standard, Acted{}); shown {
			t.Errorf("a %s is told that a turn's only action is made", role)
		}
		if _, shown := showEvent(v, standard, ClockSet{}); shown {
			t.Errorf("a %s sees the clock being set on each sheet", role)
		}
		for _, label := range []string{"pool", "against", "difficulty-7", "hits-9"} {
			if !view.SeesThrow(v, standard, rule.Throw{For: label}) {
				t.Errorf("a %s doesn't see dice for %s", role, label)
			}
		}
	}
	e := form.Blank[Extended]()
	e.Limit, e.Used, e.Pool, e.Target = 3, 1, 2, 2
	data, err := json.Marshal(showSheet(game.Viewer{}, standard, "ward", e))
	if err != nil || !strings.Contains(string(data), `"left":2`) || !strings.Contains(string(data), `"chance":"`) {
		t.Errorf("an extended action is shown as %s, %v", data, err)
	}
}

// MG-33: of an NPC, players see what the Storyteller shows and the time, and no other numbers.
func TestPlayersSeeOnlyWhatIsShownOfAnNPC(t *testing.T) {
	vane := form.Blank[NPC]()
	vane.Attributes.Wits, vane.Talents, vane.Arete, vane.Notes = 4, []Talent{
		{Name: "brawl", Dots: 3},
	}, 5, "Wants the node."
	vane.Retries = []Retry{{Attempt: "The lock", Penalty: 2}}
	for want, shows := range map[string]Shows{
		"": {}, "wits": {Attributes: true}, "brawl": {Abilities: true},
		"arete": {Powers: true},
	} {
		vane.Shows = shows
		data, err := json.Marshal(view.ShowSheet(game.Viewer{Role: game.Player}, standard, "vane", vane))
		if err != nil {
			t.Fatal(err)
		}
		for _, number := range []string{"wits", "brawl", "arete", "retries", "notes", "shows"} {
			if seen := strings.Contains(string(data), `"`+number+`"`); seen != (number == want) {
				t.Errorf("shown %q, a player sees %s", want, data)
			}
		}
		var drawn strings.Builder
		if err := npcSheet(view.ShowSheet(game.Viewer{}, standard, "vane", vane), voices(t)[0]).Render(t.Context(),
			&drawn); err != nil {
			t.Fatal(err)
		}
		if word := strings.Contains(drawn.String(), "exceptional"); word != shows.Attributes {
			t.Errorf("shown %q, drawn %s", want, drawn.String())
		}
	}
	for _, e := range []rule.Event{
		WillpowerBought{Who: "vane", Hidden: true},
		PointsChanged{Who: "vane", Hidden: true},
		RetryMarked{Who: "vane", Hidden: true},
	} {
		if _, seen := view.ShowEvent(game.Viewer{Role: game.Player}, standard, e); seen {
			t.Errorf("a player is told %+v", e)
		}
	}
}

// MG-12, MG-30: players can't change the clock or penalties.
func TestPlayersCannotChangeTheClockOrPenalties(t *testing.T) {
	k, _ := New().Kind("character")
	player := game.Viewer{Role: game.Player}
	for _, patch := range []string{
		`{"clock": {"bought": false}}`, `{"retries": []}`, `{"arete": 5}`,
		`{"actions": [{"less": 0}]}`,
	} {
		if _, err := k.Patch(form.Blank[Character](), []byte(patch),
			lockedMembers(player, standard, "character")...); err == nil {
			t.Errorf("a player wrote %s", patch)
		}
	}
	if _, err := k.Patch(form.Blank[Character](), []byte(`{"clock": {"turn": 3}}`),
		lockedMembers(game.Viewer{Role: game.Master}, standard, "character")...); err != nil {
		t.Error(err)
	}
	if _, err := k.Patch(form.Blank[Character](), []byte(`{"attributes": {"wits": 4}}`),
		lockedMembers(player, standard, "character")...); err != nil {
		t.Error(err)
	}
}

// MG-30: smaller units restart, and clocks are compared from the largest unit down.
func TestSmallerUnitsOfTheClockRestart(t *testing.T) {
	c := Clock{
		Chronicle: 1,
		Story:     2,
		Chapter:   3,
		Scene:     4,
		Turn:      5,
		Counted:   true,
		Bought:    true,
		Declared:  2,
		Acted:     true,
	}
	for to, want := range map[string]Clock{
		"turn":      {Chronicle: 1, Story: 2, Chapter: 3, Scene: 4, Turn: 6, Counted: true},
		"scene":     {Chronicle: 1, Story: 2, Chapter: 3, Scene: 5, Turn: 1},
		"chapter":   {Chronicle: 1, Story: 2, Chapter: 4, Scene: 1, Turn: 1},
		"story":     {Chronicle: 1, Story: 3, Chapter: 1, Scene: 1, Turn: 1},
		"chronicle": {Chronicle: 2, Story: 1, Chapter: 1, Scene: 1, Turn: 1},
		"downtime":  {Chronicle: 1, Story: 2, Chapter: 3, Scene: 4, Turn: 1, Downtime: true},
	} {
		got := c.next(to)
		if got != want {
			t.Errorf("%s: %+v, want %+v", to, got, want)
		}
		if to != "downtime" && (!c.before(got) || got.before(c)) {
			t.Errorf("%s: the clock doesn't go on", to)
		}
	}
}

// Dots are drawn as dots, with a number for screen readers.
func TestDotsAreDrawnWithANumber(t *testing.T) {
	mary := form.Blank[Character]()
	mary.Attributes.Wits = 3
	var drawn strings.Builder
	if err := characterSheet(mary, voices(t)[0]).Render(t.Context(), &drawn); err != nil {
		t.Fatal(err)
	}
	_, wits, _ := strings.Cut(drawn.String(), `aria-label="Wits: 3 of 5"`)
	wits, _, _ = strings.Cut(wits, "</li>")
	if boxes, marked := strings.Count(wits, `class="box`), strings.Count(wits, "box-marked"); boxes != 5 ||
		marked != 3 {
		t.Errorf("Wits 3 are drawn as %d of %d dots", marked, boxes)
	}
}
