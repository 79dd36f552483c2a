// Package lang holds the words of norn in English, Russian and Ukrainian, by id, and formats
// numbers, lists and times for each language.
//
// Every package with texts embeds a folder words/{en,ru,uk}.toml. Load reads them all into one
// Words, which is immutable and safe for concurrent use. A Speaker returns texts in one language:
//
//	s := words.In(lang.Ru)
//	s.Say("spire.event.stress-marked", "N", 3, "Track", "Кровь")
//
// A text is plain, without markup. Places for data are written {{.Name}}; braces have no other use.
// A text with a number has the plural forms of its language (one, few, many, other), selected by
// the number N.
//
// Package lang imports no other package of norn.
package lang

import (
	"strings"

	"golang.org/x/text/language"
)

// Lang is a language of norn, as a BCP 47 tag.
type Lang string

// The languages.
const (
	En Lang = "en"
	Ru Lang = "ru"
	Uk Lang = "uk"
)

// All lists the languages, the default first.
var All = [...]Lang{En, Ru, Uk}

// Parse returns the language of a tag or a locale: "ru", "ru_RU.UTF-8", "uk-UA", "ua".
func Parse(text string) (Lang, bool) {
	text, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(text)), ".")
	text, _, _ = strings.Cut(text, "@")
	text, _, _ = strings.Cut(strings.ReplaceAll(text, "_", "-"), "-")
	switch text {
	case "en":
		return En, true
	case "ru":
		return Ru, true
	case "uk", "ua":
		return Uk, true
	}
	return "", false
}

// FromEnv returns the language of the locale: that of the first variable set among LC_ALL,
// LC_MESSAGES and LANG. Unsupported languages become English.
func FromEnv(getenv func(string) string) Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := getenv(name); value != "" {
			if lang, ok := Parse(value); ok {
				return lang
			}
			return En
		}
	}
	return En
}

var matcher = language.NewMatcher([]language.Tag{language.English, language.Russian, language.Ukrainian})

// Match returns the language that fits an Accept-Language header best. If none does, as for "*", it
// returns English and false.
func Match(acceptLanguage string) (l Lang, asked bool) {
	if acceptLanguage == "" { // as from most programs
		return En, false
	}
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(tags) == 0 {
		return En, false
	}
	_, i, confidence := matcher.Match(tags...)
	if confidence == language.No {
		return En, false
	}
	return All[i], true
}
