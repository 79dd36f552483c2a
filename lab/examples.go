package lab

import (
	"embed"
	"regexp"
	"strings"
	"sync"

	"norn/lang"
)

// Words are the texts of the page, by language.
//
//go:embed words/*.toml
var Words embed.FS

// texts are the ids of the words that the page's script says.
var texts = []string{
	"title", "about", "example", "choose", "rule", "move", "guide", "loading", "working", "stop", "stopped", "failed",
	"again", "place",
	"keep", "remove", "now", "link", "copied", "copy", "exactly", "least", "most", "transpose", "log", "mean",
	"deviation", "median", "mode",
	"outcome", "fraction", "simulated", "rest", "compare", "script",
}

var own = sync.OnceValue(func() *lang.Words { return lang.Open(Words) })

// Texts are the words that the page's script says, by id, with places as {name}.
func Texts(l lang.Lang) map[string]string {
	s := own().In(l)
	all := make(map[string]string, len(texts))
	for _, id := range texts {
		all[id] = s.Say("lab."+id, "N", "{n}", "Line", "{line}", "What", "{what}", "Name", "{name}")
	}
	return all
}

// Example is a rule to begin with.
type Example struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`
}

// examples holds each example once: a line "=== id", its text, and below "--- ru" and "--- uk" the
// words that replace English ones.
//
//go:embed examples/all.txt
var examples string

// quoted finds the texts of a rule, and what it compares with a choice's value, which stays as it is.
var quoted = regexp.MustCompile(`== "[^"\n]+"|"[^"\n]+"|# [^\n]+`)

// Examples are the rules to begin with, in a language.
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
		name, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		all = append(all, Example{id, name, strings.TrimSpace(text) + "\n"})
	}
	return all
}
