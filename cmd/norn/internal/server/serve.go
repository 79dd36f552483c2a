// Package server is norn serve: its settings, from flags, the environment and a file, and the
// wiring of journal, tables, pages, API, notifications and chats into a server that shuts down in
// order.
package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/agent"
	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/demos"
	"norn/cmd/norn/internal/operator"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/storage"
	"norn/cmd/norn/internal/system"
	"norn/cmd/norn/internal/version"
	"norn/game"
	"norn/internal/limit"
	"norn/internal/meter"
	"norn/internal/rescue"
	"norn/lang"
	"norn/odds"
	"norn/table"
	"norn/web"
	"norn/web/api"
	"norn/web/middleware"
)

func Command(p *cli.Program) *cobra.Command {
	c := p.Command("serve "+p.Say("norn.metavar.flags"), "norn.about.serve")
	c.Long = p.Say("norn.about.serve") + "\n\n" + p.Say("norn.about.serve-more")
	c.Example = "norn serve\nnorn serve --demo\nnorn serve --lan --data ~/tables\n" +
		"norn serve --journal postgres://norn@db.example/norn"
	var s serving
	settings := servingFlags(p, &s)
	settings.VisitAll(func(f *pflag.Flag) {
		if !secret(f) {
			c.Flags().AddFlag(f)
		}
	})
	c.Flags().BoolVar(&s.open, "open", false, p.Say("norn.flag.open"))
	config := cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	c.Flags().Var(&config, configFlag, p.Say("norn.flag.config"))
	for _, text := range []string{
		"listen", "base", "journal", "limits", "behind-proxy", "metrics", "calls",
		"discord-public-key", "discord-api", "telegram-api", "telegram-webhook",
	} {
		cli.Complete(c, text, func() []cobra.Completion { return nil })
	}
	if err := errors.Join(c.MarkFlagDirname("data"), c.MarkFlagFilename(configFlag, "toml")); err != nil {
		panic(err) // can't happen: the flags were just added
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		warnOfVariables(p, settings)
		from, problems := configure(p, settings, &s, configPath(p, config))
		if len(problems) > 0 {
			return &cli.Failure{Status: cli.WrongUsage, Texts: problems}
		}
		warnOfRelay(p, &s, from)
		return serve(c.Context(), p, s)
	}
	return c
}

// addTrustedGames adds the games of tables that were imported with --trust to the server's, and reports how
// many tables lack theirs.
func addTrustedGames(ctx context.Context, p *cli.Program, store *storage.Store) error {
	shelved := &owngames.Shelved{Library: p.Library, Words: p.Words}
	p.Library = shelved
	missing, err := shelved.Take(ctx, store)
	if err != nil {
		return storage.StoreProblem(p, err)
	}
	n := 0
	for _, tables := range missing {
		n += tables
	}
	if n > 0 {
		p.Warn(p.Say("norn.warning.gameless", "N", n, "Games", strings.Join(slices.Sorted(maps.Keys(missing)), ", ")))
	}
	return nil
}

// lookAgain checks each second whether folders of games have changed, so that open pages are
// updated.
func lookAgain(ctx context.Context, games game.Library) {
	each := time.NewTicker(time.Second)
	defer each.Stop()
	for {
		select {
		case <-each.C:
			games.Games()
		case <-ctx.Done():
			return
		}
	}
}

