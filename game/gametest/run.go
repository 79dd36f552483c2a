package gametest

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/game"
	"norn/game/judge"
)

var update = flag.Bool("update", false, "write what happened into the cases")

const folder = "testdata/cases"

// Run checks a game and its source. Call it from a test in the game's own folder.
func Run(t *testing.T, g *game.Game) {
	throws := judge.Throws
	if testing.Short() { // all of them run before a change lands
		throws /= 5
	}
	if *update {
		cases := read(t)
		for _, point := range judge.Points(g, cases, throws) {
			point.Judge() // the cases report what is wrong
		}
		rewrite(t, cases)
	}
	cases := read(t)
	for _, point := range judge.Points(g, cases, throws) {
		t.Run(point.Name, func(t *testing.T) {
			for _, fault := range point.Judge() {
				t.Error(fault)
			}
		})
	}
	t.Run("every rule id has its place and its case", func(t *testing.T) { everyRule(t, g, cases) })
	t.Run("imports nothing that reaches outside", func(t *testing.T) { pure(t, g) })
}

// read reads the cases of the game in the current folder.
func read(t *testing.T) []*judge.Case {
	t.Helper()
	cases, err := judge.Read(os.DirFS(folder))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	return cases
}

// rewrite writes the cases with their actual results.
func rewrite(t *testing.T, cases []*judge.Case) {
	t.Helper()
	files := map[string][]string{}
	for _, c := range cases {
		files[c.File] = append(files[c.File], c.Transcript())
	}
	for file, blocks := range files {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(strings.Join(blocks, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// everyRule compares the game's list of rule ids with the ids named in the
// code's comments and in the cases.
func everyRule(t *testing.T, g *game.Game, cases []*judge.Case) {
	named := map[string]bool{}
	for _, file := range sources(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if _, comment, ok := strings.Cut(line, "//"); ok {
				for _, id := range judge.RuleID.FindAllString(comment, -1) {
					named[id] = true
				}
			}
		}
	}
	covered := map[string]bool{}
	for _, s := range cases {
		for _, id := range s.Rules {
			covered[id] = true
			if !slices.Contains(g.Rules, id) {
				t.Errorf("%s: %q names %s, which is no rule of %s", s.File, s.Title, id, g.ID)
			}
		}
	}
	for _, id := range g.Rules {
		if !named[id] {
			t.Errorf("%s is named at no place in the code", id)
		}
		if !covered[id] {
			t.Errorf("%s has no case", id)
		}
	}
}

// sources returns the paths of the game's own Go files, without tests.
func sources(t *testing.T) []string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
}

var outside = []string{
	"time",
	"os",
	"net",
	"context",
	"sync",
	"math/rand",
	"crypto/rand",
	"database",
	"log",
	"runtime",
	"unsafe",
}

// pure checks the direct imports of a game's files.
func pure(t *testing.T, g *game.Game) {
	for _, file := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range parsed.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(path, "norn/games") {
				t.Errorf("%s imports %s: a game imports no other", file, path)
			}
			for _, reach := range outside {
				if path == reach || strings.HasPrefix(path, reach+"/") {
					t.Errorf("%s imports %s, which reaches outside", file, path)
				}
			}
		}
	}
}
