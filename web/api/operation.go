package api

import (
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// doc is what the document says of an operation beside its types.
type doc struct {
	summary string
	text    string
	tag     string
	open    bool // needs no seat
	status  int  // of a good answer; 200 unless set
	more    map[int]string
	body    string // schema of its body, "" for none
	example any    // of its body
	errors  []int  // besides those that every operation has; those of a change unless set
}

const bodyOfOperation = "body"

// operation puts together what huma needs to know. Parameters and bodies are checked here and not by huma, so that all
// errors are alike.
func operation(method, path, id string, d doc) huma.Operation {
	op := huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: d.summary, Description: d.text, Tags: []string{d.tag},
		DefaultStatus: d.status, SkipValidateParams: true, SkipValidateBody: true,
		Responses: map[string]*huma.Response{},
		Security:  []map[string][]string{{"seat": {}}},
	}
	if d.errors == nil && method != http.MethodGet && !d.open {
		d.errors = []int{http.StatusForbidden, http.StatusConflict}
	}
	failures := append([]int{http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusRequestURITooLong, http.StatusInternalServerError}, d.errors...)
	if d.open {
		op.Security = []map[string][]string{}
	} else {
		failures = append(failures, http.StatusNotFound, http.StatusServiceUnavailable)
	}
	if d.body != "" {
		failures = append(failures, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusServiceUnavailable)
		op.Metadata = map[string]any{bodyOfOperation: &huma.RequestBody{
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

// failure describes the answer with an error status.
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

// described is huma's API, but for the bodies, which huma would read itself if it knew of them sooner.
type described struct{ huma.API }

// DocumentOperation implements huma.OperationDocumenter.
func (d described) DocumentOperation(op *huma.Operation) {
	if body, ok := op.Metadata[bodyOfOperation].(*huma.RequestBody); ok {
		op.RequestBody = body
	}
	// A second good status answers with the same body as the first.
	standard := op.Responses[strconv.Itoa(op.DefaultStatus)]
	for _, r := range op.Responses {
		if r.Content == nil && standard != nil {
			r.Content = standard.Content
		}
	}
	d.OpenAPI().AddOperation(op)
}

// textAnswer describes an answer that is a text of some kind.
func textAnswer(what, media string) *huma.Response {
	return &huma.Response{
		Description: what, Content: map[string]*huma.MediaType{media: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}
}
