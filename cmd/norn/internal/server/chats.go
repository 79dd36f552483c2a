package server

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"norn/chat/bridge"
	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/internal/kvstore"
	"norn/internal/meter"
	"norn/odds"
	"norn/table"
	pages "norn/web/page"
)

// talking connects norn with chat platforms. It is empty if none is configured.
type talking struct {
	bridge *bridge.Bridge
	hooks  map[string]http.Handler // by the paths at which platforms call
	stop   func()
}

// beginChats starts to bring tables to the configured platforms.
func beginChats(ctx context.Context, p *cli.Program, s *serving, host *table.Host, at *storage.Store, gate *odds.Gate,
	count *meter.Meter, visits bridge.Visits, log *slog.Logger,
) (*talking, error) {
	t := &talking{stop: func() {}, hooks: map[string]http.Handler{}}
	var wanted []func() (path string, chat platform, err error)
	if s.discord.on() {
		wanted = append(wanted, func() (string, platform, error) {
			return openDiscord(p, &s.discord, s.base.text, t.bridge, log)
		})
	}
	if s.telegram.on {
		wanted = append(wanted, func() (string, platform, error) { return openTelegram(p, &s.telegram, t.bridge, log) })
	}
	if len(wanted) == 0 {
		return t, nil
	}
	err := withCalls(ctx, p, s, at, func(opening context.Context, store *kvstore.Store) (err error) {
		t.bridge, err = bridge.New(opening, bridge.Config{
			Host: host, Games: p.Library, Words: p.Words, Store: store, Shared: at.Shared, Gate: gate, Now: time.Now,
			Log: log, Meter: count, Visits: visits,
		})
		t.stop = func() {
			t.bridge.Close()
			store.Close()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, open := range wanted {
		path, chat, err := open()
		if err != nil {
			t.stop()
			return nil, err
		}
		detach, stop := t.bridge.Attach(context.WithoutCancel(ctx), chat), t.stop
		t.stop = func() {
			detach()
			chat.Close()
			stop()
		}
		if path != "" {
			t.hooks[path] = chat
		}
	}
	return t, nil
}

// pages returns the bridge for the pages, nil if tables go to no chat.
func (t *talking) pages() pages.Chats {
	if t.bridge == nil {
		return nil
	}
	return t.bridge
}
