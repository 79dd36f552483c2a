package table_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
)

// turns counts what work asks for before it's done.
type turns struct{ counted, taken, left int }

func (n *turns) in(ctx context.Context) context.Context {
	return table.WithTurn(ctx, func() error { n.counted++; return nil }, func(context.Context) (func(), error) {
		n.taken++
		return func() { n.left++ }, nil
	})
}

// waysToBring are all ways of bringing something to a table that costs the more the larger it is.
var waysToBring = map[string]func(context.Context, *desk) error{
	"a list": func(ctx context.Context, d *desk) error {
		_, err := table.Do(ctx, d.gm, act.SetList, bag("name\nMirror"), "")
		return err
	},
	"a look at a list": func(ctx context.Context, d *desk) error {
		_, err := d.gm.ReadList(ctx, bag("name\nMirror"))
		return err
	},
	"a character's file with a portrait": func(ctx context.Context, d *desk) error {
		face, err := d.anna.AddPicture(d.t.Context(), painted(d.t, 20, 1), 512, "")
		if err != nil {
			return err
		}
		if _, err := table.Do(d.t.Context(), d.anna, act.SetPortrait, act.PortraitRequest{
			Character: d.hero, Picture: face.Hash,
		}, ""); err != nil {
			return err
		}
		_, err = table.Do(ctx, d.gm, act.ImportCharacter, act.ImportRequest{File: d.saved(d.gm, d.hero)}, "")
		return err
	},
	"a look at a hero": func(ctx context.Context, d *desk) error {
		if _, err := d.gm.ReadHero(ctx, []byte("no hero")); !refusal.IsRefusal(err) {
			return err
		}
		return nil
	},
	"a picture": func(ctx context.Context, d *desk) error {
		_, err := d.anna.AddPicture(ctx, painted(d.t, 20, 1), 512, "")
		return err
	},
}

// What costs the more the larger it is counts once and takes one turn, which is left in the end.
func TestWhatIsBroughtTakesOneTurn(t *testing.T) {
	for name, bring := range waysToBring {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			n := &turns{}
			if err := bring(n.in(t.Context()), d); err != nil {
				t.Fatal(err)
			}
			if *n != (turns{1, 1, 1}) {
				t.Errorf("counted, taken and left: %v", *n)
			}
		})
	}
}

// Nothing is uploaded without a count or a turn.
func TestNothingIsBroughtWithoutATurn(t *testing.T) {
	no := errors.New("not now")
	for name, bring := range waysToBring {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			uncounted := table.WithTurn(t.Context(), func() error { return no }, func(context.Context) (func(), error) {
				t.Error("a turn was taken though the count is full")
				return func() {}, nil
			})
			if err := bring(uncounted, d); !errors.Is(err, no) {
				t.Errorf("without a count: %v", err)
			}
			d = newDesk(t)
			unturned := table.WithTurn(t.Context(), func() error { return nil },
				func(context.Context) (func(), error) { return nil, no })
			if err := bring(unturned, d); !errors.Is(err, no) {
				t.Errorf("without a turn: %v", err)
			}
		})
	}
}

// One request may read the same twice, as a page does that shows a list and keeps it; it counts once.
func TestARequestCountsOnce(t *testing.T) {
	d := newDesk(t)
	n := &turns{}
	ctx := n.in(t.Context())
	if _, err := d.gm.ReadList(ctx, bag("name\nMirror")); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(ctx, d.gm, act.SetList, bag("name\nMirror"), ""); err != nil {
		t.Fatal(err)
	}
	if *n != (turns{1, 2, 2}) {
		t.Errorf("counted, taken and left: %v", *n)
	}
}

// A full table refuses before anything counts, takes a turn or is read.
func TestAFullTableTakesNoTurn(t *testing.T) {
	d := newDesk(t)
	for i := range request.MaxLists {
		r := bag("name\nMirror")
		r.Name += strconv.Itoa(i)
		if _, err := table.Do(t.Context(), d.gm, act.SetList, r, ""); err != nil {
			t.Fatal(err)
		}
	}
	for len(d.view(d.gm).Characters) < request.MaxCharacters {
		d.add(d.gm, act.CharacterRequest{Name: "Lira " + strconv.Itoa(len(d.view(d.gm).Characters)), Kind: "hero"})
	}
	n := &turns{}
	ctx := n.in(t.Context())
	unread := []byte("[[[1]]]") // refused as what it is, if it were read
	_, list := table.Do(ctx, d.gm, act.SetList, bag(string(unread)), "")
	_, look := d.gm.ReadList(ctx, bag(string(unread)))
	_, file := table.Do(ctx, d.gm, act.ImportCharacter, act.ImportRequest{File: unread}, "")
	_, hero := d.gm.ReadHero(ctx, unread)
	for what, err := range map[string]error{"list": list, "look": look, "file": file, "hero": hero} {
		var many *refusal.TooManyError
		if !errors.As(err, &many) {
			t.Errorf("%s at a full table: %v", what, err)
		}
	}
	if *n != (turns{}) {
		t.Errorf("counted, taken and left: %v", *n)
	}
}
