package play

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"norn/odds"
	"norn/table/request"
)

// filed lets whole logs be made and sent, a few at a time to one address.
func (s *Server) filed(next handler) http.HandlerFunc {
	return s.entered(func(w http.ResponseWriter, r *http.Request, v *visit) error {
		leave, err := s.Limits.File(odds.Asker(r.RemoteAddr))
		if err != nil {
			return err
		}
		defer leave()
		return next(w, r, v)
	})
}

// getStory gives what happened as a text to read: what everybody at the table may
// see.
func getStory(w http.ResponseWriter, r *http.Request, v *visit) error {
	session, _ := strconv.Atoi(r.URL.Query().Get("session")) // what is no number asks for all
	var text bytes.Buffer
	if err := v.seat.Story(r.Context(), &text, request.Telling{Session: session, Zone: v.Zone}); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+`.md"`)
	_, _ = w.Write(text.Bytes()) // who has gone needs no story
	return nil
}

// getExport gives the game master the whole table as a file.
func getExport(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.seat.MayExport(r.Context()); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+`.jsonl"`)
	out := &patient{w: w, control: http.NewResponseController(w), timeout: v.s.Slow}
	if err := v.seat.Export(r.Context(), out); err != nil {
		panic(http.ErrAbortHandler) // so that nobody takes what was sent for the whole
	}
	_ = out.control.SetWriteDeadline(time.Time{}) // what else comes on this connection has its own
	return nil
}

// getSeen gives any seat what it sees of the log as a file that can be checked.
// Making it takes as much as a change does, so it counts as one.
func getSeen(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.s.Limits.Write(v.key()); err != nil {
		return err
	}
	var file bytes.Buffer
	if err := v.seat.Seen(r.Context(), &file); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+"-"+v.seat.ID()+`.jsonl"`)
	_, _ = w.Write(file.Bytes()) // who has gone needs no file
	return nil
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
