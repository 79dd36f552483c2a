package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/demos"
)

// released is the data of norn 0.1.0, built from the commit that released it: a folder with a demo
// table of each game and a table with one session, a second one begun and an open question; and a
// file of that table.
const released = "testdata/folders/0.1.0"

// evening is the table of the sessions, with its links.
type evening struct{ ID, GM, Anna string }

// leftBy unpacks the data of a released norn into a folder.
func leftBy(t *testing.T, from string) (dir string, played evening) {
	t.Helper()
	dir = t.TempDir()
	packed, err := filepath.Glob(filepath.Join(from, "*.gz"))
	if err != nil || len(packed) == 0 {
		t.Fatalf("%v: %v", packed, err)
	}
	for _, file := range packed {
		z, err := gzip.NewReader(strings.NewReader(text(t, file)))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(filepath.Base(file), ".gz")), data,
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, demos.File), []byte(text(t, filepath.Join(from, demos.File))),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text(t, filepath.Join(from, "thursdays.json"))), &played); err != nil {
		t.Fatal(err)
	}
	return dir, played
}

// asked makes a request of the API and reads its answer.
func asked(t *testing.T, method, link, secret string, body, into any) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(method, link, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+secret)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %s %s", method, link, answer.Status, said)
	} else if err := json.Unmarshal(said, into); err != nil {
		t.Fatal(err)
	}
}

// The tables of 0.1.0 open with all their content, and people continue to play: with their old
// links, from the open question.
func TestTablesOfTheFirstReleaseOpenAndCanBePlayed(t *testing.T) {
	dir, played := leftBy(t, released)
	s := serve(t, "--data", dir, "--demo")
	link := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	at := link + "/api/v1/tables/" + played.ID
	type view struct {
		Seq        int
		Session    struct{ N int }
		Sessions   []any
		Characters []struct {
			Name, Owner string
			Sheet       struct {
				Stress   map[string]int
				Fallouts []struct{ Suggestion string }
			}
		}
		Questions []struct{ ID, Question string }
		Stranded  []struct{ Move string }
	}
	var now view
	asked(t, http.MethodGet, at, played.GM, nil, &now)
	if now.Seq != 18 || now.Session.N != 2 || len(now.Sessions) != 1 || len(now.Characters) != 2 ||
		now.Characters[0].Name != "Lira" || now.Characters[0].Owner != "s2" {
		t.Errorf("the table is %+v", now)
	}
	if lira := now.Characters[0].Sheet; lira.Stress["shadow"] != 2 || len(lira.Fallouts) != 1 ||
		lira.Fallouts[0].Suggestion != "mind.severe.1" {
		t.Errorf("Lira is %+v", lira)
	}
	var log struct{ Entries []map[string]any }
	asked(t, http.MethodGet, at+"/log", played.Anna, nil, &log)
	if len(log.Entries) < 15 {
		t.Errorf("Anna's log has %d entries", len(log.Entries))
	}
	if len(now.Questions)+len(now.Stranded) != 1 {
		t.Errorf("neither is a question open nor a move stranded: %+v", now)
	}
	// The game master adopts the current rules. The open question continues with them, or is
	// cancelled.
	var done map[string]any
	asked(t, http.MethodPost, at+"/edition", played.GM, map[string]any{"key": "newer"}, &done)
	now = view{}
	asked(t, http.MethodGet, at, played.GM, nil, &now)
	for _, q := range now.Questions {
		asked(t, http.MethodPost, at+"/answers", played.GM,
			map[string]any{"question": q.ID, "answer": map[string]any{"die": "d3", "resistance": "mind"}, "key": "on"},
			&done)
	}
	if len(now.Questions) == 0 {
		asked(t, http.MethodPost, at+"/moves", played.Anna,
			map[string]any{
				"move": "check", "character": "c1",
				"args": map[string]any{"skill": true, "resistance": "mind", "risk": "d3"}, "key": "anew",
			}, &done)
	}
	asked(t, http.MethodPost, at+"/talk", played.Anna, map[string]any{"text": "Where were we?", "key": "talk"}, &done)
	s.end(t)

	var links map[string]demos.Table
	if err := json.Unmarshal([]byte(text(t, filepath.Join(released, demos.File))), &links); err != nil {
		t.Fatal(err)
	}
	s = serve(t, "--data", dir, "--demo")
	link = s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	for of, table := range links {
		var now struct {
			Seq        int
			Characters []struct{} // their sheets differ by game
		}
		asked(t, http.MethodGet, link+"/api/v1/tables/"+table.Table, table.GM, nil, &now)
		if now.Seq < 5 || len(now.Characters) < 2 {
			t.Errorf("%s: %d entries, %d characters", of, now.Seq, len(now.Characters))
		}
	}
	if len(links) != 5 {
		t.Errorf("%d demo tables, want 5", len(links))
	}
	s.end(t)
}

// A file that 0.1.0 exported can be verified and imported.
func TestFileOfTheFirstReleaseIsVerifiedAndImported(t *testing.T) {
	dir, _ := leftBy(t, released)
	file := filepath.Join(dir, "thursdays.jsonl")
	if status, _, errs := norn(t, "verify", file); status != cli.Done {
		t.Errorf("verify: %s", errs)
	}
	if status, _, errs := norn(t, "import", "--data", t.TempDir(), file); status != cli.Done {
		t.Errorf("import: %s", errs)
	}
}
