package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Wait waits; the error is the context's.
func Wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return ctx.Err()
	}
}

// Tries begins something again, after pauses that double up to the longest, until ctx ends or the loop does.
func Tries(ctx context.Context, first, longest time.Duration) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n, pause := 1, first; ctx.Err() == nil && yield(n) && Wait(ctx, pause) == nil; n++ {
			pause = min(2*pause, longest)
		}
	}
}

// Units is how long platforms take a text to be: in UTF-16.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Cut is as much of a text as there is room for, with an ellipsis for the rest. It parts no sign from what combines with it.
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

// combines tells whether a rune belongs to what stands before it: combining letters, variations, skin tones, joined emoji.
func combines(r rune, before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	const joiner = '\u200d'
	return r == joiner || last == joiner || unicode.Is(unicode.M, r) || r >= 0x1F3FB && r <= 0x1F3FF
}

func encoded(plain any) string {
	data, err := json.Marshal(plain)
	if err != nil {
		panic(err) // all of them are plain
	}
	return string(data)
}

// short names something in so many letters.
func short(n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:n]
}

// keyOf is the key by which what an update does is done once.
func keyOf(u Update) string { return "chat-" + short(24, u.ID) }

func said(text string) Message { return Message{Lines: []Line{{Text: text}}} }

func alone(text string) Answer { return Answer{Message: said(text), Alone: true} }
