package sqlite

import (
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver named "sqlite"

	"norn/journal"
	"norn/journal/schema"
)

// applicationID marks a database as norn's, in its header: "norn" in ASCII.
const applicationID = 0x6e6f726e

// checkUpTo bounds the size of files that are checked page by page at Open.
const checkUpTo = 64 << 20

// rollbackParams are the parameters of a connection that commits to the file itself.
const rollbackParams = "mode=rw&_busy_timeout=5000&_journal_mode=DELETE&_pragma=synchronous(EXTRA)&_foreign_keys=1&_dqs=0&_pragma=fullfsync(1)"

//go:embed migrations/*.sql
var embedded embed.FS

// migrations returns the migrations, numbered 1, 2, 3 …; each sets user_version to its number in
// its own transaction.
func migrations() fs.FS {
	files, err := fs.Sub(embedded, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return files
}

// Past is the result of comparing the database with the record of what was acknowledged.
type Past int

const (
	Whole   Past = iota // all entries are there, or there were none
	Another             // another database than last time: a backup was restored
	Unknown             // the record can't be read
)

// standing describes the files in a directory where a journal is to be opened.
type standing struct {
	version int  // of its schema, 0 if there is no database
	adopted bool // another database than the one that was open here last time
	past    Past
}

// judge returns an error if the database can't be opened or lacks acknowledged entries. It changes
// nothing.
func judge(ctx context.Context, path string, marked bool, know int) (s standing, err error) {
	known, err := readPosition(beside(path, positionFile))
	switch {
	case errors.Is(err, errPosition):
		s.past = Unknown
	case err != nil:
		return standing{}, err
	}
	s.version, err = inspect(path)
	if errors.Is(err, fs.ErrNotExist) {
		if known != nil && known.Entries > 0 {
			return standing{}, known.missing(path, 0)
		}
		return s, checkLogPresent(path, marked && known == nil)
	}
	if err != nil {
		return standing{}, err
	}
	if s.version > know {
		return standing{}, &journal.NewerError{
			Path:   path,
			Have:   s.version,
			Know:   know,
			Before: newestCopy(path, s.version, know),
		}
	}
	log := exists(path + "-wal")
	same := false
	if known != nil {
		id, err := fileIdentity(ctx, path, log)
		if err != nil {
			return standing{}, err
		}
		same = id == known.Database
	}
	switch {
	case known == nil:
		if err := checkLogPresent(path, marked); err != nil {
			return standing{}, err
		}
	case !same && log: // SQLite would write that log into this database
		return standing{}, &journal.CorruptError{
			Path: path,
			Err: fmt.Errorf("beside it lies the write-ahead log of the database that was here before, %s-wal; "+
				"if this one is a backup that was put in its place, move the log away", path),
		}
	case !same:
		s.past = Another
	}
	if err := check(ctx, path); err != nil {
		return standing{}, err
	}
	if same {
		return s, known.compare(ctx, path)
	}
	s.adopted = true
	return s, nil
}

// settle ensures that there is a database with the newest schema at path. A database opened here
// for the first time gets a new identity, so that restoring the same backup again differs from
// losing what was written since.
func (s standing) settle(ctx context.Context, path string, steps fs.FS) error {
	know, err := schema.Newest(steps)
	switch {
	case err != nil:
		return err
	case s.version == 0:
		return create(ctx, path, steps)
	case s.version < know:
		if err := keep(ctx, path, know); err != nil {
			return err
		}
		if err := migrate(ctx, path, steps); err != nil {
			return err
		}
	}
	if s.adopted {
		return stamp(ctx, path)
	}
	return nil
}

// beside returns the path of a file in a database's folder.
func beside(path, name string) string { return filepath.Join(filepath.Dir(path), name) }

// checkLogPresent returns an error if a database's write-ahead log was removed after a crash,
// because its entries would be lost silently.
func checkLogPresent(path string, marked bool) error {
	if _, err := os.Stat(path + "-wal"); !marked || !errors.Is(err, fs.ErrNotExist) {
		return nil // it's there, or later checks will notice
	}
	return &journal.MissingError{Path: path, Log: path + "-wal"}
}

// inspect reads the schema version from the file's header without SQLite, because SQLite can change
// files by opening the database. A missing or empty database is fs.ErrNotExist.
func inspect(path string) (version int, err error) {
	corrupt := func(format string, args ...any) (int, error) {
		return 0, &journal.CorruptError{Path: path, Err: fmt.Errorf(format, args...)}
	}
	info, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("journal: %w", err)
	}
	if err != nil || info.Size() == 0 {
		if exists(path + "-wal") {
			return corrupt("the database is missing, but its write-ahead log is there: %s-wal", path)
		}
		return 0, fs.ErrNotExist
	}
	if !info.Mode().IsRegular() {
		return corrupt("it is not a regular file")
	}

	f, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("journal: %w", err)
	}
	defer f.Close()
	// https://www.sqlite.org/fileformat2.html, section 1.3
	header := make([]byte, 100)
	if _, err := io.ReadFull(f, header); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, fmt.Errorf("journal: %w", err)
	}
	field := func(at int) uint32 { return binary.BigEndian.Uint32(header[at:]) }
	if string(header[:16]) != "SQLite format 3\x00" {
		return corrupt("it is not an SQLite database")
	}
	if id := field(68); id != applicationID {
		return corrupt(
			"it is the SQLite database of another program (application id %#x, norn's is %#x)",
			id,
			applicationID,
		)
	}
	pageSize := int64(binary.BigEndian.Uint16(header[16:]))
	if pageSize == 1 {
		pageSize = 1 << 16
	}
	// A log next to the file may hold the missing pages.
	if want := pageSize * int64(field(28)); info.Size() < want && !exists(path+"-wal") && !exists(path+"-journal") {
		return corrupt("it is cut off: %d bytes of %d", info.Size(), want)
	}
	return int(field(60)), nil
}

