package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"norn/form"
	"norn/internal/limit"
	"norn/internal/nesting"
	"norn/internal/rescue"
	"norn/lang"
	"norn/odds"
	"norn/table"
)

// MaxBody limits the bytes of a body. MaxListBody is that of a list, whose letters may be escaped.
const (
	MaxBody     = 1 << 20
	MaxListBody = 9<<20 + 16<<10
)

// shortBody is the size up to which a body is read at once.
const shortBody = 4 << 10

// MaxAddress limits the bytes of an address.
const MaxAddress = 16 << 10

// ByHeader is "agent" if a program acts for a seat: its entries say so, too.
const (
	ByHeader = "Norn-By"
	byAgent  = "agent"
)

// liveAt is the address of live streams.
const liveAt = "/api/v1/tables/{id}/live"

// admit passes a request on if its address isn't too long and the client hasn't too many requests,
// in total or at once.
func (s *server) admit(next *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.RequestURI) > MaxAddress {
			say := s.greet(w, r)
			problem(say, TooLong, say.Say("api.detail.too-long", "N", MaxAddress>>10)).write(w)
			return
		}
		leave, err := s.Limiter.Request(odds.Asker(r.RemoteAddr), lasts(next, r))
		if often := limit.As(err); often != nil {
			tooOften(s.greet(w, r), often).write(w)
			return
		}
		defer leave()
		s.serve(next, w, r)
	})
}

// lasts reports whether a request is for a live stream. One with a body isn't.
func lasts(next *http.ServeMux, r *http.Request) bool {
	if r.Method == http.MethodPost || r.ContentLength != 0 { // the route is found again anyway
		return false
	}
	_, route := next.Handler(r)
	return route == http.MethodGet+" "+liveAt
}

// serve calls next. A panic there is answered as every other error, for all callers of the API: a
// connection, or an agent's server in this process.
func (s *server) serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	out := &begun{ResponseWriter: w}
	defer func() {
		switch broken := recover(); {
		case broken == nil:
		case broken == http.ErrAbortHandler:
			panic(broken)
		default:
			rescue.Note(s.Log, "api", broken, "route", r.Pattern)
			if !out.is {
				say := s.greet(w, r)
				problem(say, Internal, say.Say("api.detail.internal")).write(w)
			}
		}
	}()
	next.ServeHTTP(out, r)
}

// begun is a response that knows whether it has begun.
type begun struct {
	http.ResponseWriter
	is bool
}

func (b *begun) WriteHeader(status int) {
	b.is = true
	b.ResponseWriter.WriteHeader(status)
}

func (b *begun) Write(data []byte) (int, error) {
	b.is = true
	return b.ResponseWriter.Write(data)
}

// Unwrap lets live streams take the connection.
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// elsewhere responds to requests without an operation: 405 with Allow if the address has others,
// otherwise 404.
func (s *server) elsewhere(mux *http.ServeMux, api *huma.OpenAPI) {
	for path, item := range api.Paths {
		var methods []string
		for method, op := range map[string]*huma.Operation{
			"GET": item.Get, "POST": item.Post, "PATCH": item.Patch, "DELETE": item.Delete,
		} {
			if op != nil {
				methods = append(methods, method)
			}
		}
		if item.Get != nil {
			methods = append(methods, "HEAD")
		}
		slices.Sort(methods)
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			say := s.greet(w, r)
			p := problem(say, MethodNotAllowed,
				say.Say("api.detail.method-not-allowed", "Method", r.Method, "Allowed", methods))
			p.header.Set("Allow", strings.Join(methods, ", "))
			p.write(w)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		say := s.greet(w, r)
		problem(say, NotFound, say.Say("api.detail.no-address")).write(w)
	})
}

