package projection

import (
	"slices"

	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// EntriesAfter gives the entries after a seq that the seat may see, oldest first, at most limit of them.
func EntriesAfter(e visibility.Eye, after uint64, limit int) []view.Entry {
	entries := []view.Entry{}
	for r := range e.Table.After(after, limit) {
		if shown, ok := Entry(e, r); ok {
			if entries = append(entries, shown); len(entries) == limit {
				break
			}
		}
	}
	return entries
}

// EntriesBefore gives the newest n entries before a seq that the seat may see, oldest first; before 0 is before none.
func EntriesBefore(e visibility.Eye, before uint64, n int) []view.Entry {
	entries := []view.Entry{}
	if n <= 0 {
		return entries
	}
	if before == 0 {
		before = e.Table.Seq + 1
	}
	for r := range e.Table.Before(before, n) {
		if shown, ok := Entry(e, r); ok {
			if entries = append(entries, shown); len(entries) == n {
				break
			}
		}
	}
	slices.Reverse(entries)
	return entries
}

// EntriesOfMove gives all entries of a move that the seat may see, with what took it back or showed
// it; none for a move that isn't there.
func EntriesOfMove(e visibility.Eye, move string) []view.Entry {
	m := e.Table.Move(move)
	if m == nil {
		return nil
	}
	return entriesOf(e, e.Table.RecordsAbout(m))
}

// entriesOf are records as far as the seat may see them.
func entriesOf(e visibility.Eye, records []*state.Record) []view.Entry {
	var entries []view.Entry
	for _, r := range records {
		if shown, ok := Entry(e, r); ok {
			entries = append(entries, shown)
		}
	}
	return entries
}

// SecretEntries gives all entries of the newest n moves that are secret, one move after the other,
// oldest first, for a game master; none for others.
func SecretEntries(e visibility.Eye, n int) []view.Entry {
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
