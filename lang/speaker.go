package lang

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/unicode/bidi"
)

// A Speaker returns texts in one language. It is a small value that can be copied. The zero Speaker
// must not be used.
type Speaker struct{ tongue *tongue }

// Lang returns the speaker's language.
func (s Speaker) Lang() Lang { return s.tongue.lang }

// Of returns a speaker that uses a game's own terms, such as Storyteller at a table of Mage. The
// zero Speaker is returned unchanged.
func (s Speaker) Of(game string) Speaker {
	if s.tongue != nil && s.tongue.games[game] != nil {
		return Speaker{s.tongue.games[game]}
	}
	return s
}

// With returns a speaker that prefers a game's own texts to all others. The zero Speaker is
// returned unchanged.
func (s Speaker) With(own *Own) Speaker {
	if s.tongue == nil || own == nil {
		return s
	}
	if known, ok := own.with.Load(s.tongue); ok {
		return Speaker{known.(*tongue)}
	}
	with := *s.tongue
	with.first = append(slices.Clip(with.first), own)
	known, _ := own.with.LoadOrStore(s.tongue, &with) // the same value for all callers
	return Speaker{known.(*tongue)}
}

// Has reports whether there is a text with this id.
func (s Speaker) Has(id string) bool { return s.tongue.message(id) != nil }

func (t *tongue) message(id string) *message {
	for _, own := range slices.Backward(t.first) {
		if m := own.message(t.lang, id); m != nil {
			return m
		}
	}
	if m := t.own[id]; m != nil {
		return m
	}
	if m := t.messages[id]; m != nil {
		return m
	}
	return t.owns.message(t.lang, id)
}

// Also returns the other names that people may write for the thing that the text names.
func (s Speaker) Also(id string) []string { return s.tongue.also[id] }

// Say returns the text with this id. Data are names and values in turn ("N", 3, "Name", "Anna"), or
// one map[string]any. Numbers and lists are formatted for the language, and a value with a method
// Say(Speaker) says itself; N also selects the plural form. An unknown id and a place without data
// appear in ⟨⟩. Data that is written from right to left is enclosed in U+2068 and U+2069, so that
// what follows, such as a number, stays after it.
func (s Speaker) Say(id string, data ...any) string {
	if text, ok := s.Find(id, data...); ok {
		return text
	}
	return "⟨" + id + "⟩"
}

// Find is Say, but reports whether there is a text with this id.
func (s Speaker) Find(id string, data ...any) (text string, ok bool) {
	message := s.tongue.message(id)
	if message == nil {
		return "", false
	}
	phrase := message.forms[plural.Other]
	if message.counts {
		n, _ := find(data, "N")
		if chosen := message.forms[s.form(n)]; chosen != nil {
			phrase = chosen
		}
	}
	if len(phrase.names) == 0 {
		return phrase.source, true
	}
	var b strings.Builder
	b.Grow(len(phrase.source) + 16)
	for i, name := range phrase.names {
		b.WriteString(phrase.pieces[i])
		if value, ok := find(data, name); ok {
			b.WriteString(s.text(value))
		} else {
			b.WriteString("⟨" + name + "⟩")
		}
	}
	b.WriteString(phrase.pieces[len(phrase.names)])
	return b.String(), true
}

func find(data []any, name string) (any, bool) {
	if len(data) == 1 {
		values, _ := data[0].(map[string]any)
		value, ok := values[name]
		return value, ok
	}
	for i := 0; i+1 < len(data); i += 2 {
		if data[i] == name {
			return data[i+1], true
		}
	}
	return nil, false
}

// form returns the plural form for a number. Values that aren't whole numbers have the form of a
// fraction.
func (s Speaker) form(n any) plural.Form {
	var whole int
	switch n := n.(type) {
	case int:
		whole = n
	case int64:
		whole = int(n % 10_000_000)
	case uint64:
		whole = int(n % 10_000_000)
	case float64:
		if n != math.Trunc(n) {
			return plural.Other
		}
		whole = int(math.Mod(n, 10_000_000))
	default:
		return plural.Other
	}
	whole %= 10_000_000 // MatchPlural requires it
	return plural.Cardinal.MatchPlural(s.tongue.tag, max(whole, -whole), 0, 0, 0, 0)
}

// containsRTL reports whether a text contains characters that are written from right to left.
func containsRTL(text string) bool {
	for i, r := range text {
		if r < 0x0590 { // the usual case
			continue
		}
		if class, _ := bidi.LookupString(text[i:]); class.Class() == bidi.R || class.Class() == bidi.AL {
			return true
		}
	}
	return false
}

func (s Speaker) text(value any) string {
	switch value := value.(type) {
	case string:
		if containsRTL(value) {
			return "\u2068" + value + "\u2069"
		}
		return value
	case int:
		return s.Number(value)
	case int64:
		return s.groupDigits(strconv.FormatInt(value, 10))
	case uint64:
		return s.groupDigits(strconv.FormatUint(value, 10))
	case float64:
		return s.groupDigits(strconv.FormatFloat(value, 'f', -1, 64))
	case []string:
		return s.List(value)
	case interface{ Say(Speaker) string }:
		return value.Say(s)
	}
	return fmt.Sprint(value)
}

