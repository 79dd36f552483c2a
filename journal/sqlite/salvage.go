package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"norn/journal"
)

// Salvaged lists the tables that were recovered from a damaged database.
type Salvaged struct {
	Path   string   // of the new database
	Bytes  int64    // size of the new database
	Tables int      // number of tables in it, all complete
	Lost   []string // tables that can't be read completely
	Kept   string   // the new path of the damaged database; "" if it wasn't moved
}

// Salvage copies all tables that can be read completely into a new journal in dir, which is created
// if it's missing and must otherwise be empty. Errors are those of Backup; after one, what it wrote
// is removed.
func (r *ReadOnly) Salvage(ctx context.Context, dir string) (found Salvaged, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return Salvaged{}, fmt.Errorf("journal: %w", err)
	}
	names, err := r.names(ctx)
	if err != nil {
		return Salvaged{}, err
	}
	made, err := makeEmpty(dir)
	if err != nil {
		return Salvaged{}, err
	}
	defer func() {
		if err != nil {
			empty(dir, made)
		}
	}()
	to, err := Open(ctx, dir)
	if err != nil {
		return Salvaged{}, err
	}
	found = Salvaged{Path: filepath.Join(dir, File)}
	for _, name := range names {
		entries, err := r.readAll(ctx, name)
		if _, corrupt := errors.AsType[*journal.CorruptError](err); corrupt {
			found.Lost = append(found.Lost, name)
			continue
		}
		if err == nil {
			_, err = journal.Copy(ctx, to, name, entries)
		}
		if err != nil {
			return Salvaged{}, errors.Join(err, to.Close())
		}
		found.Tables++
	}
	if err := to.Close(); err != nil {
		return Salvaged{}, err
	}
	info, err := os.Stat(found.Path)
	if err != nil {
		return Salvaged{}, fmt.Errorf("journal: %w", err)
	}
	found.Bytes = info.Size()
	return found, nil
}

// names returns the tables without reading their entries, which may be damaged.
func (r *ReadOnly) names(ctx context.Context) (names []string, err error) {
	source := r.journal.reader
	if err := source.enter(); err != nil {
		return nil, err
	}
	defer source.gate.RUnlock()
	rows, err := source.db.QueryContext(ctx, "SELECT name FROM tables WHERE name <> '' ORDER BY id")
	if err != nil {
		return nil, source.failure(ctx, "list tables", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, source.failure(ctx, "list tables", err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return nil, source.failure(ctx, "list tables", err)
	}
	return names, nil
}

// readAll reads all entries of a table. If entries are missing the error is a
// *journal.CorruptError.
func (r *ReadOnly) readAll(ctx context.Context, table string) ([]journal.Entry, error) {
	entries, err := r.Read(ctx, table, 0, 0)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		if e.Seq != uint64(i+1) {
			return nil, &journal.CorruptError{
				Path: r.journal.path,
				Err:  fmt.Errorf("table %s has no entry %d", table, i+1),
			}
		}
	}
	if len(entries) == 0 {
		return nil, &journal.CorruptError{Path: r.journal.path, Err: fmt.Errorf("table %s has no entries", table)}
	}
	return entries, nil
}

// empty removes what is in a folder, and the folder itself if it was created.
func empty(dir string, made bool) {
	if made {
		os.RemoveAll(dir)
		return
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		os.RemoveAll(filepath.Join(dir, f.Name()))
	}
}

// AcceptDamage replaces the damaged database in dir by the tables that can be recovered. It keeps
// the damaged one under another name. Open succeeds afterwards. Errors are those of Open and of
// Salvage.
func AcceptDamage(ctx context.Context, dir string) (found Salvaged, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return Salvaged{}, fmt.Errorf("journal: %w", err)
	}
	path := filepath.Join(dir, File)
	lock, err := acquire(path)
	if err != nil {
		return Salvaged{}, err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	only, err := OpenReadOnly(ctx, dir)
	if err != nil {
		return Salvaged{}, err
	}
	draft := beside(path, "salvaged.part")
	if err := os.RemoveAll(draft); err != nil { // of an interrupted run
		return Salvaged{}, errors.Join(fmt.Errorf("journal: %w", err), only.Close())
	}
	defer os.RemoveAll(draft)
	found, err = only.Salvage(ctx, draft)
	if err := errors.Join(err, only.Close()); err != nil {
		return Salvaged{}, err
	}
	found.Kept = path + ".damaged"
	for n := 2; exists(found.Kept); n++ {
		found.Kept = path + ".damaged." + strconv.Itoa(n)
	}
	for _, move := range [][2]string{{path, found.Kept}, {path + "-wal", found.Kept + "-wal"}, {found.Path, path}} {
		if err := os.Rename(move[0], move[1]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Salvaged{}, fmt.Errorf("journal: %w", err)
		}
	}
	for _, name := range []string{path + "-shm", beside(path, positionFile)} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Salvaged{}, fmt.Errorf("journal: %w", err)
		}
	}
	if err := lock.mark(false); err != nil {
		return Salvaged{}, fmt.Errorf("journal: %w", err)
	}
	found.Path = path
	return found, syncDir(dir)
}
