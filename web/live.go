package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"norn/limit"
	"norn/odds"
	"norn/table"
)

// quiet is how long a stream says nothing before it says that it is still
// there. The page takes three times that for a lost connection.
const quiet = 15 * time.Second

// slowAfter is how long a reader may take for one event of a stream. Who is slower loses the connection, holds nobody
// up meanwhile, and goes on where the last whole event ended.
const slowAfter = 15 * time.Second

// heard is one thing that a watcher hears, or the end of it.
type heard struct {
	update table.Update
	err    error
}

// live streams what happens at the table, as pieces of the page that say
// where they go. An event's id is the seq up to which all was told, so a page
// resumes with Last-Event-ID. It ends when the seat loses its link.
func (s *server) live(w http.ResponseWriter, r *http.Request, v *visit) {
	after := v.view.Seq
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		seq, err := strconv.ParseUint(last, 10, 64)
		if err != nil {
			s.fail(w, r, http.StatusBadRequest, "unreadable")
			return
		}
		after = seq
	}
	leave, err := s.Door.Stream(limit.Seat(v.view.ID, cookie(r, seatCookie(v.view.ID))), odds.Asker(r.RemoteAddr))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	defer leave()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	h.Set("Vary", "Accept-Encoding")
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	out := io.Writer(w)
	if takes(r, "gzip") {
		h.Set("Content-Encoding", "gzip")
		packed := &flow{to: w}
		defer func() { _ = packed.Close() }() // a reader that went away needs no end
		out = packed
	}
	w.WriteHeader(http.StatusOK)

	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	news := make(chan heard, 64)
	go func() {
		defer close(news)
		for update, err := range v.seat.Watch(ctx, after) {
			select {
			case news <- heard{update, err}:
			case <-ctx.Done():
				return
			}
		}
	}()

	stream := &stream{visit: v, w: out, control: control, sheets: map[string]table.CharacterShown{}}
	first := func() error { return stream.send(ctx, nil, 0) } // the page may have missed anything
	if after == v.view.Seq {                                  // the page has all that is in the journal
		stream.notes, stream.seal, stream.calls = v.view.Notes, v.sealState(), v.callIDs()
		for _, c := range v.view.Characters {
			stream.sheets[c.ID] = c
		}
		first = func() error { return stream.present(ctx) }
	}
	if first() != nil {
		return
	}
	beat := time.NewTicker(quiet)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			if stream.write([]byte(": quiet\n\n")) != nil {
				return
			}
		case first, ok := <-news:
			if !ok {
				if ctx.Err() == nil { // the host closes; the page shall come back soon, but not all pages at once
					_ = stream.write(fmt.Appendf(nil, "retry: %d\nevent: again\ndata: closing\n\n", comeAgain()))
				}
				return
			}
			ids, seq, shares, err := gather(first, news)
			if shares && err == nil {
				err = stream.sealed(ctx, seq)
			} else if len(ids) > 0 || err == nil {
				err = errors.Join(err, stream.send(ctx, ids, seq))
			}
			var gone *table.NotFoundError
			if errors.As(err, &gone) {
				_ = stream.write([]byte("event: end\ndata: revoked\n\n")) // gone in any case
				return
			}
			if errors.Is(err, table.ErrClosed) { // it closed as the stream began
				_ = stream.write(fmt.Appendf(nil, "retry: %d\nevent: again\ndata: closing\n\n", comeAgain()))
			}
			if err != nil {
				return
			}
		}
	}
}

// gather takes what has come meanwhile, so that a burst is drawn once. ids are
// the cards that have changed; shares tells that all that came are shares to the
// dice.
func gather(first heard, news <-chan heard) (ids []string, seq uint64, shares bool, err error) {
	shares = true
	for next, ok := first, true; ok; {
		if next.err != nil {
			return ids, seq, shares, next.err
		}
		seq = max(seq, next.update.Seq)
		shares = shares && next.update.Entry != nil && next.update.Entry.Kind == table.KindShare
		if e := next.update.Entry; e != nil {
			for _, id := range cardIDs(*e) {
				if !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
		select {
		case next, ok = <-news:
		default:
			ok = false
		}
	}
	return ids, seq, shares, nil
}

// stream is one page's live connection.
type stream struct {
	*visit
	w       io.Writer
	control *http.ResponseController
	sheets  map[string]table.CharacterShown // what was sent last of each character
	notes   []table.NoteShown               // that were sent last
	seal    string                          // the state of the seal that was sent last
	here    map[string]bool                 // seats that were told to be here last
	calls   []string                        // to the reader, likewise
}

// write sends what is whole.
func (s *stream) write(event []byte) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(s.s.slow)) // not every writer knows deadlines
	_, err := s.w.Write(event)
	if err == nil {
		err = s.control.Flush()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		s.s.Meter.Slow()
	}
	if err != nil {
		return err
	}
	_ = s.control.SetWriteDeadline(time.Time{}) // while nothing is written no time runs: HTTP/2 would end the stream
	s.s.Meter.Frame()
	return nil
}

