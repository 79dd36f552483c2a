package sqlite

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"norn/journal"
	"norn/journal/queue"
)

// deletedFile is the file next to the database that names the tables which were deleted. A backup
// from before still has them, so this is how norn knows when one is restored.
const deletedFile = "norn.deleted"

// deletionsTable is the name of the table whose entries say that something was deleted. So the id
// of the newest entry never falls, which the position relies on. Its name can't be a table's id.
const deletionsTable = ""

const (
	listDeletions = `SELECT name, max(at) FROM deletions WHERE name NOT IN (SELECT name FROM tables) GROUP BY name
		ORDER BY name`
	allDeletions = `SELECT name, max(at) FROM deletions GROUP BY name ORDER BY name`
)

// Delete implements journal.Journal.
func (j *Journal) Delete(ctx context.Context, table string, expect uint64, at time.Time) error {
	if err := j.writer.queue.Delete(ctx, table, expect, at); err != nil {
		return err
	}
	if err := j.snapshots.remove(ctx, table); err != nil {
		return err
	}
	return j.noteDeletions(ctx)
}

// Blank implements journal.Journal.
func (j *Journal) Blank(ctx context.Context, table string, expect uint64, blanked []journal.Entry,
	said journal.Entry,
) ([]journal.Entry, error) {
	stored, err := j.writer.queue.Blank(ctx, table, expect, blanked, said)
	if err != nil {
		return nil, err
	}
	return stored, j.snapshots.remove(ctx, table)
}

// Deletions implements journal.Journal.
func (j *Journal) Deletions(ctx context.Context) ([]journal.Deletion, error) {
	return j.reader.deletions(ctx, listDeletions)
}

// Deletions returns the tables that were deleted from this database, and aren't there again.
func (r *ReadOnly) Deletions(ctx context.Context) ([]journal.Deletion, error) {
	return r.journal.Deletions(ctx)
}

func (r *reader) deletions(ctx context.Context, query string) ([]journal.Deletion, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.gate.RUnlock()
	if has, err := hasDeletions(ctx, r.db); err != nil || !has {
		return nil, err
	}
	rows, err := r.db.QueryContext(ctx, query)
	if err != nil {
		return nil, r.failure(ctx, "list deletions", err)
	}
	defer rows.Close()
	var all []journal.Deletion
	for rows.Next() {
		var d journal.Deletion
		var at int64
		if err := rows.Scan(&d.Table, &at); err != nil {
			return nil, r.failure(ctx, "list deletions", err)
		}
		d.Time = time.UnixMicro(at).UTC()
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		return nil, r.failure(ctx, "list deletions", err)
	}
	return all, nil
}

