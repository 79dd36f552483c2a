package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// ownRule is the path of the page for rules of one's own.
const ownRule = "/odds/rule"

// answered lists the guide's questions in the order of its page, each with the settings in its
// picture.
var answered = []struct {
	name string
	kept []map[string]string
	now  map[string]string
}{
	{name: "cortex", kept: []map[string]string{{}}, now: map[string]string{"ten": "2"}},
	{name: "saves", kept: []map[string]string{{}}, now: map[string]string{"bonus": "2"}},
	{name: "wild", kept: []map[string]string{{"wild": "off"}}, now: map[string]string{}},
	{name: "scores"},
	{name: "risk"},
}

// rules returns the pictures of the guide's page about own rules in a language; the rules are those
// on that page.
func rules(lang string) (all []picture) {
	text, err := os.ReadFile(filepath.Join("docs", "guide", lang, "own-odds.md"))
	if err != nil {
		log.Fatal(err)
	}
	for i, part := range strings.Split(string(text), "```python\n")[1:] {
		rule, _, _ := strings.Cut(part, "```")
		q := answered[i]
		state := map[string]any{"text": rule, "move": "", "now": q.now, "kept": q.kept}
		if q.now == nil {
			state["now"], state["kept"] = struct{}{}, []string{}
		}
		name := "rule-" + q.name + "-" + lang
		all = append(all, picture{
			name: name, path: ownRule + "?picture=" + name + "#" + packState(state), lang: lang,
			theme: "light", width: 1200, height: 860,
		})
	}
	return all
}

// packState encodes the state that the page's script reads from its address.
func packState(state any) string {
	data, err := json.Marshal(state)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is valid
	_, _ = w.Write(data)                               // a buffer accepts everything
	_ = w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}
