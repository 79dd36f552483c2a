package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/sqlite"
	"norn/relay"
	"norn/relay/local"
	"norn/relay/nats"
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

// openStore opens the journal that was asked for; dir is the folder of --data.
func (p *program) openStore(ctx context.Context, where journalFlag, password, dir string) (*store, error) {
	if where.address == "" {
		if where.folder != "" {
			dir = where.folder
		}
		j, err := sqlite.Open(ctx, dir)
		if err != nil {
			return nil, p.storeProblem(err)
		}
		return &store{Journal: j, place: dir}, nil
	}
	place := redacted(where.address)
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	j, err := postgres.Open(ctx, withPassword(where.address, password))
	var gone *journal.UnavailableError
	switch {
	case errors.As(err, &gone) || errors.Is(err, context.DeadlineExceeded):
		return nil, p.fails("norn.error.postgres", "Place", place, "Text", serverCause(err)).hinting(p.Say("norn.hint.postgres"))
	case err != nil:
		return nil, p.storeProblem(err)
	}
	return &store{Journal: j, place: place, shared: true}, nil
}

// serverCause is what a database says, or the system on the way to it.
func serverCause(err error) string {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		return said.Message
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
