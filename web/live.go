package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"regexp"
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

	stream := &stream{visit: v, w: out, control: control}
	first := func() error { return stream.send(ctx, arrived{}) } // the page may have missed anything
	if after == v.view.Told && v.view.Newer == "" {              // the page has all that is in the journal, and norn is what it was
		stream.last = v.showing()
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
			came, err := gather(first, news)
			if came.shares && err == nil {
				err = stream.sealed(ctx, came.seq)
			} else if len(came.ids) > 0 || err == nil {
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
	ids     []string // of cards that have changed
	beneath []string // of cards that may or mayn't be undone any more
	seq     uint64   // up to which all was told; 0 for nothing that is in the journal
	shares  bool     // all that came are shares to the dice
}

// gather takes what has come meanwhile, so that a burst is drawn once.
func gather(first heard, news <-chan heard) (arrived, error) {
	came := arrived{shares: true}
	for next, ok := first, true; ok; {
		if next.err != nil {
			return came, next.err
		}
		came.seq = max(came.seq, next.update.Seq)
		came.shares = came.shares && next.update.Entry != nil && next.update.Entry.Kind == table.KindShare
		if e := next.update.Entry; e != nil {
			came.ids = append(came.ids, cardIDs(*e)...)
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

// stream is one page's live connection.
type stream struct {
	*visit
	w       io.Writer
	control *http.ResponseController
	here    map[string]bool   // seats that were told to be here last
	last    *showing          // that was sent last, nil for what isn't known
	shown   map[string]uint64 // what was sent last to each place, by its hash
}

// showing is what a page shows of the table besides its log, as far as news is sent only of what has changed.
type showing struct {
	sheets   map[string]table.CharacterShown
	notes    []table.NoteShown
	seal     string
	people   []string            // names of seats and characters, and whose they are
	asked    map[string][]string // by moves: their open questions, and whom the others wait for
	settings any
	moves    []table.MoveShown
	calls    []string // to the reader
}

func (v *visit) showing() *showing {
	now := &showing{
		sheets: map[string]table.CharacterShown{}, notes: v.view.Notes, seal: v.sealState(), asked: map[string][]string{},
		settings: v.view.Settings, moves: v.view.Moves, calls: v.callIDs(),
	}
	for _, seat := range v.view.Seats {
		now.people = append(now.people, seat.ID+" "+seat.Name)
	}
	for _, c := range v.view.Characters {
		now.sheets[c.ID] = c
		now.people = append(now.people, c.ID+" "+c.Owner+" "+c.Name)
	}
	for _, q := range v.view.Questions {
		now.asked[q.Move] = append(now.asked[q.Move], v.asks(q))
	}
	for _, w := range v.view.Waiting {
		now.asked[w.Move] = append(now.asked[w.Move], v.whom(w.To))
	}
	return now
}

// news is what a page that showed something else doesn't show yet, the cards of entries aside.
func (now *showing) news(last *showing, characters []table.CharacterShown) (n news, asked []string) {
	if last == nil {
		n = news{Sheets: characters, Stale: true, Notes: true, Seal: true, People: true, Settings: true, Log: true}
		return n, slices.Sorted(maps.Keys(now.asked))
	}
	named := false
	for _, c := range characters {
		if sent, was := last.sheets[c.ID]; !was || !reflect.DeepEqual(sent, c) {
			n.Sheets = append(n.Sheets, c)
			named = named || was && (sent.Name != c.Name || sent.State != c.State)
		}
	}
	if named { // which other sheets show, too
		n.Sheets = characters
	}
	for move, questions := range now.asked {
		if !slices.Equal(questions, last.asked[move]) {
			asked = append(asked, move)
		}
	}
	n.Notes, n.Seal = !reflect.DeepEqual(now.notes, last.notes), now.seal != last.seal
	n.People, n.Settings = !slices.Equal(now.people, last.people), !reflect.DeepEqual(now.settings, last.settings)
	n.Log = n.People || n.Settings
	n.Stale = n.Log || len(n.Sheets) > 0 || !reflect.DeepEqual(now.moves, last.moves) || !slices.Equal(now.calls, last.calls)
	return n, asked
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

// send draws the cards and whatever else has changed.
func (s *stream) send(ctx context.Context, came arrived) error {
	if err := s.look(ctx); err != nil {
		return err
	}
	s.settle()
	if err := s.behind(ctx); err != nil {
		return err
	}
	now := s.showing()
	n, asked := now.news(s.last, s.view.Characters)
	n.Come = s.come()
	if s.last == nil { // the page may show something else
		clear(s.shown)
	}
	s.last = now
	var err error
	if n.Cards, err = s.drawnCards(ctx, append(came.ids, asked...), nil); err != nil {
		return err
	}
	if n.Beneath, err = s.drawnCards(ctx, came.beneath, n.Cards); err != nil {
		return err
	}
	head := "event: view\n"
	if len(came.ids) > 0 && len(n.Cards) > 0 {
		head = "event: entry\n"
	}
	return s.event(ctx, upTo(came.seq)+head, s.pieces(n))
}

// drawnCards are the cards of ids, each once, but for those that are drawn already.
func (s *stream) drawnCards(ctx context.Context, ids []string, already []card) ([]card, error) {
	var cards []card
	for i, id := range ids {
		if slices.Contains(ids[:i], id) || slices.ContainsFunc(already, func(c card) bool { return c.ID == id }) {
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

// sealed draws the seal, which is all that shares change. Each page that opens adds one, and everybody hears of it.
func (s *stream) sealed(ctx context.Context, seq uint64) error {
	if err := s.look(ctx); err != nil {
		return err
	}
	s.settle()
	if s.last != nil {
		s.last.seal = s.sealState()
	}
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
	for line := range bytes.Lines(s.news(body.Bytes())) {
		b.WriteString("data: ")
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return s.write(b.Bytes())
}

// replaces begins a piece that shows the table as it was at a seq, and so replaces what stands in its place.
var replaces = regexp.MustCompile(`^<hx-partial hx-target="([^"]*)" hx-swap="(?:inner|outer)[A-Za-z]+">`)

// news are the pieces that don't say again what was sent last to their place.
func (s *stream) news(pieces []byte) []byte {
	if s.shown == nil {
		s.shown = map[string]uint64{}
	}
	var b []byte
	for len(pieces) > 0 {
		end := len(pieces)
		if next := bytes.Index(pieces[1:], []byte("<hx-partial ")); next >= 0 {
			end = next + 1
		}
		piece := pieces[:end]
		pieces = pieces[end:]
		if at := replaces.FindSubmatchIndex(piece); at != nil {
			to, hash := string(piece[at[2]:at[3]]), maphash.Bytes(shownSeed, drawnKeys.ReplaceAll(piece[at[1]:], nil))
			if was, ok := s.shown[to]; ok && was == hash {
				continue
			}
			s.shown[to] = hash
		}
		b = append(b, piece...)
	}
	return b
}

var shownSeed = maphash.MakeSeed()
