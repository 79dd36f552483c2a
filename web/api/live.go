package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"norn/form"
	"norn/internal/limit"
	"norn/table"
	"norn/table/view"
	"norn/web/stream"
)

type liveQuestion struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	After number `query:"after" doc:"begin with the entries after this seq; what comes from now on unless given"`
	Last  number `header:"Last-Event-ID" doc:"the id of the last event that was read; goes before after"`
}

func registerLive(s *server, api huma.API) {
	op := operation(http.MethodGet, liveAt, "follow-table", doc{
		summary: "What happens now, as server-sent events",
		text: "Event \"entry\": an entry that this seat may see; its id is the entry's seq, its data the entry. " +
			"Event \"view\": something else of the table's view has changed, who is here or what waits; read the table again. " +
			"The first event is a \"view\" whose id is the seq that the stream begins after, so no entry is missed or sent twice " +
			"by a client that sends Last-Event-ID when it comes back. A comment comes when there is no news. The stream ends when the seat is revoked. " +
			"Event \"again\" says that the server closes: come back after the milliseconds of the \"retry\" field that comes with it.",
		tag: "log",
	})
	op.Responses["200"] = textAnswer("Events", "text/event-stream")
	huma.Register(api, op, seated(s,
		func(ctx context.Context, seat *table.Seat, in *liveQuestion) (*huma.StreamResponse, error) {
			after, late := in.After.parse("after", math.MaxUint64, 0, math.MaxInt64)
			last, lost := in.Last.parse("Last-Event-ID", math.MaxUint64, 0, math.MaxInt64)
			if lost != nil {
				return nil, wrong(callOf(ctx).speaker, "header", form.Problems{*lost})
			}
			if err := badQuery(ctx, late); err != nil {
				return nil, err
			}
			leave, err := s.Limiter.Stream(limit.Seat(in.Table, callOf(ctx).secret), callOf(ctx).from)
			if err != nil {
				return nil, err
			}
			from := last
			if from == math.MaxUint64 {
				from = after
			}
			if from == math.MaxUint64 {
				shown, err := seat.View(ctx)
				if err != nil {
					leave()
					return nil, err
				}
				from = shown.Seq
			}
			return &huma.StreamResponse{Body: func(ctx huma.Context) {
				r, w := humago.Unwrap(ctx)
				stream.Config{Slow: s.slow, Cut: s.Meter.CountSlow, Log: s.Log}.Serve(w, r,
					func(ctx context.Context, out *stream.Stream) {
						s.follow(ctx, seat, from, &events{out: out, meter: s.Meter})
					}, leave)
			}}, nil
		}))
}

// follow writes what the seat sees after a seq until the request, the seat or the host ends, or the
// client is too slow. A client that reconnects with Last-Event-ID continues after its last complete
// event.
func (s *server) follow(ctx context.Context, seat *table.Seat, from uint64, to *events) {
	if to.event(from, "view", position{from}) != nil {
		return
	}
	defer to.hush(s.quiet)()
	for update, err := range seat.Watch(ctx, from) {
		if errors.Is(err, table.ErrClosed) {
			break
		}
		if err != nil || to.update(update) != nil {
			return // the client reconnects and gets the error then
		}
	}
	if ctx.Err() == nil { // the host closes: ask clients to reconnect soon, but not all at once
		to.again(500 + rand.IntN(1500))
	}
}

// events writes server-sent events. It holds no buffers between events, because most streams are
// idle.
type events struct {
	mu    sync.Mutex // guards the following: events and keep-alives come from two goroutines
	out   *stream.Stream
	meter Meter
	quiet *time.Timer // nil before hush
	every time.Duration
	over  bool
}

// hush sends a keep-alive after each time without events, until end is called.
func (t *events) hush(every time.Duration) (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.every = every
	t.quiet = time.AfterFunc(every, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if !t.over {
			_ = t.write([]byte(": quiet\n\n")) // a broken connection ends the request
		}
	})
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.over = true
		t.quiet.Stop()
	}
}

func (t *events) update(u view.Update) error {
	if u.Entry == nil {
		return t.event(u.Seq, "view", position{u.Seq})
	}
	return t.event(u.Seq, "entry", u.Entry)
}

// again asks the client to reconnect after some milliseconds.
func (t *events) again(after int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.write(fmt.Appendf(nil, "retry: %d\nevent: again\ndata: {}\n\n", after)) // the stream ends in any case
}

// position is the data of a "view" event.
type position struct {
	Seq uint64 `json:"seq"`
}

// event writes an event. Its JSON must not contain line breaks.
func (t *events) event(id uint64, name string, data any) error {
	b := buffers.Get().(*bytes.Buffer)
	defer putBack(b)
	b.Reset()
	b.WriteString("id: ")
	b.Write(strconv.AppendUint(b.AvailableBuffer(), id, 10))
	b.WriteString("\nevent: ")
	b.WriteString(name)
	b.WriteString("\ndata: ")
	if err := writeJSON(b, data); err != nil { // adds a line break
		return err
	}
	b.WriteByte('\n')
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(b.Bytes())
}

// write sends an event. The caller holds mu.
func (t *events) write(event []byte) error {
	if err := t.out.Send(event); err != nil {
		return err
	}
	t.meter.CountFrame()
	if t.quiet != nil {
		t.quiet.Reset(t.every)
	}
	return nil
}
