package main

import (
	"net/url"
	"os"
	"strings"
)

// What the settings of all platforms have in common.

// webFlag is an address in the web.
type webFlag struct {
	p       *program
	text    string
	schemes string
	none    bool // "" stands for none
}

func (f *webFlag) String() string { return f.text }
func (f *webFlag) Type() string   { return f.p.Say("norn.metavar.web") }
func (f *webFlag) Set(text string) error {
	if f.none && text == "" {
		f.text = ""
		return nil
	}
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.RawQuery != "" || at.Fragment != "" || at.User != nil || !strings.Contains(" "+f.schemes+" ", " "+at.Scheme+" ") {
		return &misfit{"norn.error.web-syntax", []any{"Given", redacted(text), "Schemes", strings.ReplaceAll(f.schemes, " ", ", ")}}
	}
	f.text = text
	return nil
}

// secretOf is a secret of a setting or, where there's none, of a file.
func secretOf(given, file textFlag) (string, error) {
	if given.value != "" || file.value == "" {
		return strings.TrimSpace(given.value), nil
	}
	data, err := os.ReadFile(file.value)
	return strings.TrimSpace(string(data)), err
}
