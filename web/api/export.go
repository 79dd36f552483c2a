package api

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"norn/limit"
	"norn/odds"
	"norn/table/request"
)

type storyQuestion struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Session number `query:"session" doc:"this session of dice alone; all of them unless given"`
}

// storyAnswer is a text of its own.
type storyAnswer struct {
	Type string `header:"Content-Type"`
	Body []byte
}

// fileAnswer is a file to keep.
type fileAnswer struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body []byte
}

func (s *server) registerExport(api huma.API) {
	op := operation(http.MethodGet, "/api/v1/tables/{id}/export", "export-table", doc{
		summary: "All entries of the table as a file",
		text: "JSON lines, as docs/export-format.md describes them; without the secret of dice that aren't opened yet and without links to seats. " +
			"Only a game master may, while no move is open. A file that ends without its last line isn't whole.",
		tag: "log", errors: []int{http.StatusForbidden, http.StatusConflict},
	})
	op.Middlewares = huma.Middlewares{s.file}
	op.Responses["200"] = &huma.Response{
		Description: "The file",
		Content:     map[string]*huma.MediaType{"application/jsonl": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}
	huma.Register(api, op, func(ctx context.Context, in *atTable) (*huma.StreamResponse, error) {
		seat, err := s.enter(ctx, in.Table)
		if err == nil {
			if err = seat.MayExport(ctx); err != nil {
				err = s.failed(ctx, seat, err)
			}
		}
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humago.Unwrap(ctx)
			w.Header().Set("Content-Type", "application/jsonl")
			w.Header().Set("Content-Disposition", `attachment; filename="`+in.Table+`.jsonl"`)
			if r.Method == http.MethodHead {
				return
			}
			out := &patient{w: w, control: http.NewResponseController(w), timeout: s.slow}
			if err := seat.Export(r.Context(), out); err != nil {
				panic(http.ErrAbortHandler) // so that nobody takes what was sent for the whole
			}
			_ = out.control.SetWriteDeadline(time.Time{}) // what else comes on this connection has its own
		}}, nil
	})

	seen := operation(http.MethodGet, "/api/v1/tables/{id}/seen", "export-seen", doc{
		summary: "What this seat sees of the log, as a file that can be checked",
		text: "JSON lines, as docs/export-format.md describes them, for norn verify: dice of opened sessions can be derived again, and moves of which " +
			"the seat sees all be made again. Any seat may, at any time. It can't be imported.",
		tag: "log", errors: []int{http.StatusTooManyRequests},
	})
	seen.Middlewares = huma.Middlewares{s.file}
	seen.Responses["200"] = &huma.Response{
		Description: "The file",
		Content:     map[string]*huma.MediaType{"application/jsonl": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}
	huma.Register(api, seen, func(ctx context.Context, in *atTable) (*fileAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		if err := s.Door.Write(limit.Seat(in.Table, callOf(ctx).secret)); err != nil { // making it takes as much as a change does
			return nil, s.failed(ctx, seat, err)
		}
		var file bytes.Buffer
		if err := seat.Seen(ctx, &file); err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return &fileAnswer{Type: "application/jsonl", Name: `attachment; filename="` + in.Table + "-" + seat.ID() + `.jsonl"`, Body: file.Bytes()}, nil
	})

	told := operation(http.MethodGet, "/api/v1/tables/{id}/export.md", "tell-table", doc{
		summary: "What happened, as a text to read",
		text:    "Markdown in the reader's language: what everybody at the table may see, without ids and secrets.",
		tag:     "log",
	})
	told.Middlewares = huma.Middlewares{s.file}
	told.Responses["200"] = &huma.Response{
		Description: "The story",
		Content:     map[string]*huma.MediaType{"text/markdown; charset=utf-8": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}
	huma.Register(api, told, func(ctx context.Context, in *storyQuestion) (*storyAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		session, wrong := in.Session.whole("session", 0, 1, 1<<31-1)
		if p := s.badQuery(ctx, wrong); p != nil {
			return nil, p
		}
		var text bytes.Buffer
		if err := seat.Story(ctx, &text, request.Telling{Session: int(session)}); err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return &storyAnswer{Type: "text/markdown; charset=utf-8", Body: text.Bytes()}, nil
	})
}

// file lets a whole log be made and sent, a few at a time to one address.
func (s *server) file(ctx huma.Context, next func(huma.Context)) {
	c := callOf(ctx.Context())
	leave, err := s.Door.File(odds.Asker(c.from))
	if often := limit.As(err); often != nil {
		_, w := humago.Unwrap(ctx)
		tooOften(c.speaker, often).write(w)
		return
	}
	defer leave()
	next(ctx)
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
