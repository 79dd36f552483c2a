package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	_ "modernc.org/sqlite" // norn's driver
)

// The yardstick's bare server does the I/O of a table and nothing else: it appends the body of each
// POST /move/{table} to one SQLite table, durably, and sends a frame to all clients of GET
// /live/{table}.

const (
	bareBody  = 300 // bytes of a move
	bareFrame = 920 // bytes of an event on a live stream
	bareBatch = 256 // maximum number of appends in one transaction

	// the variable that makes this program the bare server, with its database in that folder
	bareFolder = "NORN_LOAD_BARE"
)

// bareServer holds the streams of all tables and the queue of the one writer.
type bareServer struct {
	queue chan *bareAppend

	mu     sync.Mutex
	tables map[string]*bareTable
}

// bareTable is one stream of the journal with its followers.
type bareTable struct {
	mu        sync.Mutex
	seq       uint64
	followers []chan uint64
}

// bareAppend is a row that waits for its commit.
type bareAppend struct {
	table string
	seq   uint64
	body  []byte
	done  chan error
}

// serveBare serves until SIGTERM, with its database below dir. It prints its address.
func serveBare(dir string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bare.db")+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE entries (stream TEXT, seq INTEGER, body BLOB, PRIMARY KEY (stream, seq)) WITHOUT ROWID"); err != nil {
		return err
	}
	s := &bareServer{queue: make(chan *bareAppend, bareBatch), tables: map[string]*bareTable{}}
	go s.write(db)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /move/{table}", s.move)
	mux.HandleFunc("GET /live/{table}", s.live)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	served := make(chan error, 1)
	go func() { served <- (&http.Server{Handler: mux}).Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ended:
		return nil
	}
}

func (s *bareServer) table(r *http.Request) *bareTable {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := r.PathValue("table")
	t := s.tables[id]
	if t == nil {
		t = &bareTable{seq: 1}
		s.tables[id] = t
	}
	return t
}

// move appends an entry and answers when it is durable and sent to the followers.
func (s *bareServer) move(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4096))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t := s.table(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	a := &bareAppend{r.PathValue("table"), t.seq + 1, body, make(chan error, 1)}
	s.queue <- a
	if err := <-a.done; err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	t.seq = a.seq
	for _, follower := range t.followers {
		follower <- a.seq
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"seq":%d}`, a.seq) // the client may have disconnected
}

// live sends the current seq, then a frame for each entry.
func (s *bareServer) live(w http.ResponseWriter, r *http.Request) {
	t, follower := s.table(r), make(chan uint64, bareBatch)
	t.mu.Lock()
	begin := t.seq
	t.followers = append(t.followers, follower)
	t.mu.Unlock()
	stream := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Connection", "close") // as norn's streams are: no chunks
	w.Header().Set("Transfer-Encoding", "identity")
	_, _ = fmt.Fprintf(w, "id: %d\n\n", begin)
	filling := bytes.Repeat([]byte("x"), bareFrame)
	var frame []byte
	for {
		if stream.Flush() != nil {
			return // the follower disconnected; the run is over
		}
		select {
		case seq := <-follower:
			frame = strconv.AppendUint(append(frame[:0], "id: "...), seq, 10)
			frame = append(frame, "\nevent: entry\ndata: "...)
			frame = append(append(frame, filling[:bareFrame-len(frame)-2]...), "\n\n"...)
			if _, err := w.Write(frame); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// write commits the queue, up to bareBatch rows in a transaction.
func (s *bareServer) write(db *sql.DB) {
	insert, err := db.Prepare("INSERT INTO entries VALUES (?, ?, ?)")
	for first := range s.queue {
		batch := []*bareAppend{first}
	more:
		for len(batch) < bareBatch {
			select {
			case a := <-s.queue:
				batch = append(batch, a)
			default:
				break more
			}
		}
		failed := err
		if failed == nil {
			failed = commitBatch(db, insert, batch)
		}
		for _, a := range batch {
			a.done <- failed
		}
	}
}

func commitBatch(db *sql.DB, insert *sql.Stmt, batch []*bareAppend) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	in := tx.Stmt(insert)
	for _, a := range batch {
		if _, err := in.Exec(a.table, a.seq, a.body); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
