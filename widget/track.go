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

// track is a game's track as it is drawn.
type track struct{ game.Track }

func tracksOf(all []game.Track) []track {
	drawn := make([]track, len(all))
	for i, t := range all {
		drawn[i] = track{t}
	}
	return drawn
}

// most is how many boxes are drawn one by one.
const most = 40

// words are what stands instead of the number.
func (t track) words(s lang.Speaker) string { return cmp.Or(t.InWords(s).Words, "—") }

func (t track) number() string { return strconv.Itoa(t.Now) }

// boxes is how many boxes are drawn: those there are, and all that are marked or free.
func (t track) boxes() int { return max(t.Max, t.Now, t.Free) }

// isBar tells whether a track is drawn as a bar: it's to be, or has too many boxes to count.
func (t track) isBar(boxes int) bool { return boxes > most || t.Look == game.Bar }

// slice is one of n parts of a clock's face, which is 40 wide; the first begins at the top.
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

// room is how many boxes are drawn, for who may mark them with some to mark.
func (t track) room(live bool) int {
	if live && t.Max == 0 {
		return max(t.boxes()+1, 5)
	}
	return t.boxes()
}

// value says how much is marked; n is the number or what stands for it.
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

// spoken is what a screen reader says instead of the boxes.
func (t track) spoken(s lang.Speaker) string {
	if t.Hidden {
		return t.Label(s) + ": " + t.words(s)
	}
	return t.Label(s) + ": " + t.value(s, t.Now)
}

// least is the least that may be marked.
func (t track) least(f Field) string {
	if t.Gone {
		return itoa(max(0, t.Max-f.Max))
	}
	return itoa(f.Min)
}

// most is the most that may be marked.
func (t track) most(f Field) string {
	if t.Max > 0 && !t.Grows {
		return itoa(max(t.Max, t.Now))
	}
	return itoa(f.Max)
}

func itoa(n int) string { return strconv.Itoa(n) }

// level is how full a track is, in percent for a bar.
func (t track) level() string {
	if t.boxes() == 0 {
		return "0%"
	}
	return percent(float64(t.Now) / float64(t.boxes()))
}

// freePercent is how much of a track is free, in percent for a bar.
func (t track) freePercent() string {
	if t.boxes() == 0 {
		return "0%"
	}
	return percent(float64(t.Free) / float64(t.boxes()))
}

// short is a name as it stands where there's little room: its first word, cut after three or four
// letters, at a consonant, where it's longer than six.
func short(name string) string {
	word, _, _ := strings.Cut(name, " ")
	letters := []rune(word)
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
