package stream

import (
	"io"
	"net/http"
	"time"
)

// File writes a long response, with a time limit for each piece. If it fails the connection is cut,
// so that no client takes a part for the whole.
func File(w http.ResponseWriter, slow time.Duration, write func(io.Writer) error) {
	out := &patient{w, http.NewResponseController(w), slow}
	if err := write(out); err != nil {
		panic(http.ErrAbortHandler)
	}
	_ = out.control.SetWriteDeadline(time.Time{}) // the next response on this connection has its own
}

// patient writes to a client with a time limit for each piece.
type patient struct {
	w       http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

func (p *patient) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(p.timeout)) // some writers don't support deadlines
	return p.w.Write(b)
}
