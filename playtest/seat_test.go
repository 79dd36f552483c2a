//go:build browser || e2e

package playtest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// seat is one person with a browser.
type seat struct {
	t      testing.TB
	name   string
	ctx    context.Context
	finger bool   // it uses a touchscreen
	other  window // of another engine than Chromium, nil in Chromium
}

// window is a window of a browser that isn't Chromium. An error says "navigated" if the page was left
// meanwhile.
type window interface {
	navigate(url string) error
	evaluate(script string) (string, error)
	press(at string) error // "at X Y"
	types(text string) error
	uploads(selector, file string) error
	capture() (png []byte, err error)
}

// patience limits the wait for a page to show what is expected.
const patience = 30 * time.Second

// browser is the Chromium that seats share, each with windows, cookies and storage of its own. The
// first use starts it and TestMain ends it. Pages behind other windows aren't throttled.
var browser = sync.OnceValues(func() (context.Context, error) {
	ctx, end, err := startChromium()
	if err == nil {
		atEnd(end)
	}
	return ctx, err
})

// errNoBrowser is the reason for skipped scenes: `make test` explains how to install a browser.
var errNoBrowser = errors.New("no Chromium on the PATH")

// elsewhere is a name under which browsers reach this computer as if it was another one.
const elsewhere = "norn.example"

func startChromium() (ctx context.Context, end func(), err error) {
	chromium := installed("chromium-headless-shell", "headless-shell", "chromium", "chromium-browser", "google-chrome",
		"google-chrome-stable")
	if chromium == "" {
		return nil, nil, errNoBrowser
	}
	alloc, closeAll := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(chromium), chromedp.NoSandbox,
		chromedp.Flag("headless", true), chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true), chromedp.Flag("accept-lang", "en"),
		chromedp.Flag("host-resolver-rules", "MAP "+elsewhere+" 127.0.0.1"),
		// fewer processes
		chromedp.Flag("in-process-gpu", true), chromedp.Flag("disable-features", "SpareRendererForSitePerProcess"),
	)
	ctx, closeTab := chromedp.NewContext(alloc)
	end = func() {
		closeTab()
		closeAll()
	}
	// The browser lives as long as the context of its first step.
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return ctx, end, nil
}

// installed returns the first of these programs that is installed. A headless shell is Chromium
// without window frames, menus and a start page, which cost more than the pages do.
func installed(programs ...string) string {
	for _, p := range programs {
		if path, err := exec.LookPath(p); err == nil {
			return path
		}
	}
	return ""
}

// sit opens a window of a size in a browser without any history.
func sit(t testing.TB, name string, width, height int64) *seat {
	t.Helper()
	shared, err := browser()
	if errors.Is(err, errNoBrowser) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("%s gets no browser: %v", name, err)
	}
	ctx, closeTab := chromedp.NewContext(shared, chromedp.WithNewBrowserContext())
	t.Cleanup(closeTab)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height), focused); err != nil {
		t.Fatalf("%s gets no window: %v", name, err)
	}
	s := &seat{t: t, name: name, ctx: ctx}
	t.Cleanup(func() {
		if t.Failed() {
			s.picture("failed")
		}
	})
	return s
}

// focused lets several windows have the focus at once.
var focused = chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
	_, err := cdp.Call(ctx, tab, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return err
})

func (s *seat) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	s.t.Helper()
	if s.other != nil {
		s.t.Fatalf("%s can't %s in another engine than Chromium", s.name, what)
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	err := chromedp.Do(ctx, steps...)
	for ctx.Err() == nil && err != nil && strings.Contains(err.Error(), "Could not find node with given id") {
		err = chromedp.Do(ctx, steps...) // new content came between finding it and the press, which hasn't happened
	}
	if err != nil {
		s.t.Fatalf("%s can't %s: %v", s.name, what, err)
	}
}

