//go:build e2e

package playtest

import (
	"bytes"
	"context"
	"encoding/base64"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A field that is changed before the page's script runs is included once it does.
func TestOddsIncludeAFieldChangedBeforeTheScriptRuns(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna := sit(t, "anna", 1440, 1000)
	anna.do("be quicker than the script", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: `document.addEventListener('readystatechange', () => { document.querySelector('#odds-skill').value = 'fight' }, { once: true })`,
		})
		return err
	}))
	anna.visit(s.url("/odds/spire/check"))
	anna.sees(".odds-heads", "75% to succeed")
}

// Somebody configures a check, compares two settings, shares the address, and downloads the numbers
// and the drawing.
func TestOddsPageComparesSharesAndDownloadsSettings(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna := sit(t, "anna", 1440, 1000)
	anna.visit(s.url("/"))
	anna.click("#to-odds")
	anna.sees("h1", "Odds")
	anna.picture("odds-list")
	anna.click("#odds-spire-check")
	anna.sees(".odds-heads", "30% to succeed")

	changesAField(anna)
	comparesTwoSettings(anna)
	opensTheAddressElsewhere(t, anna)
	takesTheFiles(t, anna)
	movesThroughThePlot(anna)
}

// Somebody types a question: the result follows below the field, with the question in words above it.
func TestOddsFollowTheQuestionThatIsTyped(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna := sit(t, "anna", 1366, 768)
	anna.visit(s.url("/odds"))
	if at := anna.ask("document.activeElement.id"); at != "notation" {
		t.Errorf("%q has the focus, not the question", at)
	}
	anna.run(`(() => { const text = document.querySelector("#notation"); text.value = "adv+5 15+"; text.dispatchEvent(new Event("input", { bubbles: true })) })()`)
	anna.sees("#odds-result .odds-meant", "two d20, the higher, plus 5; 15 or more")
	anna.sees("#odds-result .odds-heads", "80% to reach it")
	anna.picture("odds-typed")
	anna.until("see the address follow", func() bool {
		return strings.HasPrefix(anna.ask("location.pathname + location.search"), "/odds/dice?notation=")
	}, func() string { return anna.ask("location.href") })

	// other sites see the same drawing, with bars as wide as their chances
	anna.visit(s.url("/odds/frame?_odds=spire/check&skill=on"))
	anna.sees("body", "75% to succeed")
	if full := anna.ask(`String([...document.querySelectorAll(".bar")].filter((bar) => getComputedStyle(bar.querySelector(".plot-track")).fill === getComputedStyle(bar.querySelectorAll("rect")[1]).fill).length)`); full != "0" {
		t.Errorf("%s bars are as wide as their line", full)
	}
	anna.picture("odds-frame")
}

// changesAField checks that the odds and the address change with the setting.
func changesAField(anna *seat) {
	anna.choose("#odds-skill", "fight")
	anna.sees(".odds-heads", "75% to succeed")
	anna.until("see the address follow", func() bool { return anna.ask("location.search") == "?skill=fight" },
		func() string { return anna.ask("location.href") })
	anna.click("#odds-difficulty-1")
	anna.sees(".odds-heads", "50% to succeed")
	anna.picture("odds-check")
}

// comparesTwoSettings shows two settings next to each other.
func comparesTwoSettings(anna *seat) {
	anna.click("#odds-add")
	anna.sees(".odds-result", "Kept.")
	anna.choose("#odds-mastery", "true")
	anna.sees("#odds-compared", "Mastery: yes")
	anna.sees(".odds-settings", "Mastery: no")
	anna.until("see the address follow", func() bool {
		return strings.Contains(anna.ask("location.search"), "_with=skill=fight,difficulty=1")
	},
		func() string { return anna.ask("location.href") })
	anna.picture("odds-compared")
}

