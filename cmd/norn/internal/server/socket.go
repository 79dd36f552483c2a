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
	socketPrefix = "unix:" // of an address that is a file
	socketMode   = 0o660   // a proxy in the file's group may connect
)

// socketPath returns the file of an address such as unix:/run/norn/web.sock, "" for an address of the network.
func socketPath(address string) string {
	path, ok := strings.CutPrefix(address, socketPrefix)
	if !ok {
		return ""
	}
	return path
}

// socket is a listener on a file, which goes when it's closed.
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

// listenSocket listens on a file, in the place of a socket that a norn left when it was killed. It
// replaces nothing else.
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
		if !errors.Is(err, syscall.ECONNREFUSED) { // somebody else's, who may still be there
			return nil, p.Fails("norn.error.listen", "Address", address, "Text", cli.Cause(err))
		}
	}
	listener, err := operator.Listen(filepath.Dir(path), path, socketMode)
	if err != nil {
		return nil, p.Fails("norn.error.listen", "Address", address, "Text", cli.Cause(err))
	}
	return &socket{listener, path}, nil
}

// socketProblem says what doesn't go with a socket: TLS and the network are its proxy's.
func socketProblem(p *cli.Program, s *serving) []string {
	if socketPath(s.listen) == "" || !s.lan && !s.tls() && !s.open {
		return nil
	}
	return []string{p.Say("norn.error.socket-alone", "Address", s.listen)}
}