// visit opens a page. If it is a link to a seat that the browser doesn't have, it takes the seat.
func (s *seat) visit(url string) {
	s.t.Helper()
	s.arrives(url)
	const arrival = "form[data-form=arrive]"
	if s.ask("document.querySelector('"+arrival+"') === null") == "true" {
		return
	}
	s.click(arrival + " button:not([name=_to])")
	s.until("take a seat", func() bool {
		return s.ask("document.readyState !== 'loading' && document.querySelector('main, .drawer') !== null && document.querySelector('"+arrival+"') === null") == "true"
	}, func() string { return s.text("body") })
}

// arrives opens a page and presses nothing there.
func (s *seat) arrives(url string) {
	s.t.Helper()
	if s.other != nil {
		s.did("open "+url, s.other.navigate(url))
		return
	}
	s.do("open "+url, chromedp.Navigate(url), chromedp.WaitReady("body"))
}

// styled waits until the deferred styles are loaded.
func (s *seat) styled() {
	s.t.Helper()
	s.until("see all styles", func() bool {
		return s.ask("document.querySelector('meta[name=later]') === null && [...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)") == "true"
	}, func() string { return s.ask("document.head.innerHTML") })
}

// click presses the first element that a selector finds, once it has stopped moving and nothing
// covers it.
func (s *seat) click(selector string) {
	s.t.Helper()
	s.sees(selector, "")
	before := "under nothing yet"
	s.until("reach "+selector, func() bool {
		if s.other != nil {
			s.draws() // it's pressed at a place, which must be the last by then
		}
		if strings.HasPrefix(before, "under ") { // new content may have moved it away
			s.ask(fmt.Sprintf("document.querySelector(%q)?.scrollIntoView({block: 'center', behavior: 'instant'})",
				selector))
		}
		at := s.ask(fmt.Sprintf(`(() => {
			const e = document.querySelector(%q)
			if (!e) return 'gone'
			for (let around = e; around; around = around.parentElement) { // where frames are rare, what moves seems at rest
				if (around.getAnimations().some((a) => a.playState === 'running' && a.effect.getComputedTiming().iterations !== Infinity)) return 'moving'
			}
			const box = e.getClientRects()[0] ?? e.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2 // of a link in two lines the first
			const top = document.elementFromPoint(x, y)
			return top && (e.contains(top) || top.contains(e)) ? 'at ' + x + ' ' + y : 'under ' + (top ? top.outerHTML.slice(0, 200) : 'nothing')
		})()`, selector))
		rests := at == before && strings.HasPrefix(at, "at ")
		before = at
		return rests
	}, func() string { return before })
	switch {
	case s.other != nil:
		s.did("press "+selector, s.other.press(before))
		return
	case s.finger:
		s.taps(before)
		return
	}
	s.do("press "+selector, chromedp.Click(selector))
}

// choose sets a control as a person would, with its events.
func (s *seat) choose(selector, value string) {
	s.t.Helper()
	s.until("choose "+value+" in "+selector, func() bool {
		return s.ask(fmt.Sprintf(`(() => {
			const control = document.querySelector(%q), value = %q
			if (!control) return 'nothing'
			const odds = control.closest('form')?.querySelector('#odds') // which the page has just put there, and doesn't hear yet
			if (odds && !odds.dataset.htmxPowered && document.querySelector('[data-htmx-powered]')) return 'too early'
			if (control.type === 'checkbox' || control.type === 'radio') control.checked = value !== ''
			else control.value = value
			if (control.value !== value && control.tagName === 'SELECT') throw new Error('no choice ' + value + ' of ' + [...control.options].map(o => o.value))
			control.dispatchEvent(new Event('input', {bubbles: true}))
			control.dispatchEvent(new Event('change', {bubbles: true}))
			return 'chosen'
		})()`, selector, value)) == "chosen"
	}, func() string { return s.text("body") })
}

// follows visits a table, and waits until its live connection is open.
func (s *seat) follows(link string) {
	s.t.Helper()
	s.visit(link)
	s.sees("[data-live-state=open]", "")
}

// run runs a script in the page.
func (s *seat) run(script string) {
	s.t.Helper()
	_, err := s.evaluates("(() => { " + script + "; return '' })()")
	s.did("run "+script, err)
}

// evaluates returns the result of a script as text.
func (s *seat) evaluates(script string) (string, error) {
	if s.other != nil {
		return s.other.evaluate(script)
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[string](script))
}

