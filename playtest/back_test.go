//go:build e2e

package playtest

import "testing"

// On a phone Back leads from the sheet, the cast and the questions to the log, even after a form
// was opened there.
func TestBackOnAPhoneLeadsToTheLog(t *testing.T) {
	t.Parallel()
	s := serve(t, "--demo")
	p := phone(t, "anna", 360, 780)
	p.follows(s.url("/demo/spire/player"))
	tab := func(want string) {
		t.Helper()
		p.until("see the tab "+want, func() bool {
			return p.ask("document.querySelector('.table').dataset.tab") == want &&
				p.ask("document.querySelector('.tabs [aria-current]').dataset.toTab") == want
		}, func() string { return p.ask("document.querySelector('.table').dataset.tab") })
	}
	for _, other := range []string{"sheet", "cast", "questions"} {
		p.click(".tabs [data-to-tab=" + other + "]")
		tab(other)
		p.run("history.back()")
		tab("log")
	}
	p.click(".tabs [data-to-tab=cast]")
	p.click(".tabs [data-to-tab=sheet]")
	tab("sheet")
	p.run("history.back()")
	tab("log")
	p.click(".tabs [data-to-tab=sheet]")
	p.click("#sheet a.use")
	p.sees("#composer:target", "")
	p.click(".compose-close a")
	p.gone("#composer:target")
	tab("sheet")
	p.run("history.go(-3)") // the form's closing, its opening, the sheet
	tab("log")

	stepped := func() { // the page hears of an open panel a moment later
		t.Helper()
		p.until("have a step of history for the panel", func() bool {
			return p.ask("history.state?.panel === true") == "true"
		}, func() string { return p.ask("JSON.stringify(history.state)") })
	}
	for _, panel := range []string{".bar > .menu:last-child", "#seat-menu", ".log-bar"} {
		p.click(panel + " > summary")
		p.sees(panel+"[open]", "")
		stepped()
		p.run("history.back()")
		p.gone(panel + "[open]")
		tab("log")
		if at := p.ask("document.querySelector('.table') !== null"); at != "true" {
			t.Fatalf("Back from %s left the table", panel)
		}
		p.click(panel + " > summary")
		p.sees(panel+"[open]", "")
		p.click(panel + " > summary")
		p.gone(panel + "[open]")
	}

	// What replaces the sheet with its menu leaves no step behind.
	p.click(".tabs [data-to-tab=sheet]")
	tab("sheet")
	p.changes()
	p.until("have no step for the menu", func() bool { return p.ask("history.state?.panel === true") == "false" },
		func() string { return p.ask("JSON.stringify(history.state)") })
	tab("sheet")
	p.run("history.back()")
	tab("log")

	table := p.ask("location.pathname")
	p.visit("about:blank")
	p.follows(s.url(table + "?_tab=sheet"))
	p.click(".table") // Chromium drops history entries of pages without a user's action
	tab("sheet")
	p.run("history.back()")
	tab("log")
}
