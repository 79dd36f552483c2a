package server

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
)

// readyTime limits the wait for a server's answer that it is ready.
const readyTime = 5 * time.Second

// ReadyCommand asks the server that is configured by the environment and the configuration file
// whether it can serve tables. Images need it, which contain no other program for that.
func ReadyCommand(p *cli.Program) *cobra.Command {
	c := p.Command("ready "+p.Say("norn.metavar.flags"), "norn.about.ready")
	c.Long = p.Say("norn.about.ready") + "\n\n" + p.Say("norn.about.ready-more")
	config := cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	c.Flags().Var(&config, configFlag, p.Say("norn.flag.config"))
	if err := c.MarkFlagFilename(configFlag, "toml"); err != nil {
		panic(err) // can't happen: the flag was just added
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		var s serving
		if _, problems := configure(p, servingFlags(p, &s), &s, configPath(p, config)); len(problems) > 0 {
			return &cli.Failure{Status: cli.Failed, Texts: problems, Hint: p.Say("norn.hint.config")}
		}
		return askReady(c.Context(), p, s)
	}
	return c
}

func askReady(ctx context.Context, p *cli.Program, s serving) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	network, address := "unix", socketPath(s.listen)
	if address == "" {
		host, port, _ := net.SplitHostPort(s.listen) // the flag has checked it
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		network, address = "tcp", net.JoinHostPort(host, port)
	}
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{
			ServerName:         s.domain.name.text,
			InsecureSkipVerify: true,
		}, //nolint:gosec // it's this machine, and nothing is said to it
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}
	scheme := "http"
	if s.tls() {
		scheme = "https"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://localhost"+s.base.text+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(r)
	if err != nil {
		return p.Fails("norn.error.not-reached", "Address", s.listen, "Text", cli.Cause(err))
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return p.Fails("norn.error.not-ready", "Address", s.listen, "Text", answer.Status)
	}
	fmt.Fprintln(p.Out, p.Say("norn.serve.ready", "Address", s.listen))
	return nil
}