// did ends the test if a step failed.
func (s *seat) did(what string, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s can't %s: %v", s.name, what, err)
	}
}

// uploads chooses a file, again if the page is left meanwhile.
func (s *seat) uploads(selector, file string) {
	s.t.Helper()
	if s.other != nil {
		s.did("choose "+file, s.other.uploads(selector, file))
		return
	}
	for end := time.Now().Add(patience); ; {
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		err := chromedp.Do(ctx, chromedp.SetUploadFiles(selector, []string{file}))
		cancel()
		if err == nil || !strings.Contains(err.Error(), "with given id") || time.Now().After(end) {
			s.did("choose "+file, err)
			return
		}
	}
}

// ask evaluates an expression, which may be repeated. If the page is left meanwhile, because a form
// was sent before its script ran, it asks the next page again.
func (s *seat) ask(script string) string {
	s.t.Helper()
	for end := time.Now().Add(patience); ; {
		text, err := s.evaluates("String(" + script + ")")
		switch {
		case err == nil:
			return text
		case !strings.Contains(err.Error(), "navigated") || time.Now().After(end):
			s.t.Fatalf("%s can't read %s: %v", s.name, script, err)
		}
	}
}

// text returns the visible text of the elements that a selector finds.
func (s *seat) text(selector string) string {
	s.t.Helper()
	return s.ask(fmt.Sprintf("[...document.querySelectorAll(%q)].map(e => e.innerText).join('\\n')", selector))
}

// sees waits until an element that a selector finds contains a text.
func (s *seat) sees(selector, want string) {
	s.t.Helper()
	s.until(fmt.Sprintf("see %q in %s", want, selector), func() bool {
		return s.ask(fmt.Sprintf("document.querySelector(%q) !== null", selector)) == "true" &&
			strings.Contains(unbound(s.text(selector)), unbound(want))
	}, func() string { return s.text(selector) })
}

// unbound replaces non-breaking spaces with plain ones.
func unbound(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

// gone waits until a selector finds nothing.
func (s *seat) gone(selector string) {
	s.t.Helper()
	s.until("see "+selector+" go", func() bool {
		return s.ask(fmt.Sprintf("document.querySelector(%q) === null", selector)) == "true"
	}, func() string { return s.text(selector) })
}

// begins opens the composer for a character's move, "" for the selected or possible one.
func (s *seat) begins(who, move string) {
	s.t.Helper()
	// it stays open then
	refused := s.ask("location.hash === '#composer' && document.querySelector('#composer .problem') !== null") == "true"
	if !refused && s.ask("document.querySelector('.compose-open').checkVisibility()") == "true" {
		s.click(".compose-open")
	}
	if who != "" && s.ask("document.querySelector('#actor').value") != who {
		s.choose("#actor", who)
		s.sees("[data-form=move] [name=_a][value='"+who+"']", "")
	}
	if s.ask("document.querySelector('#composer-form').dataset.composer") != move {
		s.click("#move-" + move)
	}
	s.sees("[data-composer="+move+"]", "")
}

func (s *seat) until(what string, happens func() bool, instead func() string) {
	s.t.Helper()
	for end := time.Now().Add(patience); !happens(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			s.picture("waited")
			s.t.Fatalf("%s doesn't %s; there is %q; the page: %s", s.name, what, instead(), s.stands())
		}
	}
}

// draws waits until the page has drawn twice: all that a swap has started is done then.
func (s *seat) draws() {
	s.t.Helper()
	s.run(`window.drawn = false
		const frame = requestAnimationFrame
		frame(() => frame(() => frame(() => { window.drawn = true })))`)
	s.until("draw", func() bool { return s.ask("window.drawn") == "true" }, func() string { return "" })
}

// stands describes the page for errors: its connection, the focus, its error messages, and the
// fields of its composer.
func (s *seat) stands() string {
	return s.ask(`[
		document.querySelector('[data-live-state]')?.dataset.liveState,
		document.activeElement?.outerHTML.slice(0, 200),
		...[...document.querySelectorAll('.toast, .problem')].map((said) => said.textContent.trim()),
		new URLSearchParams([...new FormData(document.querySelector('#composer-form') ?? undefined)]),
	].join(' | ')`)
}

