//go:build !race

package web_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// Only the worker of a reader's own rules may compile WebAssembly; neither its page nor any other
// file may.
func TestOnlyTheRulesWorkerMayCompileWebAssembly(t *testing.T) {
	h := public(nil)
	page := ask(h, "/odds/rule")
	holds(t, page, 200, `id="lab"`, "data-examples=")
	if policy := page.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") ||
		strings.Contains(policy, "wasm") {
		t.Errorf("the page's policy is %q", policy)
	}
	worker := regexp.MustCompile(`data-worker="([^"]+lab-worker[^"]+)"`).FindStringSubmatch(page.Body.String())
	if worker == nil {
		t.Skip("no bundle: make bundle makes it")
	}
	answer := ask(h, worker[1])
	if got, want := answer.Header().Get("Content-Security-Policy"),
		"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"; answer.Code != 200 ||
		got != want {
		t.Errorf("%d with the policy %q, want %q", answer.Code, got, want)
	}
	for _, file := range regexp.MustCompile(`"(/assets/[^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1) {
		if policy := ask(h, file[1]).Header().Get("Content-Security-Policy"); file[1] != worker[1] &&
			strings.Contains(policy, "wasm") {
			t.Errorf("%s has the policy %q", file[1], policy)
		}
	}
	engine := regexp.MustCompile(`data-engine="([^"]+)"`).FindStringSubmatch(page.Body.String())
	// A browser unpacks the engine itself, and so keeps what it has compiled; to others it's a packed file.
	for accepted, want := range map[string][2]string{
		"gzip, deflate, br, zstd": {"application/wasm", "gzip"}, "": {"application/gzip", ""},
	} {
		packed := ask(h, engine[1], "Accept-Encoding", accepted)
		got := [2]string{packed.Header().Get("Content-Type"), packed.Header().Get("Content-Encoding")}
		if got != want || packed.Body.Len() > 3_000_000 || !bytes.HasPrefix(packed.Body.Bytes(), []byte{0x1f, 0x8b}) {
			t.Errorf("the engine to who takes %q: %q, %d bytes", accepted, got, packed.Body.Len())
		}
	}
	if strings.Contains(ask(h, "/odds").Body.String(), "lab-worker") ||
		strings.Contains(ask(h, "/").Body.String(), "wasm") {
		t.Error("other pages name the engine")
	}
}
