package playtest

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"norn/lang"
)

// How long it takes from the press of a throw's button to the frame that shows its card, at a table at which two sit.
func BenchmarkPressToPaint(b *testing.B) {
	s := serve(b)
	opened := s.sheets("spire", lang.En)
	gm, anna := sit(b, "gm", 1440, 900), sit(b, "anna", 1440, 900)
	gm.follows(opened.gm)
	anna.follows(opened.anna)
	anna.click("#move-act")
	anna.sees("#composer-form[data-composer=act]", "")
	anna.fills("#composer-form", "resistance", "shadow")
	const press = `new Promise((go) => {
		const began = performance.now()
		new MutationObserver((_, all) => { all.disconnect(); requestAnimationFrame(() => setTimeout(() => go(performance.now() - began))) }).observe(document.getElementById('log'), { childList: true })
		document.getElementById('throw').click()
	})`
	for b.Loop() {
		var took []float64
		for range 40 {
			anna.until("rest", func() bool {
				return anna.ask("document.querySelector('.htmx-request, #throw:disabled') === null") == "true"
			}, func() string { return "a request" })
			ctx, cancel := context.WithTimeout(anna.ctx, patience)
			ms, err := chromedp.Run(ctx, chromedp.Evaluate[float64](press, chromedp.EvalAwaitPromise))
			cancel()
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, ms)
		}
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], "ms-median")
		b.ReportMetric(took[len(took)*9/10], "ms-p90")
	}
}

// A table of a thousand entries opens with the newest part of its log, and leads to what was before.
func TestALongTableShowsItsEnd(t *testing.T) {
	s := serve(t)
	l := s.talkedAt(1000)
	reader := sit(t, "reader", 390, 800)
	reader.visit(s.url("/t/" + l.id + "/" + l.gm))
	reader.sees("#log", "line 999")
	shown := reader.ask("document.querySelectorAll('#log > li').length")
	if n, err := strconv.Atoi(shown); err != nil || n > 100 {
		t.Errorf("the page shows %s entries of a thousand at once", shown)
	}
	reader.sees(".log-more a[data-earlier]", "")
}

// talkedAt is a table of Spire at which n things were said, after a hundred moves.
func (s *server) talkedAt(n int) longTable {
	s.t.Helper()
	l := s.long("spire", "en", 100)
	for i := range n {
		s.must("POST", "/tables/"+l.id+"/talk", l.gm, body{"text": "line " + strconv.Itoa(i)})
	}
	return l
}
