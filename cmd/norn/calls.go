package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"norn/herald"
	callstore "norn/herald/keep"
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
func (p *program) calls(ctx context.Context, s serving, c *calling, host *table.Host, at *store, dir string, count *meter.Meter, log *slog.Logger) (stop func(), err error) {
	if s.calls.text == "no" {
		return func() {}, nil
	}
	opening, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	var kept *callstore.Store
	if at.shared {
		kept, err = callstore.OpenPostgres(opening, withPassword(s.journal.address, s.journalPassword.value))
	} else {
		kept, err = callstore.Open(opening, at.place)
	}
	if err == nil {
		var h *herald.Herald
		h, err = herald.New(opening, herald.Config{
			Store: kept, Look: lookOf(host), Targets: herald.Targets{Private: s.calls.networks.networks}, Now: time.Now, Log: log, Meter: count,
			Say: func(l, word string, data ...any) string {
				spoken, ok := lang.Parse(l)
				if !ok {
					spoken = lang.En
				}
				return p.words.In(spoken).Say("web.called."+word, data...)
			},
		})
		if err == nil {
			c.herald.Store(h)
			return func() {
				h.Close()
				kept.Close()
			}, nil
		}
		kept.Close()
	}
	if at.shared {
		return nil, p.fails("norn.error.calls", "Path", at.place, "Text", serverCause(err)).hinting(p.Say("norn.hint.calls"))
	}
	return nil, p.fails("norn.error.calls", "Path", filepath.Join(at.place, callstore.File), "Text", cause(err)).hinting(p.Say("norn.hint.calls"))
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
