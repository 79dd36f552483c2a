package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/demos"
)

// served is a server under test and its output.
type served struct {
	stop   context.CancelFunc
	said   chan string
	status chan int
	errs   *bytes.Buffer
}

// serve starts norn serve in this process.
func serve(t *testing.T, args ...string) *served {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	read, write := io.Pipe()
	s := &served{stop: stop, said: make(chan string, 200), status: make(chan int, 1), errs: &bytes.Buffer{}}
	go func() {
		lines := bufio.NewScanner(read)
		for lines.Scan() {
			s.said <- lines.Text()
		}
		close(s.said)
	}()
	go func() {
		s.status <- run(ctx, home(), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...),
			strings.NewReader(""), write, s.errs, []string{"HOME=" + t.TempDir()})
		write.Close()
	}()
	t.Cleanup(func() { stop() })
	return s
}

// hear waits for a line that matches and returns its first group.
func (s *served) hear(t *testing.T, pattern string) string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	deadline := time.After(20 * time.Second)
	for {
		select {
		case line, ok := <-s.said:
			if !ok {
				t.Fatalf("nothing said matches %s; status %d: %s", pattern, <-s.status, s.errs)
			}
			if found := wanted.FindStringSubmatch(line); found != nil {
				return found[len(found)-1]
			}
		case <-deadline:
			t.Fatalf("nothing said matches %s", pattern)
		}
	}
}

// end stops the server and waits until it has stopped.
func (s *served) end(t *testing.T) {
	t.Helper()
	s.stop()
	select {
	case status := <-s.status:
		if status != 0 {
			t.Fatalf("status %d: %s", status, s.errs)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server doesn't stop")
	}
}

func TestServeOpensItsTablesAndADemo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	s := serve(t, "--data", dir, "--demo")
	link := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	demo := demoAt(t, http.DefaultClient, s.hear(t, `^  (http://127\.0\.0\.1:\d+/demo/.+)$`), "en")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the tables: %v, %v; want mode 0700", info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Join(dir, demos.File)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the link of the demo table: %v; want mode 0600", err)
	}
	for _, path := range []string{"/", "/api/openapi.json"} {
		answer, err := http.Get(link + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("GET %s: %s", path, answer.Status)
		}
	}
	table, secret, _ := strings.Cut(strings.TrimPrefix(demo, "/t/"), "/")
	request, err := http.NewRequest(http.MethodGet, link+"/api/v1/tables/"+table, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var view struct {
		Characters []struct{ Name string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&view); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("the demo table: %s, %v", answer.Status, err)
	}
	if len(view.Characters) == 0 {
		t.Error("nobody sits at the demo table")
	}

	// A folder can't be opened twice.
	other := serve(t, "--data", dir)
	if status := <-other.status; status != cli.Failed ||
		!strings.Contains(other.errs.String(), "is open in another norn") {
		t.Errorf("a second norn on the folder: status %d: %s", status, other.errs)
	}
	s.end(t)

	// After a restart it is the same demo table.
	s = serve(t, "--data", dir, "--demo")
	if again := demoAt(t, http.DefaultClient, s.hear(t, `^  (http://127\.0\.0\.1:\d+/demo/.+)$`), "en"); again != demo {
		t.Errorf("the demo table is at %s, was at %s", again, demo)
	}
	s.end(t)
}

// demoAt returns the target of a demo's link for a reader of some languages, without the roll that
// it fills in; "" for none.
func demoAt(t *testing.T, client *http.Client, link, languages string) string {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Language", languages)
	answer, err := cmp.Or(client.Transport, http.DefaultTransport).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	at, _, _ := strings.Cut(answer.Header.Get("Location"), "?")
	return at
}