// readCall reads what all requests have in common, or refuses an invalid request.
func (s *server) readCall(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	_, asked := lang.Match(r.Header.Get("Accept-Language")) // "*", as some programs send by themselves, asks for none
	c := call{
		speaker: s.greet(w, r), asked: asked, header: w.Header(), table: ctx.Param("id"), named: namedBy(ctx),
		secret: bearer(r.Header.Get("Authorization")), from: odds.Asker(r.RemoteAddr), query: queryOf(r.URL.RawQuery),
	}
	op := ctx.Operation()
	if p := strange(c.speaker, r.URL.RawQuery, op); p != nil {
		p.write(w)
		return
	}
	if short := r.ContentLength >= 0 && r.ContentLength <= longBody; op.Metadata[fileOfOperation] == true && !short {
		if often := limit.As(s.Limiter.MayUpload(c.from)); often != nil {
			tooOften(c.speaker, often).write(w)
			return
		}
	}
	if r.Method == http.MethodPost || r.Method == http.MethodPatch {
		var p *Problem
		if c.body, p = readBody(c.speaker, w, r); p != nil {
			p.write(w)
			return
		}
	}
	billed := table.WithBill(context.WithValue(ctx.Context(), callKey{}, c), func(bytes int) {
		s.Limiter.ChargeEntry(c.from, bytes)
	})
	billed = table.WithTurn(billed, func() error { return s.Limiter.Upload(c.from) },
		func(ctx context.Context) (func(), error) { return s.Gate.Alone(ctx, c.from) })
	if r.Header.Get(ByHeader) == byAgent {
		billed = table.ByAgent(billed)
	}
	next(huma.WithContext(ctx, billed))
}

// namedBy returns the parameters in an address other than the table.
func namedBy(ctx huma.Context) map[string]string {
	var named map[string]string
	for _, p := range ctx.Operation().Parameters {
		if p.In == "path" && p.Name != "id" {
			if named == nil {
				named = map[string]string{}
			}
			named[p.Name] = ctx.Param(p.Name)
		}
	}
	return named
}

// strange refuses a query with unknown or repeated parameters.
func strange(say lang.Speaker, query string, op *huma.Operation) *Problem {
	if query == "" {
		return nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return problem(say, Invalid, say.Say("api.detail.query"))
	}
	if op.Metadata[anyQuery] != nil {
		return nil
	}
	var allowed []string
	for _, p := range op.Parameters {
		if p.In == "query" {
			allowed = append(allowed, p.Name)
		}
	}
	var problems form.Problems
	for name, given := range values {
		switch {
		case !slices.Contains(allowed, name):
			problems = append(problems, form.Problem{
				Path: printable(name), Code: form.Unknown, Given: printable(name),
				Allowed: allowed,
			})
		case len(given) > 1:
			problems = append(problems, form.Problem{Path: name, Code: form.Duplicate, Given: printable(given[1])})
		}
	}
	if problems == nil {
		return nil
	}
	slices.SortFunc(problems, func(a, b form.Problem) int { return strings.Compare(a.Path, b.Path) })
	return wrong(say, "query", problems)
}

// anyQuery marks an operation that checks its query itself.
const anyQuery = "query"

func queryOf(text string) url.Values {
	if text == "" {
		return nil
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		return nil // strange refuses it
	}
	return values
}

// isJSON reports whether a content type is JSON in UTF-8.
func isJSON(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	media, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	return err == nil && media == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// readBody reads a body if it's JSON and not too large.
func readBody(say lang.Speaker, w http.ResponseWriter, r *http.Request) ([]byte, *Problem) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return nil, problem(say, UnsupportedMedia,
			say.Say("api.detail.unsupported-media", "Wanted", "application/json"))
	}
	most := MaxBody
	if strings.HasSuffix(r.URL.Path, "/lists") {
		most = MaxListBody
	}
	body, err := readPart(http.MaxBytesReader(w, r.Body, int64(most)), r.ContentLength)
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, problem(say, TooLarge, say.Say("api.detail.too-large", "N", most))
	}
	if often := limit.As(err); often != nil {
		return nil, tooOften(say, often)
	}
	if err != nil {
		return nil, problem(say, Malformed, say.Say("api.detail.cut-off"))
	}
	if at := nesting.Place(body); at >= 0 {
		return nil, wrong(say, "body", form.Problems{{Code: form.Syntax, Given: strconv.Itoa(at + 1)}})
	}
	return body, nil
}

// readPart reads a body with a length, negative if unknown. Nearly all are far smaller than the
// first buffer of io.ReadAll; a long one gets memory as it arrives.
func readPart(body io.Reader, length int64) ([]byte, error) {
	if length < 0 || length > shortBody {
		return io.ReadAll(body)
	}
	short := make([]byte, length)
	_, err := io.ReadFull(body, short)
	return short, err
}
