package meter

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"norn/journal"
)

// broken is a journal that returns one error from all methods.
type broken struct {
	journal.Journal
	err error
}

func (b broken) Append(context.Context, string, uint64, ...journal.Entry) ([]journal.Entry, error) {
	return nil, b.err
}

func (b broken) Read(context.Context, string, uint64, int) ([]journal.Entry, error) {
	return nil, b.err
}

func (b broken) Find(context.Context, string, string, string) (journal.Entry, error) {
	return journal.Entry{}, b.err
}
func (b broken) Tables(context.Context) ([]journal.Head, error) { return nil, b.err }

func scraped(t *testing.T, m *Meter) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text, err := io.ReadAll(w.Body)
	if err != nil || w.Code != 200 {
		t.Fatal(w.Code, err)
	}
	return string(text)
}

func TestMetricsShowEverythingThatWasCounted(t *testing.T) {
	m := New("1.2.3")
	m.Gauge("norn_tables", func() int { return 7 })
	m.CountRequest("GET /t/{table}", 200, 3*time.Millisecond)
	m.CountRequest("GET /t/{table}/live", 200, 0)
	m.CountLimited("writes")
	m.CountFrame()
	m.CountSlow()
	m.CountOdds("exact")
	m.CountEntry("move")
	m.CountRefusal("refused")
	text := scraped(t, m)
	for _, line := range []string{
		`norn_build_info{version="1.2.3"} 1`,
		`norn_tables 7`,
		`norn_requests_total{route="GET /t/{table}",status="200"} 1`,
		`norn_requests_total{route="GET /t/{table}/live",status="200"} 1`,
		`norn_request_seconds_bucket{route="GET /t/{table}",le="0.005"} 1`,
		`norn_request_seconds_bucket{route="GET /t/{table}",le="0.002"} 0`,
		`norn_limited_total{limit="writes"} 1`,
		`norn_stream_frames_total 1`,
		`norn_stream_dropped_total 1`,
		`norn_odds_total{how="exact"} 1`,
		`norn_entries_total{kind="move"} 1`,
		`norn_refusals_total{code="refused"} 1`,
	} {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("%s isn't told", line)
		}
	}
	if strings.Contains(text, `norn_request_seconds_count{route="GET /t/{table}/live"}`) {
		t.Error("a live stream was timed")
	}
	for _, name := range []string{"go_goroutines", "process_resident_memory_bytes"} {
		if !strings.Contains(text, "\n"+name+" ") {
			t.Errorf("%s isn't told", name)
		}
	}
}

// A conflict and a repeated key are normal results; other errors are failures.
func TestJournalCallsAreTimedAndFailuresCounted(t *testing.T) {
	gone := &journal.UnavailableError{Err: errors.New("no answer")}
	for _, c := range []struct {
		err      error
		failures bool
	}{
		{nil, false},
		{&journal.ConflictError{}, false},
		{&journal.DuplicateError{}, false},
		{journal.ErrNotFound, false},
		{context.Canceled, false},
		{gone, true},
		{journal.ErrClosed, true},
		{context.DeadlineExceeded, true},
	} {
		m := New("")
		j := m.Journal(broken{err: c.err})
		ctx := t.Context()
		_, errAppend := j.Append(ctx, "t", 0)
		_, errRead := j.Read(ctx, "t", 0, 0)
		_, errFind := j.Find(ctx, "t", "s", "k")
		_, errTables := j.Tables(ctx)
		for _, err := range []error{errAppend, errRead, errFind, errTables} {
			if !errors.Is(err, c.err) && err != c.err {
				t.Errorf("%v became %v", c.err, err)
			}
		}
		text := scraped(t, m)
		for _, operation := range []string{"append", "read", "find", "tables"} {
			if !strings.Contains(text, `norn_journal_seconds_count{operation="`+operation+`"} 1`) {
				t.Errorf("%v: %s isn't timed", c.err, operation)
			}
			if got := strings.Contains(text,
				`norn_journal_failures_total{operation="`+operation+`"} 1`); got != c.failures {
				t.Errorf("%v: %s failed: %v, want %v", c.err, operation, got, c.failures)
			}
		}
	}
}
