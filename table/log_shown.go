package table

import "slices"

// logAfter gives the entries after a seq that the seat may see, oldest first, at most limit of them.
func logAfter(e eye, after uint64, limit int) []Entry {
	entries := []Entry{}
	for r := range e.st.after(after, limit) {
		if shown, ok := entryOf(e, r); ok {
			if entries = append(entries, shown); len(entries) == limit {
				break
			}
		}
	}
	return entries
}

// logBefore gives the newest n entries before a seq that the seat may see, oldest first; before 0 is before none.
func logBefore(e eye, before uint64, n int) []Entry {
	entries := []Entry{}
	if n <= 0 {
		return entries
	}
	if before == 0 {
		before = e.st.seq + 1
	}
	for r := range e.st.back(before, n) {
		if shown, ok := entryOf(e, r); ok {
			if entries = append(entries, shown); len(entries) == n {
				break
			}
		}
	}
	slices.Reverse(entries)
	return entries
}

// wholeMove gives all entries of a move that the seat may see, with what took it back or showed it; none for a move that isn't there.
func wholeMove(e eye, move string) []Entry {
	m := e.st.move(move)
	if m == nil {
		return nil
	}
	return entriesOf(e, e.st.about(m))
}

// entriesOf are records as far as the seat may see them.
func entriesOf(e eye, records []*record) []Entry {
	var entries []Entry
	for _, r := range records {
		if shown, ok := entryOf(e, r); ok {
			entries = append(entries, shown)
		}
	}
	return entries
}

// secretMoves gives all entries of the newest n moves that are secret, one move after the other, oldest first, for a game master; none for others.
func secretMoves(e eye, n int) []Entry {
	if !e.viewer.IsGM() {
		return nil
	}
	var entries []Entry
	secrets := e.st.secrets
	for _, seq := range secrets[max(len(secrets)-n, 0):] {
		entries = append(entries, entriesOf(e, e.st.about(e.st.move(idOf(seq))))...)
	}
	return entries
}
