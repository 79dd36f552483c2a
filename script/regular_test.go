package script_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"norn/script"
)

// A pipe or device instead of a file is refused instead of read, and so is a file without measure.
func TestOnlyRegularFilesOfAGameAreRead(t *testing.T) {
	for name, file := range map[string]*fstest.MapFile{
		"a pipe":       {Mode: fs.ModeNamedPipe},
		"a device":     {Mode: fs.ModeDevice | fs.ModeCharDevice},
		"a socket":     {Mode: fs.ModeSocket},
		"a large file": {Data: make([]byte, 1<<20+1)},
	} {
		for _, at := range []string{"game.star", "words.toml", "look.toml"} {
			folder := fstest.MapFS{"game.star": {Data: []byte("game(id = 'x')")}, at: file}
			_, err := script.Read(folder)
			problem, ok := errors.AsType[*script.Problem](err)
			if !ok || problem.File != at {
				t.Errorf("%s as %s: %v", name, at, err)
				continue
			}
			if _, ok := errors.AsType[*script.Mistake](problem.What); !ok {
				t.Errorf("%s as %s is no mistake that is told in the reader's language: %v", name, at, problem.What)
			}
		}
	}
}