// comeAgain is after how many milliseconds a page whose server closes shall come
// back: drawn, so that a server that starts again isn't met by all at once.
func comeAgain() int { return 500 + rand.IntN(1500) }

// send draws the cards and whatever else has changed. seq 0 stands for
// nothing that is in the journal.
func (s *stream) send(ctx context.Context, ids []string, seq uint64) error {
	if err := s.look(ctx); err != nil {
		return err
	}
	s.settle()
	if err := s.behind(ctx); err != nil {
		return err
	}
	n := news{Come: s.come()}
	if !reflect.DeepEqual(s.notes, s.view.Notes) {
		s.notes, n.Notes = s.view.Notes, true
	}
	before := len(s.sheets)
	for _, id := range ids {
		c, ok, err := s.happened(ctx, id)
		if err != nil {
			return err
		}
		if ok {
			n.Cards = append(n.Cards, c)
		}
	}
	if state := s.sealState(); s.seal != state {
		s.seal, n.Seal = state, true
	}
	named := false
	for _, c := range s.view.Characters {
		if sent, was := s.sheets[c.ID]; !was || !reflect.DeepEqual(sent, c) {
			s.sheets[c.ID] = c
			n.Sheets = append(n.Sheets, c)
			n.Stale = before > 0
			named = named || was && (sent.Name != c.Name || sent.State != c.State)
		}
	}
	if named { // which other sheets show, too
		n.Sheets = s.view.Characters
	}
	if calls := s.callIDs(); !slices.Equal(s.calls, calls) {
		s.calls, n.Stale = calls, n.Stale || before > 0
	}
	head := "event: view\n"
	if len(n.Cards) > 0 {
		head = "event: entry\n"
	}
	return s.event(ctx, upTo(seq)+head, s.pieces(n, extras{}))
}

// upTo is the line that tells up to which seq all was told.
func upTo(seq uint64) string {
	if seq == 0 {
		return ""
	}
	return "id: " + strconv.FormatUint(seq, 10) + "\n"
}

// sealed draws the seal, which is all that shares change. Each page that opens adds one, and everybody hears of it.
func (s *stream) sealed(ctx context.Context, seq uint64) error {
	if err := s.look(ctx); err != nil {
		return err
	}
	s.settle()
	s.seal = s.sealState()
	return s.event(ctx, upTo(seq)+"event: view\n", s.sealAgain())
}

// present draws who is here, which isn't in the journal.
func (s *stream) present(ctx context.Context) error {
	if err := s.look(ctx); err != nil {
		return err
	}
	return s.event(ctx, "event: view\n", templ.Join(s.everybody(), s.comeIn(s.come())))
}

// come are the seats that weren't here when it was told last, for a game master: those of a seat whose link was made
// anew have gone before anybody comes by the new one.
func (s *stream) come() (seats []table.SeatShown) {
	here := map[string]bool{}
	for _, seat := range s.view.Seats {
		here[seat.ID] = seat.Online
		if s.master() && seat.Online && !seat.You && !s.here[seat.ID] {
			seats = append(seats, seat)
		}
	}
	s.here = here
	return seats
}

// event writes a piece of the page with what stands before it.
func (s *stream) event(ctx context.Context, head string, piece templ.Component) error {
	var body bytes.Buffer
	if err := piece.Render(ctx, &body); err != nil {
		return err
	}
	b := bytes.NewBufferString(head)
	for line := range bytes.Lines(body.Bytes()) {
		b.WriteString("data: ")
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return s.write(b.Bytes())
}
