package journal

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// DifferentError reports that two journals hold different entries for a table with the same id.
// Nothing was written.
type DifferentError struct {
	Table string
	Seq   uint64 // of the first entry that differs, or that only the target has
	More  bool   // the target has all the entries, and more
}

func (e *DifferentError) Error() string {
	return fmt.Sprintf("journal: table %q differs from entry %d on", e.Table, e.Seq)
}

// Copy makes the target's table equal to entries, which are all entries of the source, and returns
// the number of entries written. It writes all missing ones in one append, so nobody ever sees half
// a table. Existing entries are compared instead; repeating a copy writes nothing. If the target
// has other entries, it returns *DifferentError. Other errors are those of the journal.
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

// Sum returns a checksum of entries: equal for the same entries in the same order, in any journal.
func Sum(entries []Entry) [sha256.Size]byte {
	h := sha256.New()
	for _, e := range entries {
		one := sum(e)
		h.Write(one[:])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// sum returns a checksum of every field of an entry, each preceded by its length.
func sum(e Entry) [sha256.Size]byte {
	data := binary.BigEndian.AppendUint64(nil, e.Seq)
	data = binary.BigEndian.AppendUint64(data, uint64(e.Time.UnixMicro()))
	for _, field := range [][]byte{[]byte(e.Table), []byte(e.Seat), []byte(e.Move), []byte(e.Key), e.Body} {
		data = binary.BigEndian.AppendUint64(data, uint64(len(field)))
		data = append(data, field...)
	}
	return sha256.Sum256(data)
}
