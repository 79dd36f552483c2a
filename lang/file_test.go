package lang

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/feature/plural"
)

// textsByLibrary parses a words file with general libraries for TOML and translations.
func textsByLibrary(data []byte) (map[string][plural.Many + 1]string, error) {
	read, err := i18n.ParseMessageFileBytes(data, "en.toml", map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		return nil, err
	}
	texts := map[string][plural.Many + 1]string{}
	for _, m := range read.Messages {
		texts[m.ID] = [...]string{
			plural.Other: m.Other,
			plural.Zero:  m.Zero,
			plural.One:   m.One,
			plural.Two:   m.Two,
			plural.Few:   m.Few,
			plural.Many:  m.Many,
		}
	}
	return texts, nil
}

func textsByID(t *testing.T, data []byte) map[string][plural.Many + 1]string {
	t.Helper()
	read, err := readTexts(data)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][plural.Many + 1]string{}
	for _, text := range read {
		texts[text.id] = text.forms
	}
	return texts
}

func TestWordsFilesOfTheProjectReadAsTOML(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".toml" || filepath.Base(filepath.Dir(path)) != "words" ||
			entry.Name() == "terms.toml" {
			return nil
		}
		files++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		want, err := textsByLibrary(data)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if diff := cmp.Diff(want, textsByID(t, data)); diff != "" {
			t.Errorf("%s\n%s", path, diff)
		}
		return nil
	})
	if err != nil || files < 57 {
		t.Fatal(files, err)
	}
}

func TestWordsFileReadsWhatTOMLAllows(t *testing.T) {
	for name, file := range map[string]string{
		"comments":   "# head\n[a] # table\nx = \"X\" # text\n\n  y = 'Y'\n",
		"quoted":     "\"a.b\" = \"#1\"\n[\"c d\".e]\n'f' = '\\n'\n",
		"escapes":    `a = "\"\\\t\u00a0\U0001F3B2é"`,
		"forms":      "[a.n]\none = \"1\"\nfew = \"2\"\nmany = \"5\"\nother = \"x\"\n[b]\nzero = \"0\"\ntwo = \"2\"\nother = \"-\"",
		"braces":     "[a]\nb = { one = \"1\", other = \"2\" }\nc = {x=\"X\", y = { z = 'Z' }}\nd = {}\n",
		"Windows":    "[a]\r\nx = \"X\"\r\n\r\n# end\r\n",
		"last table": "[a]\n[b]\nx = \"\"",
		"empty":      "",
	} {
		t.Run(name, func(t *testing.T) {
			want, err := textsByLibrary([]byte(file))
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = map[string][plural.Many + 1]string{}
			}
			if diff := cmp.Diff(want, textsByID(t, []byte("\ufeff"+file))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWordsFileNamesTheLineThatIsWrong(t *testing.T) {
	for file, want := range map[string]string{
		"\n[a":                               "line 2: a table's head ends in ]",
		"[a]\nx":                             "line 2: a key is followed by =",
		"x = 1":                              "line 1: a text in quotes is expected",
		"x = \"a":                            `line 1: a text in " ends in "`,
		"x = \"a\\":                          `line 1: a text in " ends in "`,
		"x = 'a":                             "line 1: a text in ' ends in '",
		"x = \"\"\"\na\"\"\"":                "line 1: a text stands in one line",
		"x = \"\\x\"":                        "line 1: after \\ stands one of",
		"x = \"a\" b":                        `line 1: nothing is expected here: "b"`,
		"x = { a = \"1\" b = \"2\"}":         "line 1: texts in braces are separated by commas",
		"x = [\"a\"]":                        "line 1: a text in quotes is expected",
		"= \"a\"":                            "line 1: a key is expected",
		"[a.]":                               "line 1: a key is expected",
		"a.x = \"a\"":                        "line 1: a.x stands in quotes, or after the head of a table",
		"x = {":                              "line 1: a key is expected",
		"[a]\none = \"1\"\nx = \"2\"":        "line 3: a has plural forms and other texts",
		"[a]\none = \"1\"\none = \"2\"\n[b]": `line 4: the form "one" of a stands twice`,
	} {
		if _, err := readTexts([]byte(file)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", file, err, want)
		}
	}
}

func FuzzWordsFile(f *testing.F) {
	f.Add("[a]\nx = \"X\"\ny = { one = '1', other = \"\\u00a0\" } # c")
	f.Fuzz(func(t *testing.T, file string) {
		_, _ = readTexts([]byte(file)) // it must neither panic nor run forever
	})
}

func BenchmarkReadTexts(b *testing.B) {
	data, err := os.ReadFile("../web/words/ru.toml")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.Run("norn", func(b *testing.B) {
		for b.Loop() {
			if _, err := readTexts(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			if _, err := textsByLibrary(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
