// Package langtest checks that the words of the whole project are complete: one test calls
// Complete.
//
// It fails on a text that a language lacks, an unused text, a used id without a text, an
// untranslated text, missing plural forms, places for data that differ between languages, letters
// of another language, and typing mistakes: spaces at the ends or doubled, straight apostrophes and
// exclamation marks.
//
// It finds the ids in use in three ways: string literals in the sources that are an id, ids that
// the caller computes (from registries of games, moves, codes), and prefixes from which the code
// builds ids.
package langtest

import (
	"testing"

	"norn/lang"
	"norn/lang/lint"
)

// Project lists the places that use words.
type Project = lint.Project

// Check returns a line for each mistake in the words. The error is that of reading the sources.
func Check(words *lang.Words, project Project) ([]string, error) { return lint.Check(words, project) }

// Complete fails the test for everything that Check reports.
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
