package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"norn/form"
	"norn/table"
)

type liveQuestion struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	After number `query:"after" doc:"begin with the entries after this seq; what comes from now on unless given"`
	Last  number `header:"Last-Event-ID" doc:"the id of the last event that was read; goes before after"`
}

func (s *server) registerLive(api huma.API) {
	op := operation(http.MethodGet, "/api/v1/tables/{id}/live", "follow-table", doc{
		summary: "What happens now, as server-sent events",
		text: "Event \"entry\": an entry that this seat may see; its id is the entry's seq, its data the entry. " +
			"Event \"view\": something else of the table's view has changed, who is here or what waits; read the table again. " +
			"The first event is a \"view\" whose id is the seq that the stream begins after, so no entry is missed or told twice " +
			"by a client that sends Last-Event-ID when it comes back. A comment comes when there is no news. The stream ends when the seat is revoked.",
		tag: "log",
	})
	op.Responses["200"] = &huma.Response{
		Description: "Events",
		Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}
	huma.Register(api, op, func(ctx context.Context, in *liveQuestion) (*huma.StreamResponse, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		after, late := in.After.whole("after", math.MaxUint64, 0, math.MaxInt64)
		last, lost := in.Last.whole("Last-Event-ID", math.MaxUint64, 0, math.MaxInt64)
		if lost != nil {
			return nil, wrong(callOf(ctx).speaker, "header", form.Problems{*lost})
		}
		if p := s.badQuery(ctx, late); p != nil {
			return nil, p
		}
		from := last
		if from == math.MaxUint64 {
			from = after
		}
		if from == math.MaxUint64 {
			view, err := seat.View(ctx)
			if err != nil {
				return nil, s.failed(ctx, seat, err)
			}
			from = view.Seq
		}
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humago.Unwrap(ctx)
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			if r.Method == http.MethodHead {
				return
			}
			control := http.NewResponseController(w)
			s.follow(r.Context(), seat, from, &stream{w: w, control: control})
			_ = control.SetWriteDeadline(time.Time{}) // what else comes on this connection has its own
		}}, nil
	})
}

// follow writes what the seat sees after a seq until the request, the seat or the host ends, or the reader is too slow.
func (s *server) follow(ctx context.Context, seat *table.Seat, from uint64, to *stream) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	updates := make(chan table.Update)
	go func() {
		defer close(updates)
		for update, err := range seat.Watch(ctx, from) {
			if err != nil {
				return // the reader comes back with Last-Event-ID, and is told then what is wrong
			}
			select {
			case updates <- update:
			case <-ctx.Done():
				return
			}
		}
	}()
	quiet := time.NewTicker(s.quiet)
	defer quiet.Stop()
	err := to.event(from, "view", position{from})
	for err == nil {
		select {
		case update, more := <-updates:
			if !more {
				return
			}
			err = to.update(update)
			quiet.Reset(s.quiet)
		case <-quiet.C:
			err = to.write(": quiet\n\n")
		}
	}
	cancel()
	for range updates { // so that the watch has ended when the request does
	}
}

// writeTimeout is how long a reader may take for one event.
const writeTimeout = 15 * time.Second

// stream writes server-sent events.
type stream struct {
	w       io.Writer
	control *http.ResponseController
}

func (t *stream) update(u table.Update) error {
	if u.Entry == nil {
		return t.event(u.Seq, "view", position{u.Seq})
	}
	return t.event(u.Seq, "entry", u.Entry)
}

// position is the data of a "view".
type position struct {
	Seq uint64 `json:"seq"`
}

// event writes one event. JSON has no line breaks of its own.
func (t *stream) event(id uint64, name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return t.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", id, name, text))
}

func (t *stream) write(text string) error {
	_ = t.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // not every writer knows deadlines
	if _, err := io.WriteString(t.w, text); err != nil {
		return err
	}
	return t.control.Flush()
}
