package table_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"norn/journal"
)

// memory is a journal in memory that can be set to fail.
type memory struct {
	mu      sync.Mutex
	entries map[string][]journal.Entry
	after   error // Append writes and then returns this error
	before  error // Append writes nothing and returns this error
	reads   int
	read    int // bytes of bodies that were read

	snapshots map[string][]byte
	deleted   []journal.Deletion
}

func newMemory() *memory {
	return &memory{entries: map[string][]journal.Entry{}, snapshots: map[string][]byte{}}
}

func (m *memory) Append(_ context.Context, table string, expect uint64, entries ...journal.Entry) ([]journal.Entry,
	error,
) {
	numbered, err := journal.Number(table, expect, entries)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.before != nil {
		return nil, m.before
	}
	for _, e := range numbered {
		if found, ok := m.find(table, e.Seat, e.Key); ok {
			return nil, &journal.DuplicateError{Entry: found}
		}
	}
	if have := uint64(len(m.entries[table])); have != expect {
		return nil, &journal.ConflictError{Table: table, Expected: expect, Have: have}
	}
	m.entries[table] = append(m.entries[table], numbered...)
	return numbered, m.after
}

func (m *memory) Delete(_ context.Context, table string, expect uint64, at time.Time) error {
	if err := journal.CheckDelete(table, expect, at); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if have := uint64(len(m.entries[table])); have != expect {
		return &journal.ConflictError{Table: table, Expected: expect, Have: have}
	}
	delete(m.entries, table)
	delete(m.snapshots, table)
	m.deleted = append(m.deleted, journal.Deletion{Table: table, Time: at})
	return nil
}

func (m *memory) Deletions(context.Context) ([]journal.Deletion, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(m.deleted), func(d journal.Deletion) bool {
		return len(m.entries[d.Table]) > 0
	}), nil
}

func (m *memory) Blank(ctx context.Context, table string, expect uint64, blanked []journal.Entry, said journal.Entry) (
	[]journal.Entry, error,
) {
	stored, err := m.Append(ctx, table, expect, said)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range blanked {
		m.entries[table][e.Seq-1].Body = e.Body
	}
	delete(m.snapshots, table)
	return stored, nil
}

func (m *memory) find(table, seat, key string) (journal.Entry, bool) {
	if key == "" {
		return journal.Entry{}, false
	}
	for _, e := range m.entries[table] {
		if e.Seat == seat && e.Key == key {
			return e, true
		}
	}
	return journal.Entry{}, false
}

func (m *memory) Read(_ context.Context, table string, after uint64, limit int) ([]journal.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	all := m.entries[table]
	all = all[min(after, uint64(len(all))):]
	if limit > 0 {
		all = all[:min(limit, len(all))]
	}
	for _, e := range all {
		m.read += len(e.Body)
	}
	return slices.Clone(all), nil
}

func (m *memory) ReadMove(_ context.Context, table, move string) ([]journal.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	return slices.DeleteFunc(slices.Clone(m.entries[table]), func(e journal.Entry) bool {
		return e.Move != move || move == ""
	}), nil
}

func (m *memory) Snapshot(_ context.Context, table string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if data, ok := m.snapshots[table]; ok {
		return data, nil
	}
	return nil, journal.ErrNotFound
}

func (m *memory) KeepSnapshot(_ context.Context, table string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshots[table] = data
	return nil
}

func (m *memory) Find(_ context.Context, table, seat, key string) (journal.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.find(table, seat, key); ok {
		return e, nil
	}
	return journal.Entry{}, journal.ErrNotFound
}

func (m *memory) Tables(context.Context) (heads []journal.Head, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, table := range slices.Sorted(maps.Keys(m.entries)) {
		last := m.entries[table][len(m.entries[table])-1]
		heads = append(heads, journal.Head{Table: table, Seq: last.Seq, Time: last.Time})
	}
	return heads, nil
}

func (m *memory) Close() error { return nil }

func (m *memory) fail(before, after error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.before, m.after = before, after
}
