package lang_test

import (
	"strings"
	"testing"

	"norn/lang"
)

func TestALanguageIsParsedFromItsNames(t *testing.T) {
	for text, want := range map[string]lang.Lang{
		"en": lang.En, "ru": lang.Ru, "uk": lang.Uk, "ua": lang.Uk, "UK": lang.Uk, "ru_RU.UTF-8": lang.Ru,
		"uk-UA":      lang.Uk,
		"uk_UA@euro": lang.Uk, "en-GB": lang.En, " ru ": lang.Ru,
		"": "", "C": "", "C.UTF-8": "", "POSIX": "", "de": "", "rus": "", "ruby": "",
	} {
		if got, ok := lang.Parse(text); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %t", text, got, ok)
		}
	}
}

func TestLanguageIsTakenFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want lang.Lang
	}{
		{nil, lang.En},
		{map[string]string{"LANG": "ru_RU.UTF-8"}, lang.Ru},
		{map[string]string{"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "uk_UA.UTF-8"}, lang.Uk},
		{map[string]string{"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "uk_UA.UTF-8", "LC_ALL": "C"}, lang.En},
		{map[string]string{"LANG": "de_DE.UTF-8"}, lang.En},
	} {
		if got := lang.FromEnv(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v is %q", c.env, got)
		}
	}
}

func TestTheBestLanguageOfAHeaderIsMatched(t *testing.T) {
	for header, want := range map[string]lang.Lang{
		"": lang.En, "*": lang.En, "de,fr": lang.En, "uk": lang.Uk, "ru-RU,ru;q=0.9,en;q=0.8": lang.Ru,
		"uk-UA,uk;q=0.9,ru;q=0.8": lang.Uk, "de, uk;q=0.7, en;q=0.3": lang.Uk, "en-US,en": lang.En,
		"en;q=0.1, ru": lang.Ru, ";;;q=": lang.En, "ru\x00": lang.En,
	} {
		asked := want != lang.En || strings.Contains(header, "en")
		if got, ok := lang.Match(header); got != want || ok != asked {
			t.Errorf("%q is %q, asked for: %t", header, got, ok)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("uk-UA,uk;q=0.9,ru;q=0.8")
	f.Fuzz(func(t *testing.T, header string) {
		matched, _ := lang.Match(header)
		if got, ok := lang.Parse(string(matched)); !ok {
			t.Errorf("%q is %q", header, got)
		}
	})
}
