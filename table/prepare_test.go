package table_test

import (
	"errors"
	"net/url"
	"slices"
	"testing"

	"norn/form"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
)

// What norn fills in for nobody's choice is what the move is made with, or the move is refused and
// nothing is written.
func TestPreparedMoveIsMadeAsItWasShown(t *testing.T) {
	d := newDesk(t)
	ctx := t.Context()
	prepare := func(touched []string, values url.Values) act.Prepared {
		t.Helper()
		p, err := d.anna.Prepare(ctx,
			request.Move{Move: "strike", Character: d.hero, Values: values, Touched: touched}, act.Prepared{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	shown := prepare([]string{}, nil)
	set := url.Values{}
	for name, texts := range shown.Values {
		set[name] = texts
	}
	const name, other = "bonus", "2"
	set.Set("target", d.other)
	set.Set(name, other)
	if p := prepare([]string{name, "target"}, set); p.Values.Get(name) != other || p.Changed != nil {
		t.Errorf("what somebody has set: %v, changed %v", p.Values, p.Changed)
	}
	if p := prepare([]string{"target"}, set); p.Values.Get(name) == other || !slices.Equal(p.Changed, []string{name}) {
		t.Errorf("what norn fills in otherwise: %v, changed %v", p.Values, p.Changed)
	}

	before := d.view(d.gm).Seq
	_, err := d.anna.Make(ctx, request.Move{Move: "strike", Character: d.hero, Values: set, Touched: []string{"target"}, Key: "k"})
	changed, ok := errors.AsType[*refusal.ChangedError](err)
	if !ok || !slices.Equal(changed.Fields, []string{name}) || changed.Called {
		t.Fatalf("made with what the page didn't show: %v", err)
	}
	if d.view(d.gm).Seq != before {
		t.Error("something was written")
	}

	d.call(act.CallRequest{Move: "strike", Character: form.Ref(d.hero), Args: raw(`{"bonus": 1}`)})
	for _, touched := range [][]string{{name, "target"}, {request.TouchedAll}} {
		_, err := d.anna.Make(ctx, request.Move{Move: "strike", Character: d.hero, Values: set, Touched: touched})
		if changed, ok := errors.AsType[*refusal.ChangedError](err); !ok || !changed.Called {
			t.Errorf("a page from before the call: %v", err)
		}
	}
	p := prepare([]string{name, "target"}, set)
	if _, offered := p.Form.Field(name); offered || p.Call == "" || p.Values.Get(name) != "1" {
		t.Errorf("the call fixes %s: %v", name, p.Values)
	}
}

// A page shows a refused move as it was prepared for making it, unless the table has changed since.
func TestARefusedMoveIsPreparedAgainOnceTheTableHasChanged(t *testing.T) {
	d := newDesk(t)
	ctx := t.Context()
	r := request.Move{
		Move: "strike", Character: d.hero, Values: url.Values{"bonus": {"99"}}, Touched: []string{"bonus"},
	}
	_, refused, err := d.anna.MakeForm(ctx, r)
	if err == nil {
		t.Fatal("made with a bonus that there isn't")
	}
	prepare := func() act.Prepared {
		t.Helper()
		p, err := d.anna.Prepare(ctx, r, refused)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := prepare(); p.Form != refused.Form || p.Values.Get("bonus") != "99" {
		t.Errorf("prepared again though nothing has changed: %v", p.Values)
	}
	other := request.Move{Move: "soothe", Character: d.hero, Touched: []string{}}
	if p, err := d.anna.Prepare(ctx, other, refused); err != nil || p.Form == refused.Form {
		t.Errorf("another move has the refused one's form: %v", err)
	}
	d.call(act.CallRequest{Move: "strike", Character: form.Ref(d.hero), Args: raw(`{"bonus": 1}`)})
	if p := prepare(); p.Call == "" || p.Values.Get("bonus") != "1" {
		t.Errorf("prepared as before the call: %v", p.Values)
	}
}
