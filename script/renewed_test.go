package script_test

import (
	"testing"

	"norn/internal/wait"
	"norn/table"
	"norn/table/act"
)

// A page that shows a table must learn that its game's text has changed, even if nothing happens at
// the table, and the view shows it at once.
func TestOpenPagesLearnOfAChangedText(t *testing.T) {
	e := begin(t, nightferry(t))
	view, err := e.ann.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if view.Newer != "" {
		t.Fatalf("the text is newer already: %s", view.Newer)
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		for range e.ann.Watch(t.Context(), view.Seq) {
			return
		}
	}()
	changed := nightferry(t)
	wait.Until(t, "who looks is told of a text that changed", func() bool { // a page may look after the change
		changed.Game += "\n# another text\n"
		e.edit(changed)
		select {
		case <-told:
			return true
		default:
			return false
		}
	})
	if view, err = e.ann.View(t.Context()); err != nil || view.Newer == "" || view.Newer == view.Edition {
		t.Errorf("the view says the newer text is %q, %v", view.Newer, err)
	}
	if _, err := table.Do(t.Context(), e.gm, act.TakeEdition, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	if view, err = e.ann.View(t.Context()); err != nil || view.Newer != "" {
		t.Errorf("once it's taken the newer text is %q, %v", view.Newer, err)
	}
}