// picture saves a screenshot where NORN_PICTURES says, for people to look at.
func (s *seat) picture(what string) {
	folder := os.Getenv("NORN_PICTURES")
	if folder == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), patience)
	defer cancel()
	var png []byte
	var err error
	if s.other != nil {
		png, err = s.other.capture()
	} else {
		png, err = chromedp.Run(ctx, chromedp.CaptureScreenshot())
	}
	if err != nil {
		s.t.Logf("no picture of %s: %v", s.name, err)
		return
	}
	name := strings.ReplaceAll(s.t.Name(), "/", "-") + "-" + s.name + "-" + what + ".png"
	if err := os.WriteFile(filepath.Join(folder, name), png, 0o600); err != nil {
		s.t.Logf("no picture of %s: %v", s.name, err)
	}
}

// invites lets the game master invite somebody from the drawer, and closes it. The drawer has the
// link.
func (s *seat) invites(name string) {
	s.t.Helper()
	s.click("[data-drawer]")
	s.choose("#invite-name", name)
	s.click("[data-form=invite] button[type=submit]")
	s.sees("[data-invitation]", name)
	s.click("#drawer .drawer-close")
	s.gone("#drawer:is(:target, :has(:target))")
}

// opensTab opens a tab of the game master's drawer: players, characters, notes, session or
// settings.
func (s *seat) opensTab(name string) {
	s.t.Helper()
	if s.ask("document.querySelector('#drawer:is(:target, :has(:target))') === null") == "true" {
		s.click("[data-drawer]")
	}
	s.click(".drawer-nav [href='#tab-" + name + "']")
	s.sees("#tab-"+name+":target", "")
}

// answers answers the question of a kind: name, value, name, value … A yes-or-no question has a
// button for each.
func (s *seat) answers(kind string, values ...string) {
	s.t.Helper()
	form := "[data-question-kind='" + kind + "']"
	s.sees(form, "")
	id := s.ask("document.querySelector(\"" + form + "\").id")
	if s.ask(fmt.Sprintf("document.querySelector(%q) !== null", form+" [data-no]")) == "true" {
		button := " [data-no]"
		if len(values) > 1 && values[1] != "" {
			button = " button[name='" + values[0] + "']"
		}
		s.click("#" + id + button)
		s.gone("#" + id)
		return
	}
	if byHand := "#" + id + " details.hand:not([open]) > summary"; s.ask(fmt.Sprintf("document.querySelector(%q) !== null", byHand)) == "true" {
		s.click(byHand)
	}
	for i := 0; i+1 < len(values); i += 2 {
		s.fills(form, values[i], values[i+1])
	}
	s.click("#" + id + " .actions button[type=submit]:not([name=roll])")
	s.gone("#" + id)
}

// fills sets a field of a form, with any kind of control.
func (s *seat) fills(form, name, value string) {
	s.t.Helper()
	exact := form + " :is(input[type=radio], input[type=checkbox])[name='" + name + "'][value='" + value + "']"
	if s.ask(fmt.Sprintf("document.querySelector(%q) !== null", exact)) == "true" {
		s.choose(exact, value)
		return
	}
	s.choose(form+" [name='"+name+"']", value)
}

// forget resets the browser to an unused one with a language, and leaves it at no page.
func (s *seat) forget(origin, lang string) {
	s.t.Helper()
	s.visit("about:blank")
	s.do("forget", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, storage.ClearDataForOrigin,
			storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"})
		if err != nil {
			return err
		}
		if _, err = cdp.Call(ctx, tab, network.ClearBrowserCache, cdp.Empty{}); err != nil {
			return err
		}
		_, err = cdp.Call(ctx, tab, network.SetCookie, network.SetCookieParams{Name: "lang", Value: lang, URL: origin})
		return err
	}))
}