// hasDeletions reports whether a database is of a norn that deletes tables.
func hasDeletions(ctx context.Context, q queryer) (bool, error) {
	var there int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'deletions'`).Scan(&there)
	return there > 0, err
}

// removed returns the number of entries that deletions have removed.
func removed(ctx context.Context, q queryer) (entries int64, err error) {
	if has, err := hasDeletions(ctx, q); err != nil || !has {
		return 0, err
	}
	err = q.QueryRowContext(ctx, `SELECT coalesce(sum(entries), 0) FROM deletions`).Scan(&entries)
	return entries, err
}

// delete removes one table, if the request is valid.
func (s *session) delete(ctx context.Context, r *queue.Request) (refusal, err error) {
	now, err := s.headOf(ctx, r.Table)
	if err != nil {
		return nil, err
	}
	if uint64(now.seq) != r.Expect {
		return &journal.ConflictError{Table: r.Table, Expected: r.Expect, Have: uint64(now.seq)}, nil
	}
	// first, while the newest entry is there: SQLite gives the number after the highest
	if _, err := s.newTable.ExecContext(ctx, deletionsTable); err != nil && !isDuplicate(err) {
		return nil, err
	}
	delete(s.heads, deletionsTable)
	said, err := s.headOf(ctx, deletionsTable)
	if err != nil {
		return nil, err
	}
	e := journal.Entry{Table: deletionsTable, Seq: uint64(said.seq) + 1, Time: r.Delete, Body: []byte{}}
	if err := s.insert(ctx, said, []journal.Entry{e}); err != nil {
		return nil, err
	}
	for _, step := range []struct {
		text string
		args []any
	}{
		{`INSERT INTO erasing (table_id) VALUES (?)`, []any{now.table}},
		{`DELETE FROM entries WHERE table_id = ?`, []any{now.table}},
		{`DELETE FROM moves WHERE table_id = ?`, []any{now.table}},
		{`DELETE FROM tables WHERE id = ?`, []any{now.table}},
		{`DELETE FROM erasing`, nil},
		{`INSERT INTO deletions (name, entries, at) VALUES (?, ?, ?)`, []any{r.Table, now.seq, r.Delete.UnixMicro()}},
	} {
		if _, err := s.conn.ExecContext(ctx, step.text, step.args...); err != nil {
			return nil, err
		}
	}
	delete(s.heads, r.Table)
	return nil, nil
}

// blank replaces the bodies of a request.
func (s *session) blank(ctx context.Context, table int64, blanked []journal.Entry) error {
	if _, err := s.conn.ExecContext(ctx, `INSERT INTO erasing (table_id) VALUES (?)`, table); err != nil {
		return err
	}
	for _, e := range blanked {
		if _, err := s.conn.ExecContext(ctx, `UPDATE entries SET body = ? WHERE table_id = ? AND seq = ?`,
			e.Body, table, int64(e.Seq)); err != nil {
			return err
		}
	}
	_, err := s.conn.ExecContext(ctx, `DELETE FROM erasing`)
	return err
}

// sweep moves the write-ahead log into the database and empties it, so that no older bytes are left
// there. It tries again after a later batch if a reader needs the log now.
func (w *writer) sweep(ctx context.Context) {
	var busy, frames, moved int
	err := w.s.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	w.unswept = err != nil || busy != 0
}

// remove removes a table's snapshot, with its bytes.
func (s *snapshots) remove(ctx context.Context, table string) error {
	if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `DELETE FROM snapshots WHERE name = ?`, table); err != nil {
		return s.forget(ctx, db, err)
	}
	var busy, frames, moved int
	if err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil {
		return s.forget(ctx, db, err)
	}
	return nil
}

// deletion is a line of the file of deletions.
type deletion struct {
	Table string    `json:"table"`
	At    time.Time `json:"at"`
}

// readDeletions reads the file of deletions. It ignores a line that a crash has cut off.
func readDeletions(path string) (all []journal.Deletion, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var d deletion
		if json.Unmarshal(lines.Bytes(), &d) == nil && d.Table != "" {
			all = append(all, journal.Deletion{Table: d.Table, Time: d.At})
		}
	}
	return all, nil
}

// noteDeletions adds the deletions of the database to the file.
func (j *Journal) noteDeletions(ctx context.Context) error {
	j.noting.Lock()
	defer j.noting.Unlock()
	all, err := j.reader.deletions(ctx, allDeletions)
	if err != nil || len(all) == 0 {
		return err
	}
	path := beside(j.path, deletedFile)
	noted, err := readDeletions(path)
	if err != nil {
		return err
	}
	var lines []byte
	for _, d := range all {
		if slices.Contains(noted, d) {
			continue
		}
		line, err := json.Marshal(deletion{d.Table, d.Time})
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	if len(lines) == 0 {
		return nil
	}
	f, err := openFile(path, os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return &journal.UnavailableError{Err: err, Unwritable: true}
	}
	_, err = f.Write(lines)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return &journal.UnavailableError{Err: err, Unwritable: true}
	}
	return nil
}

// Restored returns the tables that were deleted here and are there again, because the database is a
// backup from before.
func (j *Journal) Restored(ctx context.Context) (restored []journal.Deletion, err error) {
	noted, err := readDeletions(beside(j.path, deletedFile))
	if err != nil || len(noted) == 0 {
		return nil, err
	}
	known, err := j.reader.deletions(ctx, allDeletions)
	if err != nil {
		return nil, err
	}
	for _, d := range noted {
		same := func(k journal.Deletion) bool { return k.Table == d.Table }
		if slices.ContainsFunc(known, same) || slices.ContainsFunc(restored, same) { // an import brought it back
			continue
		}
		var there int
		err := j.reader.db.QueryRowContext(ctx, `SELECT count(*) FROM tables WHERE name = ?`, d.Table).Scan(&there)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, j.reader.failure(ctx, "list deletions", err)
		}
		if there > 0 {
			restored = append(restored, d)
		}
	}
	return restored, nil
}
