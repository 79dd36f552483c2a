package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/limit"
	"norn/lang"
	"norn/table"
	"norn/table/refusal"
)

// Code identifies the kind of a problem. Codes are stable; texts may change.
type Code string

// Codes of problems.
const (
	NotFound         Code = "not-found"          // 404: no such table, no seat with this secret, no such address
	Forbidden        Code = "forbidden"          // 403: this seat may not do that
	MethodNotAllowed Code = "method-not-allowed" // 405: Allow names the methods
	Malformed        Code = "malformed"          // 400: the body isn't a JSON object
	TooLarge         Code = "too-large"          // 413: the body is larger than MaxBody
	UnsupportedMedia Code = "unsupported-media"  // 415: the body isn't application/json
	Invalid          Code = "invalid"            // 422: errors lists the invalid places
	Refused          Code = "refused"            // 422: rule names the rule that forbids it
	// 409: it can't be undone because later changes depend on it; later lists them
	Later     Code = "later"
	TooMany   Code = "too-many"   // 409: the table is full
	Busy      Code = "busy"       // 409: a character is in an open move
	Answered  Code = "answered"   // 409: somebody else has already answered the question
	KeyReused Code = "key-reused" // 409: the key belongs to another request
	Conflict  Code = "conflict"   // 409: others wrote first, again and again; repeat it
	// 503: the journal can't be reached; Retry-After says when to repeat, and with a key the same
	// entry isn't written twice
	Unavailable Code = "unavailable"
	// 503: a newer norn wrote this table, or it's damaged; it stays unchanged
	Unreadable Code = "unreadable"
	// 429: more requests than a seat or an address may make; Retry-After says when to repeat
	TooOften Code = "too-often"
	TooLong  Code = "too-long" // 414: the address is longer than MaxAddress
	// 429: too many odds requested at once; Retry-After says when to repeat
	OddsMany    Code = "odds-many"
	OddsCrowded Code = "odds-crowded" // 503: too many clients request odds; Retry-After says when to repeat
	// 422: the odds are too large to compute; the detail says what would fit
	OddsLarge Code = "odds-large"
	Internal  Code = "internal" // 500: a bug in norn
)

// statuses maps codes to HTTP statuses.
var statuses = map[Code]int{
	NotFound: http.StatusNotFound, Forbidden: http.StatusForbidden, MethodNotAllowed: http.StatusMethodNotAllowed,
	Malformed: http.StatusBadRequest, TooLarge: http.StatusRequestEntityTooLarge,
	UnsupportedMedia: http.StatusUnsupportedMediaType, Invalid: http.StatusUnprocessableEntity,
	Refused: http.StatusUnprocessableEntity, TooMany: http.StatusConflict, Busy: http.StatusConflict,
	Answered: http.StatusConflict, Later: http.StatusConflict, KeyReused: http.StatusConflict,
	Conflict:    http.StatusConflict,
	Unavailable: http.StatusServiceUnavailable, Unreadable: http.StatusServiceUnavailable,
	TooOften: http.StatusTooManyRequests, TooLong: http.StatusRequestURITooLong,
	OddsMany: http.StatusTooManyRequests, OddsCrowded: http.StatusServiceUnavailable,
	OddsLarge: http.StatusUnprocessableEntity,
	Internal:  http.StatusInternalServerError,
}

// Problem is the form of every error: application/problem+json by RFC 9457, in the reader's
// language. With 4xx nothing was written.
type Problem struct {
	Type   string          `json:"type" format:"uri" example:"urn:norn:problem:refused"`
	Title  string          `json:"title" doc:"what kind of problem it is, in words"`
	Status int             `json:"status"`
	Detail string          `json:"detail" doc:"what is wrong and what to do about it"`
	Code   Code            `json:"code" enum:"not-found,forbidden,method-not-allowed,malformed,too-large,unsupported-media,invalid,refused,later,too-many,busy,answered,key-reused,conflict,unavailable,unreadable,too-often,too-long,odds-many,odds-crowded,odds-large,internal" doc:"stable; programs go by it"`
	Rule   string          `json:"rule,omitempty" example:"SP-04" doc:"the rule of the game that refuses"`
	Errors []Fault         `json:"errors,omitempty" doc:"the places that are wrong"`
	Later  []refusal.Later `json:"later,omitempty" doc:"later entries that depend on what should be undone, as far as this seat may know"`

	header http.Header
}

// Fault is one invalid place.
type Fault struct {
	Place   string   `json:"place" example:"body.args.difficulty"`
	Code    string   `json:"code" enum:"range,unknown,missing,type,too-long,too-short,too-many,too-few,choice,utf8,control,syntax,duplicate,unneeded,reserved"`
	Message string   `json:"message"`
	Min     *int     `json:"min,omitempty" doc:"the least that is allowed: a number, characters or items"`
	Max     *int     `json:"max,omitempty" doc:"the most that is allowed"`
	Allowed []string `json:"allowed,omitempty" doc:"the values, the names of members or the kind that is wanted"`
}

// Error implements error.
func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders returns the headers of the response.
func (p *Problem) GetHeaders() http.Header { return p.header }

// ContentType returns the content type of problems.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// write sends the problem outside of an operation.
func (p *Problem) write(w http.ResponseWriter) {
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // can't happen: a Problem consists of texts and numbers
	}
	for name, values := range p.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // the client may have disconnected
}

