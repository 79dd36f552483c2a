package journal

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// copyAtOnce is how many entries Copy holds of each journal.
const copyAtOnce = 64

// DifferentError says that two journals hold a table of the same id whose
// entries aren't the same. Nothing was written at or after the entry.
type DifferentError struct {
	Table string
	Seq   uint64 // of the first entry that differs, or that only the target has
}

func (e *DifferentError) Error() string {
	return fmt.Sprintf("journal: table %q differs from entry %d on", e.Table, e.Seq)
}

// Copy brings all entries of a table from one journal to another and returns how
// many it has written. Those that the target has are compared instead, so that
// a copy that broke off goes on where it ended, and one that is done writes
// nothing. Where the target has anything else it returns *DifferentError. Other errors
// are those of the journals; where the source is being written to, what comes
// after the last page isn't copied.
func Copy(ctx context.Context, from, to Journal, table string) (written int, err error) {
	for at := uint64(0); ; {
		want, err := from.Read(ctx, table, at, copyAtOnce)
		if err != nil {
			return written, err
		}
		have, err := to.Read(ctx, table, at, copyAtOnce)
		if err != nil {
			return written, err
		}
		for i, e := range have {
			if i >= len(want) || sum(e) != sum(want[i]) {
				return written, &DifferentError{Table: table, Seq: e.Seq}
			}
		}
		if missing := want[len(have):]; len(missing) > 0 {
			if _, err := to.Append(ctx, table, missing[0].Seq-1, missing...); err != nil {
				return written, err
			}
			written += len(missing)
		}
		if len(want) < copyAtOnce {
			return written, nil
		}
		at = want[len(want)-1].Seq
	}
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
