package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Seat is where an agent sits.
type Seat struct {
	API    http.RoundTripper // where norn's API is
	Base   *url.URL          // of the norn that has the table: the address before /api/
	Table  string            // its id
	Secret string            // the seat's
	Lang   string            // as in Accept-Language, "" for English
	From   string            // the address that asks, "" where the API sees it itself
}

// most is how many bytes an answer may have: the API's own are shorter.
const most = 16 << 20

// told is what the API answered: JSON, of a problem where it refused.
type told struct {
	status int
	body   json.RawMessage
}

func (t told) refused() bool { return t.status >= http.StatusBadRequest }

// ask makes one request. The error is of the way there, not of norn.
func (s *Seat) ask(ctx context.Context, method, path string, query url.Values, body any) (told, error) {
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return told{}, err
		}
		sent = bytes.NewReader(data)
	}
	at := s.Base.JoinPath("api", "v1", path)
	at.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, method, at.String(), sent)
	if err != nil {
		return told{}, err
	}
	r.RemoteAddr = s.From
	r.Header.Set("Authorization", "Bearer "+s.Secret)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Norn-By", "agent")
	if s.Lang != "" {
		r.Header.Set("Accept-Language", s.Lang)
	}
	answer, err := s.API.RoundTrip(r)
	if err != nil {
		return told{}, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, most))
	if err != nil {
		return told{}, err
	}
	if !json.Valid(data) { // of something that stands before norn
		return told{}, fmt.Errorf("%s %s: %s", method, path, answer.Status)
	}
	return told{answer.StatusCode, data}, nil
}

// here asks below the table's own address.
func (s *Seat) here(ctx context.Context, method, path string, query url.Values, body any) (told, error) {
	return s.ask(ctx, method, "tables/"+url.PathEscape(s.Table)+path, query, body)
}

// result is what a tool tells of it.
func (t told) result() *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(t.body)}}, StructuredContent: t.body, IsError: t.refused()}
}

// Server is a server for one seat.
func (s *Seat) Server(version string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "norn", Title: "norn", Version: version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	for _, t := range tools {
		server.AddTool(t.described(), func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return t.call(ctx, s, r)
		})
	}
	s.addResources(server)
	return server
}

const instructions = "You sit at a table where a role-playing game is played by its rules; norn throws the dice and knows the rules. " +
	"You hold one seat and see what it may see. Begin with look: who you are, which characters are yours, what waits for you. " +
	"Call moves before make_move to see which moves there are and what each needs; ask for odds before you risk anything. " +
	"A move may stop with a question: answer it, or say whom it waits for. After your turn use wait for what others do. " +
	"What norn refuses it explains, often with the id of a rule, which rules tells."
