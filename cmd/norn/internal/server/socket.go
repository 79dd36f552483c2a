package server

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/operator"
)

const (
	socketPrefix = "unix:" // prefix of an address that is a file
	socketMode   = 0o660   // a proxy in the file's group may connect
)

// socketPath returns the file of an address such as unix:/run/norn/web.sock, "" for a network
// address.
func socketPath(address string) string {
	path, ok := strings.CutPrefix(address, socketPrefix)
	if !ok {
		return ""
	}
	return path
}

// socket is a listener on a file, which it removes when it is closed.
type socket struct {
	net.Listener
	path string
}

func (s *socket) Close() error {
	err := s.Listener.Close()
	if gone := os.Remove(s.path); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		return errors.Join(err, gone)
	}
	return err
}

// listenSocket listens on a file. It replaces a socket that a killed norn left, and nothing else.
func listenSocket(p *cli.Program, path string) (net.Listener, error) {
	address := socketPrefix + path
	old, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, p.Fails("norn.error.listen", "Address", address, "Text", cli.Cause(err))
	case old.Mode().Type() != fs.ModeSocket:
		return nil, p.Fails("norn.error.no-socket", "Path", path)
	default:
		conn, err := net.Dial("unix", path)
		if err == nil {
			conn.Close()
			return nil, p.Fails("norn.error.in-use", "Address", address)
		}
		if !errors.Is(err, syscall.ECONNREFUSED) { // another process may still use it
			return nil, p.Fails("norn.error.listen", "Address", address, "Text", cli.Cause(err))
		}
	}
	listener, err := operator.Listen(filepath.Dir(path), path, socketMode)
	if err != nil {
		return nil, p.Fails("norn.error.listen", "Address", address, "Text", cli.Cause(err))
	}
	return &socket{listener, path}, nil
}

// socketProblem explains which settings can't be combined with a socket: its proxy handles TLS and
// the network.
func socketProblem(p *cli.Program, s *serving) []string {
	if socketPath(s.listen) == "" || !s.lan && !s.tls() && !s.open {
		return nil
	}
	return []string{p.Say("norn.error.socket-alone", "Address", s.listen)}
}
