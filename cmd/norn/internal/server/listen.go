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
	headerTime    = 10 * time.Second // to send a request's head
	keepAliveTime = 2 * time.Minute  // between two requests
	shutdownTime  = 10 * time.Second // for what is under way when the server stops
	headerBytes   = 64 << 10
	bodyAhead     = 128 << 10 // of bodies that come over one HTTP/2 connection and aren't read yet
)

// listenOn opens the port: of the address given, or with --lan of every
// address this machine has.
func listenOn(p *cli.Program, s serving) (net.Listener, error) {
	if path := socketPath(s.listen); path != "" {
		return listenSocket(p, path)
	}
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

// encryption is how to speak TLS, nil for not at all. The files are read once.
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
