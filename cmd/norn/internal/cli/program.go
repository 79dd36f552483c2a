// Package cli is one call of norn in a terminal: its streams and what they can
// show, the games and words it was given, the shape that commands, flags, help
// and failures have, completion and the page for man. It knows none of the
// commands that do something.
package cli

import (
	"encoding/json"
	"io"
	"strings"

	"norn/lang"
)

// JSON prints a value: on lines of its own for people, on one line for
// programs.
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

// Program is one call of norn: its streams, its surroundings and the language
// it answers in.
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

// Getenv looks variables up in env, of which the last of a name holds.
func Getenv(env []string) func(string) string {
	values := make(map[string]string, len(env))
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return func(name string) string { return values[name] }
}
