// Package lint checks words and reports each mistake in one line.
package lint

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"norn/lang"
)

// Project lists the places that use words.
type Project struct {
	// folders in which .go, .templ and .js files are read; tests, testdata, node_modules and
	// langtest are not
	Roots    []string
	IDs      []string // ids in use that occur in no source; each must have a text
	Prefixes []string // "lang.month.": prefixes of ids in use; each must have at least one text
	Same     []string // ids, or prefixes ending in a dot, of texts that may equal the English ones
}

// Fault is a mistake.
type Fault struct {
	Word        string // names a mistake of a single text; "" for others
	Lang        lang.Lang
	ID          string
	Given, Text string // what is wrong, and where
	said        string
}

// Error returns the mistake in one line.
func (f Fault) Error() string { return f.said }

// Check returns a line for each mistake in the words. The error is that of reading the sources.
func Check(words *lang.Words, project Project) (lines []string, err error) {
	sources, err := readSources(project.Roots)
	if err != nil {
		return nil, err
	}
	c := newChecker(words)
	c.uses(sources, project)
	for _, id := range slices.Sorted(maps.Keys(c.known)) {
		if c.everywhere(id) {
			c.plurals(id)
			c.places(id)
			c.original(id, project.Same)
		}
		for _, l := range lang.All {
			c.spelling(l, id)
		}
	}
	c.checkList(project.Same)
	for _, one := range c.faults {
		lines = append(lines, one.Error())
	}
	return lines, nil
}

// Texts returns the mistakes in the texts alone: missing texts and plural forms, places for data,
// typing mistakes.
func Texts(words *lang.Words) []Fault {
	c := newChecker(words)
	for _, id := range slices.Sorted(maps.Keys(c.known)) {
		if c.everywhere(id) {
			c.plurals(id)
			c.places(id)
		}
		for _, l := range lang.All {
			c.spelling(l, id)
		}
	}
	return c.faults
}

func newChecker(words *lang.Words) checker {
	c := checker{words: words, known: map[string]bool{}}
	for _, l := range lang.All {
		for _, id := range words.IDs(l) {
			c.known[id] = true
		}
	}
	return c
}

type checker struct {
	words  *lang.Words
	known  map[string]bool
	faults []Fault
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, Fault{said: fmt.Sprintf(format, args...)})
}

// text reports a mistake of a single text.
func (c *checker) text(word string, l lang.Lang, id, given, text string) {
	said := map[string]string{
		"plurals": "has the plural forms " + given + " and needs " + text, "letter": "has the letter " + given,
		"space": "has a space too many", "apostrophe": "has a straight apostrophe", "exclamation": "has an exclamation mark",
	}[word]
	if word != "plurals" {
		said += fmt.Sprintf(": %q", text)
	}
	c.faults = append(c.faults, Fault{word, l, id, given, text, fmt.Sprintf("%s: %s %s", l, id, said)})
}

var (
	literal = regexp.MustCompile("[\"'`]([a-z][a-z0-9-]*(?:\\.[A-Za-z0-9_-]+)+)[\"'`]")
	comment = regexp.MustCompile(`(?m)^\s*//.*$`)
	said    = regexp.MustCompile("\\b[Ss]ay\\(\\s*\"([^\"]+)\"\\s*[,)]")
)

