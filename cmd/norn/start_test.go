package main

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
	"norn/games"
)

// startCalls lists short commands, including those that a shell calls while somebody types.
var startCalls = map[string][]string{
	"version":    {"version"},
	"help":       {"help"},
	"odds":       {"odds", "dice", "2d6"},
	"completion": {"__complete", "odds", "mage", "roll", "--"},
}

// countingFolder counts the files that are opened.
type countingFolder struct {
	fs.FS
	opened *[]string
}

func (f countingFolder) Open(name string) (fs.File, error) {
	*f.opened = append(*f.opened, name)
	return f.FS.Open(name)
}

func TestCommandOpensOnlyOneLanguagesWords(t *testing.T) {
	for name, args := range startCalls {
		t.Run(name, func(t *testing.T) {
			all := games.All()
			var opened []string
			all[0].Words = countingFolder{all[0].Words, &opened}
			var out strings.Builder
			if status := run(t.Context(), cli.Open(all), args, strings.NewReader(""), &out, io.Discard,
				[]string{"LANG=uk_UA.UTF-8"}); status != cli.Done || out.Len() == 0 {
				t.Fatal(status, out.String())
			}
			slices.Sort(opened)
			if got := slices.Compact(opened); !slices.Equal(got, []string{"words/terms.toml", "words/uk.toml"}) {
				t.Error(got)
			}
		})
	}
}

func TestCompletionAcceptsNamesInAnyLanguage(t *testing.T) {
	for _, words := range [][]string{{"mage", "roll"}, {"маг", "бросок"}, {"Mage", "бросок"}, {"маг", "Кидок"}} {
		var out strings.Builder
		args := slices.Concat([]string{"__complete", "odds"}, words, []string{"--difficulty", ""})
		run(t.Context(), cli.Open(games.All()), args, strings.NewReader(""), &out, io.Discard, nil)
		if !strings.HasPrefix(out.String(), "0\n1\n2\n") {
			t.Error(words, out.String())
		}
	}
}

// BenchmarkCommandStart reports the CPU time, user and system, of a short process. It should be at
// most 30 ms.
func BenchmarkCommandStart(b *testing.B) {
	norn := filepath.Join(b.TempDir(), "norn")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", norn, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for name, args := range startCalls {
		b.Run(name, func(b *testing.B) {
			var spent float64
			for b.Loop() {
				norn := exec.CommandContext(b.Context(), norn, args...)
				norn.Env = append(os.Environ(), "LC_ALL=C")
				if out, err := norn.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				spent += (norn.ProcessState.UserTime() + norn.ProcessState.SystemTime()).Seconds()
			}
			b.ReportMetric(1000*spent/float64(b.N), "cpu-ms/op")
		})
	}
}
