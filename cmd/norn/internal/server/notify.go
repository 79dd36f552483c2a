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
	"norn/internal/kvstore"
	"norn/internal/meter"
	"norn/internal/notify"
	"norn/lang"
	"norn/table"
	"norn/table/refusal"
	"norn/web/api"
	pages "norn/web/page"
)

// calling holds the notifier, which the table's host needs before it exists.
type calling struct {
	notifier atomic.Pointer[notify.Notifier]
}

func (c *calling) notify(table string) {
	if n := c.notifier.Load(); n != nil {
		n.Stir(table)
	}
}

// pages returns the notifier for the pages, nil if notifications are off.
func (c *calling) pages() pages.Notifier {
	if n := c.notifier.Load(); n != nil {
		return n
	}
	return nil
}

// hooks returns the notifier for the API.
func (c *calling) hooks() api.Hooks {
	if n := c.notifier.Load(); n != nil {
		return n
	}
	return nil
}

// beginCalls starts the notifications of people who don't look at their tables, unless they are
// turned off.
func beginCalls(ctx context.Context, p *cli.Program, s serving, c *calling, host *table.Host, at *storage.Store,
	count *meter.Meter, log *slog.Logger,
) (stop func(), err error) {
	if s.calls.text == "no" {
		return func() {}, nil
	}
	err = withCalls(ctx, p, &s, at, func(opening context.Context, store *kvstore.Store) error {
		n, err := notify.New(opening, notify.Config{
			Store: store, Look: lookOf(host), Targets: notify.Targets{Private: s.calls.networks.networks},
			Now: time.Now, Log: log, Meter: count,
			Say: func(l, word string, data ...any) string {
				spoken, ok := lang.Parse(l)
				if !ok {
					spoken = lang.En
				}
				return p.Words.In(spoken).Say("web.called."+word, data...)
			},
		})
		c.notifier.Store(n)
		stop = func() {
			n.Close()
			store.Close()
		}
		return err
	})
	return stop, err
}

// withCalls opens the storage of notifications and chats next to the tables and passes it to use,
// which keeps it open unless it fails.
func withCalls(ctx context.Context, p *cli.Program, s *serving, at *storage.Store,
	use func(opening context.Context, store *kvstore.Store) error,
) error {
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

// lookOf returns the notifier's function to read a table.
func lookOf(host *table.Host) func(context.Context, string) (*notify.Table, error) {
	return func(ctx context.Context, id string) (*notify.Table, error) {
		w, err := host.Waits(ctx, id)
		if missing := (*refusal.NotFoundError)(nil); errors.As(err, &missing) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		t := &notify.Table{
			Name: w.Name, Lang: string(w.Lang), Session: w.Session, Begun: w.Begun,
			Seats: map[string]notify.Seat{},
		}
		for _, seat := range w.Seats {
			t.Seats[seat.ID] = notify.Seat{Name: seat.Name, Pass: seat.Pass, Looks: seat.Looks}
		}
		for _, a := range w.Asked {
			t.Asked = append(t.Asked, notify.Asked{ID: a.Question, Seats: a.Seats, Openly: a.Openly})
		}
		return t, nil
	}
}
