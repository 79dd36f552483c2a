// Package cli holds what all commands of norn share in one call: its streams and what they can
// display, the games and words, the form of commands, flags, help and errors, completion and the
// manual page. It doesn't know any of the commands.
package cli

import (
	"encoding/json"
	"io"
	"strings"

	"norn/lang"
)

// JSON prints a value: indented on a terminal, on one line otherwise.
func (p *Program) JSON(value any) error {
	encoder := json.NewEncoder(p.Out)
	encoder.SetEscapeHTML(false)
	if p.Out.terminal {
		encoder.SetIndent("", "  ")
	}
	return encoder.Encode(value)
}

// Exit statuses.
const (
	Done       = 0
	Failed     = 1
	WrongUsage = 2
)

// Program is one call of norn: its streams, its environment and its language.
type Program struct {
	Wired
	lang.Speaker
	Args   []string
	In     io.Reader
	Out    *screen
	Err    *screen
	Getenv func(string) string
	Env    []string // all variables, as NAME=value
}

// Getenv returns a function that looks up variables in env. The last variable of a name wins.
func Getenv(env []string) func(string) string {
	values := make(map[string]string, len(env))
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return func(name string) string { return values[name] }
}