// Number formats a whole number, grouped by three from five digits on: "10,000", "10 000".
func (s Speaker) Number(n int) string {
	if n >= 0 && n < 100 {
		return strconv.Itoa(n) // avoids an allocation for short numbers
	}
	return s.groupDigits(strconv.Itoa(n))
}

// Decimal formats a number with so many decimals: "0.27", "0,27".
func (s Speaker) Decimal(x float64, digits int) string {
	return s.groupDigits(strconv.FormatFloat(x, 'f', max(digits, 0), 64))
}

// groupDigits converts a number printed by Go to the separators of the language.
func (s Speaker) groupDigits(number string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(number, "-"); negative {
		number = rest
		if strings.ContainsAny(number, "123456789") {
			sign = "−"
		}
	}
	whole, decimals, broken := strings.Cut(number, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i, digit := range whole {
		if i > 0 && len(whole) > 4 && (len(whole)-i)%3 == 0 {
			b.WriteString(s.tongue.thousands)
		}
		b.WriteRune(digit)
	}
	if broken {
		b.WriteString(s.tongue.point)
		b.WriteString(decimals)
	}
	return b.String()
}

// Percent formats a probability as a whole percentage: "73%", "73 %". See Chance for the ends.
func (s Speaker) Percent(p float64) string { return s.Chance(p, p > 0, p >= 1) }

// Chance formats a probability that the caller knows exactly. Something possible is at least "<1%",
// never "0%"; something uncertain is at most ">99%", never "100%".
func (s Speaker) Chance(p float64, possible, certain bool) string {
	var text string
	switch {
	case !possible:
		text = "0"
	case certain:
		text = "100"
	case p < 0.01:
		text = "<1"
	case p > 0.99:
		text = ">99"
	default:
		text = strconv.Itoa(int(math.Round(p * 100)))
	}
	return text + s.tongue.percent
}

// Tenths is Chance with a decimal: at least "<0.1%" and at most ">99.9%" for what's neither impossible
// nor certain.
func (s Speaker) Tenths(p float64, possible, certain bool) string {
	switch {
	case !possible || certain:
		return s.Chance(p, possible, certain)
	case p < 0.0005:
		return "<" + s.Decimal(0.1, 1) + s.tongue.percent
	case p >= 0.9995:
		return ">" + s.Decimal(99.9, 1) + s.tongue.percent
	}
	return s.Decimal(p*100, 1) + s.tongue.percent
}

// Fraction formats a reduced fraction: "117/1000", or a whole number without a denominator.
func (s Speaker) Fraction(r *big.Rat) string {
	if r.IsInt() {
		return s.groupDigits(r.Num().String())
	}
	return s.groupDigits(r.Num().String()) + "/" + s.groupDigits(r.Denom().String())
}

// Whether returns the word for yes or no.
func (s Speaker) Whether(so bool) string {
	if so {
		return s.Say("lang.yes")
	}
	return s.Say("lang.no")
}

// SayChange returns a line about a changed value of a character.
func (s Speaker) SayChange(name, what, from, to string) string {
	return s.Say("lang.changed", "Name", name, "Field", what, "From", from, "To", to)
}

// SayItems returns a line about a changed list of a character: the items that were added and those
// that were removed.
func (s Speaker) SayItems(name, what string, added, removed []string) string {
	word := "lang.changed-items"
	switch {
	case len(removed) == 0:
		word = "lang.added-items"
	case len(added) == 0:
		word = "lang.removed-items"
	}
	return s.Say(word, "Name", name, "Field", what, "Added", strings.Join(added, ", "), "Removed",
		strings.Join(removed, ", "))
}

// List joins items: "a, b and c".
func (s Speaker) List(items []string) string {
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	default:
		return s.Say("lang.list", "Items", strings.Join(items[:n-1], ", "), "Last", items[n-1])
	}
}

// Time formats a date and time in a time zone: "7 March 2026, 19:05".
func (s Speaker) Time(t time.Time, loc *time.Location) string {
	t = t.In(loc)
	month := s.Say("lang.month." + strconv.Itoa(int(t.Month())))
	return s.Say("lang.time", "Day", t.Day(), "Month", month, "Year", strconv.Itoa(t.Year()), "Clock", s.Clock(t, loc))
}

// Date formats a date in a time zone: "7 March 2026".
func (s Speaker) Date(t time.Time, loc *time.Location) string {
	t = t.In(loc)
	return s.Say(
		"lang.date",
		"Day",
		t.Day(),
		"Month",
		s.Say("lang.month."+strconv.Itoa(int(t.Month()))),
		"Year",
		strconv.Itoa(t.Year()),
	)
}

// Clock formats the time of day in a time zone: "19:05".
func (s Speaker) Clock(t time.Time, loc *time.Location) string { return t.In(loc).Format("15:04") }