// The links of the terminal and the start page lead to the demo in the reader's language, as its
// game master and as its player. The demo is created once.
func TestDemoLinksLeadToTheReadersLanguage(t *testing.T) {
	s := serve(t, "--data", t.TempDir(), "--demo")
	link := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	gm := s.hear(t, `^  (http://.+)$`) // Spire is the first
	player := s.hear(t, `^  (http://.+)$`)
	if gm != link+"/demo/spire" || player != gm+"/player" {
		t.Errorf("the terminal said %q and %q", gm, player)
	}
	seats := map[string]bool{}
	for _, languages := range []string{"en-GB", "uk-UA,uk;q=0.9", "ru"} {
		tables := map[string]bool{}
		for _, link := range []string{gm, player} {
			first, again := demoAt(t, http.DefaultClient, link, languages),
				demoAt(t, http.DefaultClient, link, languages)
			if !strings.HasPrefix(first, "/t/") || first != again || seats[first] {
				t.Errorf("%s is for %s at %q, then at %q", link, languages, first, again)
			}
			seats[first], tables[strings.Split(first, "/")[2]] = true, true
		}
		if len(tables) != 1 {
			t.Errorf("in %s the game master and the player sit at %d tables", languages, len(tables))
		}
	}
	for _, path := range []string{"/demo/chess", "/demo/chess/player", "/demo/spire/gm"} {
		if at := demoAt(t, http.DefaultClient, link+path, "en"); at != "" {
			t.Errorf("%s leads to %q", path, at)
		}
	}
	s.end(t)
}

// A live stream doesn't block the shutdown of the server.
func TestServeStopsWhileAStreamIsOpen(t *testing.T) {
	s := serve(t, "--data", t.TempDir(), "--demo")
	link := s.hear(t, `^norn is open at (http.+)$`)
	link += demoAt(t, http.DefaultClient, s.hear(t, `^  (http://.+/demo/.+)$`), "en")
	parts := strings.Split(link, "/")
	request, err := http.NewRequest(http.MethodGet, "http://"+parts[2]+"/api/v1/tables/"+parts[4]+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+parts[5])
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("live: %s", answer.Status)
	}
	s.end(t)
}

// A database that can't be used is refused and not changed.
func TestServeRefusesADamagedDatabase(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "norn.db")
	garbage := []byte(strings.Repeat("no database ", 1000))
	if err := os.WriteFile(file, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--data", dir)
	if status := <-s.status; status != cli.Failed {
		t.Errorf("status %d, want %d", status, cli.Failed)
	}
	for _, want := range []string{
		"norn: error: the database " + file + " is damaged or isn’t norn’s",
		"norn: hint: nothing in it was changed",
	} {
		if !strings.Contains(s.errs.String(), want) {
			t.Errorf("%q isn't said: %s", want, s.errs)
		}
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, garbage) {
		t.Errorf("the file was changed (%v)", err)
	}
}

// A database that a newer norn wrote is refused too. Its version is at byte 60 of the file.
func TestServeRefusesTheDatabaseOfANewerNorn(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--data", dir)
	s.hear(t, `^norn is open at (.+)$`)
	s.end(t)
	file := filepath.Join(dir, "norn.db")
	newer, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint32(newer[60:], 9999)
	if err := os.WriteFile(file, newer, 0o600); err != nil {
		t.Fatal(err)
	}
	s = serve(t, "--data", dir)
	if status := <-s.status; status != cli.Failed ||
		!strings.Contains(s.errs.String(), "is of a newer norn: version 9999") {
		t.Errorf("status %d: %s", status, s.errs)
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, newer) {
		t.Errorf("the file was changed (%v)", err)
	}
}

func TestServeLanPrintsAQRCode(t *testing.T) {
	s := serve(t, "--data", t.TempDir(), "--lan")
	link := s.hear(t, `^norn is open at (http://.+)$`)
	s.hear(t, `^(█{20,}|This machine is in no network.*)$`)
	answer, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	s.end(t)
}

// Serving only this computer explains how to let others in; serving the network doesn't.
func TestServeSaysHowToLetOthersIn(t *testing.T) {
	for flag, want := range map[string]string{
		"--lan=false": "Only this computer reaches it. For phones and others in your network: norn serve --lan",
		"--lan":       "Ctrl-C stops the server",
	} {
		s := serve(t, "--data", t.TempDir(), flag)
		if got := s.hear(t, `^(Only this computer.*|Ctrl-C.*)$`); got != want {
			t.Errorf("serve %s says %q, want %q", flag, got, want)
		}
		s.end(t)
	}
}
