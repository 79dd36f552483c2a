package ledger

import (
	"errors"

	"norn/journal"
	"norn/table/refusal"
)

// FoldOn returns the ledger with all later entries, which it reads page by page. After an error it
// has the entries before that.
func (b Ledger) FoldOn(read func(after uint64, most int) ([]journal.Entry, error)) (Ledger, error) {
	most := uint64(PageOf)
	for {
		entries, err := read(b.Seq, int(most))
		if err != nil {
			return b, refusal.Unavailable(b.ID, b.Seq, err)
		}
		last := uint64(len(entries)) < most
		most = NextPage(entries, most)
		more, err := b.Fold(entries, nil)
		if deep := (*refoldError)(nil); errors.As(err, &deep) {
			again := b.Lookback
			b = New(b.ID, b.Games, b.Vocabulary)
			b.WholeBefore, b.Lookback = deep.seq, again
			continue
		}
		if b = more; err != nil || last {
			return b, err
		}
		b.Forget()
	}
}

// NextPage returns how many entries to read after a page, given how many that asked for: few after
// large entries such as attachments.
func NextPage(page []journal.Entry, most uint64) uint64 {
	const large = 2 << 20
	bytes := 0
	for _, e := range page {
		bytes += len(e.Body)
	}
	if bytes > large {
		return large / journal.MaxBody
	}
	return min(2*most, PageOf)
}

// Fold returns the ledger with more entries. After an error it has the entries before that.
func (b Ledger) Fold(entries []journal.Entry, known *Draft) (_ Ledger, err error) {
	defer Catch(&err)
	for _, e := range entries {
		r, err := b.Decode(e, known)
		if err != nil { // first, since As allocates
			if errors.As(err, new(*refoldError)) {
				return b, err
			}
			return b, &refusal.UnreadableError{Table: b.ID, Seq: e.Seq, Err: err}
		}
		b.Append(r)
		// to save memory: their content is in the decoded events and the move
		r.Events, r.Opening, r.Args, r.Uncounted = nil, nil, nil, nil
	}
	return b, nil
}
