package rescue_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"norn/internal/rescue"
)

func TestPanicIsCountedAndLoggedOnceWithItsStack(t *testing.T) {
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, nil))
	before := rescue.Counts()["test run"]
	err := rescue.Run(log, "test run", func() error { panic("on purpose") })
	var broken *rescue.Error
	if !errors.As(err, &broken) || broken.Value != "on purpose" || broken.Where != "test run" {
		t.Errorf("the error is %v", err)
	}
	if n := rescue.Counts()["test run"] - before; n != 1 {
		t.Errorf("%d panics counted", n)
	}
	if text := logged.String(); strings.Count(text, "on purpose") != 1 || !strings.Contains(text, "rescue_test.go") {
		t.Errorf("the log says %s", text)
	}
}

func TestRunReturnsTheErrorOfItsFunction(t *testing.T) {
	want := errors.New("its own")
	if err := rescue.Run(nil, "test error", func() error { return want }); err != want {
		t.Errorf("the error is %v", err)
	}
	if n := rescue.Counts()["test error"]; n != 0 {
		t.Errorf("%d panics counted", n)
	}
}

func TestConcurrentPanicsEndOnlyTheirGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(rescue.Wrap(slog.New(slog.DiscardHandler), "test goroutine", func() { panic("on purpose") }))
	}
	all.Wait()
	if n := rescue.Counts()["test goroutine"]; n != 8 {
		t.Errorf("%d panics counted", n)
	}
}

func TestRepeatCallsAgainAfterAPanicUntilItReturns(t *testing.T) {
	calls := 0
	rescue.Repeat(t.Context().Done(), slog.New(slog.DiscardHandler), "test loop", func() {
		if calls++; calls == 1 {
			panic("on purpose")
		}
	})()
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
	done := make(chan struct{})
	rescue.Repeat(done, slog.New(slog.DiscardHandler), "test loop", func() {
		close(done)
		panic("on purpose")
	})()
	if n := rescue.Counts()["test loop"]; n != 2 {
		t.Errorf("%d panics counted", n)
	}
}
