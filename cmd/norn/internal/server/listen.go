package server

import (
	"crypto/tls"
	"errors"
	"net"
	"syscall"
	"time"

	"norn/cmd/norn/internal/cli"
)

const (
	headerTime    = 10 * time.Second // for a request's headers
	keepAliveTime = 2 * time.Minute  // between two requests
	shutdownTime  = 10 * time.Second // for requests in progress when the server stops
	headerBytes   = 64 << 10
	bodyAhead     = 128 << 10 // unread bytes of bodies on one HTTP/2 connection
)

// listenOn opens the port: on the given address, or with --lan on every address of this machine.
func listenOn(p *cli.Program, s serving) (net.Listener, error) {
	if path := socketPath(s.listen); path != "" {
		return listenSocket(p, path)
	}
	address := s.listen
	if s.lan {
		_, port, _ := net.SplitHostPort(address) // the flag has checked it
		address = net.JoinHostPort("", port)
	}
	if s.open && address == usualListen { // the user can't choose another port
		if listener, err := net.Listen("tcp", address); err == nil {
			return listener, nil
		}
		address = net.JoinHostPort("127.0.0.1", "0")
	}
	return listenAt(p, address)
}

// listenPlain opens the port of a domain's plain http, nil for none.
func listenPlain(p *cli.Program, s serving) (net.Listener, error) {
	if s.domain.name.text == "" || s.domain.listenPlain == "" {
		return nil, nil
	}
	return listenAt(p, s.domain.listenPlain)
}

func listenAt(p *cli.Program, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, p.Fails("norn.error.in-use", "Address", address).Hinting(p.Say("norn.hint.listen"))
	case errors.Is(err, syscall.EACCES):
		return nil, p.Fails("norn.error.listen", "Address", address, "Text",
			cli.Cause(err)).Hinting(p.Say("norn.hint.low-port"))
	case err != nil:
		return nil, p.Fails("norn.error.listen", "Address", address, "Text",
			cli.Cause(err)).Hinting(p.Say("norn.hint.listen"))
	}
	return listener, nil
}

// encryption returns the TLS configuration, nil for none. The files are read once.
func encryption(p *cli.Program, g *guarding) (*tls.Config, error) {
	if g.tlsCert.Value == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(g.tlsCert.Value, g.tlsKey.Value)
	if err != nil {
		return nil, p.Fails("norn.error.tls-files", "Cert", g.tlsCert.Value, "Key", g.tlsKey.Value, "Text",
			cli.Cause(err))
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}
