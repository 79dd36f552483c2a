package bridge_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"norn/chat/bridge"
	"norn/game"
	"norn/games"
	"norn/internal/kvstore"
	"norn/internal/rescue"
)

// broken is a library that panics: any rule could.
type broken struct{ calls *int }

func (b broken) Games() []*game.Game {
	*b.calls++
	panic("on purpose")
}

// openBroken is a bridge whose commands panic; calls counts them.
func openBroken(t *testing.T, store *kvstore.Store, calls *int) *bridge.Bridge {
	t.Helper()
	b, err := bridge.New(t.Context(), bridge.Config{
		Games: broken{calls}, Words: words(t, games.All()), Store: store, Now: time.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func openStore(t *testing.T) *kvstore.Store {
	t.Helper()
	store, err := kvstore.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestPanicOfACommandIsToldAndEndsNothing(t *testing.T) {
	store, calls := openStore(t), 0
	b := openBroken(t, store, &calls)
	u := bridge.Update{ID: "fake:1", By: bridge.Person{ID: "fake:31", Name: "Ada", Lang: "en"}, Place: "fake:31", Private: true, Line: "odds 2d6"}
	before := rescue.Counts()["chat command"]
	a, err := b.Do(t.Context(), u)
	if err != nil || !strings.Contains(text(a.Message), "went wrong here") {
		t.Errorf("%q, %v", text(a.Message), err)
	}
	if n := rescue.Counts()["chat command"] - before; n != 1 || calls != 1 {
		t.Errorf("%d panics counted in %d calls", n, calls)
	}
	if kept, err := store.All(t.Context(), "chat.attempts"); err != nil || len(kept) > 0 {
		t.Errorf("attempts %v, %v", kept, err)
	}
	b.Complete(t.Context(), u.By, u.Place, "odds")
	if n := rescue.Counts()["chat completion"]; n != 1 {
		t.Errorf("%d panics of completions counted", n)
	}
}

// A post that panics is posted again after a while, and other places get theirs.
func TestPanicOfAPublisherIsLoggedOnceAndLosesNothing(t *testing.T) {
	e := open(t)
	e.tied()
	var logged bytes.Buffer
	e.logger = slog.New(slog.NewTextHandler(&logged, nil))
	e.again()
	before, panicked := rescue.Counts()["chat publisher"], false
	e.chat.mu.Lock()
	e.chat.fail = func(what, place string) error {
		if place == "fake:hall" && !panicked {
			panicked = true
			panic("on purpose")
		}
		return nil
	}
	e.chat.mu.Unlock()
	e.write("ada", "hall", "say one.")
	e.write("ada", "hall", "say two.")
	if read := e.reads("hall", "one.", "two."); strings.Count(read, "one.") != 1 {
		t.Errorf("posted twice:\n%s", read)
	}
	e.close() // nothing writes to the log any more
	e.stop = func() {}
	if n := rescue.Counts()["chat publisher"] - before; n != 1 {
		t.Errorf("%d panics counted", n)
	}
	if text := logged.String(); strings.Count(text, "on purpose") != 1 || !strings.Contains(text, "publisher.go") {
		t.Errorf("the log says %s", text)
	}
}

// An update that norn had begun when it was killed isn't begun again, because it may be the reason.
func TestUpdateThatEndedNornIsNotRepeated(t *testing.T) {
	store, calls := openStore(t), 0
	attempt := fmt.Sprintf(`{"node":"one that was killed","at":%q}`, time.Now().Format(time.RFC3339Nano))
	item := kvstore.Item{Scope: "chat.attempts", ID: "fake:1", Data: attempt}
	if err := store.Put(context.Background(), item); err != nil {
		t.Fatal(err)
	}
	b := openBroken(t, store, &calls)
	u := bridge.Update{ID: "fake:1", By: bridge.Person{ID: "fake:31", Name: "Ada", Lang: "en"}, Place: "fake:31", Private: true, Line: "odds 2d6"}
	for range 2 {
		a, err := b.Do(t.Context(), u)
		if err != nil || !strings.Contains(text(a.Message), "went wrong here") || calls != 0 {
			t.Errorf("%q, %v, %d calls", text(a.Message), err, calls)
		}
	}
	u.ID = "fake:2"
	if _, err := b.Do(t.Context(), u); err != nil || calls != 1 {
		t.Errorf("another update: %v, %d calls", err, calls)
	}
}
