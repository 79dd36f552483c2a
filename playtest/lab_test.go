//go:build e2e

package playtest

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
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

// Rules and links that mean harm are answered, refused or stopped, put no element into the page, and an
// ordinary rule is answered after each.
func TestHostileRulesHarmNobodyInTheBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t)
	anna := sit(t, "anna", 1366, 768)
	const markup = `<img src=/x onerror='window.harmed=1'><b id=harm>`
	rule := func(lines ...string) string { return strings.Join(lines, "\n") }
	quoted := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// answered waits for the answer, with which the numbers of the lines are written anew.
	answered := func(to string) {
		t.Helper()
		anna.until("see an answer to "+to, func() bool {
			return anna.ask(`document.querySelector(".lab-lines > :not([data-old])") !== null`) == "true"
		}, func() string { return anna.text("#lab-status") })
		if anna.ask(`window.harmed === undefined && !document.querySelector("#harm, img[src='/x']")`) != "true" {
			t.Errorf("%s puts an element into the page", to)
		}
	}
	old := `for (const line of document.querySelectorAll(".lab-lines > *")) line.dataset.old = ""`
	asks := func(name, text string) {
		t.Helper()
		anna.run(`(() => { const text = document.querySelector("#lab-text"); text.value = ` + quoted(text) + `; text.dispatchEvent(new Event("input")); ` + old + ` })()`)
		answered(name)
	}
	works := func(after string) {
		t.Helper()
		asks("an ordinary rule after "+after, rule(`def f(n):`, `    return n + roll(d6)`, `move(f, "F", n = number("Plus", 0, 3))`))
		anna.sees(".law-figures", "3.50")
	}
	anna.visit(s.url("/odds/rule"))
	anna.sees(".law-figures", "")
	for name, text := range map[string]string{
		"markup in every word": rule(`def f(n, c):`, `    return outcome("`+markup+`") if n else roll(d6)`,
			`move(f, "`+markup+`", n = number("`+markup+`", 0, 3), c = choice("`+markup+`", ["`+markup+`", "b"]))`),
		"markup in a mistake":    rule(`def f():`, `    fail("`+markup+`")`, `move(f, "F")`),
		"an unknown name":        rule(`def f():`, `    return `+"x"+strings.Repeat("y", 10_000), `move(f, "F")`),
		"a vast list":            rule(`v = [0] * 1000000000`, `def f():`, `    return roll(d6)`, `move(f, "F")`),
		"a vast text":            rule(`v = "a" * 1000000000`, `def f():`, `    return roll(d6)`, `move(f, "F")`),
		"doubled texts":          rule(`def f():`, `    v = "ab"`, `    for i in range(60):`, `        v = v + v`, `    return len(v)`, `move(f, "F")`),
		"a vast number":          rule(`def f():`, `    v = 7`, `    for i in range(40):`, `        v = v * v`, `    return v % 6`, `move(f, "F")`),
		"a shifted number":       rule(`def f():`, `    return (1 << 500000000) % 7`, `move(f, "F")`),
		"a long loop":            rule(`def f():`, `    for i in range(1000000000000):`, `        pass`, `    return 1`, `move(f, "F")`),
		"a loop before the move": rule(`def g():`, `    for i in range(1000000000000):`, `        pass`, `g()`),
		"itself":                 rule(`def f():`, `    return f()`, `move(f, "F")`),
		"deep brackets":          "v = " + strings.Repeat("[", 7000) + strings.Repeat("]", 7000),
		"many dice":              rule(`def f():`, `    return roll(1000000000)`, `move(f, "F")`),
		"many fields":            rule(`def f(**all):`, `    return roll(d6)`, `move(f, "F", **{"n%d" % i: number("N", 0, 1) for i in range(5000)})`),
		"many choices":           rule(`def f(c):`, `    return roll(d6)`, `move(f, "F", c = choice("C", ["o%d" % i for i in range(100000)]))`),
		"many outcomes":          rule(`def f():`, `    return str(roll(d20)) + str(roll(d20)) + str(roll(d20)) + str(roll(d20)) + str(roll(d20))`, `move(f, "F")`),
	} {
		asks(name, text)
		works(name)
	}
	for name, state := range map[string]string{
		"a bomb":                  quoted(strings.Repeat("x", 40_000_000)),
		"no object":               `null`,
		"settings that aren't":    `{"v": 2, "text": "d6", "move": "", "now": [], "kept": []}`,
		"settings of a prototype": `{"v": 2, "text": "d6", "move": "", "now": {"__proto__": {"n": "1"}, "constructor": "x"}, "kept": []}`,
		"a value that is no number": `{"v": 2, "text": ` + quoted(rule(`def f(m):`, `    return m + roll(d6)`, `move(f, "F", m = number("M", 0, 3))`)) + `,
			"move": "<b id=harm>", "now": {"m": "<b id=harm>"}, "kept": [{"text": "d6", "move": "<b id=harm>", "set": {"m": "<b id=harm>"}}]}`,
		"another page":      `{"v": 2, "text": "d6", "move": "", "now": {}, "kept": [{"at": "/odds/dice/../../act/leave?x"}, {"at": "//other/odds/dice"}]}`,
		"markup to compare": `{"v": 2, "text": "d6", "move": "", "now": {}, "kept": [{"at": "/odds/dice?notation=%3Cb%20id%3Dharm%3E"}]}`,
	} {
		var packed bytes.Buffer
		w, _ := flate.NewWriter(&packed, flate.BestCompression) // the level is valid
		if _, err := io.WriteString(w, state); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		anna.visit("about:blank")
		anna.visit(s.url("/odds/rule#" + base64.RawURLEncoding.EncodeToString(packed.Bytes())))
		anna.sees("#lab-text", "")
		answered(name)
		works(name)
	}
}
