// Package pgtest starts a PostgreSQL server for tests and load generators: initdb in a temporary
// folder, a free port of the loopback interface, removed at the end.
//
// PostgreSQL refuses to run as root; then the server runs as the user postgres or nobody, who owns
// the folder. Run skips a test if there is no PostgreSQL; `make test` installs it where it can.
//
// Only tests and the load generator import this package. It imports pgx and nothing of norn. The
// server is a process, not a goroutine; on Linux it ends with the process that started it.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience bounds the time for starting and stopping.
const patience = 30 * time.Second

// Server is a running PostgreSQL.
type Server struct {
	folder string // contains the data, the socket and the log
	port   int
	binary string
	attr   *syscall.SysProcAttr
	made   atomic.Int64 // number of databases

	mu      sync.Mutex
	process *exec.Cmd
	log     bytes.Buffer
}

// Run starts a server for one test and stops it with the test. It skips the test where
// PostgreSQL is missing, and in short runs, since a start takes seconds.
func Run(t testing.TB, settings ...string) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("slow: starts a PostgreSQL")
	}
	s, err := Start(settings...)
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Start creates a database cluster and starts it with settings such as "fsync=off". The caller must
// call Stop.
func Start(settings ...string) (*Server, error) {
	initdb, err := find("initdb")
	if err != nil {
		return nil, err
	}
	binary, err := find("postgres")
	if err != nil {
		return nil, err
	}
	attr, own, err := somebody()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "norn-postgres")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, binary: binary, attr: attr}
	if err := s.make(initdb, own, settings); err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	return s, nil
}

func (s *Server) make(initdb string, own func(path string) error, settings []string) error {
	if err := own(s.folder); err != nil {
		return err
	}
	command := exec.Command(
		initdb,
		"--pgdata",
		s.data(),
		"--username",
		"norn",
		"--auth",
		"trust",
		"--encoding",
		"UTF8",
		"--locale",
		"C",
		"--no-sync",
	)
	command.SysProcAttr, command.Dir = s.attr, s.folder
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		return err
	}
	conf, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for _, setting := range append([]string{
		"listen_addresses='127.0.0.1'", "unix_socket_directories=''",
		"max_connections=200",
	}, settings...) {
		fmt.Fprintln(conf, setting)
	}
	if err := conf.Close(); err != nil {
		return err
	}
	return s.Run()
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// Run starts the server again after Halt or Crash, on the same port, and returns when it accepts
// connections.
func (s *Server) Run() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Reset()
	s.process = exec.Command(s.binary, "-D", s.data(), "-p", fmt.Sprint(s.port))
	s.process.SysProcAttr, s.process.Dir = s.attr, s.folder
	s.process.Stdout, s.process.Stderr = &s.log, &s.log
	if err := s.process.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		if ctx.Err() != nil {
			_ = s.process.Process.Kill()
			_ = s.process.Wait()
			return fmt.Errorf("PostgreSQL doesn't start: %w\n%s", err, s.log.String())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Halt stops the server as an administrator would: clients are disconnected and open transactions
// rolled back.
func (s *Server) Halt() error { return s.end(syscall.SIGINT) }

// Crash kills the server: the next Run recovers from the log.
func (s *Server) Crash() error { return s.end(syscall.SIGQUIT) }

func (s *Server) end(signal syscall.Signal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return nil
	}
	if err := s.process.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	stuck := time.AfterFunc(patience, func() { _ = s.process.Process.Kill() })
	defer stuck.Stop()
	_ = s.process.Wait() // its status after SIGQUIT isn't 0
	s.process = nil
	return nil
}

// Process returns the id of the server's main process, the parent of the others, or 0 if it isn't
// running.
func (s *Server) Process() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return 0
	}
	return s.process.Process.Pid
}

// Stop stops the server and removes its folder.
func (s *Server) Stop() error { return errors.Join(s.Crash(), os.RemoveAll(s.folder)) }

// URL returns the address of a database on the server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://norn@%s/%s?sslmode=disable", s.Address(), database)
}

// Address returns the server's host and port.
func (s *Server) Address() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// Database creates a new, empty database and returns its address.
func (s *Server) Database(ctx context.Context) (string, error) {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	name := fmt.Sprint("norn", s.made.Add(1))
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	return s.URL(name), nil
}

// ErrMissing means that PostgreSQL isn't installed.
var ErrMissing = errors.New("PostgreSQL 14 or newer is missing: neither on the PATH nor where packages put it")

// find finds a program of PostgreSQL: on the PATH, or where Debian, Fedora and Homebrew install
// servers, newest first.
func find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return filepath.EvalSymlinks(path)
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin/", "/usr/pgsql-*/bin/",
		"/opt/homebrew/opt/postgresql*/bin/", "/usr/local/opt/postgresql*/bin/",
	} {
		paths, err := filepath.Glob(pattern + program)
		if err != nil {
			return "", err
		}
		if len(paths) > 0 {
			return slices.Max(paths), nil
		}
	}
	return "", fmt.Errorf("%s: %w", program, ErrMissing)
}
