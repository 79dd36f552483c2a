package api

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"norn/internal/limit"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
	"norn/web/stream"
)

type storyQuestion struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Session number `query:"session" doc:"this session of dice alone; all of them unless given"`
}

// storyAnswer is a response with a text.
type storyAnswer struct {
	Type string `header:"Content-Type"`
	Body []byte
}

// fileAnswer is a response with a file.
type fileAnswer struct {
	Type string `header:"Content-Type"`
	Name string `header:"Content-Disposition"`
	Body []byte
}

func registerExport(s *server, api huma.API) {
	op := s.fileOf("The file", "application/jsonl",
		operation(http.MethodGet, "/api/v1/tables/{id}/export", "export-table", doc{
			summary: "All entries of the table as a file",
			text: "JSON lines, as docs/export-format.md describes them; without the secret of dice that aren't opened yet and without links to seats. " +
				"Only a game master may, and not while sealed answers are being given. A file that ends without its last line isn't whole.",
			tag: "log", errors: []int{http.StatusForbidden, http.StatusConflict},
		}))
	huma.Register(api, op, seated(s,
		func(ctx context.Context, seat *table.Seat, at *atTable) (*huma.StreamResponse, error) {
			if err := seat.MayExport(ctx); err != nil {
				return nil, err
			}
			return &huma.StreamResponse{Body: func(ctx huma.Context) {
				r, w := humago.Unwrap(ctx)
				w.Header().Set("Content-Type", "application/jsonl")
				w.Header().Set("Content-Disposition", `attachment; filename="`+at.Table+`.jsonl"`)
				if r.Method == http.MethodHead {
					return
				}
				stream.File(w, s.slow, func(out io.Writer) error { return seat.Export(r.Context(), out) })
			}}, nil
		}))

	seen := s.fileOf("The file", "application/jsonl",
		operation(http.MethodGet, "/api/v1/tables/{id}/seen", "export-seen", doc{
			summary: "What this seat sees of the log, as a file that can be checked",
			text: "JSON lines, as docs/export-format.md describes them, for norn verify: dice of opened sessions can be derived again, and moves of which " +
				"the seat sees all be made again. Any seat may, at any time. It can't be imported.",
			tag: "log", errors: []int{http.StatusTooManyRequests},
		}))
	huma.Register(api, seen, seated(s, func(ctx context.Context, seat *table.Seat, at *atTable) (*fileAnswer, error) {
		if err := seat.Spend(); err != nil { // it's as expensive as a change
			return nil, err
		}
		var file bytes.Buffer
		if err := seat.ExportSeen(ctx, &file); err != nil {
			return nil, err
		}
		return &fileAnswer{
			Type: "application/jsonl",
			Name: `attachment; filename="` + at.Table + "-" + seat.ID() + `.jsonl"`, Body: file.Bytes(),
		}, nil
	}))

	story := s.fileOf("The story", "text/markdown; charset=utf-8",
		operation(http.MethodGet, "/api/v1/tables/{id}/export.md", "tell-table", doc{
			summary: "What happened, as a text to read",
			text:    "Markdown in the reader's language: what everybody at the table may see, without ids and secrets.",
			tag:     "log",
		}))
	huma.Register(api, story, seated(s,
		func(ctx context.Context, seat *table.Seat, asked *storyQuestion) (*storyAnswer, error) {
			session, bad := asked.Session.parse("session", 0, 1, 1<<31-1)
			if err := badQuery(ctx, bad); err != nil {
				return nil, err
			}
			var text bytes.Buffer
			if err := seat.Story(ctx, &text, request.Telling{Session: int(session)}); err != nil {
				return nil, err
			}
			return &storyAnswer{Type: "text/markdown; charset=utf-8", Body: text.Bytes()}, nil
		}))
}

// atCharacter is the address of a character.
type atCharacter struct {
	Table     string `path:"id" doc:"the table's id" maxLength:"200"`
	Character string `path:"cid" doc:"the character's id" maxLength:"200"`
}

func registerCharacterFiles(s *server, api huma.API) {
	show(s, api, "/api/v1/tables/{id}/characters/{cid}/file", "export-character", doc{
		summary: "A character as a file",
		text: "Who plays the character may, and game masters; import-character takes the file at another table, of this norn or another. " +
			"A player's file holds what that player sees and no more, and says so in seen.",
		tag: "characters", errors: []int{http.StatusForbidden},
	}, func(ctx context.Context, seat *table.Seat, at *atCharacter) (*answer[view.CharacterFile], error) {
		file, err := seat.CharacterFile(ctx, at.Character)
		return answered(file, absent(err, "character", "cid"))
	})
}

// fileOf makes an operation return a whole log, as a text of some type.
func (s *server) fileOf(what, media string, op huma.Operation) huma.Operation {
	op.Middlewares = huma.Middlewares{s.file}
	op.Responses["200"] = textAnswer(what, media)
	return op
}

// file limits how many whole logs an address gets at once.
func (s *server) file(ctx huma.Context, next func(huma.Context)) {
	c := callOf(ctx.Context())
	leave, err := s.Limiter.File(c.from)
	if often := limit.As(err); often != nil {
		_, w := humago.Unwrap(ctx)
		tooOften(c.speaker, often).write(w)
		return
	}
	defer leave()
	next(ctx)
}
