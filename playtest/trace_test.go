//go:build browser || e2e

package playtest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// load is the browser's work for a page, from its own trace: CPU time of the page's main thread,
// and one elapsed time.
type load struct {
	first time.Duration            // until the end of the first painted frame
	live  time.Duration            // until the live connection was open
	kinds map[string]time.Duration // of live: parse, style, layout, paint, script
	clock time.Duration            // elapsed time from the beginning of the visit until something was visible
}

// event is an event of a trace. Times are microseconds: ts and dur of elapsed time, tdur of CPU
// time.
type event struct {
	Name string
	Ph   string
	PID  int
	TID  int
	TS   int64
	Dur  int64
	TDur int64

	own int64 // CPU time without that of nested events
}

func (e event) end() int64 { return e.TS + e.Dur }

// kindsOf groups the events of the main thread; all others count as the rest.
var kindsOf = map[string]string{
	"ParseHTML": "parse", "ParseAuthorStyleSheet": "style", "UpdateLayoutTree": "style", "Layout": "layout",
	"PrePaint": "paint", "Paint": "paint", "Layerize": "paint",
	"v8.compile": "script", "v8.compileModule": "script", "v8.evaluateModule": "script", "EvaluateScript": "script",
	"FunctionCall": "script",
	"BlinkScheduler_PerformMicrotaskCheckpoint": "script",
}

// isLive is the mark in a trace that pages set after tellsWhenLive.
const isLive = "norn.live"

// tellsWhenLive makes every page from now on mark when its live connection is open. The test
// doesn't query the page meanwhile, since that would cause a layout.
func (s *seat) tellsWhenLive() {
	s.t.Helper()
	s.do("watch", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
			new MutationObserver((_, watch) => {
				if (!document.querySelector("[data-live-state=open]")) return
				performance.mark("` + isLive + `")
				watch.disconnect()
			}).observe(document, { subtree: true, attributeFilter: ["data-live-state"] })`})
		return err
	}))
}

// traced records the browser's trace while one page is opened and goes live.
func (s *seat) traced(happens func()) load {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, 2*patience)
	defer cancel()
	var mu sync.Mutex
	var trace []event
	done := make(chan struct{})
	if err := chromedp.Listen(ctx, func(told any) {
		switch told := told.(type) {
		case *tracing.EventDataCollected:
			mu.Lock()
			defer mu.Unlock()
			for _, value := range told.Value {
				var e event
				if json.Unmarshal(value, &e) == nil { // events of other shapes aren't needed
					trace = append(trace, e)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	}); err != nil {
		s.t.Fatal(err)
	}
	s.do("begin a trace", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
			IncludedCategories: []string{"toplevel", "devtools.timeline", "loading", "v8", "blink.user_timing"},
		}})
		return err
	}))
	happens()
	s.do("end a trace", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, tracing.End, cdp.Empty{})
		return err
	}))
	select {
	case <-done:
	case <-ctx.Done():
		s.t.Fatal("the browser doesn't hand out its trace")
	}
	mu.Lock()
	defer mu.Unlock()
	return s.loadOf(trace)
}

// loadOf reads a trace of one page.
func (s *seat) loadOf(trace []event) load {
	s.t.Helper()
	slices.SortStableFunc(trace, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(b.Dur, a.Dur))
	})
	find := func(what string, is func(event) bool) event {
		i := slices.IndexFunc(trace, is)
		if i < 0 {
			s.t.Fatal("no ", what, " in the browser's trace")
		}
		return trace[i]
	}
	live := find("live connection", func(e event) bool { return e.Name == isLive })
	ofPage := func(e event) bool { return e.PID == live.PID && e.TID == live.TID }
	seen := find("first paint", func(e event) bool { return e.Name == "firstContentfulPaint" && ofPage(e) })
	// If the page's process is new, its trace begins too late for the beginning of the visit.
	clock, err := strconv.ParseFloat(s.ask("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"), 64)
	if err != nil || clock < 0 {
		s.t.Fatal("the page doesn't know when it was painted ", err)
	}
	began := seen.TS - int64(clock*1000)

	l := load{kinds: map[string]time.Duration{}, clock: time.Duration(seen.TS-began) * time.Microsecond}
	var tasks, within []*event // top-level events of the page's main thread; the open ones at some point
	var painted *event         // the task of the first visible frame
	for i := range trace {
		e := &trace[i]
		if e.Ph != "X" || !ofPage(*e) || e.TS < began {
			continue
		}
		for len(within) > 0 && e.TS >= within[len(within)-1].end() {
			within = within[:len(within)-1]
		}
		e.own = e.TDur
		if len(within) == 0 {
			tasks = append(tasks, e)
		} else {
			within[len(within)-1].own -= e.TDur
		}
		within = append(within, e)
		if e.Name == "Paint" && e.TS < seen.TS {
			painted = within[0]
		}
	}
	if painted == nil {
		s.t.Fatal("nothing was painted in the browser's trace")
	}
	for _, task := range tasks {
		d := time.Duration(task.TDur) * time.Microsecond
		if task.TS <= painted.TS {
			l.first += d
		}
		if task.TS <= live.TS {
			l.live += d
		}
	}
	for _, e := range trace {
		if kind := kindsOf[e.Name]; kind != "" && e.Ph == "X" && ofPage(e) && e.TS >= began && e.TS <= live.TS {
			l.kinds[kind] += time.Duration(e.own) * time.Microsecond
		}
	}
	return l
}
