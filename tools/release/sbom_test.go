package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// The bill of this test's own binary names Go, each module in it and each bundled package, once.
func TestBillOfMaterialsNamesEverythingOnce(t *testing.T) {
	t.Chdir("../..")
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &release{version: "1.2.3", commit: "c0ffee", at: time.Unix(1_700_000_000, 0)}
	text, err := r.billOfMaterials(targets[0], binary)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.billOfMaterials(targets[0], binary)
	if err != nil || string(again) != string(text) {
		t.Errorf("a second bill differs: %v", err)
	}
	var doc spdxDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Relationships) != len(doc.Packages) {
		t.Errorf("%d relationships of %d packages", len(doc.Relationships), len(doc.Packages))
	}
	var purls []string
	for i, p := range doc.Packages {
		purls = append(purls, p.Refs[0].Locator)
		if doc.Relationships[i].To != p.ID {
			t.Errorf("%s is related as %+v", p.Name, doc.Relationships[i])
		}
		for _, sum := range p.Checksums {
			if len(sum.Value) != 128 {
				t.Errorf("%s: %s %s", p.Name, sum.Algorithm, sum.Value)
			}
		}
	}
	for _, want := range []string{
		"pkg:generic/norn@1.2.3", "pkg:golang/stdlib@1.", "pkg:golang/github.com/goreleaser/nfpm/v2@v", "pkg:npm/htmx.org@",
		"pkg:npm/%40fontsource/forum@",
	} {
		if !slices.ContainsFunc(purls, func(p string) bool { return strings.HasPrefix(p, want) }) {
			t.Errorf("%s is missing among\n%s", want, strings.Join(purls, "\n"))
		}
	}
	if slices.ContainsFunc(purls, func(p string) bool { return strings.Contains(p, "esbuild") }) {
		t.Error("a tool that only builds norn is listed as a part of it")
	}
	slices.Sort(purls)
	if n := len(slices.Compact(slices.Clone(purls))); n != len(purls) {
		t.Errorf("%d of %d packages are named once", n, len(purls))
	}
}
