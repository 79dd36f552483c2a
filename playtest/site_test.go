//go:build e2e

package playtest

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
)

// The site has no norn behind it, only a server of files, and computes odds all the same.
func TestStaticSiteComputesOdds(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	build := exec.Command("go", "run", "./docs/site", "-out", out)
	build.Dir = ".."
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	files := httptest.NewServer(http.FileServer(http.Dir(out)))
	t.Cleanup(files.Close)
	anna := sit(t, "anna", 1366, 768)
	anna.visit(files.URL + "/odds/ru.html")
	anna.sees("#lab-result .law-table", "%")
	anna.click("#lab-example-fate")
	anna.sees("#lab-result .law-figures", "Среднее")
	anna.sees("#lab-result .law-table", "23,5")
	anna.picture("site-odds")
	bert := phone(t, "bert", 360, 780)
	bert.visit(anna.ask("location.href"))
	bert.sees("#lab-result .law-figures", "Среднее")
	bert.run(`document.querySelector("#lab-form").scrollIntoView()`)
	bert.picture("site-odds-phone")
	if wide := bert.ask(`String(document.documentElement.scrollWidth <= innerWidth)`); wide != "true" {
		t.Error("the page is wider than the phone")
	}
}
