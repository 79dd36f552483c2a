package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"norn/bare"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/table"
	"norn/table/refusal"
)

// Code says what kind of problem it is. Codes are stable; texts may change.
type Code string

// The codes of problems.
const (
	NotFound         Code = "not-found"          // 404: no such table, no seat with this secret, no such address
	Forbidden        Code = "forbidden"          // 403: this seat may not do that
	MethodNotAllowed Code = "method-not-allowed" // 405: Allow names the methods
	Malformed        Code = "malformed"          // 400: the body is no JSON object
	TooLarge         Code = "too-large"          // 413: the body is over MaxBody
	UnsupportedMedia Code = "unsupported-media"  // 415: the body isn't application/json
	Invalid          Code = "invalid"            // 422: errors says which places are wrong
	Refused          Code = "refused"            // 422: rule says which rule forbids it
	// 409: it can't be undone, for what came later stands on it; later says what
	Later     Code = "later"
	TooMany   Code = "too-many"   // 409: the table is full
	Busy      Code = "busy"       // 409: a character is in an open move
	Answered  Code = "answered"   // 409: somebody else answered the question
	KeyReused Code = "key-reused" // 409: the key stands for another request
	Conflict  Code = "conflict"   // 409: others were quicker, again and again; repeat it
	// 503: the journal can't be reached; Retry-After says when to repeat, and a key then tells what
	// was written
	Unavailable Code = "unavailable"
	// 503: a newer norn wrote this table, or it's damaged; it stays as it is
	Unreadable Code = "unreadable"
	// 429: more than one seat or address may do; Retry-After says when to repeat
	TooOften Code = "too-often"
	TooLong  Code = "too-long" // 414: the address is over MaxAddress
	// 429: more odds asked for at once than one may; Retry-After says when to repeat
	OddsMany    Code = "odds-many"
	OddsCrowded Code = "odds-crowded" // 503: too many are asking for odds; Retry-After says when to repeat
	// 422: these odds are more than one question may cost; the detail says what would fit
	OddsLarge Code = "odds-large"
	Internal  Code = "internal" // 500: a fault of norn's own
)

// statuses are the HTTP statuses of the codes.
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

// Problem is what every error looks like: application/problem+json by RFC 9457, worded in the reader's language.
// Whoever gets one of 4xx knows that nothing was written.
type Problem struct {
	Type   string          `json:"type" format:"uri" example:"urn:norn:problem:refused"`
	Title  string          `json:"title" doc:"what kind of problem it is, in words"`
	Status int             `json:"status"`
	Detail string          `json:"detail" doc:"what is wrong and what to do about it"`
	Code   Code            `json:"code" enum:"not-found,forbidden,method-not-allowed,malformed,too-large,unsupported-media,invalid,refused,later,too-many,busy,answered,key-reused,conflict,unavailable,unreadable,too-often,too-long,odds-many,odds-crowded,odds-large,internal" doc:"stable; programs go by it"`
	Rule   string          `json:"rule,omitempty" example:"SP-04" doc:"the rule of the game that refuses"`
	Errors []Fault         `json:"errors,omitempty" doc:"the places that are wrong"`
	Later  []refusal.Later `json:"later,omitempty" doc:"what stands on what should be undone, as far as this seat may know"`

	header http.Header
}

// Fault is one place that is wrong.
type Fault struct {
	Place   string   `json:"place" example:"body.args.difficulty"`
	Code    string   `json:"code" enum:"range,unknown,missing,type,too-long,too-short,too-many,too-few,choice,utf8,control,syntax,duplicate,unneeded"`
	Message string   `json:"message"`
	Min     *int     `json:"min,omitempty" doc:"the least that is allowed: a number, characters or items"`
	Max     *int     `json:"max,omitempty" doc:"the most that is allowed"`
	Allowed []string `json:"allowed,omitempty" doc:"the values, the names of members or the kind that is wanted"`
}

// Error implements error.
func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// GetStatus is the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders are the headers that go with it.
func (p *Problem) GetHeaders() http.Header { return p.header }

// ContentType is that of problems.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// write sends the problem where no operation does.
func (p *Problem) write(w http.ResponseWriter) {
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // a Problem holds texts and numbers
	}
	for name, values := range p.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // the reader may have gone
}

// problem makes a Problem of a kind.
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

// tooOften is the Problem of who comes too often.
func tooOften(say lang.Speaker, e *limit.Error) *Problem {
	p := problem(say, TooOften, say.Say("api.detail.too-often", "N", e.Seconds()))
	p.header.Set("Retry-After", strconv.Itoa(e.Seconds()))
	return p
}

// retryAfter is how many seconds to wait before something unavailable is tried again.
const retryAfter = 5

// wrong is the Problem of fields that are wrong; prefix is where they stand: "body", "query".
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

// badQuery is the Problem of parameters that are wrong, nil when none is.
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

// fault says what is wrong in one place.
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

// problemOf is the Problem that an error is to whoever asked: one of package table, or of a body
// that was read here. seat is who asked, nil before anybody was seated.
func (s *server) problemOf(ctx context.Context, seat *table.Seat, err error) error {
	say := callOf(ctx).speaker
	var told *Problem
	if errors.As(err, &told) {
		return told
	}
	if often := limit.As(err); often != nil {
		return tooOften(say, often)
	}
	if often, ok := errors.AsType[*refusal.TooOftenError](err); ok {
		return tooOften(say, &limit.Error{Limit: "writes", After: often.After})
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

// voice names the characters of the table, where there is one.
func voice(ctx context.Context, seat *table.Seat) game.Voice {
	if seat != nil {
		if v, err := seat.Voice(ctx); err == nil {
			return v
		}
	}
	return table.VoiceOf(callOf(ctx).speaker)
}

// absentError is of what an address names and isn't there.
type absentError struct{ form.Problem }

func (e *absentError) Error() string { return "no such " + e.Path }

// absent makes err one of the address where it says that what a refusal calls by a name isn't there, and the parameter
// of the address names that. "" is no name.
func absent(err error, name, parameter string) error {
	var problems form.Problems
	if name == "" || !errors.As(err, &problems) || problems[0].Code != form.NoChoice || problems[0].Path != name {
		return err
	}
	found := problems[0]
	found.Path = parameter
	return &absentError{found}
}

// oneFault is a Problem of one place, with its message.
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
