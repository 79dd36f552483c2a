package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"norn/journal"
)

// positionFile is the file next to the database that records how far the database was written.
const positionFile = "norn.position"

// positionSize is the length to which every position is padded, so that each overwrites the
// previous one. JSON needs at most six bytes for each byte of the table's id.
const positionSize = 2048

// position records how far a database was written when norn last acknowledged an entry. Their number
// is the id of the newest, also after a table was deleted, since that adds an entry.
type position struct {
	Database string `json:"database"` // identity of the database
	Entries  int64  `json:"entries"`
	Table    string `json:"table"` // of the newest entry
	Seq      int64  `json:"seq"`
	At       int64  `json:"at"`
}

// errPosition reports a position that can't be read, as a power cut may leave one.
var errPosition = errors.New("the record of what was acknowledged can't be read")

// readPosition returns the position of a database, or nil if there is none.
func readPosition(path string) (*position, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	sum, said, _ := bytes.Cut(bytes.TrimRight(text, " \n"), []byte(" "))
	var p position
	if string(sum) != checksum(said) || json.Unmarshal(said, &p) != nil {
		return nil, errPosition
	}
	return &p, nil
}

// write overwrites the position in its file. It doesn't sync: a killed process leaves what it
// wrote, and a power cut leaves an older position, which still is a correct lower bound.
func (p *position) write(f *os.File) error {
	said, err := json.Marshal(p)
	if err != nil {
		return err
	}
	text := bytes.Repeat([]byte(" "), positionSize)
	text[positionSize-1] = '\n'
	copy(text, checksum(said)+" "+string(said))
	_, err = f.WriteAt(text, 0)
	return err
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// queryer is a database or one connection to it.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// identity returns the identity of a database, "" for one from before identities existed.
func identity(ctx context.Context, q queryer) (id string, err error) {
	var there int
	if err := q.QueryRowContext(ctx,
		`SELECT count(*) FROM sqlite_schema WHERE name = 'identity'`).Scan(&there); err != nil ||
		there == 0 {
		return "", err
	}
	err = q.QueryRowContext(ctx, `SELECT id FROM identity`).Scan(&id)
	return id, err
}

// newest returns the position of a database after its entry number n, or after its last for n = 0.
func newest(ctx context.Context, q queryer, n int64) (position, error) {
	var p position
	err := q.QueryRowContext(
		ctx,
		`SELECT entries.id, tables.name, seq, at FROM entries JOIN tables ON tables.id = table_id
		WHERE entries.id = coalesce(nullif(?, 0), (SELECT max(id) FROM entries))`,
		n,
	).Scan(
		&p.Entries,
		&p.Table,
		&p.Seq,
		&p.At,
	)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return position{}, err
	}
	p.Database, err = identity(ctx, q)
	return p, err
}

// stamp gives a database a new identity if its schema has one. It writes in rollback mode, so that
// the file itself contains the identity, whatever log is next to it.
func stamp(ctx context.Context, path string) (err error) {
	db, err := connect(path, rollbackParams)
	if err != nil {
		return err
	}
	defer func() {
		if e := db.Close(); err == nil && e != nil {
			err = failure(path, "stamp", e)
		}
	}()
	switch id, err := identity(ctx, db); {
	case err != nil:
		return failure(path, "stamp", err)
	case id == "":
		return nil
	}
	if _, err := db.ExecContext(ctx, `UPDATE identity SET id = lower(hex(randomblob(16)))`); err != nil {
		return failure(path, "stamp", err)
	}
	return nil
}

// compare checks whether a database has all acknowledged entries. It changes neither the database
// nor its log.
func (p *position) compare(ctx context.Context, path string) error {
	db, err := connect(path, lookParams(path))
	if err != nil {
		return err
	}
	defer db.Close()
	return p.within(ctx, db, path)
}

// within checks whether an open database has all acknowledged entries.
func (p *position) within(ctx context.Context, q queryer, path string) error {
	have, err := newest(ctx, q, 0)
	if err != nil {
		return failure(path, "look", err)
	}
	if have.Entries >= p.Entries && p.Entries > 0 { // then the entry with that number must be the recorded one
		if have, err = newest(ctx, q, p.Entries); err != nil {
			return failure(path, "look", err)
		}
		if have == *p {
			return nil
		}
		if gone, err := p.deleted(ctx, q); err != nil || gone {
			return err
		}
		have.Entries = p.Entries - 1
	}
	if have.Entries < p.Entries {
		return p.missing(path, have.Entries)
	}
	return nil
}

// deleted reports whether the recorded entry's table was deleted, after which a crash prevented a
// newer record.
func (p *position) deleted(ctx context.Context, q queryer) (bool, error) {
	if has, err := hasDeletions(ctx, q); err != nil || !has {
		return false, err
	}
	var found int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM deletions WHERE name = ? AND entries >= ?`, p.Table,
		p.Seq).Scan(&found)
	return found > 0, err
}

// missing returns the error that a database has fewer entries.
func (p *position) missing(path string, have int64) error {
	e := &journal.MissingError{
		Path:  path,
		Have:  uint64(have),
		Want:  uint64(p.Entries),
		Table: p.Table,
		Seq:   uint64(p.Seq),
	}
	if _, err := os.Stat(path + "-wal"); have > 0 && errors.Is(err, fs.ErrNotExist) {
		e.Log = path + "-wal"
	}
	return e
}

// fileIdentity returns the identity in the file itself, without its log. If a crash has left the
// file unreadable without the log, it reads the log too.
func fileIdentity(ctx context.Context, path string, log bool) (string, error) {
	id, err := identityBy(ctx, path, "mode=ro&immutable=1")
	if err != nil && log {
		return identityBy(ctx, path, lookParams(path))
	}
	return id, err
}

func identityBy(ctx context.Context, path, params string) (string, error) {
	db, err := connect(path, params)
	if err != nil {
		return "", err
	}
	defer db.Close()
	id, err := identity(ctx, db)
	if err != nil {
		return "", failure(path, "look", err)
	}
	return id, nil
}
