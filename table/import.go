package table

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"norn/journal"
	"norn/lang"
	"norn/relay"
)

// ExistsError says that a table of this id is here already.
type ExistsError struct {
	Table string
	Same  bool   // all that the file holds stands here too
	Seq   uint64 // of the last entry here
}

func (e *ExistsError) Error() string {
	return "table: " + e.Table + " is here already, up to entry " + strconv.FormatUint(e.Seq, 10)
}

// Import brings an exported table here, whole or not at all: all its entries
// and one that says where they are from and seals new dice, in one append. The
// links to its seats work again, here.
//
// Errors are *ExistsError and *UnavailableError.
func (h *Host) Import(ctx context.Context, a *Arriving) (Verified, error) {
	log, found := a.log, a.found
	id := log.st.id
	if here, err := h.Journal.Read(ctx, id, 0, 0); err != nil {
		return Verified{}, unavailable(id, 0, err)
	} else if len(here) > 0 {
		return Verified{}, exists(id, here, log.entries)
	}
	arrival, err := h.arrival(log, found)
	if err != nil {
		return Verified{}, err
	}
	entries := log.entries
	sealed := &entries[log.st.sessions.now().from-1]
	if sealed.Body, err = closed(sealed.Body); err != nil { // a file may hold what no export does
		return Verified{}, err
	}
	_, err = h.Journal.Append(ctx, id, 0, append(entries, arrival)...)
	if conflict := (*journal.ConflictError)(nil); errors.As(err, &conflict) {
		return Verified{}, &ExistsError{Table: id, Seq: conflict.Have}
	}
	if err != nil {
		return Verified{}, unavailable(id, 0, err)
	}
	h.Relay.Publish(relay.Message{Table: id, Seq: log.st.seq + 1})
	return found, nil
}

// exists compares what is here with a file.
func exists(id string, here, file []journal.Entry) error {
	err := &ExistsError{Table: id, Same: len(here) >= len(file), Seq: here[len(here)-1].Seq}
	for i := range min(len(here), len(file)) {
		a, b := here[i], file[i]
		left, wrong := closed(a.Body)
		right, odd := closed(b.Body)
		err.Same = err.Same && wrong == nil && odd == nil && bytes.Equal(left, right) &&
			a.Time.Equal(b.Time) && a.Seat == b.Seat && a.Move == b.Move && a.Key == b.Key
	}
	return err
}

// arrival is the entry that an import adds.
func (h *Host) arrival(log *logOf, found Verified) (journal.Entry, error) {
	nobody := eyeOf(log.st, &seat{}, lang.Speaker{})
	d, err := importTable(nobody, found.Exported, found.Norn, found.Entries, h.Entropy)
	if err != nil {
		return journal.Entry{}, err
	}
	return h.entry(nobody, d, log.st.edition)
}
