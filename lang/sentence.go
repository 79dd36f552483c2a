package lang

import (
	"unicode"
	"unicode/utf8"
)

// Capital returns the text with its first letter in upper case, to begin a sentence.
func Capital(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[n:]
}

// LowerFirst returns a text as it's written within a sentence. Abbreviations such as "HP" stay in
// upper case.
func LowerFirst(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[n:]); n == 0 || unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[n:]
}
