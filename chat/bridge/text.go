package bridge

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Units is how long platforms take a text to be: in UTF-16.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Cut is as much of a text as there is room for, with an ellipsis for the rest. It parts no sign
// from what combines with it.
func Cut(text string, room int) string {
	if Units(text) <= room {
		return text
	}
	if room < 1 {
		return ""
	}
	end, used := 0, 0
	for i, r := range text {
		if !combines(r, text[:i]) {
			end = i
		}
		if used += utf16.RuneLen(r); used > room-1 {
			break
		}
	}
	return strings.TrimRightFunc(text[:end], unicode.IsSpace) + "…"
}

// combines tells whether a rune belongs to what stands before it: combining letters, variations,
// skin tones, joined emoji.
func combines(r rune, before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	const joiner = '\u200d'
	return r == joiner || last == joiner || unicode.Is(unicode.M, r) || r >= 0x1F3FB && r <= 0x1F3FF
}

func encodeJSON(plain any) string {
	data, err := json.Marshal(plain)
	if err != nil {
		panic(err) // all of them are plain
	}
	return string(data)
}

// shortHash names something in so many letters.
func shortHash(n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:n]
}
