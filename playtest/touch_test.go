//go:build e2e

package playtest

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// swipe draws a finger up the middle of the page.
func (s *seat) swipe(from, to float64) {
	s.t.Helper()
	const steps = 12
	if _, err := chromedp.Run(s.ctx, func(ctx context.Context, tab *chromedp.Target) (int, error) {
		touch := func(what input.DispatchTouchEventType, at ...*input.TouchPoint) error {
			_, err := cdp.Call(ctx, tab, input.DispatchTouchEvent,
				input.DispatchTouchEventParams{Type: what, TouchPoints: append([]*input.TouchPoint{}, at...)})
			time.Sleep(16 * time.Millisecond) // the interval of touch events
			return err
		}
		if err := touch("touchStart", &input.TouchPoint{X: 180, Y: from}); err != nil {
			return 0, err
		}
		for i := 1; i <= steps; i++ {
			if err := touch("touchMove", &input.TouchPoint{X: 180, Y: from + (to-from)*float64(i)/steps}); err != nil {
				return 0, err
			}
		}
		return 0, touch("touchEnd")
	}); err != nil {
		s.t.Fatalf("%s can't swipe: %v", s.name, err)
	}
}

// On a phone a finger scrolls whatever is longer than the screen: the drawer, the log, a sheet and
// the composer, and never the page under it.
func TestFingerScrollsLongPartsButNotThePage(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	phone := sit(t, "phone", 360, 600)
	if _, err := chromedp.Run(phone.ctx, func(ctx context.Context, tab *chromedp.Target) (int, error) {
		if _, err := cdp.Call(ctx, tab, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{
				Width: 360, Height: 600, DeviceScaleFactor: 1,
				Mobile: true,
			}); err != nil {
			return 0, err
		}
		_, err := cdp.Call(ctx, tab, emulation.SetTouchEmulationEnabled,
			emulation.SetTouchEmulationEnabledParams{Enabled: true})
		return 0, err
	}); err != nil {
		t.Fatal(err)
	}
	phone.follows(s.url("/demo/spire"))
	table := phone.ask("location.pathname")
	for _, c := range []struct {
		open, at, box string
		from, to      float64
	}{
		{"", "", ".log-box", 200, 400}, // its end is in view
		{".tabs [data-to-tab=sheet]", "", "#panel-sheet", 450, 250},
		{"", "#composer", "#composer", 450, 250},
		{"", "#tab-settings", "#drawer", 450, 250},
	} {
		phone.visit("about:blank")
		phone.follows(s.url(table + c.at))
		if c.open != "" {
			phone.click(c.open)
		}
		top := func() int {
			n, err := strconv.Atoi(phone.ask("Math.round(document.querySelector('" + c.box + "').scrollTop)"))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := ""
		phone.until("see "+c.box+" long and at rest", func() bool {
			now := phone.ask(`(() => {
				const box = document.querySelector('` + c.box + `')
				return box.scrollHeight > box.clientHeight + 20 && getComputedStyle(box).visibility === 'visible' ? box.getBoundingClientRect().top + ' ' + box.scrollTop : ''
			})()`)
			rests := now != "" && now == before
			before = now
			return rests
		}, func() string { return before })
		began := top()
		phone.swipe(c.from, c.to)
		phone.until("scroll "+c.box, func() bool {
			return (top()-began)*int(c.from-c.to) > 0
		}, func() string {
			return strconv.Itoa(began) + " and " + strconv.Itoa(top())
		})
		if under := phone.ask("scrollY"); under != "0" {
			t.Errorf("the page under %s scrolls to %s", c.box, under)
		}
	}
}
