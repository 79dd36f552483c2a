//go:build e2e

package playtest

import (
	"context"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A half-filled sheet, settings and a question survive when a phone discards the page: another tab
// shows them as they were, including lists. Nobody else sees them, and they are deleted when they
// are sent or cancelled.
func TestHalfFilledFormsSurviveADiscardedPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	s.must("POST", "/tables/"+table.id+"/moves", table.secret,
		body{"move": "check", "character": table.cast[1], "args": body{}, "dice": []int{2}})
	gm := sit(t, "gm", 1440, 900)
	gm.follows(table.gm)
	anna := sit(t, "anna", 1440, 900)
	anna.follows(table.anna)
	sheet := s.url("/t/" + table.id + "?_edit=1&_c=" + table.cast[0])
	const (
		class    = "[data-form=sheet] [name=class]"
		skills   = "[data-form=sheet] fieldset.list:has([name='skills.0.name'])"
		settings = "[data-form=settings] [name=helpers-most]"
		question = "[data-question-kind='spire.risk'] [name=resistance]"
	)
	opens := func(one *seat) {
		one.visit(sheet)
		one.sees("[data-live-state=open]", "")
		one.sees(class, "")
	}
	value := func(one *seat, selector string) string {
		return one.ask("document.querySelector(\"" + selector + "\")?.value ?? ''")
	}
	opens(gm)
	was, known := value(gm, class), gm.ask("String(document.querySelectorAll(\""+skills+" > .list-item\").length)")
	before := value(gm, settings)
	gm.choose(class, "Half a class")
	gm.click(skills + " > [name=_add]")
	gm.until("have a longer list", func() bool {
		return gm.ask("String(document.querySelectorAll(\""+skills+" > .list-item\").length)") != known
	}, func() string { return known })
	gm.choose(skills+" > .list-item:not(:has(~ .list-item)) select", "steal")
	gm.choose(settings, "7")
	gm.choose(question+"[value=silver]", "on")

	left := "Half a class|7|silver|steal"
	there := func(one *seat) string {
		return value(one, class) + "|" + value(one, settings) + "|" + value(one, question+":checked") + "|" +
			value(one, skills+" > .list-item:not(:has(~ .list-item)) select")
	}
	opens(gm) // as another tab, or a discarded page, does
	gm.until("find what was half filled", func() bool { return there(gm) == left }, func() string { return there(gm) })
	opens(anna)
	if got := value(anna, class); got != was {
		t.Errorf("another seat is shown %q", got)
	}

	gm.click("[data-form=sheet] .actions button.primary")
	gm.gone("[data-form=sheet]")
	gm.sees("#sheet", "Half a class")
	opens(gm)
	gm.choose(class, "Never mind")
	gm.click("[data-form=sheet] .actions a.quiet")
	gm.gone("[data-form=sheet]")
	opens(gm)
	gm.until("find what was left as it was", func() bool {
		return value(gm, class) == "Half a class"
	}, func() string {
		return value(gm, class)
	})
	gm.answers("spire.risk", "resistance", "mind")
	gm.visit(s.url("/t/" + table.id + "#drawer"))
	gm.sees("[data-live-state=open]", "")
	if got := value(gm, settings); got != "7" {
		t.Errorf("the settings, neither kept nor left, stand at %q, before %q", got, before)
	}
	if kept := gm.ask("String(Object.keys(localStorage).filter((key) => key.startsWith('norn.kept.')).length)"); kept != "1" {
		t.Errorf("%s drafts are kept, of what wasn't sent is one", kept)
	}
}

// A form that somebody has edited doesn't change when others act, although everything around it
// does. An untouched form is updated, and an edited one after it was sent.
func TestEditedFormIsNotChangedByOthersActions(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	gm := sit(t, "gm", 1440, 900)
	gm.follows(s.url("/t/" + table.id + "/" + table.secret))
	gm.visit(s.url("/t/" + table.id + "#drawer"))
	gm.sees("[data-live-state=open]", "")
	const helpers = "[data-form=settings] [name=helpers-most]"
	shows := func(what string) {
		t.Helper()
		value := func() string { return gm.ask("document.querySelector(\"" + helpers + "\").value") }
		gm.until("show "+what, func() bool { return value() == what }, value)
	}
	sets := func(n int) {
		t.Helper()
		s.must("PATCH", "/tables/"+table.id+"/settings", table.secret, body{"settings": body{"helpers-most": n}})
		gm.sees("#drawer-settings [data-house-rule=helpers-most]", strconv.Itoa(n))
	}
	sets(2)
	shows("2")
	gm.choose(helpers, "7")
	sets(3)
	shows("7")
	gm.run("document.querySelector('#drawer [data-form=settings]').requestSubmit()")
	gm.sees("#drawer-settings [data-house-rule=helpers-most]", "7")
	shows("7")
	sets(5) // not the default 4, which isn't shown
	shows("5")
}

// Text typed on a slow phone before the page's script runs survives a reload too.
func TestTextTypedBeforeTheScriptRunsIsKept(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", "en")
	made := s.must("POST", "/tables/"+table.id+"/seats", table.secret, body{"name": "Olena", "role": "player"})
	olena := sit(t, "olena", 360, 780)
	olena.follows(s.url("/t/" + table.id + "/" + made["secret"].(string)))
	const early = `if (!sessionStorage.early) new MutationObserver(() => {
		const field = document.getElementById("hero-name")
		if (!field || sessionStorage.early) return
		field.value = "Mirra"
		sessionStorage.early = "1"
	}).observe(document, {childList: true, subtree: true})`
	if _, err := chromedp.Run(olena.ctx, func(ctx context.Context, tab *chromedp.Target) (int, error) {
		_, err := cdp.Call(ctx, tab, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: early})
		return 0, err
	}); err != nil {
		t.Fatal(err)
	}
	olena.visit(s.url("/t/" + table.id + "/hero"))
	for range 2 {
		olena.until("have the name", func() bool {
			return olena.ask("document.querySelector('#hero-name')?.value") == "Mirra"
		},
			func() string { return olena.ask("JSON.stringify(localStorage)") })
		olena.do("load the page again", chromedp.Reload())
	}
}
