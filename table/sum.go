package table

import (
	"context"
	"crypto/sha256"
	"math"

	"norn/game"
	"norn/journal"
	"norn/table/internal/act"
	"norn/table/internal/ledger"
	"norn/table/refusal"
)

// Sum folds the entries of one table by its game and returns a checksum of what
// comes out: seats, characters, settings, sessions of dice, moves that are open, what can be undone. The same entries give the same sum on every machine of
// the same norn. An error is an *UnreadableError.
func Sum(games []*game.Game, id string, entries []journal.Entry) (sum [sha256.Size]byte, err error) {
	b, err := readBack(games, id, entries)
	if err != nil {
		return sum, err
	}
	data, err := b.Encode()
	if err != nil {
		return sum, &refusal.UnreadableError{Table: id, Seq: b.Seq, Err: err}
	}
	return sha256.Sum256(data), nil
}

// readBack is a table as its entries tell it, all that can be remembered of its past with it. The error is an *UnreadableError.
func readBack(games []*game.Game, id string, entries []journal.Entry) (ledger.Ledger, error) {
	b := ledger.New(id, games, act.Vocabulary)
	b.WholeBefore = math.MaxUint64
	return b.Looking(context.Background(), (*ledger.InMemory)(&entries)).Folded(entries, nil)
}
