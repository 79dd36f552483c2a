package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/agent"
	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/limit"
	"norn/meter"
	"norn/odds"
	"norn/table"
	"norn/web"
	"norn/web/api"
)

const (
	usualListen = "127.0.0.1:8080"

	headerTime   = 10 * time.Second // to send a request's head
	idleTime     = 2 * time.Minute  // between two requests
	shutdownTime = 10 * time.Second // for what is under way when the server stops
	headerBytes  = 64 << 10
	bodyAhead    = 128 << 10 // of bodies that come over one HTTP/2 connection and aren't read yet
)

// serving is what serve was asked for.
type serving struct {
	listen                         string
	lan                            bool
	data                           textFlag
	demo                           bool
	agents                         bool // may sit by the Model Context Protocol
	open                           bool // a browser, for who has no terminal to read a link in
	journal                        journalFlag
	relay                          relayFlag
	journalPassword, relayPassword textFlag
	discord                        discordSettings
	telegram                       telegramSettings
	guarding
}

func (p *program) serveCommand() *cobra.Command {
	c := p.command("serve "+p.Say("norn.metavar.flags"), "norn.about.serve")
	c.Long = p.Say("norn.about.serve") + "\n\n" + p.Say("norn.about.serve-more")
	c.Example = "norn serve\nnorn serve --demo\nnorn serve --lan --data ~/tables\n" +
		"norn serve --journal postgres://norn@db.example/norn --relay nats://nats.example"
	var s serving
	settings := p.servingFlags(&s)
	settings.VisitAll(func(f *pflag.Flag) {
		if !secret(f) {
			c.Flags().AddFlag(f)
		}
	})
	c.Flags().BoolVar(&s.open, "open", false, p.Say("norn.flag.open"))
	config := textFlag{metavar: p.Say("norn.metavar.file")}
	c.Flags().Var(&config, configFlag, p.Say("norn.flag.config"))
	for _, text := range []string{"listen", "journal", "relay", "limits", "behind-proxy", "metrics", "calls", "discord-public-key", "discord-api", "telegram-api", "telegram-webhook"} {
		complete(c, text, func() []cobra.Completion { return nil })
	}
	if err := errors.Join(c.MarkFlagDirname("data"), c.MarkFlagFilename(configFlag, "toml")); err != nil {
		panic(err) // the flags were just made
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if _, problems := p.configured(settings, &s, p.configPath(config)); len(problems) > 0 {
			return &failure{status: wrongUsage, texts: problems}
		}
		return p.serve(c.Context(), s)
	}
	return c
}

// addressFlag is an address to listen on.
type addressFlag struct {
	p     *program
	value *string
	none  bool // "no" stands for none, ""
}

func (f *addressFlag) String() string { return *f.value }
func (f *addressFlag) Type() string   { return f.p.Say("norn.metavar.address") }
func (f *addressFlag) Set(text string) error {
	if f.none && text == "no" {
		*f.value = ""
		return nil
	}
	_, port, err := net.SplitHostPort(text)
	if _, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil {
		return &misfit{"norn.error.listen-syntax", []any{"Given", text}}
	}
	*f.value = text
	return nil
}

// dataDir is where the journal lives: the folder given, or norn's own below
// the user's data.
func (p *program) dataDir(given textFlag) (string, error) {
	if given.given {
		if given.value == "" {
			return "", p.wrong("norn.error.flag-value", "Flag", "--data")
		}
		return filepath.Abs(given.value)
	}
	if dir := p.getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // a relative one is to be ignored
		return filepath.Join(dir, "norn"), nil
	}
	if dir := p.getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "norn"), nil
	}
	home := p.getenv("HOME")
	if home == "" {
		return "", p.fails("norn.error.no-home").hinting(p.Say("norn.hint.data"))
	}
	return filepath.Join(home, ".local", "share", "norn"), nil
}