// opensTheAddressElsewhere shows the same in another browser, on a phone and without scripts: it
// needs only the address.
func opensTheAddressElsewhere(t *testing.T, anna *seat) {
	link := anna.ask("location.href")
	boris := sit(t, "boris", 360, 780)
	boris.do("switch script off", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	boris.visit(link)
	boris.sees("#odds-compared", "Mastery: yes")
	if same, want := boris.text("#odds-compared"), anna.text("#odds-compared"); same != want {
		t.Errorf("the address shows %q, was %q", same, want)
	}
	if boris.ask("String(document.documentElement.scrollWidth <= innerWidth)") != "true" {
		t.Error("a narrow page is wider than its window")
	}
	boris.picture("odds-narrow")
	boris.run("document.querySelector('#odds-helpers').value = 2") // as typed
	boris.click(".odds-form button.primary")
	boris.sees("#odds-compared", "Helpers 2")
	if at := boris.ask("location.search"); !strings.Contains(at, "helpers=2") || strings.Contains(at, "_form") {
		t.Errorf("the form without script leads to %s", at)
	}
}

// takesTheFiles downloads the numbers, and the drawing as SVG and PNG.
func takesTheFiles(t *testing.T, anna *seat) {
	for id, want := range map[string]string{"csv": "setting,outcome,n,fraction,probability\n", "svg": "<svg xmlns="} {
		got, err := http.Get(anna.ask("document.querySelector('#odds-" + id + "').href"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || got.StatusCode != 200 || !strings.HasPrefix(string(body), want) {
			t.Errorf("%s: %d %.80s, %v", id, got.StatusCode, body, err)
		}
	}
	anna.run(`window.made = ''; URL.createObjectURL = (blob) => {
		const reader = new FileReader()
		reader.onload = () => { window.made = reader.result }
		reader.readAsDataURL(blob)
		return 'data:,'
	}`)
	anna.click("#odds-png")
	const begins = "data:image/png;base64,"
	anna.until("get a picture", func() bool {
		return strings.HasPrefix(anna.ask("window.made"), begins)
	}, func() string {
		return anna.ask("window.made.slice(0, 80)")
	})
	made, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(anna.ask("window.made"), begins))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[color.Color]bool{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			colours[picture.At(x, y)] = true
		}
	}
	if size := picture.Bounds().Size(); size.X < 1000 || size.Y < 400 || len(colours) < 20 {
		t.Errorf("the PNG is %v with %d colours", size, len(colours))
	}
	if folder := os.Getenv("NORN_PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, t.Name()+"-download.png"), made, 0o600); err != nil {
			t.Error(err)
		}
	}
}

// movesThroughThePlot checks that a plot is one stop of the tab key, and arrows move within it.
func movesThroughThePlot(anna *seat) {
	anna.run("document.querySelector('.plot-stacks .bar').focus()")
	anna.do("press an arrow", chromedp.KeyEvent(kb.ArrowRight))
	anna.until("go to the next bar", func() bool {
		return anna.ask("String([...document.querySelectorAll('.plot-stacks .bar')].indexOf(document.activeElement))") == "1"
	},
		func() string { return anna.ask("document.activeElement.outerHTML") })
}

// The odds of the composer link to the same setting without a table.
func TestTableLinksToTheSameOddsWithoutATable(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret,
		map[string]any{"name": "Vex", "kind": "character", "sheet": map[string]any{
			"skills": []any{map[string]any{"name": "fight", "mastery": true}},
		}})
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/t/" + id + "/" + secret))
	gm.visit(s.url("/t/" + id + "?_c=c1&_m=check"))
	gm.choose("[data-form=move] [name=skill]", "fight")
	gm.choose("[data-form=move] [name=difficulty][value='1']", "1")
	gm.sees("#odds .odds-heads", "75% to succeed")
	gm.click("#odds-exact summary")
	gm.sees("#odds-public", "Compare")
	at := gm.ask("document.querySelector('#odds-public').href")
	gm.visit(at)
	gm.sees(".odds-heads", "75% to succeed") // with the mastery of the sheet
	if got := gm.ask("location.pathname + location.search"); got != "/odds/spire/check?skill=fight&mastery=on&difficulty=1" {
		t.Errorf("the composer leads to %s", got)
	}
}
