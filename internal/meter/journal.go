package meter

import (
	"context"
	"errors"
	"time"

	"norn/journal"
)

// Journal returns a journal that measures the calls of another one.
func (m *Meter) Journal(j journal.Journal) journal.Journal { return timed{j, m} }

type timed struct {
	journal.Journal
	m *Meter
}

// observe records a call and how long it took.
func (t timed) observe(operation string, began time.Time, err error) {
	t.m.time(time.Since(began), "norn_journal_seconds", "operation", operation)
	if err == nil || errors.As(err, new(*journal.ConflictError)) || errors.As(err, new(*journal.DuplicateError)) ||
		errors.Is(err, journal.ErrNotFound) || errors.Is(err, context.Canceled) {
		return
	}
	t.m.count("norn_journal_failures_total", "operation", operation)
}

func (t timed) Append(ctx context.Context, table string, expect uint64,
	entries ...journal.Entry,
) (stored []journal.Entry, err error) {
	defer func(began time.Time) { t.observe("append", began, err) }(time.Now())
	return t.Journal.Append(ctx, table, expect, entries...)
}

func (t timed) Delete(ctx context.Context, table string, expect uint64, at time.Time) (err error) {
	defer func(began time.Time) { t.observe("delete", began, err) }(time.Now())
	return t.Journal.Delete(ctx, table, expect, at)
}

func (t timed) Deletions(ctx context.Context) (all []journal.Deletion, err error) {
	defer func(began time.Time) { t.observe("deletions", began, err) }(time.Now())
	return t.Journal.Deletions(ctx)
}

func (t timed) Blank(ctx context.Context, table string, expect uint64, blanked []journal.Entry,
	said journal.Entry,
) (stored []journal.Entry, err error) {
	defer func(began time.Time) { t.observe("blank", began, err) }(time.Now())
	return t.Journal.Blank(ctx, table, expect, blanked, said)
}

func (t timed) Read(ctx context.Context, table string, after uint64, limit int) (entries []journal.Entry, err error) {
	defer func(began time.Time) { t.observe("read", began, err) }(time.Now())
	return t.Journal.Read(ctx, table, after, limit)
}

func (t timed) ReadMove(ctx context.Context, table, move string) (entries []journal.Entry, err error) {
	defer func(began time.Time) { t.observe("read", began, err) }(time.Now())
	return t.Journal.ReadMove(ctx, table, move)
}

func (t timed) Snapshot(ctx context.Context, table string) (data []byte, err error) {
	defer func(began time.Time) { t.observe("snapshot", began, err) }(time.Now())
	return t.Journal.Snapshot(ctx, table)
}

func (t timed) KeepSnapshot(ctx context.Context, table string, data []byte) (err error) {
	defer func(began time.Time) { t.observe("keep", began, err) }(time.Now())
	return t.Journal.KeepSnapshot(ctx, table, data)
}

func (t timed) Find(ctx context.Context, table, seat, key string) (e journal.Entry, err error) {
	defer func(began time.Time) { t.observe("find", began, err) }(time.Now())
	return t.Journal.Find(ctx, table, seat, key)
}

func (t timed) Tables(ctx context.Context) (heads []journal.Head, err error) {
	defer func(began time.Time) { t.observe("tables", began, err) }(time.Now())
	return t.Journal.Tables(ctx)
}
