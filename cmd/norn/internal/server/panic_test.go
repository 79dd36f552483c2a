package server

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/acme/autocert"

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

// certificateCache is a cache of certificates with its own Get.
type certificateCache struct {
	autocert.Cache
	get func() error
}

func (c certificateCache) Get(context.Context, string) ([]byte, error) { return nil, c.get() }

// A panic while a certificate is obtained is a failed attempt: the next one is as far away as after a
// refusal, because the authority allows few of them.
func TestPanicOfACertificateIsAFailedAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		attempts := 0
		c := &certificates{name: "norn.example", manager: &autocert.Manager{
			Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist("norn.example"),
			Cache: certificateCache{get: func() error {
				if attempts++; attempts == 1 {
					panic("on purpose")
				}
				cancel()
				return errors.New("it can't be read")
			}},
		}}
		var logged bytes.Buffer
		before, began := rescue.Counts()["certificate"], time.Now()
		c.obtain(ctx, slog.New(slog.NewTextHandler(&logged, nil)))
		if attempts != 2 || time.Since(began) != certificateRetry {
			t.Errorf("%d attempts in %v", attempts, time.Since(began))
		}
		if n := rescue.Counts()["certificate"] - before; n != 1 {
			t.Errorf("%d panics counted", n)
		}
		if text := logged.String(); strings.Count(text, "on purpose") != 1 || !strings.Contains(text, "domain.go") {
			t.Errorf("the log says %s", text)
		}
	})
}
