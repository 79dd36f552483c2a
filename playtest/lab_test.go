//go:build e2e

package playtest

import (
	"strings"
	"testing"
)

// endless is a rule that takes too long: it has too many outcomes to be enumerated or simulated
// soon.
const endless = `def f(n):\n    total = 0\n    for i in range(12):\n        fell = roll(20)\n        total = (total * 7 + fell * (i + 1)) % 99991\n        for j in range(500):\n            total = (total + j) % 99991\n    return total\nmove(f, \"F\", n = number(\"N\", 1, 3))`

// writes enters a rule in the page as if it was typed.
func writes(anna *seat, rule string) {
	anna.run(`(() => { const text = document.querySelector("#lab-text"); text.value = "` + rule +
		`"; text.dispatchEvent(new Event("input")) })()`)
}

// Somebody writes a rule, sets its fields, compares two settings, shares it, and stops one that
// doesn't end.
func TestOwnRulesOddsAreComputedInTheBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna := sit(t, "anna", 1366, 768)
	anna.visit(s.url("/odds"))
	anna.click("#odds-rule")
	anna.sees("h1", "Write a rule")
	anna.sees(".law-figures", "to succeed")
	barsAreAsWideAsTheirChances(t, anna)
	anna.picture("rule")

	anna.click("#lab-example-damage")
	anna.sees(".law-figures", "Deviation")
	anna.sees(".law-figures", "7.")
	anna.picture("rule-damage")
	anna.click("#lab-keep")
	anna.run(`(() => { const bonus = document.querySelector("#lab-bonus"); bonus.value = "8"; bonus.dispatchEvent(new Event("input")) })()`)
	anna.sees("#lab-kept", "Bonus 8")
	anna.run(`[...document.querySelectorAll(".law-view")][1].click()`)
	anna.sees(".law-views", "At least")
	anna.picture("rule-compared")

	anna.until("see the address follow", func() bool {
		return len(anna.ask("location.hash")) > 50
	}, func() string {
		return anna.ask("location.href")
	})
	at := anna.ask("location.href")
	bert := phone(t, "bert", 360, 780)
	bert.visit(at)
	bert.sees("#lab-kept", "Bonus 8")
	bert.picture("rule-phone")
	if wide := bert.ask(`String(document.documentElement.scrollWidth <= innerWidth)`); wide != "true" {
		t.Error("the page is wider than the phone")
	}
	if strings.Contains(anna.ask(`String(performance.getEntriesByType("resource").map((one) => one.name))`), "#") {
		t.Error("the rule is asked for from a server")
	}

	writes(anna, `def f():\n    return 1 +\n`)
	anna.sees("#lab-problem", "Line 2: this line ends too early")
	anna.sees(".lab-wrong", "2")
	anna.picture("rule-mistake")
	writes(anna, `4d6kh3`)
	anna.sees("#lab-meant", "four d6, the highest 3")
	anna.sees("#lab-kept", "Attack")
	writes(anna, endless)
	anna.sees("#lab-status", "Working…")
	anna.click("#lab-stop")
	anna.sees("#lab-status", "Stopped")
	writes(anna, `def f(n):\n    return n + roll(d6)\nmove(f, \"F\", n = number(\"Plus\", 0, 3))`)
	anna.sees(".law-figures", "3.50")
}

// barsAreAsWideAsTheirChances measures the bars of named outcomes: a full line is 100 %.
func barsAreAsWideAsTheirChances(t *testing.T, anna *seat) {
	t.Helper()
	if wrong := anna.ask(`[...document.querySelectorAll("#lab-result tr:has(.law-bar)")].map((row) => {
		const part = row.querySelector(".law-bar").getBoundingClientRect().width / row.querySelector(".law-track").getBoundingClientRect().width;
		return [100 * part, parseFloat(row.querySelector(".law-chance").textContent)];
	}).filter(([drawn, chance]) => Math.abs(drawn - chance) > 1).join("; ")`); wrong != "" {
		t.Errorf("bars are drawn, and chances are: %s", wrong)
	}
}

// A move of a game is compared with a rule of one's own.
func TestMovesAreComparedWithOwnRules(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna := sit(t, "anna", 1366, 768)
	anna.visit(s.url("/odds/spire/check?skill=fight"))
	anna.click("#odds-other > summary")
	anna.click("#odds-against-rule")
	anna.sees("#lab-kept", "Check · Skill: Fight")
	anna.sees("#lab-kept", "Fight\n✕\nCheck")
	anna.sees("#lab-differences", "percentage point")
	anna.sees(".law-table", "Critical success")
	anna.picture("rule-against-move")
}

// All odds have statistics and other views, which are drawn when they are opened and updated when
// fields change.
func TestAllOddsPagesHaveStatistics(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna := sit(t, "anna", 1366, 768)
	anna.visit(s.url("/odds/dice?notation=3d6"))
	anna.sees("h1", "Plain dice")
	anna.click("#odds-law > summary")
	anna.sees("#odds-law .law-figures", "Deviation")
	anna.sees("#odds-law .law-figures", "2.96")
	anna.sees("#odds-law .law-figures", "10, 11")
	anna.run(`[...document.querySelectorAll("#odds-law .law-view")][1].click()`)
	anna.sees("#odds-law .law-table", "99.5%")
	anna.run(`(() => { const text = document.querySelector("#odds-notation"); text.value = "2d6"; text.dispatchEvent(new Event("input", { bubbles: true })) })()`)
	anna.sees("#odds-law .law-figures", "2.42")
	anna.picture("odds-law")

	bert := phone(t, "bert", 360, 780)
	bert.visit(s.url("/odds/spire/check?skill=fight&_with=skill=fight,difficulty=1"))
	bert.click("#odds-law > summary")
	bert.sees("#odds-law .law-key", "Difficulty 1")
	bert.run(`document.querySelector("#odds-law").scrollIntoView()`)
	bert.picture("odds-law-phone")
	if wide := bert.ask(`String(document.documentElement.scrollWidth <= innerWidth)`); wide != "true" {
		t.Error("the page is wider than the phone")
	}
}
