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

// Units returns the length of a text as platforms count it: in UTF-16.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Cut shortens a text to some length, with an ellipsis. It doesn't split combined characters.
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

// combines reports whether a rune combines with what precedes it: combining letters, variations,
// skin tones, joined emoji.
func combines(r rune, before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	const joiner = '\u200d'
	return r == joiner || last == joiner || unicode.Is(unicode.M, r) || r >= 0x1F3FB && r <= 0x1F3FF
}

func encodeJSON(plain any) string {
	data, err := json.Marshal(plain)
	if err != nil {
		panic(err) // can't happen: they are plain values
	}
	return string(data)
}

// shortHash returns a hash with n letters.
func shortHash(n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:n]
}
