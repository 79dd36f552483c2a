package agent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"norn/internal/rescue"
)

// Seat is an agent's connection to a seat at a table.
type Seat struct {
	API    http.RoundTripper // reaches norn's API
	Base   *url.URL          // the address before /api/ of the norn that has the table
	Table  string            // the table's id
	Secret string            // the seat's secret
	Lang   string            // as in Accept-Language: without a language of norn's, the table's
	From   string            // the address of the client, "" where the API sees it itself
	Person bool              // a person asks, and what is written isn't marked as an agent's

	spoken atomic.Value // the language of the table's answers, a string, once one has come

	room  *room    // limits the answers to one call, nil for no limit
	tools *toolbox // the tools of this norn, nil until the first server
}

// maxAnswer limits the bytes of one answer. The API's own answers are shorter.
const maxAnswer = 16 << 20

// errRoom reports that the answers to one call, or to one address at a time, need too much memory.
var errRoom = errors.New("too much is asked for at a time; nothing more is answered here. Ask again, for less in one call")

// told is an answer of the API: JSON, which describes a problem where norn refused.
type told struct {
	status int
	body   json.RawMessage
}

func (t told) isRefusal() bool { return t.status >= http.StatusBadRequest }

// ask makes one request and reads its answer. The error is one of the connection, not a refusal.
func (s *Seat) ask(ctx context.Context, method, path string, query url.Values, body any) (told, error) {
	answer, err := s.request(ctx, method, path, query, body)
	if err != nil {
		return told{}, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return told{}, err
	}
	if !s.room.takes(len(data)) {
		return told{}, errRoom
	}
	if !json.Valid(data) { // from a proxy in front of norn
		return told{}, fmt.Errorf("%s %s: %s", method, path, answer.Status)
	}
	return told{answer.StatusCode, data}, nil
}

// Ask makes a request below the table's own address, and returns the status and the JSON of its
// answer.
func (s *Seat) Ask(ctx context.Context, method, path string, body any) (status int, answer json.RawMessage, err error) {
	got, err := s.here(ctx, method, path, nil, body)
	return got.status, got.body, err
}

// request makes one request. The caller closes the answer's body.
func (s *Seat) request(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error) {
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(data)
	}
	at := s.Base.JoinPath("api", "v1", path)
	at.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, method, at.String(), sent)
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = s.From
	r.Header.Set("Authorization", "Bearer "+s.Secret)
	r.Header.Set("Content-Type", "application/json")
	if !s.Person {
		r.Header.Set("Norn-By", "agent")
	}
	spoken, _ := s.spoken.Load().(string)
	if l := cmp.Or(spoken, s.Lang); l != "" {
		r.Header.Set("Accept-Language", l)
	}
	answer, err := s.API.RoundTrip(r)
	if err == nil && answer.StatusCode < http.StatusBadRequest && strings.HasPrefix(path, s.path("")) && answer.Header.Get("Content-Language") != "" {
		s.spoken.Store(answer.Header.Get("Content-Language"))
	}
	return answer, err
}

// here makes a request below the table's own address.
func (s *Seat) here(ctx context.Context, method, path string, query url.Values, body any) (told, error) {
	return s.ask(ctx, method, s.path(path), query, body)
}

func (s *Seat) path(path string) string { return "tables/" + url.PathEscape(s.Table) + path }

// seatAt is the shortest answer that only a seat gets: the log after the last possible entry, which
// is empty.
const seatAt = "/log"

var atSeat = url.Values{"after": {strconv.Itoa(math.MaxInt64)}, "limit": {"1"}}

// open checks before a session that the seat's secret is valid. It lets the session begin when the
// API can't be reached at the moment.
func (s *Seat) open(ctx context.Context) error {
	answer, err := s.here(ctx, http.MethodGet, seatAt, atSeat, nil)
	if err == nil && answer.status == http.StatusNotFound {
		return errSecret
	}
	return nil
}

// errBroken reports a panic.
var errBroken = errors.New("that went wrong here, and nothing was done; norn's log says what")

// errSecret reports a link that opens no seat: the table doesn't exist, or the secret is wrong or
// revoked.
var errSecret = errors.New("there is no such table, or the link to this seat is not valid any more")

// result returns the answer as the result of a tool.
func (t told) result() *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(t.body)}},
		StructuredContent: t.body, IsError: t.isRefusal(),
	}
}

// Server returns an MCP server for this seat.
func (s *Seat) Server(version string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "norn", Title: "norn", Version: version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	if s.tools == nil {
		s.tools = &toolbox{}
	}
	var once sync.Once
	load := func(ctx context.Context) error {
		all, err := s.tools.read(ctx, s)
		if err != nil {
			return err
		}
		once.Do(func() {
			for _, t := range all {
				server.AddTool(t.describe(), func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult,
					error,
				) {
					return t.call(ctx, s, r)
				})
			}
		})
		return nil
	}
	s.addResources(server)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (result mcp.Result, err error) {
			defer func() { // the library runs each call in a goroutine of its own
				if broken := recover(); broken != nil {
					rescue.Note(nil, "agent", broken, "method", method)
					result, err = nil, errBroken
				}
			}()
			if method == "initialize" || method == "server/discover" { // either of them begins a session
				if err := s.open(ctx); err != nil {
					return nil, err
				}
			}
			if strings.HasPrefix(method, "tools/") {
				if err := load(ctx); err != nil {
					return nil, err
				}
			}
			return next(ctx, method, r)
		}
	})
	return server
}

const instructions = "You sit at a table where a role-playing game is played by its rules; norn throws the dice and knows the rules. " +
	"You hold one seat and see what it may see. Begin with look: who you are, which characters are yours, what waits for you. " +
	"Call moves before make_move to see which moves there are and what each needs; ask for odds before you risk anything. " +
	"A move may stop with a question: answer it, or say who has to. After your turn use wait for what others do. " +
	"What norn refuses it explains, often with the id of a rule; the tool rules has its text."
