// Package operator lets a command use the server that has a folder of tables open.
//
// A journal in SQLite has one writer. So a command that writes while a server is running sends a
// request to the server's socket in that folder. Only the folder's owner can open it, who could
// write the journal anyway.
package operator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"norn/form"
	"norn/internal/rescue"
	"norn/table"
	"norn/table/refusal"
)

const (
	operatorSocket = "norn.sock"
	operatorTime   = 30 * time.Second // for a request and its answer
	operatorBytes  = 64 << 10
	closeTime      = 10 * time.Second // for requests in progress when the server stops
)

// Restoring is a request for a new link of a game master.
type Restoring struct {
	Table string `json:"table"`
	Seat  string `json:"seat,omitempty"` // id; "" for the only game master
}

// Restored is the result. If Code is set, nothing was done.
type Restored struct {
	Seat     string        `json:"seat,omitempty"`
	Name     string        `json:"name,omitempty"`
	Secret   string        `json:"secret,omitempty"`
	At       string        `json:"at,omitempty"` // the server's address
	Code     string        `json:"code,omitempty"`
	Problems form.Problems `json:"problems,omitempty"`
	Text     string        `json:"text,omitempty"`
}

// Restore asks a host for a new link.
func Restore(ctx context.Context, host *table.Host, r Restoring) Restored {
	made, err := host.Restore(ctx, r.Table, r.Seat)
	if err == nil {
		return Restored{Seat: made.ID, Name: made.Name, Secret: made.Secret}
	}
	failed := Restored{Code: refusal.CodeUnavailable, Text: err.Error()}
	if refused, ok := errors.AsType[refusal.Error](err); ok {
		failed.Code = refused.Code()
	}
	if invalid, ok := errors.AsType[*refusal.InvalidError](err); ok {
		failed.Problems = invalid.Problems
	}
	return failed
}

// Deleting is a request to delete a table for good.
type Deleting struct {
	Table string `json:"table"`
	Last  uint64 `json:"last,omitempty"` // only if this is the seq of its last entry; 0 for any
}

// Deleted is the result. If Code is set, nothing was done.
type Deleted struct {
	Code string `json:"code,omitempty"`
	Text string `json:"text,omitempty"`
}

// Delete asks a host to delete a table.
func Delete(ctx context.Context, host *table.Host, d Deleting) Deleted {
	var err error
	if d.Last > 0 {
		err = host.DeleteAt(ctx, d.Table, d.Last)
	} else {
		err = host.Delete(ctx, d.Table)
	}
	if err == nil {
		return Deleted{}
	}
	failed := Deleted{Code: refusal.CodeUnavailable, Text: err.Error()}
	if refused, ok := errors.AsType[refusal.Error](err); ok {
		failed.Code = refused.Code()
	}
	return failed
}

// Operate serves the operator's commands until stop is called. If no socket can be created, it logs
// that and tables are served all the same.
func Operate(host *table.Host, dir, at string, log *slog.Logger) (stop func()) {
	path := filepath.Join(dir, operatorSocket)
	listener, err := Listen(dir, path, 0o600)
	if err != nil {
		log.Warn("no socket for commands beside this server", "path", path, "error", err)
		return func() {}
	}
	answers := http.NewServeMux()
	answers.HandleFunc("POST /seat", func(w http.ResponseWriter, r *http.Request) {
		var asked Restoring
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, operatorBytes)).Decode(&asked); err != nil {
			http.Error(w, "norn: the request can't be read", http.StatusBadRequest)
			return
		}
		made := Restore(r.Context(), host, asked)
		made.At = at
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(made) // a client that disconnected asks again
	})
	answers.HandleFunc("POST /delete", func(w http.ResponseWriter, r *http.Request) {
		var asked Deleting
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, operatorBytes)).Decode(&asked); err != nil {
			http.Error(w, "norn: the request can't be read", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(Delete(r.Context(), host, asked)) // a client that disconnected asks again
	})
	answers.HandleFunc("GET /at", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, at) })
	server := &http.Server{
		Handler: rescue.Handler(log, "operator", answers), ReadTimeout: operatorTime, WriteTimeout: operatorTime,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ended := make(chan struct{})
	go rescue.Wrap(log, "operator", func() {
		defer close(ended)
		_ = server.Serve(listener) // ends with Close
	})()
	return func() {
		limited, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		if err := server.Shutdown(limited); err != nil {
			server.Close()
		}
		<-ended
		os.Remove(path)
	}
}

// Listen creates a socket that is never accessible with another mode: it is created in a hidden
// folder and moved to its place in the folder dir when it has the mode. It replaces a socket that a
// crash has left.
func Listen(dir, path string, mode os.FileMode) (net.Listener, error) {
	hidden, err := os.MkdirTemp(dir, ".s")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(hidden)
	fresh := filepath.Join(hidden, "s")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: fresh, Net: "unix"})
	if err != nil {
		return nil, err
	}
	listener.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(fresh, mode), os.Rename(fresh, path)); err != nil {
		listener.Close()
		return nil, err
	}
	return listener, nil
}

// AskServer sends a request to the server that has a folder of tables open.
func AskServer(ctx context.Context, dir string, r Restoring) (made Restored, err error) {
	return made, ask(ctx, dir, "/seat", r, &made)
}

// AskToDelete asks the server that has a folder of tables open to delete one.
func AskToDelete(ctx context.Context, dir string, d Deleting) (done Deleted, err error) {
	return done, ask(ctx, dir, "/delete", d, &done)
}

// ask sends a request as JSON and reads the result.
func ask(ctx context.Context, dir, path string, request, result any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	answer, err := AtServer(ctx, dir, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, result)
}

// AtServer makes a request at the socket of the server that has a folder of tables open, and
// returns its answer.
func AtServer(ctx context.Context, dir, method, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, operatorTime)
	defer cancel()
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, operatorSocket))
		},
	}}
	request, err := http.NewRequestWithContext(ctx, method, "http://norn"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return io.ReadAll(http.MaxBytesReader(nil, answer.Body, operatorBytes))
}
