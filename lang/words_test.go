package lang_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"norn/lang"
)

// folder returns a words folder with the same text in each language.
func folder(text string) fstest.MapFS {
	file := &fstest.MapFile{Data: []byte(text)}
	return fstest.MapFS{"words/en.toml": file, "words/ru.toml": file, "words/uk.toml": file}
}

func TestWordsOfSeveralFoldersAreLoaded(t *testing.T) {
	words, err := lang.Load(
		folder("[a]\nx = \"X\"\nSP-05 = \"five\"\n[a.n]\none = \"{{.N}} die\"\nother = \"{{.N}} dice\""),
		folder(`"b.y" = "Y"`),
	)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, id := range words.IDs(lang.En) {
		if !strings.HasPrefix(id, "lang.") {
			ids = append(ids, id)
		}
	}
	if diff := cmp.Diff([]string{"a.SP-05", "a.n", "a.x", "b.y"}, ids); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"one": "{{.N}} die", "other": "{{.N}} dice"},
		words.Forms(lang.En, "a.n")); diff != "" {
		t.Error(diff)
	}
	if words.Forms(lang.En, "a.z") != nil {
		t.Error("a.z has forms")
	}
}

func TestLoadingRefusesWrongWordsWithTheirPlace(t *testing.T) {
	for want, folders := range map[string][]fs.FS{
		"words/en.toml: file does not exist":                        {fstest.MapFS{}},
		"words/ru.toml: the id a.x stands twice":                    {folder(`"a.x" = "1"`), folder(`"a.x" = "2"`)},
		"words/uk.toml: the id a.x stands twice":                    {folder("\"a.x\" = \"1\"\n[a]\nx = \"2\"")},
		"words/en.toml: a.x: there is no text":                      {folder(`"a.x" = ""`)},
		`words/en.toml: a.x: there is no text, or no form "other"`:  {folder("[a.x]\none = \"1\"")},
		"a.x: {{end}} is no term; a place for data is {{.Name}}":    {folder(`"a.x" = "{{if .X}}1{{end}}"`)},
		`and nothing else: "{{.x}}"`:                                {folder(`"a.x" = "{{.x}}"`)},
		"words/en.toml: line 1: a.x stands in quotes":               {folder(`a.x = `)},
		"words/en.toml: line 3: a has plural forms and other texts": {folder("[a]\none = \"x\"\nname = \"y\"")},
	} {
		if _, err := lang.Load(folders...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s\ngot  %v", want, err)
		}
	}
}

func TestOpenReadsALanguageOnFirstUse(t *testing.T) {
	folder := folder(`"a.x" = "X"`)
	folder["words/uk.toml"] = &fstest.MapFile{Data: []byte(`"a.x" = `)}
	words := lang.Open(folder)
	if got := words.In(lang.Ru).Say("a.x"); got != "X" {
		t.Error(got)
	}
	defer func() {
		if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), "words/uk.toml: line 1") {
			t.Error(err)
		}
	}()
	words.In(lang.Uk)
}

func TestWordsAndTermsSavedOnWindowsAreRead(t *testing.T) {
	windows := func(text string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"))}
	}
	text := windows("[a]\nx = \"X\"\n")
	words, err := lang.Load(fstest.MapFS{
		"words/en.toml": text, "words/ru.toml": text, "words/uk.toml": text,
		"words/terms.toml": windows("[[en]]\nword = \"a.x\"\nalso = [\"y\"]\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := words.In(lang.En); s.Say("a.x") != "X" || !cmp.Equal(s.Also("a.x"), []string{"y"}) {
		t.Error(s.Say("a.x"), s.Also("a.x"))
	}
}