// serve runs the server until ctx ends, then lets requests in progress finish. It wires: journal,
// relay ← table ← web, api.
func serve(ctx context.Context, p *cli.Program, s serving) (err error) {
	dir, err := storage.DataDir(p, s.data)
	if err != nil {
		return err
	}
	if s.open && s.journal.Address == "" && openRunning(ctx, p, s, dir) {
		return nil
	}
	encryption, err := encryption(p, &s.guarding)
	if err != nil {
		return err
	}
	listener, err := listenOn(p, s)
	if err != nil {
		return err
	}
	defer listener.Close()
	plain, err := listenPlain(p, s)
	if err != nil {
		return err
	}
	if plain != nil {
		defer plain.Close()
	}
	store, err := storage.OpenStore(ctx, p, s.journal, s.journalPassword.Value, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := addTrustedGames(ctx, p, store); err != nil {
		return err
	}
	log := logger(p, &s.guarding)
	looking, stopLooking := context.WithCancel(ctx)
	defer stopLooking()
	go rescue.Repeat(looking.Done(), log, "own games", func() { lookAgain(looking, p.Library) })()
	wire, err := storage.OpenRelay(s.journal, s.journalPassword.Value, log)
	if err != nil {
		return err
	}
	defer wire.Close()
	var poll time.Duration
	if store.Shared {
		poll = storage.PollEvery
	}

	count := meter.New(version.Built().Version)
	timed := count.Journal(store)
	warnOfFiles(p, system.MostFiles())
	limiter := limit.New(s.limits.limits.Within(system.MostFiles()), time.Now, count.CountLimited)
	var caller calling
	shown := &atomic.Pointer[demos.Demos]{}
	host := table.New(table.Config{
		Games: p.Library, Words: p.Words, Journal: timed, Relay: wire, Poll: poll,
		Now: time.Now, Entropy: rand.Reader, Log: log, Version: version.Built().Version, Meter: count,
		OnWrite: caller.notify, Writes: limiter, Purges: true,
		OnDelete: func(id string) {
			if err := forget(s, store, shown.Load(), id); err != nil {
				log.Error("something of a deleted table is left", "table", id, "error", err)
			}
		},
	})
	defer host.Close()
	stopCalls, err := beginCalls(ctx, p, s, &caller, host, store, count, log)
	if err != nil {
		return err
	}
	defer stopCalls()
	gate := odds.UsualGate() // pages, API and chats share it
	gate.Count = count.CountOdds
	talk, err := beginChats(ctx, p, &s, host, store, gate, count, limiter, log)
	if err != nil {
		return err
	}
	defer talk.stop()
	count.Gauge("norn_tables", host.Tables)
	count.Gauge("norn_streams", limiter.Streams)
	healthy := &health{journal: timed, log: log}
	unwatch, watchedAt, err := listenForMetrics(p, s.metrics, count, healthy, log)
	if err != nil {
		return err
	}
	defer unwatch()
	var demo func(context.Context, *game.Game, lang.Speaker, game.Role, func() error) (string, error)
	if s.demo {
		shown.Store(demos.Open(host, dir))
		demo = shown.Load().Path
	}
	answers := api.New(api.Config{
		Host: host, Words: p.Words, Games: p.Library, Gate: gate, Log: log, Limiter: limiter,
		Meter: count, Hooks: caller.hooks(), Base: s.base.text,
	})
	var agents http.Handler
	if s.agents {
		agents = agent.Handler(answers, version.Built().Version, func(address string) agent.Room {
			return limiter.Body(odds.Asker(address))
		})
	}
	var elsewhere func() []string // determined each time: a laptop changes its network
	if s.lan {
		elsewhere = func() []string { return reachable(s, listener.Addr()) }
	}
	server := &http.Server{
		Handler: web.New(web.Config{
			Host: host, Words: p.Words, Games: p.Library, Demo: demo, Gate: gate, Log: log,
			Base: middleware.Base(s.base.text), Reachable: elsewhere, Limiter: limiter, Proxies: s.proxies.networks,
			Ready: healthy.ready, Meter: count, LogAddresses: s.logAddresses, Notifier: caller.pages(),
			API: answers, Agents: agents, Chats: talk.pages(), Hooks: talk.hooks,
		}),
		TLSConfig:         encryption,
		ReadHeaderTimeout: headerTime, IdleTimeout: keepAliveTime, MaxHeaderBytes: headerBytes,
		HTTP2:    &http.HTTP2Config{MaxReceiveBufferPerConnection: bodyAhead, MaxReceiveBufferPerStream: bodyAhead},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	if s.domain.name.text != "" {
		own := newCertificates(p, s.domain, filepath.Join(dir, "certificates"))
		server.TLSConfig = own.tlsConfig()
		if plain != nil {
			redirect := own.redirect(strings.TrimSuffix(links(s, listener.Addr())[0], s.base.text))
			go rescue.Repeat(ctx.Done(), log, "redirect", func() {
				serveRedirect(ctx, limiter.Listener(plain, s.proxies.visitor), redirect, log)
			})()
		}
		go rescue.Repeat(ctx.Done(), log, "certificate", func() { own.obtain(ctx, log) })()
	}
	if !store.Shared {
		at := links(s, listener.Addr())[0]
		if socketPath(s.listen) != "" {
			at = "" // only the proxy knows
		}
		defer operator.Operate(host, store.Place, at, log)()
	}
	announce(p, s, listener.Addr(), store.Place)
	if watchedAt != nil {
		fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.serve.metrics", "Link",
			"http://"+watchedAt.String()+"/metrics")))
	}
	if s.open {
		browse(p, links(s, listener.Addr())[0])
	}
	return answer(ctx, p, log, server, limiter.Listener(listener, s.proxies.visitor), func(limited context.Context) {
		healthy.closing.Store(true)
		host.Close() // ends the live streams, which would block the shutdown; pages reconnect by themselves
		if err := server.Shutdown(limited); err != nil {
			server.Close()
		}
		select { // live streams have connections of their own
		case <-limiter.WaitEmpty():
		case <-limited.Done():
		}
	})
}

// forget removes what is stored of a deleted table outside of the journal. A table of the demos may
// be deleted while no demos are shown.
func forget(s serving, store *storage.Store, shown *demos.Demos, id string) error {
	dir := store.Place
	if store.Shared {
		dir = ""
	}
	err := storage.EraseCalls(context.Background(), dir, s.journal, s.journalPassword.Value, id)
	switch {
	case shown != nil:
		err = errors.Join(err, shown.Forget(id))
	case dir != "":
		err = errors.Join(err, demos.Forget(dir, id))
	}
	return err
}

// enoughFiles are files enough for a few tables: connections, pages and the database.
const enoughFiles = 1024

// warnOfFiles warns that norn can serve few people because it may open few files.
func warnOfFiles(p *cli.Program, files int) {
	if files <= enoughFiles {
		p.Warn(p.Say("norn.warning.files", "N", files, "People", limit.Usual().Within(files).Connections))
	}
}

// answer serves requests until ctx ends, and then calls closing, which has a limited time to end
// what is in progress.
func answer(ctx context.Context, p *cli.Program, log *slog.Logger, server *http.Server, listener net.Listener,
	closing func(context.Context),
) error {
	collect, leave := context.WithCancel(ctx)
	collecting := make(chan struct{})
	go rescue.Wrap(log, "collector", func() {
		defer close(collecting)
		spacious(collect, p)
	})()
	defer func() {
		leave()
		<-collecting
	}()
	ended := make(chan error, 1)
	go func() {
		ended <- rescue.Run(log, "listener", func() error {
			if server.TLSConfig != nil {
				return server.ServeTLS(listener, "", "")
			}
			return server.Serve(listener)
		})
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	closing(limited)
	<-ended
	fmt.Fprintln(p.Out, p.Say("norn.serve.closed"))
	return nil
}
