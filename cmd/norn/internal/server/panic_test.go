package server

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"norn/internal/meter"
	"norn/internal/rescue"
)

// The server of metrics answers a panic with 500 and goes on.
func TestPanicWhileMetricsAreServedEndsNothing(t *testing.T) {
	var missing *health // /readyz panics
	served := httptest.NewServer(watchServer(meter.New("test"), missing, slog.New(slog.DiscardHandler)).Handler)
	defer served.Close()
	before := rescue.Counts()["metrics"]
	for _, c := range []struct {
		path string
		want int
	}{{"/readyz", http.StatusInternalServerError}, {"/healthz", http.StatusOK}} {
		answer, err := http.Get(served.URL + c.path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s", c.path, answer.Status)
		}
	}
	if n := rescue.Counts()["metrics"] - before; n != 1 {
		t.Errorf("%d panics counted", n)
	}
}
