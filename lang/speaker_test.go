package lang_test

import (
	"math/big"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
	"pgregory.net/rapid"

	"norn/lang"
)

var said = fstest.MapFS{
	"words/en.toml": {Data: []byte(`
[t]
plain = "Throw"
who = "{{.Who}} takes {{.N}} in {{.Where}}"
all = "{{ .Items }}"
[t.stress]
one = "{{.N}} point of stress"
other = "{{.N}} points of stress"
`)},
	"words/ru.toml": {Data: []byte(`
[t]
plain = "Бросить"
who = "{{.Who}}: {{.N}} — {{.Where}}"
all = "{{.Items}}"
[t.stress]
one = "{{.N}} стресс"
few = "{{.N}} стресса"
many = "{{.N}} стрессов"
other = "{{.N}} стресса"
`)},
	"words/uk.toml": {Data: []byte(`
[t]
plain = "Кинути"
who = "{{.Who}}: {{.N}} — {{.Where}}"
all = "{{.Items}}"
[t.stress]
one = "{{.N}} стрес"
few = "{{.N}} стреси"
many = "{{.N}} стресів"
other = "{{.N}} стресу"
`)},
}

func load(t testing.TB) *lang.Words {
	t.Helper()
	words, err := lang.Load(said)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func TestATextIsSaidWithItsData(t *testing.T) {
	words := load(t)
	for _, c := range []struct {
		lang lang.Lang
		id   string
		data []any
		want string
	}{
		{lang.En, "t.plain", nil, "Throw"},
		{lang.Ru, "t.plain", []any{"N", 2}, "Бросить"},
		{"de", "t.plain", nil, "Throw"},
		{lang.En, "t.who", []any{"Who", "Anna", "N", 3, "Where", lang.Lang("Blood")}, "Anna takes 3 in Blood"},
		{lang.En, "t.who", []any{map[string]any{"Who": "Anna", "N": 12345, "Where": 0.5}}, "Anna takes 12,345 in 0.5"},
		{
			lang.Ru, "t.who",
			[]any{map[string]any{"Who": "Anna", "N": int64(12345), "Where": -0.5}},
			"Anna: 12\u00a0345 — −0,5",
		},
		{lang.En, "t.who", []any{"Who", "Anna", "N"}, "Anna takes ⟨N⟩ in ⟨Where⟩"},
		{lang.En, "t.who", nil, "⟨Who⟩ takes ⟨N⟩ in ⟨Where⟩"},
		{lang.En, "t.who", []any{"x"}, "⟨Who⟩ takes ⟨N⟩ in ⟨Where⟩"},
		{lang.En, "t.who", []any{"Who", "{{.N}} <b>", "N", uint64(1), "Where", nil}, "{{.N}} <b> takes 1 in <nil>"},
		{
			lang.En, "t.who",
			[]any{"Who", "שירה 7", "N", 3, "Where", "دم"},
			"\u2068שירה 7\u2069 takes 3 in \u2068دم\u2069",
		},
		{lang.Ru, "t.who", []any{"Who", "🎲 Ґанна–Ẅ", "N", 3, "Where", "…"}, "🎲 Ґанна–Ẅ: 3 — …"},
		{lang.Uk, "t.all", []any{"Items", []string{"а", "б", "в"}}, "а, б і в"},
		{lang.En, "t.gone", nil, "⟨t.gone⟩"},
	} {
		if got := words.In(c.lang).Say(c.id, c.data...); got != c.want {
			t.Errorf("%s %s %v\ngot  %s\nwant %s", c.lang, c.id, c.data, got, c.want)
		}
	}
	if s := words.In(lang.Uk); !s.Has("t.plain") || s.Has("t.gone") || s.Lang() != lang.Uk {
		t.Error("Has or Lang is wrong")
	}
	if got := words.Name(lang.En) + " " + words.Name(lang.Ru) + " " +
		words.Name(lang.Uk); got != "English Русский Українська" {
		t.Error(got)
	}
}

func TestNumbersTakeTheirPluralForms(t *testing.T) {
	words := load(t)
	for _, c := range []struct {
		lang lang.Lang
		n    any
		want string
	}{
		{lang.En, 0, "0 points of stress"},
		{lang.En, 1, "1 point of stress"},
		{lang.En, 21, "21 points of stress"},
		{lang.Ru, 0, "0 стрессов"},
		{lang.Ru, 1, "1 стресс"},
		{lang.Ru, 2, "2 стресса"},
		{lang.Ru, 5, "5 стрессов"},
		{lang.Ru, 11, "11 стрессов"},
		{lang.Ru, 21, "21 стресс"},
		{lang.Ru, 112, "112 стрессов"},
		{lang.Ru, 1.5, "1,5 стресса"},
		{lang.Ru, -2, "−2 стресса"},
		{lang.Ru, int64(10000000001), "10\u00a0000\u00a0000\u00a0001 стресс"},
		{lang.Ru, 2.0, "2 стресса"},
		{lang.Uk, 1, "1 стрес"},
		{lang.Uk, 3, "3 стреси"},
		{lang.Uk, 14, "14 стресів"},
		{lang.Uk, uint64(22), "22 стреси"},
		{lang.Uk, 0.5, "0,5 стресу"},
		{lang.Uk, "багато", "багато стресу"},
	} {
		if got := words.In(c.lang).Say("t.stress", "N", c.n); got != c.want {
			t.Errorf("%s %v: got %s, want %s", c.lang, c.n, got, c.want)
		}
	}
}

// The reference is the forms that go-i18n selects by its own tables.
func TestPluralsAgreeWithLibrary(t *testing.T) {
	words, bundle := load(t), libraryBundle(t)
	rapid.Check(t, func(t *rapid.T) {
		l, n := rapid.SampledFrom(lang.All[:]).Draw(t, "lang"), rapid.IntRange(0, 9999).Draw(t, "n")
		want, err := i18n.NewLocalizer(bundle, string(l)).Localize(&i18n.LocalizeConfig{
			MessageID: "t.stress", PluralCount: n, TemplateData: map[string]any{"N": n},
		})
		if got := words.In(l).Say("t.stress", "N", n); err != nil || got != want {
			t.Fatalf("got %s, want %s, %v", got, want, err)
		}
	})
}

func libraryBundle(t testing.TB) *i18n.Bundle {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	for path, file := range said {
		if _, err := bundle.ParseMessageFileBytes(file.Data, path); err != nil {
			t.Fatal(err)
		}
	}
	return bundle
}

func TestNumbersAreWrittenAsTheLanguageDoes(t *testing.T) {
	words := load(t)
	en, ru := words.In(lang.En), words.In(lang.Ru)
	third := big.NewRat(1234, 123456)
	for _, c := range []struct{ got, want string }{
		{en.Number(0), "0"},
		{en.Number(-7), "−7"},
		{en.Number(1234), "1234"},
		{en.Number(12345), "12,345"},
		{en.Number(-1234567), "−1,234,567"},
		{ru.Number(1234), "1234"},
		{ru.Number(12345), "12\u00a0345"},
		{en.Decimal(0.274, 2), "0.27"},
		{ru.Decimal(0.274, 2), "0,27"},
		{ru.Decimal(12345.6, 1), "12\u00a0345,6"},
		{en.Decimal(-0.001, 2), "0.00"},
		{en.Decimal(-1.5, 0), "−2"},
		{en.Decimal(2.5, -1), "2"},
		{en.Percent(0.73), "73%"},
		{ru.Percent(0.73), "73\u00a0%"},
		{words.In(lang.Uk).Percent(0.73), "73%"},
		{en.Percent(0), "0%"},
		{en.Percent(1), "100%"},
		{en.Percent(1e-9), "<1%"},
		{en.Percent(0.0099), "<1%"},
		{en.Percent(0.01), "1%"},
		{ru.Percent(0.9999), ">99\u00a0%"},
		{en.Percent(0.994), ">99%"},
		{en.Percent(0.99), "99%"},
		{en.Percent(0.985), "99%"},
		{en.Chance(0, true, false), "<1%"},
		{en.Chance(1, true, false), ">99%"},
		{en.Chance(0, false, false), "0%"},
		{en.Chance(1, true, true), "100%"},
		{en.Fraction(big.NewRat(117, 1000)), "117/1000"},
		{en.Fraction(big.NewRat(4, 2)), "2"},
		{ru.Fraction(third), "617/61\u00a0728"},
		{en.List(nil), ""},
		{en.List([]string{"a"}), "a"},
		{en.List([]string{"a", "b"}), "a and b"},
		{ru.List([]string{"а", "б", "в"}), "а, б и в"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Something possible must not be shown as impossible, and something uncertain not as certain.
func TestUncertainChanceIsNeverShownAs0Or100Percent(t *testing.T) {
	s := load(t).In(lang.En)
	rapid.Check(t, func(t *rapid.T) {
		got := s.Chance(rapid.Float64Range(0, 1).Draw(t, "p"), true, false)
		if got == "0%" || got == "100%" {
			t.Fatal(got)
		}
	})
}

func TestTimesAreWrittenAsTheLanguageDoes(t *testing.T) {
	words := load(t)
	kyiv := time.FixedZone("", 2*60*60)
	at := time.Date(2026, 3, 6, 22, 5, 0, 0, time.UTC)
	got := []string{
		words.In(lang.En).Time(at, kyiv),
		words.In(lang.Ru).Time(at, kyiv),
		words.In(lang.Uk).Time(at, time.UTC),
		words.In(lang.En).Clock(at, kyiv),
	}
	want := []string{"7 March 2026, 00:05", "7 марта 2026, 00:05", "6 березня 2026, 22:05", "00:05"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for month := time.January; month <= time.December; month++ {
		for _, l := range lang.All {
			if text := words.In(l).Time(time.Date(2026, month, 1, 0, 0, 0, 0, time.UTC), time.UTC); strings.Contains(
				text,
				"⟨",
			) {
				t.Error(text)
			}
		}
	}
}

func BenchmarkSay(b *testing.B) {
	s := load(b).In(lang.Ru)
	for name, say := range map[string]func() string{
		"plain":  func() string { return s.Say("t.plain") },
		"places": func() string { return s.Say("t.who", "Who", "Anna", "N", 3, "Where", "Blood") },
		"plural": func() string { return s.Say("t.stress", "N", 5) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				say()
			}
		})
	}
}

// BenchmarkLocalizer measures the same texts with go-i18n's own Localizer. Its result is the reason
// why Say doesn't use it.
func BenchmarkLocalizer(b *testing.B) {
	l := i18n.NewLocalizer(libraryBundle(b), "ru")
	for name, config := range map[string]*i18n.LocalizeConfig{
		"plain":  {MessageID: "t.plain"},
		"places": {MessageID: "t.who", TemplateData: map[string]any{"Who": "Anna", "N": 3, "Where": "Blood"}},
		"plural": {MessageID: "t.stress", PluralCount: 5, TemplateData: map[string]any{"N": 5}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Localize(config); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
