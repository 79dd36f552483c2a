//go:build e2e

package playtest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Dates and quiet hours are in the browser's time zone, even on the first page of a new browser.
func TestDatesAreInTheBrowsersTimeZone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	gm := sit(t, "gm", 1366, 768)
	if _, err := chromedp.Run(gm.ctx, func(ctx context.Context, tab *chromedp.Target) (int, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetTimezoneOverride,
			emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
		return 0, err
	}); err != nil {
		t.Fatal(err)
	}
	gm.follows(table.gm)
	gm.visit(s.url("/t/" + table.id + "/gm"))
	gm.click(".drawer-nav [href='#tab-session']")
	gm.choose("#next-when", "2026-12-04T19:30")
	gm.click("[data-form=next] button")
	gm.visit(s.url("/t/" + table.id))
	gm.sees("#next time", "4 December 2026")
	gm.sees("#next time", "19:30")
	unseen := func(path string) {
		t.Helper()
		gm.run("document.cookie = 'zone=; path=/; max-age=0'")
		gm.visit(s.url(path))
	}
	unseen("/t/" + table.id)
	if got := gm.text("#next time"); !strings.Contains(got, "19:30") || !strings.Contains(got, "December") {
		t.Errorf("the next session is at %q", got)
	}
	unseen("/t/" + table.id + "/gm")
	gm.sees("label[for=next-when]", "Asia/Tokyo")
	if got := gm.ask("document.querySelector('#next-when').value"); got != "2026-12-04T19:30" {
		t.Errorf("the form says %s", got)
	}
	unseen("/t/" + table.id + "/called")
	gm.sees(".calling", "In the time of Asia/Tokyo")
	if got := gm.ask("document.querySelector('[data-form=quiet] [name=zone]').value"); got != "Asia/Tokyo" {
		t.Errorf("quiet hours are by the clocks of %s", got)
	}
}
