package api_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"norn/game"
	"norn/games"
	"norn/internal/rescue"
	"norn/web/api"
)

// broken is a library that panics once it's set: any rule could.
type broken struct{ set bool }

func (b *broken) Games() []*game.Game {
	if b.set {
		panic("on purpose")
	}
	return games.All()
}

func TestPanicIsAnsweredAsAProblem(t *testing.T) {
	library := &broken{}
	handler := api.New(api.Config{Games: library, Words: spoken(), Log: slog.New(slog.DiscardHandler)})
	library.set = true
	before := rescue.Counts()["api"]
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v1/games", nil))
	var p api.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 500 || p.Code != api.Internal ||
		p.Detail == "" || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if n := rescue.Counts()["api"] - before; n != 1 {
		t.Errorf("%d panics counted", n)
	}
}
