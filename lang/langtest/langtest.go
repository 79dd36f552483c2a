// Package langtest checks that the words of the whole project are complete: one test calls
// Complete.
//
// It fails on a text that a language lacks, a text that nobody uses, a used id without a text, a
// text that is still its English original, plural forms that a language needs and hasn't, places
// for data that differ between languages, letters of another language, and slips of the pen: spaces
// at the ends or doubled, straight apostrophes and exclamation marks.
//
// What is used is found in three ways: string literals in the sources that are an id, ids that the
// caller computes (from registries of games, moves, codes), and prefixes of ids that the code puts
// together.
package langtest

import (
	"testing"

	"norn/lang"
	"norn/lang/lint"
)

// Project says where the words are used.
type Project = lint.Project

// Check lists what is wrong with the words, one line each. The error is one of reading the sources.
func Check(words *lang.Words, project Project) ([]string, error) { return lint.Check(words, project) }

// Complete fails the test for everything that Check finds.
func Complete(t testing.TB, words *lang.Words, project Project) {
	t.Helper()
	faults, err := Check(words, project)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}
