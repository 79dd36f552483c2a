package journal

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// DifferentError says that two journals hold a table of the same id whose
// entries aren't the same. Nothing was written.
type DifferentError struct {
	Table string
	Seq   uint64 // of the first entry that differs, or that only the target has
	More  bool   // the target has all the entries, and more
}

func (e *DifferentError) Error() string {
	return fmt.Sprintf("journal: table %q differs from entry %d on", e.Table, e.Seq)
}

// Copy brings a table to entries, all that it had elsewhere, and returns how many
// it has written: in one append, so that nobody ever finds half a table. Those
// that are there are compared instead, and a copy that is done writes
// nothing. Where anything else stands it returns *DifferentError. Other errors
// are those of the journal.
func Copy(ctx context.Context, to Journal, table string, entries []Entry) (written int, err error) {
	have, err := to.Read(ctx, table, 0, 0)
	if err != nil {
		return 0, err
	}
	for i, e := range have {
		if i >= len(entries) || sum(e) != sum(entries[i]) {
			return 0, &DifferentError{Table: table, Seq: e.Seq, More: i >= len(entries)}
		}
	}
	missing := entries[len(have):]
	if len(missing) == 0 {
		return 0, nil
	}
	if _, err := to.Append(ctx, table, uint64(len(have)), missing...); err != nil {
		return 0, err
	}
	return len(missing), nil
}

// Sum is a checksum of entries: the same for the same entries in the same order,
// whichever journal they come from.
func Sum(entries []Entry) [sha256.Size]byte {
	h := sha256.New()
	for _, e := range entries {
		one := sum(e)
		h.Write(one[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// sum covers every field of an entry; each has its length before it.
func sum(e Entry) [sha256.Size]byte {
	data := binary.BigEndian.AppendUint64(nil, e.Seq)
	data = binary.BigEndian.AppendUint64(data, uint64(e.Time.UnixMicro()))
	for _, field := range [][]byte{[]byte(e.Table), []byte(e.Seat), []byte(e.Move), []byte(e.Key), e.Body} {
		data = binary.BigEndian.AppendUint64(data, uint64(len(field)))
		data = append(data, field...)
	}
	return sha256.Sum256(data)
}
