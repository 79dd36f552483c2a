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
	"slices"
	"strconv"
	"time"

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
// resumes with Last-Event-ID. It ends when the seat loses its link. A page is
// loaded anew that is another seat's than the browser has by now, or has been
// told more than there is: then an older backup was put back.
func (s *server) live(w http.ResponseWriter, r *http.Request, v *visit) {
	after := v.view.Told
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		seq, err := strconv.ParseUint(last, 10, 64)
		if err != nil {
			s.fail(w, r, http.StatusBadRequest, "unreadable")
			return
		}
		after = seq
	}
	leave, err := s.Door.Stream(limit.Seat(v.view.ID, v.secret()), odds.Asker(r.RemoteAddr))
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

	if of := r.URL.Query().Get(own + "seat"); after > v.view.Told || of != "" && of != v.view.Seat {
		_ = (&stream{visit: v, w: out, control: control}).write([]byte("event: anew\ndata: anew\n\n")) // gone in any case
		return
	}

	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	news, watched := make(chan heard, 64), v.seat // the visit's own stands still while an event is drawn
	go func() {
		defer close(news)
		for update, err := range watched.Watch(ctx, after) {
			select {
			case news <- heard{update, err}:
			case <-ctx.Done():
				return
			}
		}
	}()

	stream := &stream{visit: v, w: out, control: control, told: latest{}}
	if after == v.view.Told && v.view.Newer == "" { // the page has all that is in the journal, and norn is what it was
		if err := v.seat.Still(ctx, v.within(func() error { return v.behind(ctx, true, true) })); err != nil {
			return
		}
		stream.told.know(v.pieces())
		delete(stream.told, "#online") // which is in no journal
		delete(stream.told, ".online-menu")
	}
	if stream.send(ctx, arrived{}) != nil { // who is here, and what the page may have missed
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
			came, err := gather(first, news)
			if came.seq > 0 || err == nil {
				err = errors.Join(err, stream.send(ctx, came))
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

// arrived is what has come to a stream since the last time.
type arrived struct {
	ids     []string     // of cards that have changed
	beneath []string     // of cards that may or mayn't be undone any more
	seq     uint64       // up to which all was told; 0 for nothing that is in the journal
	played  bool         // what this session came to may be other
	hidden  bool         // so may be what was done in secret
	only    *table.Entry // that came, where it's one
	n       int
}

// gather takes what has come meanwhile, so that a burst is drawn once.
func gather(first heard, news <-chan heard) (came arrived, err error) {
	for next, ok := first, true; ok; {
		if next.err != nil {
			return came, next.err
		}
		came.seq = max(came.seq, next.update.Seq)
		if e := next.update.Entry; e != nil && e.Kind != table.KindShare {
			came.ids = append(came.ids, cardIDs(*e)...)
			came.played = came.played || e.Move != "" || e.Kind == table.KindSession
			came.hidden = came.hidden || e.Secret || !slices.Contains(plain, e.Kind)
			came.only = e
			came.n++
		}
		for _, seq := range next.update.Beneath {
			came.beneath = append(came.beneath, "e"+seqText(seq))
		}
		select {
		case next, ok = <-news:
		default:
			ok = false
		}
	}
	return came, nil
}

// plain are the entries by which nothing that was done before is another, unless they're secret.
var plain = []string{table.KindMove, table.KindAnswer, table.KindTalk, table.KindNote, table.KindStar, table.KindCall}

// stream is one page's live connection.
type stream struct {
	*visit
	w       io.Writer
	control *http.ResponseController
	here    map[string]bool // seats that were told to be here last
	told    latest
	asked   map[string][]string // by moves: their open questions, and whom the others wait for, as they were told last
}

// write sends what is whole.
func (s *stream) write(text []byte) error { return s.pass(&event{text: text}) }

func (s *stream) pass(e *event) (err error) {
	_ = s.control.SetWriteDeadline(time.Now().Add(s.s.slow)) // not every writer knows deadlines
	if f, packs := s.w.(*flow); packs {
		err = f.pass(e.text, e.inPacked())
	} else {
		_, err = s.w.Write(e.text)
	}
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

// send tells what has changed. All of it is of one revision of the table.
func (s *stream) send(ctx context.Context, came arrived) error {
	var cards, beneath []card
	var pieces []piece
	err := s.seat.Still(ctx, s.within(func() (err error) {
		if err = s.look(ctx); err != nil {
			return err
		}
		s.settle()
		if err = s.behind(ctx, came.hidden || s.told["#gm-secret"] == nil, came.played || s.told["#drawer-session"] == nil); err != nil {
			return err
		}
		pieces = s.told.changed(s.pieces())
		if cards, err = s.drawnCards(ctx, append(came.ids, s.asks()...), nil, came); err != nil {
			return err
		}
		if beneath, err = s.drawnCards(ctx, came.beneath, cards, arrived{}); err != nil {
			return err
		}
		return s.opens(ctx, pieces)
	}))
	if err != nil {
		return err
	}
	head, named := upTo(came.seq)+"event: view\n", len(came.ids) > 0 && len(cards) > 0
	if named {
		head = upTo(came.seq) + "event: entry\n"
	}
	come := s.come()
	if len(pieces)+len(beneath)+len(come) == 0 {
		if len(cards) == 0 && came.seq == 0 {
			return nil
		}
		if what, ok := s.says(came.seq, named, cards); ok {
			e, err := s.s.drawn.of(what, func() (*event, error) { return s.cardsEvent(ctx, head, cards) })
			if err != nil {
				return err
			}
			return s.pass(e)
		}
	}
	var b bytes.Buffer
	if len(cards) > 0 {
		if err := s.logAgain(cards).Render(ctx, &b); err != nil {
			return err
		}
	}
	for _, c := range beneath {
		pieces = append(pieces, piece{"#" + c.ID, outer, c, s.cardShown(c, nil)})
	}
	for _, p := range pieces {
		if err := s.told.tell(ctx, &b, p); err != nil {
			return err
		}
	}
	if err := s.comeIn(come).Render(ctx, &b); err != nil {
		return err
	}
	return s.pass(framed(head, b.Bytes()))
}

// opens reads what lets sheets be changed where they stand.
func (s *stream) opens(ctx context.Context, pieces []piece) (err error) {
	s.forms = map[string]table.SheetForm{}
	for _, c := range s.view.Characters {
		if c.Editable && slices.ContainsFunc(pieces, func(p piece) bool { return p.to == "#sheet-"+c.ID }) {
			if s.forms[c.ID], err = s.seat.SheetForm(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// asks are the moves of which other questions are open than were told.
func (s *stream) asks() (moves []string) {
	now := map[string][]string{}
	for _, q := range s.view.Questions {
		now[q.Move] = append(now[q.Move], s.visit.asks(q))
	}
	for _, w := range s.view.Waiting {
		now[w.Move] = append(now[w.Move], s.whom(w.To))
	}
	for move, questions := range now {
		if !slices.Equal(questions, s.asked[move]) {
			moves = append(moves, move)
		}
	}
	slices.Sort(moves)
	s.asked = now
	return moves
}

// drawnCards are the cards of ids, each once, but for those that are drawn already. The one entry that came is all of its
// card where it's the newest and begins it.
func (s *stream) drawnCards(ctx context.Context, ids []string, already []card, came arrived) ([]card, error) {
	var cards []card
	for i, id := range ids {
		if slices.Contains(ids[:i], id) || slices.ContainsFunc(already, func(c card) bool { return c.ID == id }) {
			continue
		}
		if e := came.only; came.n == 1 && e.Seq == s.view.Seq && e.Kind == table.KindMove && id == e.Move {
			cards = append(cards, s.cards([]table.Entry{*e})...)
			continue
		}
		c, ok, err := s.happened(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, c)
		}
	}
	return cards, nil
}

// upTo is the line that tells up to which seq all was told.
func upTo(seq uint64) string {
	if seq == 0 {
		return ""
	}
	return "id: " + strconv.FormatUint(seq, 10) + "\n"
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