// exists reports whether there is a non-empty file.
func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// lookParams returns the parameters of a connection that changes neither the file nor its
// write-ahead log. Without a log it leaves no files.
func lookParams(path string) string {
	switch {
	case exists(path + "-wal"):
		return "mode=ro&_busy_timeout=5000"
	case exists(path + "-journal"): // of an interrupted migration; opening the file rolls it back
		return "mode=rw&_busy_timeout=5000"
	}
	return "mode=ro&immutable=1"
}

// check checks the pages of a file of moderate size and counts the entries, since a mixture of
// pages from two different times may look valid.
func check(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if info.Size() > checkUpTo {
		return nil
	}
	db, err := connect(path, lookParams(path))
	if err != nil {
		return err
	}
	defer db.Close()
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return failure(path, "check", err)
	}
	if found != "ok" {
		return &journal.CorruptError{Path: path, Err: errors.New(strings.ReplaceAll(found, "\n", ", "))}
	}
	var entries, last int64
	if err := db.QueryRowContext(ctx, "SELECT count(*), coalesce(max(id), 0) FROM entries NOT INDEXED").Scan(&entries,
		&last); err != nil {
		return failure(path, "check", err)
	}
	gone, err := removed(ctx, db)
	if err != nil {
		return failure(path, "check", err)
	}
	if entries+gone != last {
		return &journal.CorruptError{
			Path: path,
			Err:  fmt.Errorf("its entries are numbered up to %d, but there are %d", last, entries+gone),
		}
	}
	return nil
}

// create creates a database under another name and renames it when it is complete, so that a file
// named norn.db always has norn's header.
func create(ctx context.Context, path string, steps fs.FS) error {
	draft := path + ".new"
	for _, left := range []string{draft, draft + "-journal"} { // of an interrupted creation
		if err := os.Remove(left); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("journal: %w", err)
		}
	}
	f, err := openFile(draft, os.O_EXCL|os.O_WRONLY) // SQLite gives its logs the same mode
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := migrate(ctx, draft, steps); err != nil {
		os.Remove(draft)
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes a rename durable.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" { // where directories can't be synced, and needn't be
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

// migrate brings a database to the newest schema in rollback mode: a commit then changes the file
// itself, so its header is never older than its schema.
func migrate(ctx context.Context, path string, steps fs.FS) (err error) {
	db, err := connect(path, rollbackParams)
	if err != nil {
		return err
	}
	defer func() {
		if e := db.Close(); err == nil && e != nil {
			err = failure(path, "migrate", e)
		}
	}()
	if err := schema.Up(ctx, goose.DialectSQLite3, db, steps); err != nil {
		return failure(path, "migrate", err)
	}
	return nil
}

// uri returns a database's URI for the driver, with any characters in the path escaped.
func uri(path, params string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: params}).String()
}
