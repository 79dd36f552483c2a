package main

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"time"

	"norn/chat/bridge"
	callstore "norn/herald/keep"
	"norn/meter"
	"norn/table"
	pages "norn/web/play"
)

// talking is norn where people talk: nothing of it where no platform is configured.
type talking struct {
	bridge *bridge.Bridge
	hooks  map[string]http.Handler // by the paths at which platforms call
	stop   func()
}

// chatPlatform is a platform as it's configured. begin brings tables there; it gives the path at which the platform calls, if it does,
// and what hears that.
type chatPlatform struct {
	on    bool
	begin beginning
}

type beginning func(ctx context.Context, b *bridge.Bridge, log *slog.Logger) (path string, hook http.Handler, stop func(), err error)

// chatPlatforms are all that norn knows, as a serving configures them.
func (p *program) chatPlatforms(s *serving) []chatPlatform {
	return []chatPlatform{
		{s.discord.on(), p.discord(&s.discord)},
		{s.telegram.on, p.telegram(&s.telegram)},
	}
}

// chats begins to bring tables to the platforms that are configured.
func (p *program) chats(ctx context.Context, s *serving, host *table.Host, at *store, count *meter.Meter, log *slog.Logger) (t *talking, err error) {
	t = &talking{stop: func() {}, hooks: map[string]http.Handler{}}
	var wanted []chatPlatform
	for _, one := range p.chatPlatforms(s) {
		if one.on {
			wanted = append(wanted, one)
		}
	}
	if len(wanted) == 0 {
		return t, nil
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
		t.bridge, err = bridge.New(opening, bridge.Config{
			Host: host, Games: p.games, Words: p.words, Store: kept, Shared: at.shared, Now: time.Now, Log: log, Meter: count,
		})
		if err != nil {
			kept.Close()
		}
	}
	switch {
	case err != nil && at.shared:
		return nil, p.fails("norn.error.calls", "Path", at.place, "Text", serverCause(err)).hinting(p.Say("norn.hint.calls"))
	case err != nil:
		return nil, p.fails("norn.error.calls", "Path", filepath.Join(at.place, callstore.File), "Text", cause(err)).hinting(p.Say("norn.hint.calls"))
	}
	var stops []func()
	t.stop = func() {
		for _, stop := range stops {
			stop()
		}
		t.bridge.Close()
		kept.Close()
	}
	for _, one := range wanted {
		path, hook, stop, err := one.begin(ctx, t.bridge, log)
		if err != nil {
			t.stop()
			return nil, err
		}
		stops = append(stops, stop)
		if path != "" {
			t.hooks[path] = hook
		}
	}
	return t, nil
}

// pages is the bridge as pages know it, nil where tables go to no chat.
func (t *talking) pages() pages.Chats {
	if t.bridge == nil {
		return nil
	}
	return t.bridge
}

// hooked has platforms answered at their own paths.
func (t *talking) hooked(all http.Handler) http.Handler {
	if len(t.hooks) == 0 {
		return all
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hook := t.hooks[r.URL.Path]; hook != nil {
			hook.ServeHTTP(w, r)
			return
		}
		all.ServeHTTP(w, r)
	})
}
