package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"

	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/sqlite"
	"norn/relay"
	"norn/relay/local"
	"norn/relay/nats"
	"norn/table"
)

const (
	startTime = 15 * time.Second // for the database to answer
	pollEvery = 2 * time.Second  // how late a page may be when NATS is gone
)

// store is an open journal and how people call it.
type store struct {
	journal.Journal
	place  string // a folder, or an address without what opens it
	shared bool   // by other nodes
}

// readable is a journal that is only looked at.
type readable interface {
	table.Entries
	Tables(ctx context.Context) ([]journal.Head, error)
	Close() error
}

// openStore opens the journal that was asked for; dir is the folder of --data.
func (p *program) openStore(ctx context.Context, where journalFlag, password, dir string) (*store, error) {
	if where.address == "" {
		if where.folder != "" {
			dir = where.folder
		}
		j, err := sqlite.Open(ctx, dir, p.indexing())
		if err != nil {
			return nil, p.storeProblem(err)
		}
		p.warnOpened(j, dir)
		return &store{Journal: j, place: dir}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	j, err := postgres.Open(ctx, withPassword(where.address, password), p.indexing())
	if err != nil {
		return nil, p.postgresProblem(where, err)
	}
	return &store{Journal: j, place: redacted(where.address), shared: true}, nil
}

// indexing tells of an index that is being made, which may take a while: at most once a second.
func (p *program) indexing() func(done, of int64) {
	said := time.Now()
	return func(done, of int64) {
		if now := time.Now(); now.Sub(said) >= time.Second {
			said = now
			fmt.Fprintln(p.err, "norn: "+p.Say("norn.index.made", "P", p.Percent(float64(done)/float64(of))))
		}
	}
}

// postgresProblem words why PostgreSQL can't be used.
func (p *program) postgresProblem(where journalFlag, err error) error {
	var gone *journal.UnavailableError
	if errors.As(err, &gone) || errors.Is(err, context.DeadlineExceeded) {
		return p.fails("norn.error.postgres", "Place", redacted(where.address), "Text", serverCause(err)).hinting(p.Say("norn.hint.postgres"))
	}
	return p.storeProblem(err)
}

// look opens the journal that was asked for to be read, beside norns that may
// serve its tables.
func (p *program) look(ctx context.Context, k *kept) (readable, error) {
	if err := p.fill(k); err != nil {
		return nil, err
	}
	if k.journal.address != "" {
		return p.lookAt(ctx, k.journal)
	}
	return p.lookIn(ctx, k)
}

// lookIn opens a folder of tables to be read.
func (p *program) lookIn(ctx context.Context, k *kept) (*sqlite.ReadOnly, error) {
	dir, err := p.folder(k)
	if err != nil {
		return nil, err
	}
	store, err := sqlite.OpenReadOnly(ctx, dir)
	if none, ok := errors.AsType[*sqlite.NoneError](err); ok {
		return nil, p.fails("norn.error.no-tables", "Path", filepath.Dir(none.Path)).hinting(p.Say("norn.hint.no-tables"))
	}
	if err != nil {
		return nil, p.storeProblem(err)
	}
	return store, nil
}

// lookAt opens a PostgreSQL to be read.
func (p *program) lookAt(ctx context.Context, where journalFlag) (*postgres.ReadOnly, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	store, err := postgres.OpenReadOnly(ctx, withPassword(where.address, p.getenv("NORN_JOURNAL_PASSWORD")))
	if none, ok := errors.AsType[*postgres.NoneError](err); ok {
		return nil, p.fails("norn.error.no-tables", "Path", none.Place)
	}
	if err != nil {
		return nil, p.postgresProblem(where, err)
	}
	return store, nil
}

// kept is where tables are kept, as serve takes it.
type kept struct {
	data    textFlag
	journal journalFlag
}

// keptFlags are --data and --journal.
func (p *program) keptFlags(c *cobra.Command) *kept {
	k := &kept{data: textFlag{metavar: p.Say("norn.metavar.folder")}, journal: journalFlag{p: p}}
	c.Flags().Var(&k.data, "data", p.Say("norn.flag.data"))
	c.Flags().Var(&k.journal, "journal", p.Say("norn.flag.journal"))
	if err := c.MarkFlagDirname("data"); err != nil {
		panic(err) // the flag was just made
	}
	complete(c, "journal", func() []cobra.Completion { return nil })
	return k
}

// fill takes from the environment what no flag says. Whoever names a folder
// means that folder.
func (p *program) fill(k *kept) error {
	if name := "NORN_JOURNAL"; k.journal.text == "" && !k.data.given && p.getenv(name) != "" {
		if err := k.journal.Set(p.getenv(name)); err != nil {
			return &failure{status: wrongUsage, texts: []string{p.misfits(name, err)}}
		}
	}
	if dir := p.getenv("NORN_DATA"); !k.data.given && dir != "" {
		k.data.value, k.data.given = dir, true
	}
	return nil
}

// folder is that of a journal in SQLite.
func (p *program) folder(k *kept) (string, error) {
	if k.journal.folder != "" {
		return k.journal.folder, nil
	}
	return p.dataDir(k.data)
}

// serverCause is what a database says, or the system on the way to it.
func serverCause(err error) string {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		return said.Message
	}
	if gone, ok := errors.AsType[*journal.UnavailableError](err); ok {
		return cause(gone.Err)
	}
	return cause(err)
}

// openRelay opens what tells nodes to look again.
func (p *program) openRelay(where relayFlag, password string, log *slog.Logger) (relay.Relay, error) {
	if where.address == "" {
		return local.New(), nil
	}
	wire, err := nats.Open(withPassword(where.address, password), log)
	if err != nil {
		return nil, p.fails("norn.error.relay", "Place", redacted(where.address), "Text", cause(err))
	}
	return wire, nil
}

// host is one over a store for a command that ends at once. The caller closes it.
func (p *program) host(store journal.Journal, wire relay.Relay) *table.Host {
	return table.New(table.Config{
		Games: p.games, Words: p.words, Journal: store, Relay: wire, Now: time.Now, Entropy: rand.Reader,
		Log: slog.New(slog.NewTextHandler(p.err, nil)), Version: built().Version,
	})
}
