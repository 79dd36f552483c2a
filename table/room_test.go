package table_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/internal/relay/local"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
)

// Folk has what its player writes and what the game master adds.
type Folk struct {
	Open  Chapters `json:"open"`
	Close Chapters `json:"close"`
}

// Chapters can fill a sheet of any size.
type Chapters struct {
	A string `json:"a" form:"prose"`
	B string `json:"b" form:"prose"`
	C string `json:"c" form:"prose"`
	D string `json:"d" form:"prose"`
	E string `json:"e" form:"prose"`
	F string `json:"f" form:"prose"`
}

// ShownFolk is the part that players see.
type ShownFolk struct {
	Open Chapters `json:"open"`
}

// Crowd is hidden from players.
type Crowd struct {
	Notes Chapters `json:"notes"`
}

var library = &game.Game{
	ID:       "toy",
	Kinds:    []game.Kind{game.KindOf("hero", true, Folk{}, nil), game.KindOf("shade", false, Crowd{}, nil)},
	Moves:    toy.Moves,
	Events:   toy.Events,
	Settings: toy.Settings,
	View: game.View{
		Sheet: func(v game.Viewer, _ any, _ string, sheet any) any {
			switch sheet := sheet.(type) {
			case Folk:
				if !v.IsGM() {
					return ShownFolk{Open: sheet.Open}
				}
			case Crowd:
				if !v.IsGM() {
					return nil
				}
			}
			return sheet
		},
		Locked: func(v game.Viewer, _ any, _ string) []string {
			if v.IsGM() {
				return nil
			}
			return []string{"close"}
		},
		Event: toy.View.Event,
		Throw: toy.View.Throw,
	},
}

// chapters returns a patch of one member with a number of bytes of text.
func chapters(member string, bytes int) json.RawMessage {
	texts := map[string]string{}
	for _, name := range strings.Split("abcdef", "") {
		n := min(bytes, form.MaxProse)
		texts[name], bytes = strings.Repeat("x", n), bytes-n
	}
	data, _ := json.Marshal(map[string]any{member: texts})
	return data
}

// The space that a player has left reveals nothing hidden: neither the length of the game master's
// part of the player's own sheet, nor the size or number of hidden sheets.
func TestRemainingSpaceRevealsNothingHidden(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	for _, hidden := range []bool{false, true} {
		config := config(open(t), local.New())
		config.Games = game.Fixed{library}
		host := table.New(config)
		defer host.Close()
		created, err := host.Create(t.Context(), request.NewTable{Game: "toy", Name: "Tuesday", Lang: lang.En})
		if err != nil {
			t.Fatal(err)
		}
		enter := func(secret string) *table.Seat {
			s, err := host.Enter(t.Context(), created.ID, secret, lang.En)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		gm := enter(created.Seat.Secret)
		invited, err := table.Do(t.Context(), gm, act.AddSeat, act.SeatRequest{Name: "Anna", Role: string(game.Player)},
			"")
		if err != nil {
			t.Fatal(err)
		}
		anna := enter(invited.Secret)
		own := ""
		add := func(by *table.Seat, kind string, sheet json.RawMessage) error {
			_, err := table.Do(t.Context(), by, act.AddCharacter,
				act.CharacterRequest{Name: "x", Kind: kind, Sheet: sheet}, "")
			return err
		}
		if err := add(anna, "hero", nil); err != nil {
			t.Fatal(err)
		}
		own = "c1"
		if hidden {
			if _, err := table.Do(t.Context(), gm, act.ChangeCharacter,
				act.ChangeRequest{ID: own, Sheet: chapters("close", 50_000)}, ""); err != nil {
				t.Fatal(err)
			}
			var full error
			for n := 0; full == nil; n++ { // until the hidden sheets are full
				full = add(gm, "shade", chapters("notes", 57_000))
			}
			if e, ok := errors.AsType[*refusal.TooManyError](full); !ok || e.What != "sheet-bytes" {
				t.Fatal(full)
			}
			for full = nil; full == nil; {
				full = add(gm, "shade", nil)
			}
			if e, ok := errors.AsType[*refusal.TooManyError](full); !ok || e.What != "characters" {
				t.Fatal(full)
			}
		}
		for _, bytes := range []int{9_000, 59_000} {
			if _, err := table.Do(t.Context(), anna, act.ChangeCharacter,
				act.ChangeRequest{ID: own, Sheet: chapters("open", bytes)}, ""); err != nil {
				t.Errorf("hidden %t: Anna has no room for %d bytes: %v", hidden, bytes, err)
			}
		}
		if err := add(anna, "hero", chapters("open", 9_000)); err != nil {
			t.Errorf("hidden %t: Anna has no room for another: %v", hidden, err)
		}
		var b strings.Builder
		if err := gm.Export(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if _, err := verify.File(config.Games.Games(), words, strings.NewReader(b.String())); err != nil {
			t.Errorf("hidden %t: %v", hidden, err)
		}
	}
}

// An empty change is answered with the number of its entry.
func TestEmptyChangeIsAnsweredWithAnEntryNumber(t *testing.T) {
	d := newDesk(t)
	at := d.view(d.anna).Seq
	name := "Lira"
	e, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Name: &name, Sheet: raw(`{}`)}, "")
	if err != nil || e.Seq <= at || e.Seat.ID != d.anna.ID() {
		t.Errorf("%+v, %v; want an entry after %d", e, err, at)
	}
	data, err := json.Marshal(e)
	if err != nil || strings.Contains(string(data), "null") {
		t.Errorf("%s, %v", data, err)
	}
}

// A name of invisible characters is refused.
func TestInvisibleNameIsRefused(t *testing.T) {
	d := newDesk(t)
	ctx := t.Context()
	for _, name := range []string{
		"\u200b", "\u200d\u200c", "\u2060\ufeff", "\u200e\u200f", "\u00ad", "\ufe0f", "\u3164", "\uffa0\u115f\u1160",
		"\u2800", "\u034f", "\u061c", "\u180e",
		"\U000e0020\U000e007f", "\u00a0\u2003", "\U0001d159", " \u200b ", "\u0301",
	} {
		at := fmt.Sprintf("%+q", name)
		refused := func(what string, err error) {
			t.Helper()
			invalid, ok := errors.AsType[*refusal.InvalidError](err)
			if !ok || invalid.Problems[0].Path != "name" || invalid.Problems[0].Code != form.Missing {
				t.Errorf("%s of %s: %v", what, at, err)
			}
		}
		_, err := d.host.Create(ctx, request.NewTable{Game: "toy", Name: name, Lang: lang.En})
		refused("a table", err)
		_, err = table.Do(ctx, d.gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(game.Player)}, "")
		refused("a seat", err)
		_, err = table.Do(ctx, d.gm, act.RenameSeat, act.RenameRequest{Seat: d.anna.ID(), Name: name}, "")
		refused("another name of a seat", err)
		_, err = table.Do(ctx, d.gm, act.AddCharacter, act.CharacterRequest{Name: name, Kind: "hero"}, "")
		refused("a character", err)
		_, err = table.Do(ctx, d.gm, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Name: &name}, "")
		refused("another name of a character", err)
	}
	for _, name := range []string{"Оля", "…", "🜁", "👩‍🚀", "7", "नमस्ते", "שלום\u200f", "é"} {
		if _, err := table.Do(ctx, d.gm, act.RenameSeat, act.RenameRequest{Seat: d.anna.ID(), Name: name},
			""); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
