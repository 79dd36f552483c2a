package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
	"golang.org/x/net/idna"

	"norn/cmd/norn/internal/cli"
	"norn/internal/rescue"
)

const (
	domainListen = ":443" // default listener with a domain
	plainListen  = ":80"  // its plain http is redirected to https

	certificateRetry = 15 * time.Minute // Let's Encrypt allows five failed attempts an hour for a name
)

// domainSettings configures a server that gets its own certificate.
type domainSettings struct {
	name        domainFlag
	acme        webFlag // directory of the certificate authority
	listenPlain string  // "" for no redirect from http
}

func domainFlags(p *cli.Program, flags *pflag.FlagSet, d *domainSettings) {
	d.name = domainFlag{p: p}
	flags.Var(&d.name, "domain", p.Say("norn.flag.domain", "Listen", domainListen))
	d.listenPlain = plainListen
	flags.Var(&addressFlag{p: p, value: &d.listenPlain, none: true}, "listen-http",
		p.Say("norn.flag.listen-http", "Address", plainListen))
	d.acme = webFlag{p: p, text: autocert.DefaultACMEDirectory, schemes: "https"}
	flags.Var(&d.acme, "acme", p.Say("norn.flag.acme"))
}

// domainFlag is a host name in the public DNS, in ASCII.
type domainFlag struct {
	p    *cli.Program
	text string
}

func (f *domainFlag) String() string { return f.text }
func (f *domainFlag) Type() string   { return f.p.Say("norn.metavar.domain") }
func (f *domainFlag) Set(text string) error {
	if text == "" {
		f.text = ""
		return nil
	}
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(text, "."))
	_, number := netip.ParseAddr(name)
	if err != nil || number == nil || !strings.Contains(name, ".") {
		return cli.Unfit("norn.error.domain-syntax", "Given", text)
	}
	f.text = name
	return nil
}

// certificates gets the certificate of one domain from an ACME authority, keeps it in a folder and
// renews it. Handshakes fail until the first certificate is there: strangers can't use up the
// authority's limits.
type certificates struct {
	p       *cli.Program
	name    string
	manager *autocert.Manager
	ready   atomic.Bool
}

// newCertificates stores certificates and the account's key in the folder dir.
func newCertificates(p *cli.Program, d domainSettings, dir string) *certificates {
	return &certificates{p: p, name: d.name.text, manager: &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(dir), HostPolicy: autocert.HostWhitelist(d.name.text),
		Client: &acme.Client{DirectoryURL: d.acme.text, HTTPClient: &http.Client{Timeout: time.Minute}},
	}}
}

// tlsConfig returns the TLS configuration with these certificates.
func (c *certificates) tlsConfig() *tls.Config {
	config := c.manager.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	config.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		asksAuthority := len(hello.SupportedProtos) == 1 && hello.SupportedProtos[0] == acme.ALPNProto
		switch {
		case asksAuthority:
			return c.manager.GetCertificate(hello)
		case !c.ready.Load():
			return nil, fmt.Errorf("there is no certificate for %s yet", c.name)
		}
		return c.manager.GetCertificate(c.hello()) // one certificate, whatever a stranger asks for
	}
	return config
}

// redirect answers the authority's challenges over plain http and redirects everybody else to
// https. It uses the domain's address and ignores the request's Host.
func (c *certificates) redirect(link string) http.Handler {
	return c.manager.HTTPHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, link+r.URL.RequestURI(), http.StatusPermanentRedirect)
	}))
}

// obtain gets the certificate, from the folder if it is there, and tries again until it has one or
// ctx ends. It logs each failed attempt as one sentence for the operator. A panic is a failed attempt,
// too, so that it doesn't use up the authority's limits.
func (c *certificates) obtain(ctx context.Context, log *slog.Logger) {
	for {
		var certificate *tls.Certificate
		err := rescue.Run(log, "certificate", func() (err error) {
			certificate, err = c.manager.GetCertificate(c.hello())
			return err
		})
		if err == nil {
			c.ready.Store(true)
			log.Info("certificate", "domain", c.name, "until", certificate.Leaf.NotAfter.Format(time.DateOnly))
			return
		}
		if ctx.Err() != nil {
			return
		}
		if _, broken := errors.AsType[*rescue.Error](err); !broken { // which is logged
			log.Debug("no certificate", "domain", c.name, "error", err)
			c.p.Warn(c.problem(ctx, err))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(certificateRetry):
		}
	}
}

// hello returns a handshake that asks for the domain's certificate as browsers do: for an ECDSA
// key. autocert keeps another certificate for clients that support only RSA.
func (c *certificates) hello() *tls.ClientHelloInfo {
	return &tls.ClientHelloInfo{
		ServerName: c.name, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		SupportedCurves:  []tls.CurveID{tls.CurveP256},
		SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
	}
}

// problem explains why there is no certificate, and what to do about it.
func (c *certificates) problem(ctx context.Context, err error) string {
	refusal, refused := errors.AsType[*acme.Error](err)
	unreached, noAuthority := errors.AsType[*url.Error](err)
	file, unwritten := errors.AsType[*os.PathError](err)
	minutes := int(certificateRetry / time.Minute)
	switch {
	case unwritten:
		return c.p.Say("norn.warning.domain-folder", "Path", file.Path, "Text", cli.Cause(err))
	case refused:
		return c.p.Say("norn.warning.domain-refused", "Domain", c.name, "Text", refusal.Detail, "N", minutes)
	case noAuthority:
		return c.p.Say("norn.warning.domain-authority", "Link", unreached.URL, "Text", cli.Cause(unreached.Err), "N",
			minutes)
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, c.name)
	if err != nil {
		return c.p.Say("norn.warning.domain-dns", "Domain", c.name, "N", minutes)
	}
	return c.p.Say("norn.warning.domain-ports", "Domain", c.name, "Addresses", strings.Join(addresses, ", "), "N",
		minutes)
}

// serveRedirect answers plain http until ctx ends.
func serveRedirect(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTime, ReadTimeout: headerTime, WriteTimeout: headerTime,
		IdleTimeout:    headerTime,
		MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(listener); err != nil && ctx.Err() == nil {
		log.Error("http", "error", err)
	}
}
