// Package storage opens the place of the tables for commands: it has the flags that name it, opens
// a folder or a PostgreSQL to write or to read, and explains what is wrong there.
package storage

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/version"
	"norn/internal/kvstore"
	"norn/internal/relay"
	"norn/internal/relay/local"
	relaypostgres "norn/internal/relay/postgres"
	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/sqlite"
	"norn/table"
)

const (
	StartTime = 15 * time.Second // for the database's answer
	PollEvery = 2 * time.Second  // the delay of pages when a wake-up was lost
)

// Store is an open journal and its name for people.
type Store struct {
	journal.Journal
	Place  string // a folder, or an address without passwords
	Shared bool   // with other nodes
}

// Readable is a journal that is only read.
type Readable interface {
	table.Entries
	Tables(ctx context.Context) ([]journal.Head, error)
	Close() error
}

// OpenStore opens the configured journal. dir is the folder of --data.
func OpenStore(ctx context.Context, p *cli.Program, where JournalFlag, password, dir string) (*Store, error) {
	if where.Address == "" {
		if where.Folder != "" {
			dir = where.Folder
		}
		j, err := sqlite.Open(ctx, dir, Indexing(p))
		if err != nil {
			return nil, folderProblem(p, dir, err)
		}
		warnOpened(p, j, dir)
		return &Store{Journal: j, Place: dir}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, StartTime)
	defer cancel()
	j, err := postgres.Open(ctx, WithPassword(where.Address, password), Indexing(p))
	if err != nil {
		return nil, postgresProblem(p, where, err)
	}
	return &Store{Journal: j, Place: Redact(where.Address), Shared: true}, nil
}

// Indexing prints the progress of an index, which may take a while: at most once a second.
func Indexing(p *cli.Program) func(done, of int64) {
	said := time.Now()
	return func(done, of int64) {
		if now := time.Now(); now.Sub(said) >= time.Second {
			said = now
			fmt.Fprintln(p.Err, "norn: "+p.Say("norn.index.made", "P", p.Percent(float64(done)/float64(of))))
		}
	}
}

// Look opens the configured journal to read it, while other norns may serve its tables.
func Look(ctx context.Context, p *cli.Program, k *Kept) (Readable, error) {
	if err := Fill(p, k); err != nil {
		return nil, err
	}
	if k.Journal.Address != "" {
		return LookAt(ctx, p, k.Journal)
	}
	return LookIn(ctx, p, k)
}

// LookIn opens a folder of tables to read it.
func LookIn(ctx context.Context, p *cli.Program, k *Kept) (*sqlite.ReadOnly, error) {
	dir, err := Folder(p, k)
	if err != nil {
		return nil, err
	}
	store, err := sqlite.OpenReadOnly(ctx, dir)
	if none, ok := errors.AsType[*sqlite.NoneError](err); ok {
		return nil, p.Fails("norn.error.no-tables", "Path",
			filepath.Dir(none.Path)).Hinting(p.Say("norn.hint.no-tables"))
	}
	if err != nil {
		return nil, folderProblem(p, dir, err)
	}
	return store, nil
}

// OpenOrSalvage opens a folder of tables so that nobody else can write there meanwhile. If the
// folder is damaged, or lacks acknowledged entries, it is opened only to read: tables can still be
// exported.
func OpenOrSalvage(ctx context.Context, p *cli.Program, dir string) (Readable, error) {
	j, err := sqlite.Open(ctx, dir, Indexing(p))
	if err == nil {
		warnOpened(p, j, dir)
		return j, nil
	}
	_, damaged := errors.AsType[*journal.CorruptError](err)
	_, lacking := errors.AsType[*journal.MissingError](err)
	if !damaged && !lacking {
		return nil, folderProblem(p, dir, err)
	}
	only, wrong := sqlite.OpenReadOnly(ctx, dir)
	if wrong != nil {
		return nil, StoreProblem(p, err)
	}
	p.Warn(p.Explain(StoreProblem(p, err)).Texts[0])
	return only, nil
}

// LookAt opens a PostgreSQL to read it.
func LookAt(ctx context.Context, p *cli.Program, where JournalFlag) (*postgres.ReadOnly, error) {
	ctx, cancel := context.WithTimeout(ctx, StartTime)
	defer cancel()
	store, err := postgres.OpenReadOnly(ctx, WithPassword(where.Address, p.Getenv("NORN_JOURNAL_PASSWORD")))
	if none, ok := errors.AsType[*postgres.NoneError](err); ok {
		return nil, p.Fails("norn.error.no-tables", "Path", none.Place)
	}
	if err != nil {
		return nil, postgresProblem(p, where, err)
	}
	return store, nil
}

// OpenRelay opens the relay that notifies nodes of new entries, over the PostgreSQL that they share.
func OpenRelay(where JournalFlag, password string, log *slog.Logger) (relay.Relay, error) {
	if where.Address == "" {
		return local.New(), nil
	}
	return relaypostgres.Open(WithPassword(where.Address, password), log)
}

// EraseCalls removes what notifications and chats keep of a table that was deleted: from the folder
// dir, or from where is a PostgreSQL.
func EraseCalls(ctx context.Context, dir string, where JournalFlag, password, id string) error {
	ctx, cancel := context.WithTimeout(ctx, StartTime)
	defer cancel()
	open := func() (*kvstore.Store, error) { return kvstore.Open(ctx, dir) }
	if where.Address != "" {
		open = func() (*kvstore.Store, error) {
			return kvstore.OpenPostgres(ctx, WithPassword(where.Address, password))
		}
	} else if _, err := os.Stat(filepath.Join(dir, kvstore.File)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	store, err := open()
	if err != nil {
		return err
	}
	return errors.Join(store.Erase(ctx, id), store.Close())
}

// OpenHost returns a host over a store for a short command, and a function that closes it. onDelete
// is called after a table was deleted; it may be nil.
func OpenHost(p *cli.Program, store journal.Journal, onDelete func(table string)) (host *table.Host, closeIt func()) {
	wire := local.New()
	host = table.New(table.Config{
		Games: p.Library, Words: p.Words, Journal: store, Relay: wire, Now: time.Now, Entropy: rand.Reader,
		Log:     slog.New(slog.NewTextHandler(p.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Version: version.Built().Version, OnDelete: onDelete,
	})
	return host, func() {
		host.Close()
		wire.Close()
	}
}
