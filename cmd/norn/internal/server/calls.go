package server

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/herald"
	"norn/kvstore"
	"norn/lang"
	"norn/meter"
	"norn/table"
	"norn/table/refusal"
	"norn/web/api"
	pages "norn/web/play"
)

// calling is the herald, which the table's host knows before it's there.
type calling struct{ herald atomic.Pointer[herald.Herald] }

func (c *calling) stir(table string) {
	if h := c.herald.Load(); h != nil {
		h.Stir(table)
	}
}

// pages is the herald as pages know it, nil where nobody is called.
func (c *calling) pages() pages.Herald {
	if h := c.herald.Load(); h != nil {
		return h
	}
	return nil
}

// hooks is the same for the API.
func (c *calling) hooks() api.Hooks {
	if h := c.herald.Load(); h != nil {
		return h
	}
	return nil
}

// calls begins to call people who don't look at their tables, unless nobody shall be called.
func beginCalls(ctx context.Context, p *cli.Program, s serving, c *calling, host *table.Host, at *storage.Store, count *meter.Meter, log *slog.Logger) (stop func(), err error) {
	if s.calls.text == "no" {
		return func() {}, nil
	}
	err = withCalls(ctx, p, &s, at, func(opening context.Context, store *kvstore.Store) error {
		h, err := herald.New(opening, herald.Config{
			Store: store, Look: lookOf(host), Targets: herald.Targets{Private: s.calls.networks.networks}, Now: time.Now, Log: log, Meter: count,
			Say: func(l, word string, data ...any) string {
				spoken, ok := lang.Parse(l)
				if !ok {
					spoken = lang.En
				}
				return p.Words.In(spoken).Say("web.called."+word, data...)
			},
		})
		c.herald.Store(h)
		stop = func() {
			h.Close()
			store.Close()
		}
		return err
	})
	return stop, err
}

// withCalls opens what is kept for calls and chats beside the tables, for use, which keeps it open unless it fails.
func withCalls(ctx context.Context, p *cli.Program, s *serving, at *storage.Store, use func(opening context.Context, store *kvstore.Store) error) error {
	opening, cancel := context.WithTimeout(ctx, storage.StartTime)
	defer cancel()
	path, cause := filepath.Join(at.Place, kvstore.File), cli.Cause
	open := func() (*kvstore.Store, error) { return kvstore.Open(opening, at.Place) }
	if at.Shared {
		path, cause = at.Place, storage.ServerCause
		open = func() (*kvstore.Store, error) {
			return kvstore.OpenPostgres(opening, storage.WithPassword(s.journal.Address, s.journalPassword.Value))
		}
	}
	store, err := open()
	if err == nil {
		if err = use(opening, store); err != nil {
			store.Close()
		}
	}
	if err != nil {
		return p.Fails("norn.error.calls", "Path", path, "Text", cause(err)).Hinting(p.Say("norn.hint.calls"))
	}
	return nil
}

// lookOf is how the herald looks at a table.
func lookOf(host *table.Host) func(context.Context, string) (*herald.Table, error) {
	return func(ctx context.Context, id string) (*herald.Table, error) {
		w, err := host.Waits(ctx, id)
		if missing := (*refusal.NotFoundError)(nil); errors.As(err, &missing) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		t := &herald.Table{Name: w.Name, Lang: string(w.Lang), Session: w.Session, Begun: w.Begun, Seats: map[string]herald.Seat{}}
		for _, seat := range w.Seats {
			t.Seats[seat.ID] = herald.Seat{Name: seat.Name, Pass: seat.Pass, Looks: seat.Looks}
		}
		for _, a := range w.Asked {
			t.Asked = append(t.Asked, herald.Asked{ID: a.Question, Seats: a.Seats, Openly: a.Openly})
		}
		return t, nil
	}
}