// readSources returns the text of every source by its path, without comment lines.
func readSources(roots []string) (map[string]string, error) {
	sources := map[string]string{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := entry.Name()
			if entry.IsDir() {
				hidden := strings.HasPrefix(name, ".") && path != root
				if hidden || name == "node_modules" || name == "testdata" || name == "langtest" {
					return filepath.SkipDir
				}
				return nil
			}
			if !slices.Contains([]string{".go", ".templ", ".js"}, filepath.Ext(name)) ||
				strings.HasSuffix(name, "_test.go") {
				return nil
			}
			data, err := os.ReadFile(path)
			sources[path] = comment.ReplaceAllString(string(data), "")
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// uses reports unused texts and used ids without a text.
func (c *checker) uses(sources map[string]string, project Project) {
	used := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		for _, found := range literal.FindAllStringSubmatch(sources[path], -1) {
			used[found[1]] = true
		}
		for _, found := range said.FindAllStringSubmatch(sources[path], -1) {
			if !c.known[found[1]] {
				c.fault("%s: %s is said but has no text", path, found[1])
			}
		}
	}
	for _, id := range project.IDs {
		used[id] = true
		if !c.known[id] {
			c.fault("%s is used but has no text", id)
		}
	}
	for _, prefix := range project.Prefixes {
		hit := false
		for id := range c.known {
			if strings.HasPrefix(id, prefix) {
				used[id], hit = true, true
			}
		}
		if !hit {
			c.fault("no text begins with %s", prefix)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.known)) {
		if !used[id] {
			c.fault("%s is used by nobody", id)
		}
	}
}

func (c *checker) everywhere(id string) bool {
	all := true
	for _, l := range lang.All {
		if len(c.words.Forms(l, id)) == 0 {
			c.fault("%s: %s is missing", l, id)
			all = false
		}
	}
	return all
}

var needed = map[lang.Lang][]string{
	lang.En: {"one", "other"},
	lang.Ru: {"few", "many", "one", "other"},
	lang.Uk: {"few", "many", "one", "other"},
}

// plurals checks that a text with plural forms in one language has all plural forms in every
// language.
func (c *checker) plurals(id string) {
	counts := false
	for _, l := range lang.All {
		counts = counts || len(c.words.Forms(l, id)) > 1
	}
	if !counts {
		return
	}
	for _, l := range lang.All {
		if got := slices.Sorted(maps.Keys(c.words.Forms(l, id))); !slices.Equal(got, needed[l]) {
			c.text("plurals", l, id, strings.Join(got, ", "), strings.Join(needed[l], ", "))
		}
	}
}

var place = regexp.MustCompile(`\{\{\s*\.(\w+)\s*\}\}`)

func placesIn(texts ...string) string {
	names := map[string]bool{}
	for _, text := range texts {
		for _, found := range place.FindAllStringSubmatch(text, -1) {
			names[found[1]] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// places checks that every form in every language has the same places for data. Only the English
// "one" may leave out N, since it is always 1; in Russian and Ukrainian that form is also used for
// 21.
func (c *checker) places(id string) {
	want := placesIn(c.words.Forms(lang.En, id)["other"])
	for _, l := range lang.All {
		forms := c.words.Forms(l, id)
		for _, form := range slices.Sorted(maps.Keys(forms)) {
			got := placesIn(forms[form])
			if l == lang.En && form == "one" && got != want {
				got = placesIn(forms[form], "{{.N}}")
			}
			if got != want {
				c.fault("%s: %s (%s) has places for [%s], not for [%s]", l, id, form, got, want)
			}
		}
	}
}

var letter = regexp.MustCompile(`\p{L}`)

// original checks that a text with letters differs from the English one unless it's listed.
func (c *checker) original(id string, same []string) {
	english := c.words.Forms(lang.En, id)["other"]
	if inList(id, same) || !letter.MatchString(place.ReplaceAllString(english, "")) {
		return
	}
	for _, l := range []lang.Lang{lang.Ru, lang.Uk} {
		if c.words.Forms(l, id)["other"] == english {
			c.fault("%s: %s is as in English: %q", l, id, english)
		}
	}
}

func inList(id string, list []string) bool {
	return slices.ContainsFunc(list, func(listed string) bool {
		return id == listed || strings.HasSuffix(listed, ".") && strings.HasPrefix(id, listed)
	})
}

// checkList checks that every listed id exists and equals the English text in at least one
// language.
func (c *checker) checkList(same []string) {
	for _, listed := range same {
		meant := false
		for id := range c.known {
			english := c.words.Forms(lang.En, id)["other"]
			if inList(id, []string{listed}) &&
				(c.words.Forms(lang.Ru, id)["other"] == english || c.words.Forms(lang.Uk, id)["other"] == english) {
				meant = true
			}
		}
		if !meant {
			c.fault("%s is listed as meant to be as in English, but isn't", listed)
		}
	}
}

// foreign matches letters that a language doesn't have.
var foreign = map[lang.Lang]*regexp.Regexp{
	lang.En: regexp.MustCompile(`\p{Cyrillic}`),
	lang.Ru: regexp.MustCompile(`[іїєґІЇЄҐ]`),
	lang.Uk: regexp.MustCompile(`[ыэъёЫЭЪЁ]`),
}

// straight matches a typewriter apostrophe; quotes in shell commands are excepted.
var straight = regexp.MustCompile(`\p{L}'`)

// exploding matches exploding dice as players write them.
var exploding = regexp.MustCompile(`(\d[dк]\d+)!`)

func (c *checker) spelling(l lang.Lang, id string) {
	if c.words.Borrows(l, id) {
		return
	}
	forms := c.words.Forms(l, id)
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		text := forms[form]
		if found := foreign[l].FindString(text); found != "" {
			c.text("letter", l, id, found, text)
		}
		if text != strings.TrimSpace(text) || strings.Contains(text, "  ") {
			c.text("space", l, id, "", text)
		}
		if straight.MatchString(text) {
			c.text("apostrophe", l, id, "'", text)
		}
		if strings.Contains(exploding.ReplaceAllString(text, "$1"), "!") {
			c.text("exclamation", l, id, "!", text)
		}
	}
}