// serve runs the server until ctx ends, then lets what is under way come to its
// end. It wires: journal, relay ← table ← web, api.
func (p *program) serve(ctx context.Context, s serving) (err error) {
	dir, err := p.dataDir(s.data)
	if err != nil {
		return err
	}
	if s.open && s.journal.address == "" && p.openRunning(ctx, s, dir) {
		return nil
	}
	encryption, err := p.encryption(&s.guarding)
	if err != nil {
		return err
	}
	listener, err := p.listenOn(s)
	if err != nil {
		return err
	}
	defer listener.Close()
	store, err := p.openStore(ctx, s.journal, s.journalPassword.value, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	log := p.log(&s.guarding)
	wire, err := p.openRelay(s.relay, s.relayPassword.value, log)
	if err != nil {
		return err
	}
	defer wire.Close()
	var poll time.Duration
	if store.shared {
		poll = pollEvery
	}

	count := meter.New(built().Version)
	timed := count.Journal(store)
	var caller calling
	host := table.New(table.Config{
		Games: p.games, Words: p.words, Journal: timed, Relay: wire, Poll: poll,
		Now: time.Now, Entropy: rand.Reader, Log: log, Version: built().Version, Meter: count, Stirred: caller.stir,
	})
	defer host.Close()
	stopCalls, err := p.calls(ctx, s, &caller, host, store, dir, count, log)
	if err != nil {
		return err
	}
	defer stopCalls()
	talk, err := p.chats(ctx, &s, host, store, count, log)
	if err != nil {
		return err
	}
	defer talk.stop()
	door := limit.New(s.limits.limits.Within(mostFiles()), time.Now, count.Limited)
	count.Gauge("norn_tables", "Tables in memory.", host.Tables)
	count.Gauge("norn_streams", "Live streams open now.", door.Streams)
	healthy := &health{journal: timed, log: log}
	unwatch, watchedAt, err := p.watched(s.metrics, count, healthy, log)
	if err != nil {
		return err
	}
	defer unwatch()
	var demo func(context.Context, *game.Game, lang.Speaker) (gm, player string, err error)
	if s.demo {
		demo = openDemos(host, dir).paths
	}
	gate := odds.UsualGate() // one for pages and API
	answers := api.New(api.Config{Host: host, Words: p.words, Games: p.games, Gate: gate, Log: log, Door: door, Meter: count, Hooks: caller.hooks()})
	var agents http.Handler
	if s.agents {
		agents = agent.Handler(answers, built().Version)
	}
	server := &http.Server{
		Handler: talk.hooked(web.New(web.Config{
			Host: host, Words: p.words, Games: p.games, Demo: demo, Gate: gate, Log: log,
			Door: door, Proxies: s.proxies.networks, Ready: healthy.ready, Meter: count, Herald: caller.pages(),
			API: answers, Agents: agents, Chats: talk.pages(),
		})),
		TLSConfig:         encryption,
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		HTTP2:    &http.HTTP2Config{MaxReceiveBufferPerConnection: bodyAhead, MaxReceiveBufferPerStream: bodyAhead},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	if !store.shared {
		defer operate(host, store.place, links(s, listener.Addr())[0], log)()
	}
	p.announce(s, listener.Addr(), store.place)
	if watchedAt != nil {
		fmt.Fprintln(p.out, quiet.Render(p.Say("norn.serve.metrics", "Link", "http://"+watchedAt.String()+"/metrics")))
	}
	if s.open {
		p.browse(links(s, listener.Addr())[0])
	}
	return p.answer(ctx, server, door.Listener(listener, s.proxies.visitor), func(limited context.Context) {
		healthy.closing.Store(true)
		host.Close() // ends the live streams, which would else hold the shutdown; pages come back by themselves
		if err := server.Shutdown(limited); err != nil {
			server.Close()
		}
		select { // live streams have connections of their own
		case <-door.Emptied():
		case <-limited.Done():
		}
	})
}

// answer answers requests until ctx ends, and then lets closing end what is under
// way, for which there is so much time.
func (p *program) answer(ctx context.Context, server *http.Server, listener net.Listener, closing func(context.Context)) error {
	collect, leave := context.WithCancel(ctx)
	collecting := make(chan struct{})
	go func() {
		defer close(collecting)
		p.spacious(collect)
	}()
	defer func() {
		leave()
		<-collecting
	}()
	ended := make(chan error, 1)
	go func() {
		if server.TLSConfig != nil {
			ended <- server.ServeTLS(listener, "", "")
			return
		}
		ended <- server.Serve(listener)
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
	fmt.Fprintln(p.out, p.Say("norn.serve.closed"))
	return nil
}

// listenOn opens the port: of the address given, or with --lan of every
// address this machine has.
func (p *program) listenOn(s serving) (net.Listener, error) {
	address := s.listen
	if s.lan {
		_, port, _ := net.SplitHostPort(address) // its flag has checked it
		address = net.JoinHostPort("", port)
	}
	if s.open && address == usualListen { // nobody is there to choose another port
		if listener, err := net.Listen("tcp", address); err == nil {
			return listener, nil
		}
		address = net.JoinHostPort("127.0.0.1", "0")
	}
	return p.listenAt(address)
}

func (p *program) listenAt(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, p.fails("norn.error.in-use", "Address", address).hinting(p.Say("norn.hint.listen"))
	case err != nil:
		return nil, p.fails("norn.error.listen", "Address", address, "Text", cause(err)).hinting(p.Say("norn.hint.listen"))
	}
	return listener, nil
}

// encryption is how to speak TLS, nil for not at all. The files are read once.
func (p *program) encryption(g *guarding) (*tls.Config, error) {
	if !g.tls() {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(g.tlsCert.value, g.tlsKey.value)
	if err != nil {
		return nil, p.fails("norn.error.tls-files", "Cert", g.tlsCert.value, "Key", g.tlsKey.value, "Text", cause(err))
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// cause is what the system says, without what was tried.
func cause(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}

// storeProblem words why the journal can't be opened.
func (p *program) storeProblem(err error) error {
	var (
		corrupt *journal.CorruptError
		missing *journal.MissingError
		newer   *journal.NewerError
		locked  *journal.LockedError
		gone    *journal.UnavailableError
		path    *os.PathError
	)
	switch {
	case errors.As(err, &corrupt):
		return p.fails("norn.error.corrupt", "Path", corrupt.Path, "Text", corrupt.Err.Error()).hinting(p.Say("norn.hint.corrupt"))
	case errors.As(err, &missing):
		return p.fails("norn.error.unexpected", "Text", p.missing(missing)).hinting(p.Say("norn.hint.missing", "Folder", filepath.Dir(missing.Path)))
	case errors.As(err, &newer) && newer.Before != "":
		return p.fails("norn.error.newer", "Path", newer.Path, "Have", newer.Have, "Know", newer.Know).hinting(p.Say("norn.hint.newer-kept", "Folder", newer.Before))
	case errors.As(err, &newer):
		return p.fails("norn.error.newer", "Path", newer.Path, "Have", newer.Have, "Know", newer.Know).hinting(p.Say("norn.hint.newer"))
	case errors.As(err, &locked) && locked.Process > 0:
		return p.fails("norn.error.locked-by", "Path", locked.Path, "Process", strconv.Itoa(locked.Process)).hinting(p.Say("norn.hint.locked"))
	case errors.As(err, &locked):
		return p.fails("norn.error.locked", "Path", locked.Path).hinting(p.Say("norn.hint.locked"))
	case errors.As(err, &gone):
		return p.fails("norn.error.unwritable", "Text", gone.Err.Error()).hinting(p.Say("norn.hint.unwritable"))
	case errors.As(err, &path):
		f := p.fails("norn.error.data", "Path", path.Path, "Text", path.Err.Error())
		if unwritable(err) {
			return f.hinting(p.Say("norn.hint.unwritable"))
		}
		return f.hinting(p.Say("norn.hint.data"))
	}
	return err
}

// unwritable tells whether a file's folder takes nothing.
func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS)
}

// announce tells where the server is.
func (p *program) announce(s serving, at net.Addr, place string) {
	links := links(s, at)
	fmt.Fprintln(p.out, strong.Render(p.Say("norn.serve.open", "Link", links[0])))
	for _, link := range links[1:] {
		fmt.Fprintln(p.out, "  "+link)
	}
	if s.demo {
		fmt.Fprintln(p.out)
		fmt.Fprintln(p.out, p.Say("norn.serve.demos"))
		for _, g := range p.games {
			if g.Demo != nil {
				fmt.Fprintln(p.out)
				fmt.Fprintln(p.out, p.Say(g.Word("game", "name")))
				fmt.Fprintln(p.out, "  "+links[0]+"/demo/"+g.ID)
				fmt.Fprintln(p.out, "  "+links[0]+"/demo/"+g.ID+"/player")
			}
		}
		fmt.Fprintln(p.out)
	}
	fmt.Fprintln(p.out, quiet.Render(p.Say("norn.serve.data", "Path", place)))
	stop := "norn.serve.stop"
	if s.open {
		stop = "norn.serve.stop-window"
	}
	fmt.Fprintln(p.out, quiet.Render(p.Say(stop)))
	if !s.lan {
		return
	}
	fmt.Fprintln(p.out)
	if len(links) == 1 {
		fmt.Fprintln(p.out, p.Say("norn.serve.alone"))
		return
	}
	if drawn, err := drawQR(links[0], p.out.styled()); err == nil { // a link too long for a code is still a link
		fmt.Fprint(p.out, drawn)
	}
}

// links are the addresses at which people find the server: as it was asked to
// listen, or, where that is everywhere, those of this machine that others can
// reach, and its own last.
func links(s serving, at net.Addr) []string {
	_, port, _ := net.SplitHostPort(at.String())
	host, _, _ := net.SplitHostPort(s.listen)
	scheme := "http://"
	if s.tls() {
		scheme = "https://"
	}
	link := func(host string) string { return scheme + net.JoinHostPort(host, port) }
	if ip := net.ParseIP(host); !s.lan && host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{link(host)}
	}
	var links []string
	addresses, _ := net.InterfaceAddrs() // without them there is still this machine
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			links = append(links, link(network.IP.String()))
		}
	}
	return append(links, link("localhost"))
}