// problem returns a Problem with a code.
func problem(say lang.Speaker, code Code, detail string) *Problem {
	p := &Problem{
		Type: "urn:norn:problem:" + string(code), Title: say.Say("api.title." + string(code)), Status: statuses[code],
		Detail: detail, Code: code, header: http.Header{},
	}
	if code == Unavailable {
		p.header.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	return p
}

// tooOften returns the Problem of a client with too many requests.
func tooOften(say lang.Speaker, e *limit.Error) *Problem {
	p := problem(say, TooOften, say.Say("api.detail.too-often", "N", e.Seconds()))
	p.header.Set("Retry-After", strconv.Itoa(e.Seconds()))
	return p
}

// retryAfter is the number of seconds after which to try something unavailable again.
const retryAfter = 5

// wrong returns the Problem of invalid fields; prefix is their place: "body", "query".
func wrong(say lang.Speaker, prefix string, problems form.Problems) *Problem {
	code := Invalid
	faults := make([]Fault, len(problems))
	for i, p := range problems {
		faults[i] = fault(say, prefix, p)
		if p.Path == "" && (p.Code == form.Syntax || p.Code == form.UTF8 || p.Code == form.Type) {
			code = Malformed
		}
	}
	var texts []string
	for i, f := range faults {
		if i == 3 {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, f.Message)
	}
	made := problem(say, code, strings.Join(texts, "; "))
	made.Errors = faults
	return made
}

// badQuery returns the Problem of invalid parameters, nil if there are none.
func badQuery(ctx context.Context, found ...*form.Problem) error {
	var problems form.Problems
	for _, p := range found {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	if problems == nil {
		return nil
	}
	return wrong(callOf(ctx).speaker, "query", problems)
}

// fault describes an error in one place.
func fault(say lang.Speaker, prefix string, p form.Problem) Fault {
	f := Fault{Place: prefix, Code: p.Code, Allowed: p.Allowed}
	if p.Path != "" {
		f.Place += "." + p.Path
	}
	switch p.Code {
	case form.Range:
		f.Min, f.Max = &p.Min, &p.Max
	case form.TooLong, form.TooMany:
		f.Max = &p.Max
	case form.TooShort, form.TooFew:
		f.Min = &p.Min
	}
	id, data := p.Word()
	data["Field"] = f.Place
	f.Message = say.Say(id, data)
	return f
}

// problemOf returns the Problem of an error of the table or in a body. seat is the client's, nil
// before it has entered one.
func (s *server) problemOf(ctx context.Context, seat *table.Seat, err error) error {
	say := callOf(ctx).speaker
	var told *Problem
	if errors.As(err, &told) {
		return told
	}
	if often := limit.As(err); often != nil {
		return tooOften(say, often)
	}
	var notation *game.NotationError
	if errors.As(err, &notation) {
		return notationProblem(say, "body.args", notation)
	}
	var missing *absentError
	if errors.As(err, &missing) {
		return oneFault(say, NotFound, fault(say, "path", missing.Problem))
	}
	var problems form.Problems
	if errors.As(err, &problems) {
		return wrong(say, "body", problems)
	}
	var refused refusal.Error
	if !errors.As(err, &refused) {
		if ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "an operation of the API failed", "error", err)
		}
		return problem(say, Internal, say.Say("api.detail.internal"))
	}
	code := Code(refused.Code())
	if _, known := statuses[code]; !known {
		code = Internal
	}
	// the host logs outages
	if statuses[code] >= http.StatusInternalServerError && code != Unavailable && ctx.Err() == nil {
		s.Log.ErrorContext(ctx, "a table is not there", "error", err)
	}
	p := problem(say, code, refusal.Say(voice(ctx, seat), err))
	if r, ok := game.AsRefusal(err); ok {
		p.Rule = r.Rule
	}
	if later := (*refusal.LaterError)(nil); errors.As(err, &later) {
		p.Later = later.Later
	}
	return p
}

// voice returns a voice that knows the characters of the table, if there is one.
func voice(ctx context.Context, seat *table.Seat) game.Voice {
	if seat != nil {
		if v, err := seat.Voice(ctx); err == nil {
			return v
		}
	}
	return table.VoiceOf(callOf(ctx).speaker)
}

// absentError is about something in the address that doesn't exist.
type absentError struct{ form.Problem }

func (e *absentError) Error() string { return "no such " + e.Path }

// absent turns an error about a value of the address that doesn't exist into an absentError. name
// is the field in the refusal, parameter the one in the address; "" for no such field.
func absent(err error, name, parameter string) error {
	var problems form.Problems
	if name == "" || !errors.As(err, &problems) || problems[0].Code != form.NoChoice || problems[0].Path != name {
		return err
	}
	found := problems[0]
	found.Path = parameter
	return &absentError{found}
}

// oneFault returns a Problem with one invalid place and its message.
func oneFault(say lang.Speaker, code Code, f Fault) *Problem {
	p := problem(say, code, f.Message)
	p.Errors = []Fault{f}
	return p
}

func notationProblem(say lang.Speaker, prefix string, err *game.NotationError) *Problem {
	f := fault(say, prefix, err.Problem())
	f.Message = bare.Say(say, err)
	return oneFault(say, Invalid, f)
}
