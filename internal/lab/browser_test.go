package lab

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/lang"
)

// runner answers each line of its input as the worker does in a browser.
const runner = `
require(process.argv[2]);
const go = new Go();
WebAssembly.instantiate(require("fs").readFileSync(process.argv[3]), go.importObject).then(({ instance }) => {
  go.run(instance);
  const lines = require("fs").readFileSync(0, "utf8").trim().split("\n");
  for (const line of lines) console.log(globalThis.nornAnswer(line));
  process.exit(0);
});`

// inWASM answers each question by the engine compiled to WebAssembly and run by Node.
func inWASM(t *testing.T, questions []Request) []string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "lab.wasm"), "./wasm")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "run.cjs")
	if err := os.WriteFile(script, []byte(runner), 0o600); err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, q := range questions {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(node, script, filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"),
		filepath.Join(dir, "lab.wasm"))
	run.Stdin = &in
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// randomRule returns a rule with a few random throws, whose outcomes are ranges of the total or the
// total itself.
func randomRule(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("high = good(\"high: {n}\", counts = True)\nlow = bad(\"low\")\n\ndef f(a, b):\n    total = a\n")
	draw := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "part") }
	for range rapid.IntRange(1, 3).Draw(t, "throws") {
		throw := draw("roll(d6)", "roll(d20)", "sum(2, d6)", "count(a + 1, d10, at_least = 7)",
			"keep(3, d8, highest = 2)", "keep(2, d20, lowest = 1)",
			"max(throw(2, d4))", "fold(3, d6, 0, lambda so, face, n: so + face * n)", "(1 if b else 2) * roll(d4)",
			"against(lambda: roll(d6) + a, lambda: roll(d8))")
		if rapid.Bool().Draw(t, "branch") {
			b.WriteString("    if total > " + draw("2", "5", "9") + ":\n    ")
		}
		b.WriteString("    total " + draw("+=", "-=", "+=") + " " + throw + "\n")
	}
	b.WriteString("    return " + draw("total", "high(total) if total > 7 else low",
		"high(total % 4) if total > 3 and b else low") + "\n\n")
	b.WriteString("move(f, \"F\", a = number(\"A\", 0, 4, start = 1), b = flag(\"B\"))\n")
	return b.String()
}

// The odds in the browser must equal those computed here, and those of the command line: see Price.
func TestTheBrowserComputesTheSameOdds(t *testing.T) {
	var questions []Request
	for _, in := range lang.All {
		for _, e := range Examples(in) {
			questions = append(questions, Request{Lang: in, Text: e.Text})
		}
	}
	rules := rapid.Custom(randomRule)
	for seed := range 60 {
		questions = append(questions, Request{
			Lang: lang.En, Text: rules.Example(seed),
			Settings: []map[string]string{{}, {"a": "3", "b": "on"}},
		})
	}
	l := New()
	answers := inWASM(t, questions)
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	priced := 0
	for i, q := range questions {
		want, err := json.Marshal(l.Respond(q))
		if err != nil {
			t.Fatal(err)
		}
		if answers[i] != string(want) {
			t.Errorf("%s\nin the browser %.300s\nwant           %.300s", q.Text, answers[i], want)
		}
		if strings.Contains(answers[i], `"sides"`) {
			priced++
		}
	}
	if priced < len(questions)*9/10 {
		t.Errorf("only %d of %d rules have odds", priced, len(questions))
	}
}
