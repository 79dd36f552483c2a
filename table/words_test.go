package table_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/foreign"
	"norn/lang"
	"norn/lang/langtest"
	"norn/table"
)

var (
	quoted = regexp.MustCompile(`"(-?[a-z][a-z0-9-]*-?)"`)
	told   = regexp.MustCompile(`\.Line\([^"\n]*"([a-z][a-z0-9-]+)"[,)]`) // what an act says in the log
	whole  = regexp.MustCompile(`"(table\.[a-z.-]*[a-z])"`)
)

// The table's code writes the last part of most ids alone, such as "seat-added" for
// table.event.seat-added, or puts two parts together for lists, clocks and scenes alike.
func TestWordsAreComplete(t *testing.T) {
	words, err := lang.Load(table.Words, foreign.Words)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	parts := map[string]bool{}
	err = filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file)
		for _, found := range told.FindAllSubmatch(source, -1) {
			ids = append(ids, "table.event."+string(found[1]))
		}
		for _, found := range quoted.FindAllSubmatch(source, -1) {
			parts[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, front := range []string{"../web", "../chat", "../game"} {
		err := filepath.WalkDir(front, func(file string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" {
				return err
			}
			source, err := os.ReadFile(file)
			for _, found := range whole.FindAllSubmatch(source, -1) {
				if id := string(found[1]); slices.Contains(words.IDs(lang.En), id) {
					ids = append(ids, id)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range words.IDs(lang.En) {
		_, word, _ := strings.Cut(strings.TrimPrefix(id, "table."), ".")
		if inParts(word, parts) {
			ids = append(ids, id)
		}
	}
	langtest.Complete(t, words, langtest.Project{
		Roots: []string{"."}, IDs: ids,
		Prefixes: []string{
			"table.act.", "table.role.", "table.question.", "lang.", "foreign.", // by other packages
			"table.error.too-many-", "table.refusal.list-", // by what is refused, and why a list can't be read
		},
		Same: []string{"lang."},
	})
}

// inParts reports whether a word is written in the code, whole or as two parts.
func inParts(word string, parts map[string]bool) bool {
	if parts[word] {
		return true
	}
	for i := range word {
		if word[i] == '-' && (parts[word[:i]] && parts[word[i:]] || parts[word[:i+1]] && parts[word[i+1:]]) {
			return true
		}
	}
	return false
}
