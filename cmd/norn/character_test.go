package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
)

// A character goes from one table to another by two links, and what is wrong is said.
func TestCharacterIsCopiedToAnotherTableByTwoLinks(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--data", filepath.Join(dir, "tables"))
	at := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	table := func(name string) (id, secret string) {
		var made struct {
			ID   string
			Seat struct{ Secret string }
		}
		callAPI(t, at+"/api/v1/tables", "", `{"game":"spire","name":"`+name+`","lang":"en"}`, &made)
		file := filepath.Join(dir, name+".txt")
		if err := os.WriteFile(file, []byte(at+"/t/"+made.ID+"/"+made.Seat.Secret), 0o600); err != nil {
			t.Fatal(err)
		}
		return made.ID, made.Seat.Secret
	}
	from, secret := table("old")
	callAPI(t, at+"/api/v1/tables/"+from+"/characters", secret,
		`{"name":"Vex","kind":"character","sheet":{"class":"Thief"}}`,
		nil)
	table("new")
	file := filepath.Join(dir, "vex.json")
	do := func(status int, says string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		got := run(context.Background(), home(), append([]string{"--lang", "en", "character"}, args...),
			strings.NewReader(""), &out, &errs, []string{"HOME=" + dir})
		if said := out.String() + errs.String(); got != status || !strings.Contains(said, says) {
			t.Errorf("%q: status %d, %s", args, got, said)
		}
	}
	link := func(name string) string { return "--link=" + filepath.Join(dir, name+".txt") }
	do(0, "", "export", "vex", link("old"), "--out", file)
	do(0, "Vex arrives from a file.", "import", file, link("new"))
	do(0, `"class": "Thief"`, "export", "Vex", link("new"))
	do(0, `"class": "Thief"`, "export", " VEX ", link("new"))
	do(cli.Failed, "no character called", "export", "Mirra", link("new"))
	do(cli.Failed, "no hero that norn knows", "import", filepath.Join(dir, "old.txt"), link("new"))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	odd := strings.Replace(string(data), `"sheet": {`, `"sheet": {"wings": 2,`, 1)
	if err := os.WriteFile(file, []byte(odd), 0o600); err != nil {
		t.Fatal(err)
	}
	do(cli.Failed, "wings", "import", file, link("new"))
	do(0, "without what doesn’t fit here", "import", file, "--fitting", link("new"))
}

// callAPI posts a body, or asks without one, and reads the answer.
func callAPI(t *testing.T, url, secret, sent string, answer any) {
	t.Helper()
	method := http.MethodPost
	if sent == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+secret)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode/100 != 2 {
		t.Fatalf("%s: %s", url, got.Status)
	}
	if answer != nil {
		if err := json.NewDecoder(got.Body).Decode(answer); err != nil {
			t.Fatal(err)
		}
	}
}
