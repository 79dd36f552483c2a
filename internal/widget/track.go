package widget

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"norn/game"
	"norn/lang"
)

// track is a game's track to draw.
type track struct{ game.Track }

func tracksOf(all []game.Track) []track {
	drawn := make([]track, len(all))
	for i, t := range all {
		drawn[i] = track{t}
	}
	return drawn
}

// most is the largest number of boxes that are drawn one by one.
const most = 40

// words returns the text shown instead of the number.
func (t track) words(s lang.Speaker) string { return cmp.Or(t.InWords(s).Words, "—") }

func (t track) number() string { return strconv.Itoa(t.Now) }

// boxes returns the number of boxes to draw: at least the marked and the free ones.
func (t track) boxes() int { return max(t.Max, t.Now, t.Free) }

// isBar reports whether a track is drawn as a bar: because of its Look, or because it has too many
// boxes to count.
func (t track) isBar(boxes int) bool { return boxes > most || t.Look == game.Bar }

// slice returns one of n sectors of a clock, which is 40 wide; the first begins at the top.
func slice(i, n int) string {
	if n == 1 {
		return "M20 2a18 18 0 1 1-.01 0Z"
	}
	at := func(part int) string {
		angle := 2 * math.Pi * float64(part) / float64(n)
		return fmt.Sprintf("%.2f %.2f", 20+18*math.Sin(angle), 20-18*math.Cos(angle))
	}
	return "M20 20L" + at(i) + "A18 18 0 0 1 " + at(i+1) + "Z"
}

// room returns the number of boxes to draw; a reader who may mark them gets some empty ones.
func (t track) room(live bool) int {
	if live && t.Max == 0 {
		return max(t.boxes()+1, 5)
	}
	return t.boxes()
}

// value describes how much is marked; n is the number or its replacement.
func (t track) value(s lang.Speaker, n any) string {
	text := fmt.Sprint(n)
	if t.Max > 0 {
		text = s.Say("page.of", "N", text, "Max", t.Max)
	}
	if t.Free > 0 {
		text += ", " + s.Say("page.free", "N", t.Free)
	}
	return text
}

// spoken returns the text for screen readers instead of the boxes.
func (t track) spoken(s lang.Speaker) string {
	if t.Hidden {
		return t.Label(s) + ": " + t.words(s)
	}
	return t.Label(s) + ": " + t.value(s, t.Now)
}

// least returns the smallest number that may be marked.
func (t track) least(f Field) string {
	if t.Gone {
		return itoa(max(0, t.Max-f.Max))
	}
	return itoa(f.Min)
}

// most returns the largest number that may be marked.
func (t track) most(f Field) string {
	if t.Max > 0 && !t.Grows {
		return itoa(max(t.Max, t.Now))
	}
	return itoa(f.Max)
}

func itoa(n int) string { return strconv.Itoa(n) }

// level returns how full a track is, in percent, for a bar.
func (t track) level() string {
	if t.boxes() == 0 {
		return "0%"
	}
	return percent(float64(t.Now) / float64(t.boxes()))
}

// freePercent returns the free part of a track, in percent, for a bar.
func (t track) freePercent() string {
	if t.boxes() == 0 {
		return "0%"
	}
	return percent(float64(t.Free) / float64(t.boxes()))
}

// short returns a name for narrow places: its first word, and if that has more than six letters,
// its first three or four, ending in a consonant. Two words of which the first is short have their
// initials.
func short(name string) string {
	word, rest, _ := strings.Cut(name, " ")
	letters := []rune(word)
	if second := []rune(rest); len(letters) <= 4 && len(second) > 0 && !strings.Contains(rest, " ") {
		return strings.ToUpper(string([]rune{letters[0], second[0]}))
	}
	if len(letters) <= 6 {
		return word
	}
	n := 4
	if strings.ContainsRune(vowels, unicode.ToLower(letters[n-1])) {
		n--
	}
	return string(letters[:n]) + "."
}

const vowels = "aeiouyаеёиоуыэюяіїє"
