package table

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"norn/internal/relay"
	"norn/journal"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/verify"
)

// ExistsError says that a table with this id already exists.
type ExistsError struct {
	Table string
	Same  bool   // it has everything in the file
	Seq   uint64 // of its last entry
}

func (e *ExistsError) Error() string {
	return "table: " + e.Table + " is here already, up to entry " + strconv.FormatUint(e.Seq, 10)
}

// Import adds an exported table completely or not at all: in one append all its entries, and one
// that says where they come from and seals new dice. The links to its seats work again, on this
// server.
//
// Errors are *ExistsError and *UnavailableError.
func (h *Host) Import(ctx context.Context, a *verify.Importable) (verify.Result, error) {
	log, found := a.Log, a.Found
	id := log.Ledger.ID
	if here, err := h.Journal.Read(ctx, id, 0, 0); err != nil {
		return verify.Result{}, refusal.Unavailable(id, 0, err)
	} else if len(here) > 0 {
		return verify.Result{}, exists(id, here, log.Entries)
	}
	arrival, err := h.importEntry(log, found, a.Trusted)
	if err != nil {
		return verify.Result{}, err
	}
	entries := log.Entries
	sealed := &entries[log.Ledger.Sessions.Now().From-1]
	// a hostile file may have a secret that no export has
	if sealed.Body, err = act.WithoutSecret(sealed.Body); err != nil {
		return verify.Result{}, err
	}
	_, err = h.Journal.Append(ctx, id, 0, append(entries, arrival)...)
	if conflict := (*journal.ConflictError)(nil); errors.As(err, &conflict) {
		return verify.Result{}, &ExistsError{Table: id, Seq: conflict.Have}
	}
	if err != nil {
		return verify.Result{}, refusal.Unavailable(id, 0, err)
	}
	h.Relay.Publish(relay.Message{Table: id, Seq: log.Ledger.Seq + 1})
	return found, nil
}

// exists compares an existing table with a file.
func exists(id string, here, file []journal.Entry) error {
	err := &ExistsError{Table: id, Same: len(here) >= len(file), Seq: here[len(here)-1].Seq}
	for i := range min(len(here), len(file)) {
		a, b := here[i], file[i]
		left, wrong := act.WithoutSecret(a.Body)
		right, odd := act.WithoutSecret(b.Body)
		err.Same = err.Same && wrong == nil && odd == nil && bytes.Equal(left, right) &&
			a.Time.Equal(b.Time) && a.Seat == b.Seat && a.Move == b.Move && a.Key == b.Key
	}
	return err
}

// importEntry returns the entry that an import adds.
func (h *Host) importEntry(log *verify.TableLog, found verify.Result, trusted bool) (journal.Entry, error) {
	nobody := visibility.Of(log.Ledger, &state.Seat{}, lang.Speaker{})
	d, err := act.Import(nobody, found.Exported, found.Norn, found.Entries, trusted, h.Entropy)
	if err != nil {
		return journal.Entry{}, err
	}
	return h.judgedEntry(nobody, d, log.Ledger.Edition)
}