// settled waits until the page has loaded everything, including its service worker.
func (s *seat) settled() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	state, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.fonts.ready.then(() => navigator.serviceWorker.ready).then(async () => {
		while (!await caches.match(document.documentElement.dataset.worker.replace(/worker\.js$/, 'offline/') + document.documentElement.lang)) await new Promise(wake => setTimeout(wake, 50))
		return 'kept'
	})`, chromedp.EvalAwaitPromise))
	if err != nil {
		s.t.Fatalf("%s sees no page that settles: %q, %v", s.name, state, err)
	}
}

// fetched waits for the result of an asynchronous expression.
func (s *seat) fetched(expression string) string {
	s.t.Helper()
	s.run(fmt.Sprintf("window.fetched = undefined; (async () => { window.fetched = %s })()", expression))
	s.until("fetch "+expression, func() bool {
		return s.ask("window.fetched !== undefined") == "true"
	}, func() string {
		return ""
	})
	return s.ask("window.fetched")
}

// composes opens the composer of a move again, and waits for it.
func (s *seat) composes(move string) {
	s.t.Helper()
	s.run("document.querySelector('#composer-form').dataset.before = 'yes'")
	s.click("#move-" + move)
	s.sees("[data-composer="+move+"]:not([data-before])", "")
}

// compose opens the composer of the narrow page for a move.
func (s *seat) compose(move string) {
	s.t.Helper()
	s.click(".compose-open")
	if s.ask("document.querySelector('#composer-form').dataset.composer") != move {
		s.click("#move-" + move)
	}
	s.sees("[data-composer="+move+"]", "")
}

// photo writes a large picture as phones make them, and returns its path.
func photo(t testing.TB, width, height int) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = uint8(i>>4 ^ i/width)
	}
	path := filepath.Join(t.TempDir(), "photo.jpg")
	f, err := os.Create(path)
	if err == nil {
		err = jpeg.Encode(f, m, nil)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// types types text where the focus is, key by key.
func (s *seat) types(text string) {
	s.t.Helper()
	if s.other != nil {
		s.did("type "+text, s.other.types(text))
		return
	}
	s.do("type "+text, chromedp.KeyEvent(text))
}

// says enters text in the line.
func (s *seat) says(text string) {
	s.t.Helper()
	s.click("#line")
	s.enters(text)
}

// phone opens a seat at a phone, with touch and without a mouse.
func phone(t *testing.T, name string, width, height int64) *seat {
	t.Helper()
	s := sit(t, name, width, height)
	s.do("use a touch screen", chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch))
	s.finger = true
	return s
}

// taps touches the page at "at X Y". On a busy machine a touch may last too long to be a press, and
// is repeated.
func (s *seat) taps(at string) {
	s.t.Helper()
	point := &input.TouchPoint{}
	if _, err := fmt.Sscanf(at, "at %f %f", &point.X, &point.Y); err != nil {
		s.t.Fatal(err)
	}
	s.run("window.tapped = false; addEventListener('click', () => { window.tapped = true }, { capture: true, once: true })")
	var last time.Time
	s.until("tap "+at, func() bool {
		if time.Since(last) > 2*time.Second {
			if _, err := chromedp.Run(s.ctx, func(ctx context.Context, tab *chromedp.Target) (int, error) {
				_, err := cdp.Call(ctx, tab, input.DispatchTouchEvent,
					input.DispatchTouchEventParams{Type: "touchStart", TouchPoints: []*input.TouchPoint{point}})
				if err == nil {
					_, err = cdp.Call(ctx, tab, input.DispatchTouchEvent,
						input.DispatchTouchEventParams{Type: "touchEnd", TouchPoints: []*input.TouchPoint{}})
				}
				return 0, err
			}); err != nil {
				s.t.Fatalf("%s can't tap: %v", s.name, err)
			}
			last = time.Now()
		}
		return s.ask("window.tapped") != "false" // nor is it repeated if it has led to another page
	}, func() string { return at })
}

// enters types text where the focus is, and sends it.
func (s *seat) enters(text string) {
	s.t.Helper()
	s.types(text)
	s.press(kb.Enter)
}

// press presses keys one after another, where the focus is.
func (s *seat) press(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		s.types(key)
	}
}

// composer is the selector of a move's form.
const composer = "[data-form=move]"
