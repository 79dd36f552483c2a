package server

import (
	"log/slog"

	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/internal/limit"
	"norn/web/middleware"
)

// guarding configures how serve protects and monitors itself.
type guarding struct {
	limits              limitsFlag
	proxies             networksFlag
	tlsCert, tlsKey     cli.TextFlag
	domain              domainSettings
	metrics             string
	calls               callsFlag
	logLevel, logFormat cli.ChoiceFlag
	logAddresses        bool
}

func guardingFlags(p *cli.Program, flags *pflag.FlagSet, g *guarding) {
	g.limits = limitsFlag{p: p, text: "usual", limits: limit.Usual()}
	flags.Var(&g.limits, "limits", p.Say("norn.flag.limits"))
	g.proxies = networksFlag{p: p}
	flags.Var(&g.proxies, "behind-proxy", p.Say("norn.flag.behind-proxy"))
	g.tlsCert, g.tlsKey = cli.TextFlag{Metavar: p.Say("norn.metavar.file")},
		cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	flags.Var(&g.tlsCert, "tls-cert", p.Say("norn.flag.tls-cert"))
	flags.Var(&g.tlsKey, "tls-key", p.Say("norn.flag.tls-key"))
	domainFlags(p, flags, &g.domain)
	flags.Var(&addressFlag{p: p, value: &g.metrics, none: true}, "metrics", p.Say("norn.flag.metrics"))
	g.calls = callsFlag{networks: networksFlag{p: p}, text: "public"}
	flags.Var(&g.calls, "calls", p.Say("norn.flag.calls"))
	g.logLevel = cli.ChoiceFlag{Value: "info", Metavar: "LEVEL", Allowed: []string{"debug", "info", "warn", "error"}}
	flags.Var(&g.logLevel, "log-level", p.Say("norn.flag.log-level"))
	g.logFormat = cli.ChoiceFlag{Value: "text", Metavar: "FORMAT", Allowed: []string{"text", "json"}}
	flags.Var(&g.logFormat, "log-format", p.Say("norn.flag.log-format"))
	flags.BoolVar(&g.logAddresses, "log-addresses", false, p.Say("norn.flag.log-addresses"))
}

// tls reports whether norn itself uses TLS.
func (g *guarding) tls() bool { return g.tlsCert.Value != "" || g.domain.name.text != "" }

// logger returns the log of serve. It adds the ids of requests, and contains nobody's secrets at
// any level.
func logger(p *cli.Program, g *guarding) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(g.logLevel.Value)); err != nil {
		panic(err) // can't happen: the flag allows only levels
	}
	options := &slog.HandlerOptions{Level: level}
	var handler slog.Handler = slog.NewTextHandler(p.Err, options)
	if g.logFormat.Value == "json" {
		handler = slog.NewJSONHandler(p.Err, options)
	}
	return slog.New(middleware.RequestLog(handler))
}
