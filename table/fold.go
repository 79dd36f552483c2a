package table

import (
	"errors"

	"norn/journal"
)

// foldOn is the ledger with all that there is beyond it, read a page at a time; after an error with what came before it.
func (b ledger) foldOn(read func(after uint64) ([]journal.Entry, error)) (ledger, error) {
	for {
		entries, err := read(b.seq)
		if err != nil {
			return b, unavailable(b.id, b.seq, err)
		}
		more, err := b.folded(entries, nil)
		if deep := (*deepError)(nil); errors.As(err, &deep) {
			again := b.again
			b = newLedger(b.id, b.games, b.words)
			b.deep, b.again = deep.seq, again
			continue
		}
		if b = more; err != nil || len(entries) < pageOf {
			return b, err
		}
		b.forget()
	}
}

// folded is the ledger with some more entries; after an error with those before it.
func (b ledger) folded(entries []journal.Entry, known *draft) (_ ledger, err error) {
	defer recollected(&err)
	for _, e := range entries {
		r, err := b.decode(e, known)
		if errors.As(err, new(*deepError)) {
			return b, err
		}
		if err != nil {
			return b, &UnreadableError{Table: b.id, Seq: e.Seq, Err: err}
		}
		b.follow(r)
		r.Events, r.Opening, r.args, r.counts = nil, nil, nil, nil // as they were read; what they say is in r.events and in the move
	}
	return b, nil
}
