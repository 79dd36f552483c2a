package lab

import (
	"embed"
	"regexp"
	"strings"
	"sync"

	"norn/lang"
)

// Words holds the texts of the page, by language.
//
//go:embed words/*.toml
var Words embed.FS

// texts are the ids of the words that the page's script uses.
var texts = []string{
	"title", "about", "examples", "change", "rule", "move", "guide", "loading", "working", "stop", "stopped", "failed",
	"again", "place",
	"keep", "remove", "now", "link", "copied", "copy", "exactly", "least", "most", "transpose", "log", "describe", "picture", "mean",
	"deviation", "median", "mode",
	"outcome", "fraction", "rest", "compare", "script",
}

var own = sync.OnceValue(func() *lang.Words { return lang.Open(Words) })

// Texts returns the words that the page's script uses, by id, with parameters as {name}.
func Texts(l lang.Lang) map[string]string {
	s := own().In(l)
	all := make(map[string]string, len(texts))
	for _, id := range texts {
		all[id] = s.Say("lab."+id, "N", "{n}", "Line", "{line}", "What", "{what}", "Name", "{name}")
	}
	return all
}

// Example is a rule to start from. About says in a sentence what it answers.
type Example struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	About string `json:"about"`
	Text  string `json:"text"`
}

// examples contains each example once: a line "=== id", its text, and below "--- ru" and "--- uk"
// the replacements of English words.
//
//go:embed examples/all.txt
var examples string

// quoted matches the texts of a rule, and comparisons with a choice's value, which isn't
// translated.
var quoted = regexp.MustCompile(`== "[^"\n]+"|"[^"\n]+"|# [^\n]+`)

// Examples returns the rules to start from, in a language.
func Examples(l lang.Lang) (all []Example) {
	for _, part := range strings.Split(examples, "\n=== ")[1:] {
		id, rest, _ := strings.Cut(part, "\n")
		sections := strings.Split(rest, "\n--- ")
		words := map[string]string{}
		for _, section := range sections[1:] {
			head, body, _ := strings.Cut(section, "\n")
			if head != string(l) {
				continue
			}
			for line := range strings.Lines(body) {
				if from, to, ok := strings.Cut(strings.TrimSpace(line), " = "); ok {
					words[from] = to
				}
			}
		}
		text := quoted.ReplaceAllStringFunc(sections[0], func(found string) string {
			if strings.HasPrefix(found, "==") {
				return found
			}
			plain := strings.Trim(strings.TrimPrefix(found, "# "), `"`)
			if to, ok := words[plain]; ok {
				return strings.Replace(found, plain, to, 1)
			}
			return found
		})
		name, more, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		about, _, _ := strings.Cut(strings.TrimPrefix(more, "# "), "\n")
		all = append(all, Example{id, name, about, strings.TrimSpace(text) + "\n"})
	}
	return all
}
