package operator

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"norn/internal/rescue"
)

// A command that panics is answered with 500, and the next is carried out.
func TestPanicOfACommandEndsNothing(t *testing.T) {
	dir := t.TempDir()
	defer Operate(nil, dir, "http://there", slog.New(slog.DiscardHandler))() // without a host each command panics
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(dir, operatorSocket))
		},
	}}
	defer client.CloseIdleConnections()
	before := rescue.Counts()["operator"]
	answer, err := client.Post("http://operator/delete", "application/json", strings.NewReader(`{"table":"aaaaaaaaaaaaaaaa"}`))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusInternalServerError {
		t.Errorf("delete: %s", answer.Status)
	}
	if answer, err = client.Get("http://operator/at"); err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "http://there" {
		t.Errorf("at: %s, %v", text, err)
	}
	if n := rescue.Counts()["operator"] - before; n != 1 {
		t.Errorf("%d panics counted", n)
	}
}
