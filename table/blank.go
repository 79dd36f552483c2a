package table

import (
	"context"

	"norn/journal"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/refusal"
)

// blanked returns the stored entries that a draft blanks, with their new bodies. The caller holds
// the turn.
func (t *live) blanked(ctx context.Context, d ledger.Draft) (blanked []journal.Entry, err error) {
	most := uint64(ledger.PageOf)
	for after := uint64(0); ; {
		entries, err := t.host.read(ctx, t.id, after, int(most))
		if err != nil {
			return nil, refusal.Unavailable(t.id, after, err)
		}
		for _, e := range entries {
			after = e.Seq
			body, err := act.Blank(d, e.Seat, e.Body)
			if err != nil {
				return nil, &refusal.UnreadableError{Table: t.id, Seq: e.Seq, Err: err}
			}
			if body != nil {
				blanked = append(blanked, journal.Entry{Seq: e.Seq, Body: body})
			}
		}
		if uint64(len(entries)) < most {
			return blanked, nil
		}
		most = ledger.NextPage(entries, most)
	}
}

// blank writes a draft that blanks entries. What memory holds of them is read again. The caller
// holds the turn.
func (t *live) blank(ctx context.Context, d ledger.Draft, entry journal.Entry) ([]journal.Entry, error) {
	blanked, err := t.blanked(ctx, d)
	if err != nil {
		return nil, err
	}
	t.host.oneByOne.Lock() // no snapshot is made of what is blanked
	defer t.host.oneByOne.Unlock()
	stored, err := t.host.Journal.Blank(ctx, t.id, t.seq.Load(), blanked, entry)
	t.host.writes.note(ctx, t.host.Log, t.host.Now, err)
	return stored, err
}
