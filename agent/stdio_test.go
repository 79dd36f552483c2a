package agent_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"norn/agent"
	"norn/internal/rescue"
)

// brokenAPI is an API whose requests panic.
type brokenAPI struct{}

func (brokenAPI) RoundTrip(*http.Request) (*http.Response, error) { panic("on purpose") }

// Over the standard streams a panic of a call is answered too, and the next call is heard.
func TestPanicOfACallOverStreamsIsAnsweredAndEndsNothing(t *testing.T) {
	before := rescue.Counts()["agent"]
	seat := &agent.Seat{API: brokenAPI{}, Base: &url.URL{Scheme: "http", Host: "norn"}, Table: "t1", Secret: "secret"}
	in, calls := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- seat.Server("test").Run(context.Background(), &mcp.IOTransport{Reader: in, Writer: out})
		out.Close()
	}()
	read := bufio.NewReader(answers)
	for range 2 {
		_, _ = io.WriteString(calls, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
			`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n") // a pipe that is read never fails
		if said, err := read.ReadString('\n'); err != nil || !strings.Contains(said, "went wrong here") {
			t.Errorf("%s, %v", said, err)
		}
	}
	calls.Close()
	if err := <-ended; err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if n := rescue.Counts()["agent"] - before; n != 2 {
		t.Errorf("%d panics counted", n)
	}
}
