package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"norn/internal/limit"
	"norn/table"
	"norn/table/refusal"
)

// doc describes an operation for the document, in addition to its types.
type doc struct {
	summary string
	text    string
	tag     string
	open    bool // needs no seat
	status  int  // of a successful response; 200 unless set
	more    map[int]string
	body    string // schema of its body, "" for none
	example any    // of its body
	file    bool   // its body contains a file: uploads are counted, and long ones refused before they're read
	tool    string // name of the agents' tool, "" for none
	errors  []int  // in addition to those of every operation; by default those of a change
}

// Keys of what huma stores about an operation for us.
const (
	bodyOfOperation = "body"
	fileOfOperation = "file"
)

// operation returns what huma needs to know. Parameters and bodies are checked here instead of by
// huma, so that all errors have the same form.
func operation(method, path, id string, d doc) huma.Operation {
	op := huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: d.summary, Description: d.text, Tags: []string{d.tag},
		DefaultStatus: d.status, SkipValidateParams: true, SkipValidateBody: true,
		Responses: map[string]*huma.Response{},
		Security:  []map[string][]string{{"seat": {}}},
	}
	if d.tool != "" {
		op.Extensions = map[string]any{"x-agent": map[string]string{"tool": d.tool}}
	}
	if d.errors == nil && method != http.MethodGet && !d.open {
		d.errors = []int{http.StatusForbidden, http.StatusConflict}
	}
	failures := append([]int{
		http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusRequestURITooLong,
		http.StatusInternalServerError,
	}, d.errors...)
	if d.open {
		op.Security = []map[string][]string{}
	} else {
		failures = append(failures, http.StatusNotFound, http.StatusServiceUnavailable)
	}
	if d.body != "" {
		failures = append(failures, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType, http.StatusServiceUnavailable)
		op.Metadata = map[string]any{fileOfOperation: d.file, bodyOfOperation: &huma.RequestBody{
			Required: true,
			Content: map[string]*huma.MediaType{"application/json": {
				Schema: &huma.Schema{Ref: "#/components/schemas/" + d.body}, Example: d.example,
			}},
		}}
	}
	for status, text := range d.more {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Description: text}
	}
	for _, status := range failures {
		op.Responses[strconv.Itoa(status)] = failure(status)
	}
	return op
}

// failure describes the response with an error status.
func failure(status int) *huma.Response {
	r := &huma.Response{
		Description: http.StatusText(status),
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}}},
	}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		r.Headers = map[string]*huma.Header{"Retry-After": {
			Description: "seconds", Schema: &huma.Schema{Type: huma.TypeInteger},
		}}
	}
	return r
}

// described is huma's API without the bodies, which huma would read itself if it knew of them
// earlier.
type described struct{ huma.API }

// DocumentOperation implements huma.OperationDocumenter.
func (d described) DocumentOperation(op *huma.Operation) {
	if body, ok := op.Metadata[bodyOfOperation].(*huma.RequestBody); ok {
		op.RequestBody = body
	}
	// Another successful status has the same body as the first.
	standard := op.Responses[strconv.Itoa(op.DefaultStatus)]
	for _, r := range op.Responses {
		if r.Content == nil && standard != nil {
			r.Content = standard.Content
		}
	}
	d.OpenAPI().AddOperation(op)
}

// textAnswer describes a response that is a text of some type.
func textAnswer(what, media string) *huma.Response {
	return &huma.Response{
		Description: what, Content: map[string]*huma.MediaType{media: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}
}

// atTable is the address of a table or something below it.
type atTable struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
}

// answer is the response of an operation.
type answer[T any] struct{ Body T }

// answered returns the response of an operation, or its error.
func answered[T any](body T, err error) (*answer[T], error) {
	if err != nil {
		return nil, err
	}
	return &answer[T]{body}, nil
}

// seated returns an operation of the seat that the request's secret opens. Errors of the table
// become Problems.
func seated[I, O any](s *server, do func(context.Context, *table.Seat, *I) (*O, error)) func(context.Context, *I) (*O,
	error) {
	return func(ctx context.Context, in *I) (*O, error) {
		seat, err := s.enter(ctx)
		if err != nil {
			return nil, s.problemOf(ctx, nil, err)
		}
		if c := callOf(ctx); !c.asked {
			c.speaker = s.Words.In(seat.Speaker().Lang())
			c.header.Set("Content-Language", string(c.speaker.Lang()))
			ctx = context.WithValue(ctx, callKey{}, c)
		}
		out, err := do(ctx, seat, in)
		if err != nil {
			return nil, s.problemOf(ctx, seat, err)
		}
		return out, nil
	}
}

// sent holds a seat's request to an operation with a body.
type sent[I, T any] struct {
	seat  *table.Seat
	at    *I
	body  T
	parts parts
}

// operate registers an operation of a seat with a body.
func operate[I, T, O any](s *server, api huma.API, method, path, id string, d doc, b body[T],
	do func(context.Context, sent[I, T]) (*O, error),
) {
	huma.Register(api, b.operation(api, method, path, id, d),
		seated(s, func(ctx context.Context, seat *table.Seat, in *I) (*O, error) {
			body, kept, err := read(ctx, s, b)
			if err != nil {
				return nil, err
			}
			return do(ctx, sent[I, T]{seat, in, body, kept})
		}))
}

// show registers an operation of a seat that only reads.
func show[I, O any](s *server, api huma.API, path, id string, d doc,
	do func(context.Context, *table.Seat, *I) (*O, error),
) {
	huma.Register(api, operation(http.MethodGet, path, id, d), seated(s, do))
}

// remove registers an operation of a seat that removes what its address names.
func remove[I, O any](s *server, api huma.API, path, id string, d doc,
	do func(context.Context, *table.Seat, *I) (*O, error),
) {
	huma.Register(api, operation(http.MethodDelete, path, id, d), seated(s, do))
}

// enter enters the seat that the request's secret opens.
func (s *server) enter(ctx context.Context) (*table.Seat, error) {
	c := callOf(ctx)
	key := limit.Seat(c.table, c.secret)
	if err := s.Limiter.Knock(c.from, key); err != nil {
		return nil, err
	}
	l := c.speaker.Lang()
	if !c.asked {
		l = "" // the table's
	}
	seat, err := s.Host.Enter(ctx, c.table, c.secret, l)
	if err == nil {
		s.Limiter.RememberSeat(key)
	} else if refusal.IsGone(err) {
		s.Limiter.CountMiss(c.from)
	}
	return seat, err
}
