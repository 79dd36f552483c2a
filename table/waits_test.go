package table_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/internal/wait"
	"norn/table"
	"norn/table/act"
	"norn/table/view"
)

// Waits follows a table's questions, and distinguishes seats with a page in the foreground from
// those that only watch.
func TestWaitsListsSeatsWithOpenQuestions(t *testing.T) {
	d := newDesk(t)
	waits := func() view.Waits {
		t.Helper()
		w, err := d.host.Waits(t.Context(), d.id)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	before := waits()
	if len(before.Asked) != 0 || before.Session != 1 || len(before.Seats) < 4 {
		t.Fatalf("%+v", before)
	}
	made := d.hit()
	var whose []string
	for _, a := range waits().Asked {
		if !a.Openly {
			t.Errorf("%s is a secret", a.Question)
		}
		whose = append(whose, a.Seats...)
	}
	if diff := cmp.Diff([]string{d.gm.ID()}, whose); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move},
		"cancel"); err != nil {
		t.Fatal(err)
	}
	if w := waits(); len(w.Asked) != 0 || !w.Begun {
		t.Errorf("after it: %+v", w)
	}

	looks := func() (found []string) {
		for _, s := range waits().Seats {
			if s.Looks {
				found = append(found, s.ID)
			}
		}
		return found
	}
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for range d.anna.WatchAll(ctx, 0, false) {
		}
	}()
	_, stop := d.follow(d.boris)
	wait.Until(t, "Anna alone looks", func() bool {
		found := looks()
		return len(found) == 1 && found[0] == d.anna.ID()
	})
	leave()
	<-gone
	stop()
	if found := looks(); len(found) != 0 {
		t.Errorf("%v look", found)
	}
}
