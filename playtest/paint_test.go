//go:build e2e

package playtest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"norn/lang"
)

// Time from the press of a roll's button to the frame that shows its card, at a table of two.
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

// CPU time of a roll on the main thread of another page, when it has just been opened and after six
// hundred rolls.
func BenchmarkLongSitting(b *testing.B) {
	s := serve(b, "--limits", "off")
	l := s.long("spire", "en", 0)
	gm := sit(b, "gm", 1440, 900)
	gm.follows(s.url("/t/" + l.id + "/" + l.gm))
	busy := func() (seconds float64) {
		gm.do("measure", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			if _, err := cdp.Call(ctx, tab, performance.Enable,
				performance.EnableParams{TimeDomain: "threadTicks"}); err != nil {
				return err
			}
			told, err := cdp.Call(ctx, tab, performance.GetMetrics, cdp.Empty{})
			if err != nil {
				return err
			}
			for _, m := range told.Metrics {
				if string(m.Name) == "TaskDuration" {
					seconds = m.Value
				}
			}
			return nil
		}))
		return seconds
	}
	throws := func(n int) float64 {
		before := busy()
		var seq any
		for range n {
			seq = s.must("POST", "/tables/"+l.id+"/moves", l.gm,
				body{"move": "check", "character": "c1", "args": body{}, "dice": []int{9}})["seq"]
			time.Sleep(50 * time.Millisecond) // so that the page draws each by itself
		}
		gm.until("see the last throw", func() bool {
			return gm.ask(fmt.Sprintf("Number(document.getElementById('log').lastElementChild.dataset.seq) >= %v",
				seq)) == "true"
		}, func() string { return gm.text("#log > :last-child") })
		return (busy() - before) / float64(n) * 1000
	}
	for b.Loop() {
		b.ReportMetric(throws(60), "ms-first")
		throws(500)
		b.ReportMetric(throws(60), "ms-last")
	}
}

// Longest task on the main thread of a phone whose processor is six times slower: while the end of a
// long log opens, while a roll arrives, and while the oldest parts of the log open.
func BenchmarkSlowPhone(b *testing.B) {
	s := serve(b, "--limits", "off")
	l := s.long("spire", "ru", 300)
	phone := sit(b, "phone", 390, 844)
	phone.visit(s.url("/t/" + l.id + "/" + l.gm))
	phone.do("slow down", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 6})
		return err
	}))
	// rest waits for a second without a task of 50 ms or more, and returns the longest one until then.
	const rest = `new Promise((go) => {
		let longest = 0, wait
		const calm = () => { clearTimeout(wait); wait = setTimeout(() => go(longest), 1000) }
		const seen = new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
			calm()
		})
		seen.observe({ type: 'longtask', buffered: SINCE_LOADED })
		calm()
	})`
	longest := func(buffered string) float64 {
		ctx, cancel := context.WithTimeout(phone.ctx, patience)
		defer cancel()
		ms, err := chromedp.Run(ctx, chromedp.Evaluate[float64](strings.ReplaceAll(rest, "SINCE_LOADED", buffered),
			chromedp.EvalAwaitPromise))
		if err != nil {
			b.Fatal(err)
		}
		return ms
	}
	for b.Loop() {
		phone.visit(s.url("/t/" + l.id))
		phone.sees("[data-live-state=open]", "")
		b.ReportMetric(longest("true"), "ms-open")
		go func() {
			s.must("POST", "/tables/"+l.id+"/moves", l.gm,
				body{"move": "check", "character": "c1", "args": body{}, "dice": []int{9}})
		}()
		b.ReportMetric(longest("false"), "ms-arrival")
		oldest := 0.0
		for phone.ask("document.querySelector('.log-more:not([hidden]) a[data-earlier]') !== null") == "true" {
			phone.visit(phone.ask("document.querySelector('.log-more a[data-earlier]').href"))
			phone.sees("#log", "")
			oldest = max(oldest, longest("true"))
		}
		b.ReportMetric(oldest, "ms-oldest")
	}
}

// A table of a thousand entries opens with the newest part of its log, and links to what came
// before.
func TestLongTableOpensAtItsNewestEntries(t *testing.T) {
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

// A page that is open for long stays light: of new entries only the newest cards stay, and the one
// with an open question. The link leads to the removed ones, at the oldest card.
func TestLongOpenPageKeepsOnlyTheNewestCards(t *testing.T) {
	t.Parallel()
	s := serve(t)
	l := s.long("spire", "en", 0)
	path := "/tables/" + l.id
	gm := sit(t, "gm", 1440, 1200) // holds the question whole, so that the log follows what comes after it
	gm.follows(s.url("/t/" + l.id + "/" + l.gm))
	asked := s.must("POST", path+"/moves", l.gm,
		body{
			"move": "check", "character": "c1", "args": body{"difficulty": 0, "risk": "d6", "resistance": "shadow"},
			"dice": []int{2, 5, 1},
		})
	if asked["done"] == true {
		t.Fatalf("no question stands open: %v", asked)
	}
	gm.sees("#log .question", "")
	for i := range 200 {
		s.must("POST", path+"/talk", l.gm, body{"text": "line " + strconv.Itoa(i)})
	}
	gm.sees("#log > :last-child", "line 199")
	if n, err := strconv.Atoi(gm.ask("document.querySelectorAll('#log > li').length")); err != nil || n > 100 {
		t.Errorf("after two hundred lines the page holds %d cards", n)
	}
	if gm.ask("document.querySelector('#log .question') !== null") != "true" {
		t.Error("the card whose question waits has gone")
	}
	oldest := gm.ask("[...document.querySelectorAll('#log > li')].find((card) => card.innerText.includes('line')).id")
	if gm.ask("document.getElementById('"+oldest+"').innerText.includes('line 0')") == "true" {
		t.Fatal("no card has gone")
	}
	gm.run("document.getElementById('log-box').scrollTop = -1e6")
	gm.click(".log-more a[data-earlier]")
	gm.until("be led to the oldest card", func() bool {
		return gm.ask(`(() => {
			const card = document.getElementById('`+oldest+`')
			if (!card || !location.hash) return false
			const {top, bottom} = card.getBoundingClientRect(), box = document.getElementById('log-box').getBoundingClientRect()
			return card.previousElementSibling?.innerText.includes('line') && top >= box.top && bottom <= box.bottom
		})()`) == "true"
	}, func() string { return gm.ask("location.href") })
}

// talkedAt creates a table of Spire with a hundred moves and then n lines of talk.
func (s *server) talkedAt(n int) longTable {
	s.t.Helper()
	l := s.long("spire", "en", 100)
	for i := range n {
		s.must("POST", "/tables/"+l.id+"/talk", l.gm, body{"text": "line " + strconv.Itoa(i)})
	}
	return l
}
