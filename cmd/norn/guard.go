package main

import (
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"norn/limit"
	"norn/odds"
	"norn/web/door"
)

// guarding is how serve protects itself and who may watch it.
type guarding struct {
	limits              limitsFlag
	proxies             networksFlag
	tlsCert, tlsKey     textFlag
	metrics             string
	calls               callsFlag
	logLevel, logFormat choiceFlag
}

func (p *program) guardingFlags(flags *pflag.FlagSet, g *guarding) {
	g.limits = limitsFlag{p: p, text: "usual", limits: limit.Usual()}
	flags.Var(&g.limits, "limits", p.Say("norn.flag.limits"))
	g.proxies = networksFlag{p: p}
	flags.Var(&g.proxies, "behind-proxy", p.Say("norn.flag.behind-proxy"))
	g.tlsCert, g.tlsKey = textFlag{metavar: p.Say("norn.metavar.file")}, textFlag{metavar: p.Say("norn.metavar.file")}
	flags.Var(&g.tlsCert, "tls-cert", p.Say("norn.flag.tls-cert"))
	flags.Var(&g.tlsKey, "tls-key", p.Say("norn.flag.tls-key"))
	flags.Var(&addressFlag{p: p, value: &g.metrics, none: true}, "metrics", p.Say("norn.flag.metrics"))
	g.calls = callsFlag{networks: networksFlag{p: p}, text: "public"}
	flags.Var(&g.calls, "calls", p.Say("norn.flag.calls"))
	g.logLevel = choiceFlag{value: "info", metavar: "LEVEL", allowed: []string{"debug", "info", "warn", "error"}}
	flags.Var(&g.logLevel, "log-level", p.Say("norn.flag.log-level"))
	g.logFormat = choiceFlag{value: "text", metavar: "FORMAT", allowed: []string{"text", "json"}}
	flags.Var(&g.logFormat, "log-format", p.Say("norn.flag.log-format"))
}

func (g *guarding) tls() bool { return g.tlsCert.value != "" }

// log is where serve's log goes: with the ids of requests, and no secret of
// anybody, whatever the level.
func (p *program) log(g *guarding) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(g.logLevel.value)); err != nil {
		panic(err) // the flag allows levels alone
	}
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewTextHandler(p.err, options)
	if g.logFormat.value == "json" {
		handler = slog.NewJSONHandler(p.err, options)
	}
	return slog.New(door.RequestLog(handler))
}

// limitsFlag is how often people may do something.
type limitsFlag struct {
	p      *program
	text   string
	limits limit.Limits
}

func (f *limitsFlag) String() string { return f.text }
func (f *limitsFlag) Type() string   { return f.p.Say("norn.metavar.limits") }
func (f *limitsFlag) Set(text string) error {
	limits, err := limit.Parse(text)
	if err != nil {
		return &misfit{"norn.error.limits-syntax", []any{"Given", text, "Names", strings.Join(limit.Names(), ", ")}}
	}
	f.text, f.limits = text, limits
	return nil
}

// networksFlag are networks of proxies that are trusted.
type networksFlag struct {
	p        *program
	text     string
	networks []netip.Prefix
}

// private are the networks that no packet from outside comes from.
const private = "127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,fe80::/10"

func (f *networksFlag) String() string { return f.text }
func (f *networksFlag) Type() string   { return f.p.Say("norn.metavar.networks") }
func (f *networksFlag) Set(text string) error {
	var networks []netip.Prefix
	list := text
	switch text {
	case "private":
		list = private
	case "no":
		list = ""
	}
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		network, err := netip.ParsePrefix(part)
		if address, wrong := netip.ParseAddr(part); wrong == nil {
			network, err = address.Prefix(address.BitLen())
		}
		switch {
		case text == "no":
		case err != nil:
			return &misfit{"norn.error.networks-syntax", []any{"Given", text}}
		default:
			networks = append(networks, network.Masked())
		}
	}
	f.text, f.networks = text, networks
	return nil
}

// callsFlag is whom norn may call: addresses of the internet, networks besides, or nobody.
type callsFlag struct {
	networks networksFlag
	text     string
}

func (f *callsFlag) String() string { return f.text }
func (f *callsFlag) Type() string   { return f.networks.Type() }
func (f *callsFlag) Set(text string) error {
	networks := text
	if text == "public" {
		networks = "no"
	}
	if err := f.networks.Set(networks); err != nil {
		return err
	}
	f.text = text
	return nil
}

// visitor is who is at the other end of a connection: an address, as limits know it, or "" for a proxy.
func (f *networksFlag) visitor(at net.Addr) string {
	end, err := netip.ParseAddrPort(at.String())
	if err == nil && slices.ContainsFunc(f.networks, func(n netip.Prefix) bool { return n.Contains(end.Addr().Unmap().WithZone("")) }) {
		return ""
	}
	return odds.Asker(at.String())
}
