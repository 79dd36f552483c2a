package agent_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"norn/agent"
	"norn/internal/rescue"
)

// The library runs a call in a goroutine of its own, where a panic would end the process.
func TestPanicOfACallIsAnsweredAndEndsNothing(t *testing.T) {
	broken := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/openapi.json") {
			panic("on purpose")
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	})
	mux := http.NewServeMux()
	mux.Handle("/mcp/{table}", agent.Handler(broken, "test", nil))
	server := httptest.NewServer(mux)
	defer server.Close()
	before := rescue.Counts()["agent"]
	for range 2 {
		r, err := http.NewRequest(http.MethodPost, server.URL+"/mcp/t1",
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer secret")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(text), "went wrong here") {
			t.Errorf("%d %s, %v", answer.StatusCode, text, err)
		}
	}
	if n := rescue.Counts()["agent"] - before; n != 2 {
		t.Errorf("%d panics counted", n)
	}
}
