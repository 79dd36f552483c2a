package table

import (
	"context"

	"norn/journal"
)

// append appends to the journal, and has an outage noted.
func (h *Host) append(ctx context.Context, table string, expect uint64, entry journal.Entry) ([]journal.Entry, error) {
	stored, err := h.Journal.Append(ctx, table, expect, entry)
	h.writes.note(ctx, h.Log, h.Now, err)
	return stored, err
}

// read reads from the journal, and has an outage noted.
func (h *Host) read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	entries, err := h.Journal.Read(ctx, table, after, limit)
	h.reads.note(ctx, h.Log, h.Now, err)
	return entries, err
}
