//go:build e2e

package playtest

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// BenchmarkLabOpens measures in Chromium how long the page of a rule of one's own takes from its opening to the first
// result, with all files in the browser's cache: the median and the least of ten.
func BenchmarkLabOpens(b *testing.B) {
	s := serve(b)
	reader := sit(b, "reader", 1366, 768)
	reader.do("watch", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
			new MutationObserver((_, watch) => {
				if (!document.querySelector(".law-figures")) return
				performance.mark("result")
				watch.disconnect()
			}).observe(document, { subtree: true, childList: true })`})
		return err
	}))
	open := func() float64 {
		reader.visit("about:blank")
		reader.visit(s.url("/odds/rule"))
		reader.sees(".law-figures", "to succeed")
		ms, err := strconv.ParseFloat(reader.ask(`performance.getEntriesByName("result")[0].startTime`), 64)
		if err != nil {
			b.Fatal(err)
		}
		return ms
	}
	first := open()
	for b.Loop() {
		open() // what is compiled well may be kept by now
		all := make([]float64, 10)
		for i := range all {
			all[i] = open()
		}
		slices.Sort(all)
		b.ReportMetric(first, "ms-uncached")
		b.ReportMetric(all[0], "ms-least")
		b.ReportMetric(all[len(all)/2], "ms-median")
	}
	b.ReportMetric(0, "ns/op") // it would be that of all openings
}
