package stream

import (
	"io"
	"net/http"
	"time"
)

// File has a long answer written to a reader who gets so much time for each piece. Where it can't
// be written to its end the connection is cut, so that nobody takes what was sent for the whole.
func File(w http.ResponseWriter, slow time.Duration, write func(io.Writer) error) {
	out := &patient{w, http.NewResponseController(w), slow}
	if err := write(out); err != nil {
		panic(http.ErrAbortHandler)
	}
	_ = out.control.SetWriteDeadline(time.Time{}) // what else comes on this connection has its own
}

// patient writes to a reader who gets so much time for each piece.
type patient struct {
	w       http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

func (p *patient) Write(b []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(p.timeout)) // not every writer knows deadlines
	return p.w.Write(b)
}
