package api_test

import (
	"net/http/httptest"
	"os"
	"testing"

	"norn/form"
	"norn/games"
	"norn/lang"
	"norn/web/api"
)

func TestX(t *testing.T) {
	w, err := lang.Load(form.Words, api.Words, games.All[0].Words)
	if err != nil {
		t.Fatal(err)
	}
	h := api.New(api.Config{Words: w, Games: games.All})
	for _, p := range []string{"/api/openapi.json", "/api/v1/games", "/api/v1/nix", "/api/v1/tables"} {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", p, nil))
		t.Log(rec.Code, rec.Header(), len(rec.Body.Bytes()))
		if p == "/api/openapi.json" {
			os.WriteFile("/tmp/norn/openapi.json", rec.Body.Bytes(), 0o644)
		} else {
			t.Log(rec.Body.String()[:min(600, rec.Body.Len())])
		}
	}
}
