package projection

import (
	"slices"

	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// EntriesAfter returns at most limit entries after a seq that the seat may see, oldest first.
func EntriesAfter(e *visibility.Eye, after uint64, limit int) []view.Entry {
	entries := []view.Entry{}
	for r := range e.Table.After(after, limit) {
		if shown := Entry(e, r); shown != nil {
			if entries = append(entries, *shown); len(entries) == limit {
				break
			}
		}
	}
	return entries
}

// EntriesBefore returns the newest n entries before a seq that the seat may see, oldest first; 0
// means the end of the log.
func EntriesBefore(e *visibility.Eye, before uint64, n int) []view.Entry {
	entries := []view.Entry{}
	if n <= 0 {
		return entries
	}
	if before == 0 {
		before = e.Table.Seq + 1
	}
	for r := range e.Table.Before(before, n) {
		if shown := Entry(e, r); shown != nil {
			if entries = append(entries, *shown); len(entries) == n {
				break
			}
		}
	}
	slices.Reverse(entries)
	return entries
}

// EntriesOfMove returns all entries of a move that the seat may see, including those that undid or
// revealed it; none for an unknown move.
func EntriesOfMove(e *visibility.Eye, move string) []view.Entry {
	m := e.Table.Move(move)
	if m == nil {
		return nil
	}
	return entriesOf(e, e.Table.RecordsAbout(m))
}

// entriesOf returns the entries of records that the seat may see.
func entriesOf(e *visibility.Eye, records []*state.Record) []view.Entry {
	var entries []view.Entry
	for _, r := range records {
		if shown := Entry(e, r); shown != nil {
			entries = append(entries, *shown)
		}
	}
	return entries
}

// SecretEntries returns all entries of the newest n secret moves, move by move, oldest first, for a
// game master; none for others.
func SecretEntries(e *visibility.Eye, n int) []view.Entry {
	if !e.Viewer.IsGM() {
		return nil
	}
	var entries []view.Entry
	secrets := e.Table.Secrets
	for _, seq := range secrets[max(len(secrets)-n, 0):] {
		entries = append(entries, entriesOf(e, e.Table.RecordsAbout(e.Table.Move(state.MoveID(seq))))...)
	}
	return entries
}
