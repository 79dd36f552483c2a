// Command inspect prints what norn reads of heroes from other programs: each file of a folder, with
// what was computed, what didn't fit and what became notes. It's for trying real files, which no
// test may hold.
//
//	tools/foreign.sh [-sums] DIR…
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/widget"
	"norn/lang"
	"norn/table"
)

func main() {
	sums := flag.Bool("sums", false, "print how each value was computed")
	language := flag.String("lang", "en", "language")
	flag.Parse()
	t := &tried{sums: *sums, codes: map[string]int{}}
	folders := []fs.FS{form.Words, widget.Words, table.Words, foreign.Words}
	for _, g := range games.All().Games() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	t.words = words.In(lang.Lang(*language))
	for _, dir := range flag.Args() {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if filepath.Ext(path) == ".db" { // a document a line
				lines := bufio.NewScanner(bytes.NewReader(data))
				lines.Buffer(nil, 16<<20)
				for n := 1; lines.Scan(); n++ {
					t.try(fmt.Sprintf("%s:%d", path, n), bytes.Clone(lines.Bytes()))
				}
				return lines.Err()
			}
			t.try(path, data)
			return nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	fmt.Printf("\n%d files: %d heroes, %d whole, %d values computed\n", t.files, t.heroes, t.whole, t.derived)
	codes := make([]string, 0, len(t.codes))
	for code := range t.codes {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int { return t.codes[b] - t.codes[a] })
	for _, code := range codes {
		fmt.Printf("%6d  %s\n", t.codes[code], code)
	}
}

// tried counts what was read.
type tried struct {
	sums                          bool
	words                         lang.Speaker
	files, heroes, whole, derived int
	codes                         map[string]int
}

func (t *tried) try(path string, data []byte) {
	t.files++
	h, err := foreign.Read(data)
	if err != nil {
		t.codes["refused: "+err.Error()]++
		fmt.Printf("\n%s: %v\n", path, err)
		return
	}
	t.heroes++
	for _, g := range games.All().Games() {
		_, takes, err := foreign.NamesOf(g, h.System)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if takes {
			t.propose(path, g, h)
			return
		}
	}
	fmt.Printf("\n%s: %s: no game takes it\n", path, h.Title)
}

func (t *tried) propose(path string, g *game.Game, h *foreign.Hero) {
	p, err := foreign.Propose(g, h, nil, g.Speak(t.words))
	if err != nil {
		t.codes["refused: "+err.Error()]++
		fmt.Printf("\n%s: %v\n", path, err)
		return
	}
	kind, _ := g.Kind(p.Kind)
	if len(p.Misfits) == 0 {
		t.whole++
	}
	t.derived += len(p.Derived)
	fmt.Printf("\n%s: %q, %s %s: %d computed, %d misfits, %d doubts, %d kept\n",
		path, h.Name, h.Title, h.Version, len(p.Derived), len(p.Misfits), len(p.Doubts()), len(p.Kept))
	if t.sums {
		for _, d := range p.Derived {
			fmt.Printf("  = %s: %d = %s\n", foreign.Place(g, kind.Form, d.Path, d.Item, t.words), d.N, d.Sum.Say(g, t.words))
		}
	}
	for _, m := range p.Misfits {
		why := m.Problem.Code
		if m.Refusal != nil {
			why = m.Refusal.Error()
		}
		t.codes["misfit: "+trimNumbers(m.Path)+" "+why]++
		fmt.Printf("  ! %s: %s (%s)\n", foreign.Place(g, kind.Form, m.Path, m.Item, t.words), m.Given, why)
	}
	for _, d := range p.Doubts() {
		t.codes["doubt: "+d.Code+" "+d.Name]++
		fmt.Printf("  ? %s\n", d.Say(g, t.words))
	}
}

// trimNumbers removes the numbers of items.
func trimNumbers(path string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(path, "."), func(part string) bool {
		return strings.Trim(part, "0123456789") == ""
	}), ".")
}
